//! Othello: rules on bitboards, notation, symmetries, and readers of the usual file formats.

pub mod bits;
pub mod formats;
mod notation;
mod rules;
pub mod square;
mod stability;
pub mod symmetry;

pub use rules::{Board, Move, Othello};
pub use stability::stable;
