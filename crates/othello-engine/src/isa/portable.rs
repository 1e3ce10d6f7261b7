//! The solver in plain integer code.

use othello::bits::portable::{flips, moves};
use othello::stable;

use crate::heuristic::{CERTAIN, define_opinion};
use crate::kernel::define_kernel;
use crate::solver::define_solver;

/// Discs that a move on the only empty square flips.
#[inline]
fn last_flips(square: u8, own: u64) -> i32 {
    flips(square, own, !(own | 1 << square)).count_ones() as i32
}

define_kernel!();
define_opinion!();
define_solver!();
