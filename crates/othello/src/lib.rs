//! Othello.

pub mod bits;
