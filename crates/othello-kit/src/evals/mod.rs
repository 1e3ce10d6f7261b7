//! Othello: the factors of the 2020 paper, a fitted evaluation, and an order for its moves.

mod factors;
mod order;
pub mod outlook;
mod stability;

pub use factors::{OthelloEvaluator, OthelloFactors, neighbours};
pub use order::{OthelloOrder, OthelloSquares};
pub use stability::unstable;

/// The weight files that come with the program: name and content.
pub const WEIGHTS: &[(&str, &str)] = &[
    ("paper", include_str!("../../weights/paper.toml")),
    ("paper-quick", include_str!("../../weights/paper-quick.toml")),
    ("discs", include_str!("../../weights/discs.toml")),
];

/// The value of each square, a1 to h8 (Hernandez et al., 2020, section 5.1).
#[rustfmt::skip]
pub const SQUARE_VALUES: [i8; 64] = [
     99, -18,   8,   6,   6,   8, -18,  99,
    -18, -24, -14, -12, -12, -14, -24, -18,
      8, -14,  15,  15,  15,  15, -14,   8,
      6, -12,  15,  10,  10,  15, -12,   6,
      6, -12,  15,  10,  10,  15, -12,   6,
      8, -14,  15,  15,  15,  15, -14,   8,
    -18, -24, -14, -12, -12, -14, -24, -18,
     99, -18,   8,   6,   6,   8, -18,  99,
];

fn count(board: u64) -> i32 {
    board.count_ones() as i32
}
