//! The Othello engine: exact endgames, and an agent that plays by them.
//!
//! The solver is compiled once per instruction set as a whole; which one runs is decided once per
//! solve.

mod agent;
mod engine;
mod heuristic;
mod isa;
mod kernel;
#[cfg(target_arch = "x86_64")]
mod lines;
mod local;
mod order;
#[cfg(feature = "threads")]
mod parallel;
mod patterns;
mod problems;
mod solver;
mod table;

pub use agent::EngineAgent;
pub use engine::{Solved, Solver, SolverOptions, Unfinished};
pub use heuristic::order_features;
pub use patterns::{PATTERN_WEIGHTS, pattern_indices};
pub use problems::{Problem, ProblemError, read_problems};
