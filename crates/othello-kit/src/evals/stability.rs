//! Unstable discs (Hernandez et al., 2020, section 5.1, after Sannidhanam and Annamalai).

use othello::bits;

/// Discs that some move of the other side would flip now.
#[must_use]
pub fn unstable(discs: u64, others: u64) -> u64 {
    let mut moves = bits::moves(others, discs);
    let mut flipped = 0;
    while moves != 0 {
        flipped |= bits::flips(moves.trailing_zeros() as u8, others, discs);
        moves &= moves - 1;
    }
    flipped
}
