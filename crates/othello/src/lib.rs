//! Othello.

pub mod bits;
pub mod square;
pub mod symmetry;
