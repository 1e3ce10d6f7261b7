//! Generic search: every algorithm on every [`gamecore::Game`].
//!
//! The depth-first family is one agent, [`DepthFirst`], with one [`Config`]; Monte-Carlo tree search
//! another, [`Mcts`], with its [`MctsConfig`]; [`Ismcts`] and [`Pimc`] play where something is hidden. Each algorithm and each policy has a file of its own
//! that begins with its paper.

mod agent;
mod alphabeta;
mod config;
mod expecti;
mod hidden;
mod mcts;
mod minimal_tree;
mod minimax;
mod mtdf;
mod ordering;
mod parallel;
pub mod params;
mod pvs;
mod quiescence;
mod root;
mod scout;
mod scout_as_printed;
mod searcher;
mod table;
mod tactic;
mod time;
mod trace;
mod turn_tree;
mod turns;
mod window;

pub use agent::DepthFirst;
pub use config::{Algorithm, Config, MAX_DEPTH, Order, TableUse};
pub use hidden::{Ismcts, IsmctsConfig, KnownSearch, Pimc, PimcConfig, Voting};
pub use mcts::{
    Continue, DepthUnit, Expand, Extrapolation, FinalChoice, Fpu, Hybrid, Join, Mcts, MctsConfig,
    Policy, PruneMode, Pruning, Rollout, RolloutEnd, Select, Widening,
};
pub use minimal_tree::minimal_tree;
pub use table::{Entry, Table};
pub use tactic::{Proof, Prover};
pub use turn_tree::{TurnTree, turn_tree};
pub use turns::{Oep, OepConfig, TurnBeam, TurnBeamConfig, TurnMcts, TurnMctsConfig, TurnSearch};
