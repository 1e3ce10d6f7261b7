//! The eight ways to turn and mirror the board.
//!
//! None of them changes the rules: the legal moves of a turned board are the turned legal moves.

/// One of the eight symmetries of the square.
///
/// Every one is an exchange of rows and columns or none, followed by a mirror image left to right
/// or none, followed by one top to bottom or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Symmetry(u8);

const MIRROR_COLUMNS: u8 = 1;
const MIRROR_ROWS: u8 = 2;
const TRANSPOSE: u8 = 4;

impl Symmetry {
    /// The one that changes nothing.
    pub const IDENTITY: Self = Self(0);

    /// All eight, [`IDENTITY`](Self::IDENTITY) first.
    pub const ALL: [Self; 8] =
        [Self(0), Self(1), Self(2), Self(3), Self(4), Self(5), Self(6), Self(7)];

    /// Where in [`ALL`](Self::ALL) this symmetry is.
    #[must_use]
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The image of a set of squares.
    #[must_use]
    #[inline]
    pub fn board(self, mut board: u64) -> u64 {
        if self.0 & TRANSPOSE != 0 {
            board = transpose(board);
        }
        if self.0 & MIRROR_COLUMNS != 0 {
            board = mirror_columns(board);
        }
        if self.0 & MIRROR_ROWS != 0 {
            board = board.swap_bytes();
        }
        board
    }

    /// The image of one square, which is below 64.
    #[must_use]
    #[inline]
    pub fn square(self, square: u8) -> u8 {
        let (mut row, mut column) = (square >> 3, square & 7);
        if self.0 & TRANSPOSE != 0 {
            (row, column) = (column, row);
        }
        if self.0 & MIRROR_COLUMNS != 0 {
            column ^= 7;
        }
        if self.0 & MIRROR_ROWS != 0 {
            row ^= 7;
        }
        row << 3 | column
    }

    /// The image of an action: a pass (64) stays a pass.
    #[must_use]
    #[inline]
    pub fn action(self, action: u8) -> u8 {
        if action < crate::square::COUNT { self.square(action) } else { action }
    }

    /// The symmetry that does `self` first and `next` after it.
    #[must_use]
    pub fn then(self, next: Self) -> Self {
        // Moving the mirrors of `self` behind the transposition of `next` exchanges them.
        let mirrors = if next.0 & TRANSPOSE == 0 { self.mirrors() } else { self.other_mirrors() };
        Self(next.0 ^ mirrors ^ self.0 & TRANSPOSE)
    }

    /// The symmetry that undoes this one.
    #[must_use]
    pub fn inverse(self) -> Self {
        if self.0 & TRANSPOSE == 0 { self } else { Self(TRANSPOSE | self.other_mirrors()) }
    }

    fn mirrors(self) -> u8 {
        self.0 & (MIRROR_COLUMNS | MIRROR_ROWS)
    }

    fn other_mirrors(self) -> u8 {
        (self.0 & MIRROR_COLUMNS) << 1 | (self.0 & MIRROR_ROWS) >> 1
    }
}

/// The smallest image of a position under the eight symmetries, and the first symmetry that makes
/// it: equal for two positions exactly if one is an image of the other.
#[must_use]
pub fn canonical(own: u64, opp: u64) -> (u64, u64, Symmetry) {
    Symmetry::ALL
        .map(|symmetry| (symmetry.board(own), symmetry.board(opp), symmetry))
        .into_iter()
        .min()
        .expect("there are eight symmetries")
}

/// Reverses the bits of every byte: neighbours, then pairs, then halves.
#[inline]
const fn mirror_columns(board: u64) -> u64 {
    let board = (board >> 1) & 0x5555_5555_5555_5555 | (board & 0x5555_5555_5555_5555) << 1;
    let board = (board >> 2) & 0x3333_3333_3333_3333 | (board & 0x3333_3333_3333_3333) << 2;
    (board >> 4) & 0x0f0f_0f0f_0f0f_0f0f | (board & 0x0f0f_0f0f_0f0f_0f0f) << 4
}

/// Exchanges rows and columns: off-diagonal squares within blocks of two, then blocks of two
/// within blocks of four, then the two off-diagonal quarters.
#[inline]
const fn transpose(board: u64) -> u64 {
    let board = swap_bits(board, 0x00aa_00aa_00aa_00aa, 7);
    let board = swap_bits(board, 0x0000_cccc_0000_cccc, 14);
    swap_bits(board, 0x0000_0000_f0f0_f0f0, 28)
}

/// Exchanges every bit of `mask` with the one `distance` above it.
#[inline]
const fn swap_bits(board: u64, mask: u64, distance: u32) -> u64 {
    let different = (board ^ (board >> distance)) & mask;
    board ^ different ^ (different << distance)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::{START_OPP, START_OWN, flips, moves, playout};
    use gamecore::Rng;

    #[test]
    fn boards_move_as_their_squares_do() {
        for symmetry in Symmetry::ALL {
            for square in 0..64 {
                assert_eq!(symmetry.board(1 << square), 1 << symmetry.square(square));
            }
            assert_eq!(symmetry.action(64), 64);
        }
        let images = Symmetry::ALL.map(|symmetry| symmetry.square(1));
        assert_eq!(images, [1, 6, 57, 62, 8, 15, 48, 55], "eight different images of b1");
    }

    #[test]
    fn group_laws_hold() {
        for first in Symmetry::ALL {
            assert_eq!(first.then(first.inverse()), Symmetry::IDENTITY);
            assert_eq!(first.inverse().then(first), Symmetry::IDENTITY);
            assert_eq!(Symmetry::ALL[first.index()], first);
            for second in Symmetry::ALL {
                for square in 0..64 {
                    let in_turn = second.square(first.square(square));
                    assert_eq!(first.then(second).square(square), in_turn);
                }
                for third in Symmetry::ALL {
                    assert_eq!(first.then(second).then(third), first.then(second.then(third)));
                }
            }
        }
    }

    #[test]
    fn moves_and_flips_turn_with_the_board() {
        let mut rng = Rng::new(21);
        for game in 0..2000 {
            let at = playout(START_OWN, START_OPP, &mut rng, game % 60);
            for symmetry in Symmetry::ALL {
                let (own, opp) = (symmetry.board(at.own), symmetry.board(at.opp));
                assert_eq!(moves(own, opp), symmetry.board(moves(at.own, at.opp)));
                for square in (0..64).filter(|square| (at.own | at.opp) >> square & 1 == 0) {
                    let expected = symmetry.board(flips(square, at.own, at.opp));
                    assert_eq!(flips(symmetry.square(square), own, opp), expected);
                }
                let (own, opp, _) = canonical(own, opp);
                let (own_too, opp_too, found) = canonical(at.own, at.opp);
                assert_eq!((own, opp), (own_too, opp_too));
                assert_eq!((found.board(at.own), found.board(at.opp)), (own, opp));
            }
        }
    }
}
