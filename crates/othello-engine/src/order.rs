//! Squares that matter for the order of moves.

pub(crate) const CORNERS: u64 = 0x8100_0000_0000_0081;
/// Diagonally next to the corners.
pub(crate) const X_SQUARES: u64 = 0x0042_0000_0000_4200;
