//! Turns names and texts into agents of any game, and gives every game one face without types,
//! [`AnyGame`]. Knows every algorithm and no game: a [`Registry`] is made of [`Kit`]s.

mod after_action;
mod agents;
mod appearance;
mod behaviour;
mod bench;
mod bench_plan;
mod bound;
mod caps;
mod conduct;
mod endings;
mod erased;
#[cfg(feature = "exec")]
mod exec;
mod explain;
mod facets;
pub mod factors;
mod figures;
mod games;
mod generic;
mod hidden;
mod kit;
mod lenses;
mod named;
mod presentation;
pub mod presets;
mod reports;
mod session;
mod solver;
mod spec;
mod tactics;
mod turns;
mod verify;
pub mod words;

/// Replaying traces of other programs.
pub mod traces {
    pub use crate::verify::{Finding, ReplayedTrace, TOLERANCE, differing, verify_trace};
}

use std::fmt::Display;

pub use agents::{AgentEntry, AgentKind, MakeAgent, ORDER, Parts, Ready};
pub use appearance::{Appearance, TellEvents, Viewer, actions_for};
pub use behaviour::{CountBehaviour, OwnCounts, Spread, named};
pub use bench::{BenchEffort, BenchResult, bench};
pub use bench_plan::{BenchPlan, DecisionBench, Measure, Playouts, SolveBench};
pub use caps::{Needs, needs_of, threads_key, within_caps};
pub use conduct::Conduct;
pub use erased::{AnyGame, Job, ResolvedAgent, Session, Thinking};
pub use facets::{GameText, Setups, TextFormat};
pub use figures::{ActionCount, GameFigures};
pub use games::{GameEntry, Registry};
pub use generic::generic_agents;
pub use kit::{
    BuildEvaluator, EvaluatorEntry, HeuristicEntry, Kit, ReadEvaluator, ReadRules, UnitTables,
    VerifyTrace, evaluation, factor_entry, factor_file,
};
pub use presentation::{Level, Presentation, PresentationInfo};
pub use reports::{
    AgentInfo, CountInfo, DecisionReport, GameInfo, PerftReport, PlayoutReport, ProgressReport,
    SquareMap, TreeStep,
};
pub use search::TurnTree;
pub use search::params::{Cost, Kind as ParamKind, Param, did_you_mean};
pub use solver::{AnySolver, SolveProblem, SolveReport, SolverSettings};
pub use spec::{AgentSpec, Loader, no_files, program_words};
pub use tactics::{ProofLimits, TurnProof};
pub use turns::WHOLE_TURNS;
pub use verify::{Difference, VerifyReport};

/// Why a name, spec or text cannot be used: the input and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SpecError {
    message: String,
}

impl SpecError {
    /// An error about this input.
    #[must_use]
    pub fn new(input: &str, reason: impl Display) -> Self {
        Self { message: format!("'{input}': {reason}") }
    }

    /// An error whose message already names its input.
    #[must_use]
    pub fn plain(message: impl Display) -> Self {
        Self { message: message.to_string() }
    }
}
