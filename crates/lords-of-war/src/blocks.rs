//! Sixteen bytes at once: additions without carry from byte to byte, and one bit for every byte
//! whose highest bit is set. Every x86-64 processor has instructions for it; elsewhere two words
//! do the same.

/// Bytes of a block.
pub(crate) const BLOCK: usize = 16;

pub(crate) use block::Block;

// Part of every x86-64 processor, so there is nothing to ask at run time.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[allow(unsafe_code)]
mod block {
    use std::arch::x86_64::{
        __m128i, _mm_add_epi8, _mm_movemask_epi8, _mm_set_epi64x, _mm_set1_epi8,
    };

    /// Sixteen bytes.
    #[derive(Clone, Copy)]
    pub(crate) struct Block(__m128i);

    impl Block {
        /// The bytes from this place on.
        #[inline(always)]
        pub(crate) fn load(bytes: &[u8], first: usize) -> Self {
            let [low, high] = super::words(bytes, first).map(u64::cast_signed);
            // SAFETY: this module is compiled only where all processors have SSE2.
            Self(unsafe { _mm_set_epi64x(high, low) })
        }

        /// The same byte sixteen times.
        #[inline(always)]
        pub(crate) fn of(byte: u8) -> Self {
            // SAFETY: this module is compiled only where all processors have SSE2.
            Self(unsafe { _mm_set1_epi8(byte.cast_signed()) })
        }

        /// Byte by byte; no sum exceeds 255.
        #[inline(always)]
        pub(crate) fn plus(self, other: Self) -> Self {
            // SAFETY: this module is compiled only where all processors have SSE2.
            Self(unsafe { _mm_add_epi8(self.0, other.0) })
        }

        /// Bit `i` is the highest bit of byte `i`.
        #[inline(always)]
        pub(crate) fn high_bits(self) -> u64 {
            // SAFETY: this module is compiled only where all processors have SSE2.
            u64::from(unsafe { _mm_movemask_epi8(self.0) }.cast_unsigned())
        }
    }
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
mod block {
    pub(crate) use super::words_block::Block;
}

/// Also compiled where it only serves as the measure of the other.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "sse2"))))]
mod words_block {
    use crate::board::{HIGH, ONES, gather_high};

    /// Sixteen bytes.
    #[derive(Clone, Copy)]
    pub(crate) struct Block([u64; 2]);

    impl Block {
        /// The bytes from this place on.
        #[inline(always)]
        pub(crate) fn load(bytes: &[u8], first: usize) -> Self {
            Self(super::words(bytes, first))
        }

        /// The same byte sixteen times.
        #[inline(always)]
        pub(crate) fn of(byte: u8) -> Self {
            Self([u64::from(byte) * ONES; 2])
        }

        /// Byte by byte; no sum exceeds 255.
        #[inline(always)]
        pub(crate) fn plus(self, other: Self) -> Self {
            Self([self.0[0] + other.0[0], self.0[1] + other.0[1]])
        }

        /// Bit `i` is the highest bit of byte `i`.
        #[inline(always)]
        pub(crate) fn high_bits(self) -> u64 {
            let [low, high] = self.0.map(|word| gather_high(word & HIGH));
            low | high << 8
        }
    }
}

/// Sixteen bytes as two words.
#[inline(always)]
fn words(bytes: &[u8], first: usize) -> [u64; 2] {
    let word = |first| u64::from_le_bytes(bytes[first..first + 8].try_into().expect("eight bytes"));
    [word(first), word(first + 8)]
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, block, words_block};

    #[test]
    fn all_kinds_of_blocks_agree() {
        let mut rng = gamecore::Rng::new(1);
        for _ in 0..1_000 {
            let bytes: [u8; 2 * BLOCK] = std::array::from_fn(|_| rng.below(128) as u8);
            let (first, more) = (rng.below(BLOCK as u32) as usize, rng.below(128) as u8);
            let fast = block::Block::load(&bytes, first).plus(block::Block::of(more));
            let plain = words_block::Block::load(&bytes, first).plus(words_block::Block::of(more));
            assert_eq!(fast.high_bits(), plain.high_bits());
            for place in 0..BLOCK {
                let high = u64::from(bytes[first + place] + more >= 128);
                assert_eq!(fast.high_bits() >> place & 1, high);
            }
        }
    }
}
