//! Tables for the last move: how many discs flip along one line.

/// The diagonals through a square.
#[derive(Clone, Copy)]
pub(crate) struct Diagonals {
    /// Squares of the diagonal with step 9.
    pub(crate) rising: u64,
    /// Squares of the diagonal with step 7.
    pub(crate) falling: u64,
    /// The square's place among the squares of `rising`.
    pub(crate) rising_place: u8,
    /// The square's place among the squares of `falling`.
    pub(crate) falling_place: u8,
}

/// By square.
pub(crate) static DIAGONALS: [Diagonals; 64] = diagonals();

/// By the place of the only empty square on a line and our discs on it, everything else being the
/// opponent's: discs flipped. Lines shorter than eight leave the upper bits 0, which reads as
/// opposing discs without one of ours behind them: they flip nothing.
pub(crate) static FLIPS_ON_LINE: [[u8; 256]; 8] = flips_on_line();

const fn diagonals() -> [Diagonals; 64] {
    let mut all = [Diagonals { rising: 0, falling: 0, rising_place: 0, falling_place: 0 }; 64];
    let mut square = 0;
    while square < 64 {
        let (row, column) = (square as i32 / 8, square as i32 % 8);
        let mut other = 0;
        while other < 64 {
            let (other_row, other_column) = (other / 8, other % 8);
            let here = &mut all[square];
            if other_row - other_column == row - column {
                here.rising |= 1 << other;
                here.rising_place += (other < square as i32) as u8;
            }
            if other_row + other_column == row + column {
                here.falling |= 1 << other;
                here.falling_place += (other < square as i32) as u8;
            }
            other += 1;
        }
        square += 1;
    }
    all
}

const fn flips_on_line() -> [[u8; 256]; 8] {
    let mut all = [[0; 256]; 8];
    let mut place = 0;
    while place < 8 {
        let mut own = 0usize;
        while own < 256 {
            let mut flipped = 0;
            let above = (own >> 1) >> place;
            if above != 0 {
                flipped += above.trailing_zeros() as u8;
            }
            let below = own & ((1usize << place) - 1);
            if below != 0 {
                flipped += place as u8 - 1 - below.ilog2() as u8;
            }
            all[place][own] = flipped;
            own += 1;
        }
        place += 1;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use othello::bits;

    #[test]
    fn lines_count_what_flips_turn() {
        let mut rng = gamecore::Rng::new(9);
        for _ in 0..100_000 {
            let square = rng.below(64) as u8;
            let own = rng.next_u64() & !(1 << square);
            let opp = !(own | 1 << square);
            let gather = |line: u64| {
                let mut byte = 0;
                let squares = (0..64).filter(|number| line >> number & 1 == 1);
                for (place, number) in squares.enumerate() {
                    byte |= ((own >> number & 1) as usize) << place;
                }
                byte
            };
            let (row, column) = (usize::from(square / 8), usize::from(square % 8));
            let diagonals = &DIAGONALS[usize::from(square)];
            let counted = FLIPS_ON_LINE[column][gather(0xff << (8 * row))]
                + FLIPS_ON_LINE[row][gather(0x0101_0101_0101_0101 << column)]
                + FLIPS_ON_LINE[usize::from(diagonals.rising_place)][gather(diagonals.rising)]
                + FLIPS_ON_LINE[usize::from(diagonals.falling_place)][gather(diagonals.falling)];
            let expected = bits::flips(square, own, opp).count_ones();
            assert_eq!(u32::from(counted), expected, "square {square}, own {own:#x}");
        }
    }
}
