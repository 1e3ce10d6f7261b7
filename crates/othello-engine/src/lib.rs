//! The Othello engine: exact endgames, and an agent that plays by them.
//!
//! The last empty squares, where nearly all nodes are, are compiled once per instruction set as a
//! whole; which one runs is decided once per call from the tree above.

mod agent;
mod engine;
mod heuristic;
mod isa;
mod kernel;
mod lines;
mod local;
mod order;
#[cfg(feature = "threads")]
mod parallel;
mod problems;
mod solver;
mod table;

pub use agent::EngineAgent;
pub use engine::{Solved, Solver, SolverOptions};
pub use problems::{Problem, ProblemError, read_problems};
