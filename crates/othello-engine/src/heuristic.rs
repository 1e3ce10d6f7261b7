//! A quick opinion about midgame positions, used only to decide what to try first.

use othello::bits;

use crate::kernel::Squares;
use crate::order::CORNERS;

const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;

fn around(discs: u64) -> u64 {
    let wide = discs | (discs & NOT_H) << 1 | (discs & NOT_A) >> 1;
    wide | wide << 8 | wide >> 8
}

fn count(board: u64) -> i32 {
    board.count_ones() as i32
}

/// Mobility, potential mobility and stable discs, for the side to move.
fn opinion(own: u64, opp: u64) -> i32 {
    let empty = !(own | opp);
    let weighted = |moves: u64| count(moves) + count(moves & CORNERS);
    let mobility = weighted(bits::moves(own, opp)) - weighted(bits::moves(opp, own));
    let potential = count(around(opp) & empty) - count(around(own) & empty);
    let stable = count(othello::stable(own, opp)) - count(othello::stable(opp, own));
    16 * mobility + 6 * potential + 20 * stable
}

/// The opinion after `depth` further plies of alpha-beta, for the side to move.
pub(crate) fn shallow(own: u64, opp: u64, depth: u32) -> i32 {
    alphabeta(own, opp, depth, -i32::MAX, i32::MAX)
}

fn alphabeta(own: u64, opp: u64, depth: u32, mut alpha: i32, beta: i32) -> i32 {
    if depth == 0 {
        return opinion(own, opp);
    }
    let moves = bits::moves(own, opp);
    if moves == 0 {
        if bits::moves(opp, own) == 0 {
            return 1000 * crate::kernel::final_score(own, opp);
        }
        return -alphabeta(opp, own, depth, -beta, -alpha);
    }
    let mut best = -i32::MAX;
    for square in Squares(moves) {
        let flipped = bits::flips(square, own, opp);
        let score =
            -alphabeta(opp ^ flipped, own ^ flipped | 1 << square, depth - 1, -beta, -alpha);
        best = best.max(score);
        alpha = alpha.max(score);
        if alpha >= beta {
            break;
        }
    }
    best
}
