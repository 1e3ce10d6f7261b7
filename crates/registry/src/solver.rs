//! Exact results of positions, for games with a solver.

use gamecore::Seat;

use crate::SpecError;

/// How a solver works. None of it changes a score.
#[derive(Clone, Copy, Debug)]
pub struct SolverSettings {
    /// Size of its table in MiB.
    pub table_mb: usize,
    /// Threads on one position.
    pub threads: usize,
}

/// A position to be solved, and what is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolveProblem {
    /// Its number or name.
    pub id: String,
    /// The position as text.
    pub position: String,
    /// The known score, if any.
    pub expected: Option<i32>,
    /// The known best actions, if any.
    pub best: Vec<String>,
}

/// An exact result, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolveReport {
    /// The side to act; of a finished game, the one that would be.
    pub seat: Seat,
    /// The score for it.
    pub score: i32,
    /// Best play to the end.
    pub line: Vec<String>,
    /// Positions entered.
    pub nodes: u64,
}

/// Finds exact results of positions of one game.
pub trait AnySolver: Send + Sync {
    /// Reads a file of problems.
    fn problems(&self, text: &str) -> Result<Vec<SolveProblem>, SpecError>;
    /// Solves a position; `None` if `stop` says so first.
    fn solve(
        &self,
        position: &str,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<SolveReport>, SpecError>;
}
