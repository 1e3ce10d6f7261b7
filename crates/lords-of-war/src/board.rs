//! The board as bits: eight bits a row, of which the last is a guard, so that a step over the
//! edge lands on a bit that no card ever has.

/// Columns of the board.
pub const COLS: usize = 7;
/// Rows of the board.
pub const ROWS: usize = 6;
/// Squares of the board.
pub const SQUARES: usize = COLS * ROWS;

/// Bits from one row to the next.
pub(crate) const STRIDE: usize = 8;
/// Places of an array with one entry for each bit of the board.
pub(crate) const PLACES: usize = STRIDE * ROWS;
/// Every square of the board.
pub(crate) const BOARD: u64 = 0x7f7f_7f7f_7f7f;

/// Steps to the neighbours: north (away from seat 0) first, then clockwise.
pub(crate) const STEPS: [i32; 8] = [8, 9, 1, -7, -8, -9, -1, 7];

/// A square, numbered by its bit: eight times the row plus the column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(pub(crate) u8);

impl Square {
    /// The square of a column from seat 0's left and a row from seat 0's home row.
    #[must_use]
    pub const fn new(col: usize, row: usize) -> Option<Self> {
        if col < COLS && row < ROWS { Some(Self((row * STRIDE + col) as u8)) } else { None }
    }

    /// Column from seat 0's left.
    #[must_use]
    pub const fn col(self) -> usize {
        self.0 as usize % STRIDE
    }

    /// Row from seat 0's home row.
    #[must_use]
    pub const fn row(self) -> usize {
        self.0 as usize / STRIDE
    }

    /// Its place among the 42 squares in order.
    #[must_use]
    pub const fn index(self) -> usize {
        self.row() * COLS + self.col()
    }

    /// Its bit.
    #[must_use]
    pub const fn bit(self) -> u64 {
        1 << self.0
    }

    /// Reads `col,row`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (col, row) = text.split_once(',')?;
        Self::new(col.parse().ok()?, row.parse().ok()?)
    }
}

impl std::fmt::Display for Square {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{},{}", self.col(), self.row())
    }
}

/// The squares of a set of bits, in square order.
pub fn squares_in(set: u64) -> impl Iterator<Item = Square> {
    bits(set).map(|bit| Square(bit as u8))
}

/// Numbers of the bits of a set, lowest first.
#[inline(always)]
pub(crate) fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let bit = set.trailing_zeros() as usize;
        set &= set - 1;
        Some(bit)
    })
}

/// All neighbours of the squares of a set; bits off the board may be set too.
#[inline(always)]
pub(crate) const fn around(set: u64) -> u64 {
    let row = set << 1 | set >> 1;
    let three = row | set;
    row | three << STRIDE | three >> STRIDE
}

/// The set moved by a step.
#[inline(always)]
pub(crate) const fn shift(set: u64, step: i32) -> u64 {
    if step >= 0 { set << step } else { set >> -step }
}

/// The number of the `index`-th bit of a set that has so many.
#[inline(always)]
pub(crate) fn nth_bit(set: u64, index: u32) -> usize {
    // Bits in each byte, then in all bytes up to each.
    let pairs = set - (set >> 1 & 0x5555_5555_5555_5555);
    let nibbles = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let bytes = (nibbles + (nibbles >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    let sums = bytes.wrapping_mul(ONES);
    // How many bytes end before the bit that is looked for; sums are below 128.
    let before = (index as u64).wrapping_mul(ONES) | HIGH;
    let passed = (before - sums) & HIGH;
    let byte = (passed >> 7).wrapping_mul(ONES) >> 56;
    let byte = byte as u32 * 8;
    let skipped = ((sums << 8) >> byte) as u32 & 0xff;
    let bits = (set >> byte) as usize & 0xff;
    let place = BIT_IN_BYTE[bits][(index - skipped) as usize & 7];
    byte as usize + place as usize
}

/// The number of the n-th bit of a byte; a loop would end differently every time.
static BIT_IN_BYTE: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut index) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte][index] = bit;
                index += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// A one in every byte.
pub(crate) const ONES: u64 = 0x0101_0101_0101_0101;
/// The highest bit of every byte.
pub(crate) const HIGH: u64 = 0x8080_8080_8080_8080;

/// One bit for every byte whose highest bit is set; `word` has no other bits.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "sse2"))))]
#[inline(always)]
pub(crate) const fn gather_high(word: u64) -> u64 {
    (word >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_have_names_and_neighbours() {
        for row in 0..ROWS {
            for col in 0..COLS {
                let square = Square::new(col, row).expect("on the board");
                assert_eq!(Square::parse(&square.to_string()), Some(square));
                assert_eq!(square.index(), row * 7 + col);
                let near = squares_in(around(square.bit()) & BOARD).filter(|other| {
                    other.col().abs_diff(col) <= 1 && other.row().abs_diff(row) <= 1
                });
                let rows = 1 + usize::from(row > 0) + usize::from(row + 1 < ROWS);
                let cols = 1 + usize::from(col > 0) + usize::from(col + 1 < COLS);
                assert_eq!(near.count(), rows * cols - 1);
                assert_eq!((around(square.bit()) & BOARD).count_ones() as usize, rows * cols - 1);
            }
        }
        assert_eq!(Square::new(7, 0), None);
        assert_eq!(Square::parse("0,6"), None);
    }

    #[test]
    fn the_nth_bit_is_the_nth() {
        let mut rng = gamecore::Rng::new(1);
        for _ in 0..2_000 {
            let set = rng.next_u64() & BOARD & [u64::MAX, rng.next_u64()][rng.below(2) as usize];
            for (index, bit) in bits(set).enumerate() {
                assert_eq!(nth_bit(set, index as u32), bit, "{set:x} {index}");
            }
        }
    }

    #[test]
    fn high_bits_are_gathered_in_order() {
        for pattern in 0..256u64 {
            let word = (0..8).fold(0, |word, bit| word | (pattern >> bit & 1) << (8 * bit + 7));
            assert_eq!(gather_high(word), pattern);
        }
    }
}
