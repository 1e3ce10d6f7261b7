//! Othello: discs, and a square for every move.

use serde::Serialize;
use utoipa::ToSchema;

/// What Othello alone shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct OthelloScene {
    /// Discs of both seats.
    pub discs: [u8; 2],
    /// Empty squares.
    pub empties: u8,
}
