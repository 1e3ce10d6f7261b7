//! Plain 64-bit integer code, for every processor.

use super::kernels::define_kernels;
use super::rays::{RAYS, STEPS};

/// Columns b to g. Lines that run sideways cannot pass through the edge columns, so leaving those
/// out of the opponent's discs keeps shifts from wrapping round the board.
pub(super) const INNER_COLUMNS: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// The squares on which the side to move may play.
#[must_use]
#[inline]
pub fn moves(own: u64, opp: u64) -> u64 {
    let inner = opp & INNER_COLUMNS;
    let mut found = 0;
    for step in STEPS {
        let line = if step == 8 { opp } else { inner };
        found |= ends_of_runs(own, line, step);
    }
    found & !(own | opp)
}

/// The squares just past each run of `line` that begins next to a disc of `own`, both ways along
/// one line. A run has at most six discs: one, then two, then twice up to two more by doubling.
#[inline]
fn ends_of_runs(own: u64, line: u64, step: u32) -> u64 {
    let pairs_up = line & (line << step);
    let pairs_down = pairs_up >> step;
    let mut up = line & (own << step);
    let mut down = line & (own >> step);
    up |= line & (up << step);
    down |= line & (down >> step);
    up |= pairs_up & (up << (2 * step));
    down |= pairs_down & (down >> (2 * step));
    up |= pairs_up & (up << (2 * step));
    down |= pairs_down & (down >> (2 * step));
    (up << step) | (down >> step)
}

/// The discs that turn over when the side to move plays on the empty `square`, which is below 64.
/// None if the move is not legal.
#[must_use]
#[inline]
pub fn flips(square: u8, own: u64, opp: u64) -> u64 {
    debug_assert!(square < 64, "the board has 64 squares");
    let rays = &RAYS[usize::from(square & 63)];
    let mut found = 0;
    for ray in rays.rising {
        // The nearest square without a disc of `opp` is the lowest; the run before it flips if
        // that square is ours.
        let blockers = ray & !opp;
        let end = blockers & blockers.wrapping_neg() & own;
        found |= end.wrapping_sub(u64::from(end != 0)) & ray;
    }
    for ray in rays.falling {
        // Or-ing 1 spares the test for an empty ray: square a1 is on the ray, or masked away.
        let nearest = (1 << 63) >> ((ray & !opp) | 1).leading_zeros();
        let end = nearest & ray & own;
        found |= (end << 1).wrapping_neg() & ray;
    }
    found
}

/// Discs of the side to move and of the other side.
type Board = (u64, u64);

#[inline]
fn board(own: u64, opp: u64) -> Board {
    (own, opp)
}

#[inline]
fn discs(at: Board) -> (u64, u64) {
    at
}

#[inline]
fn board_moves((own, opp): Board) -> u64 {
    moves(own, opp)
}

#[inline]
fn after_pass((own, opp): Board) -> Board {
    (opp, own)
}

#[inline]
fn after_move((own, opp): Board, square: u32) -> Board {
    let flipped = flips(square as u8, own, opp);
    (opp ^ flipped, own ^ flipped ^ (1 << square))
}

/// The `n`-th square of `set`, counted from 0 in ascending order.
#[inline]
fn nth_square(mut set: u64, n: u32) -> u32 {
    for _ in 0..n {
        set &= set - 1;
    }
    set.trailing_zeros()
}

define_kernels!();
