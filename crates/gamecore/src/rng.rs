//! The one random generator of the project, and how its seeds are made.
//!
//! Streams must repeat on every machine and in every version, so the generator is named:
//! xoshiro256++ (Blackman and Vigna, 2019), seeded through SplitMix64 as its authors advise.

use rand_core::{Rng as _, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use sha2::{Digest, Sha256};

/// A portable, seeded random stream: xoshiro256++.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// A stream that depends on `seed` alone.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// The next 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number in `0..bound`, by the high half of a 128-bit product; the bias is below
    /// `bound / 2^64`. One draw of 64 bits, always. `bound` must not be 0.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        debug_assert!(bound > 0, "below(0) has no answer");
        ((u128::from(self.next_u64()) * u128::from(bound)) >> 64) as u32
    }

    /// A number in `[0, 1)` with 53 random bits.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Puts `items` in uniformly random order (Fisher–Yates, from the end).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u32 + 1) as usize);
        }
    }
}

/// What a random stream is for. Every use of randomness has its own, so that adding a draw in one
/// place cannot shift the draws of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The start position of a pair: shuffles, random opening plies, first seat.
    Start,
    /// Chance events inside the game; the same draws, event by event, in both games of a pair.
    Chance,
    /// Everything of one pairing among many; takes the place of the pair's number.
    Cell,
    /// The private randomness of one agent in one game.
    Agent {
        /// Which game of the pair: 0 or 1.
        game: u8,
        /// The agent's letter in the experiment: `a`, `b`, …
        letter: char,
    },
}

/// The seed of one stream: the first 8 bytes, little-endian, of SHA-256 over the ASCII text
/// `warroom/RUN-SEED/PAIR/PURPOSE`, where an agent's purpose is `agent/GAME/LETTER`.
#[must_use]
pub fn seed(run_seed: u64, pair: u64, purpose: Purpose) -> u64 {
    let purpose = match purpose {
        Purpose::Start => "start".to_owned(),
        Purpose::Chance => "chance".to_owned(),
        Purpose::Cell => "cell".to_owned(),
        Purpose::Agent { game, letter } => format!("agent/{game}/{letter}"),
    };
    let digest = Sha256::digest(format!("warroom/{run_seed}/{pair}/{purpose}"));
    u64::from_le_bytes(digest[..8].try_into().expect("SHA-256 has 32 bytes"))
}

/// SHA-256 of `text` as 16 lower-case hexadecimal digits: names rules, specs and data files.
#[must_use]
pub fn short_hash(content: impl AsRef<[u8]>) -> String {
    Sha256::digest(content)[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The stream and the seeds are part of every stored result: these constants never change.
    #[test]
    fn stream_and_seeds_are_frozen() {
        let mut rng = Rng::new(1);
        let drawn: Vec<u64> = (0..3).map(|_| rng.next_u64()).collect();
        assert_eq!(drawn, [14971601782005023387, 13781649495232077965, 1847458086238483744]);
        assert_eq!(seed(1, 0, Purpose::Start), seed(1, 0, Purpose::Start));
        let agent = |game, letter| seed(7, 3, Purpose::Agent { game, letter });
        let all = [
            seed(7, 3, Purpose::Start),
            seed(7, 3, Purpose::Chance),
            seed(7, 3, Purpose::Cell),
            agent(0, 'a'),
            agent(1, 'a'),
            agent(0, 'b'),
            seed(7, 4, Purpose::Start),
            seed(8, 3, Purpose::Start),
        ];
        for (i, first) in all.iter().enumerate() {
            assert!(all[i + 1..].iter().all(|second| first != second), "seed {i} repeats");
        }
    }

    #[test]
    fn below_covers_its_range_evenly() {
        let mut rng = Rng::new(5);
        let mut counts = [0u32; 7];
        for _ in 0..70_000 {
            counts[rng.below(7) as usize] += 1;
        }
        assert!(counts.iter().all(|&count| (9_500..10_500).contains(&count)), "{counts:?}");
    }

    #[test]
    fn shuffle_reaches_every_order() {
        let mut seen = std::collections::BTreeSet::new();
        let mut rng = Rng::new(3);
        for _ in 0..500 {
            let mut items = [0, 1, 2, 3];
            rng.shuffle(&mut items);
            seen.insert(items);
        }
        assert_eq!(seen.len(), 24);
    }
}
