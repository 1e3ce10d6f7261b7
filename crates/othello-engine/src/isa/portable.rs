//! The solver in plain integer code.

use othello::bits::portable::{flips, moves};
use othello::stable;

use crate::heuristic::{CERTAIN, define_opinion};
use crate::kernel::define_kernel;
use crate::patterns::{pattern_indices, weight};
use crate::solver::define_solver;

/// Discs that a move on the only empty square flips.
#[inline]
fn last_flips(square: u8, own: u64) -> i32 {
    flips(square, own, !(own | 1 << square)).count_ones() as i32
}

/// The sum of the weights of all patterns, in quarters of a disc.
#[inline]
fn pattern_sum(own: u64, opp: u64) -> i32 {
    pattern_indices(own, opp).into_iter().map(weight).sum()
}

define_kernel!();
define_opinion!();
define_solver!();
