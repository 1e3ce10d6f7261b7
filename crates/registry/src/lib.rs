//! Turns names and texts into agents of any game, and gives every game one face without types,
//! [`AnyGame`]. Knows every algorithm and no game: each game's kit brings its own part as a
//! [`Catalog`].

mod after_action;
mod agents;
mod appearance;
mod behaviour;
mod bench;
mod bound;
mod caps;
mod catalog;
mod conduct;
mod endings;
mod erased;
#[cfg(feature = "exec")]
mod exec;
mod explain;
pub mod factors;
mod figures;
mod hidden;
mod lenses;
mod named;
mod presentation;
pub mod presets;
mod session;
mod spec;
mod tactics;
mod turns;
mod verify;

/// Replaying traces of other programs.
pub mod traces {
    pub use crate::verify::{Finding, ReplayedTrace, TOLERANCE, differing, verify_trace};
}

use std::fmt::Display;

pub use agents::{AgentEntry, AgentKind, MakeAgent, ORDER, Parts, Ready, generic_agents};
pub use appearance::{Appearance, TellEvents, Viewer, actions_for};
pub use behaviour::{CountBehaviour, OwnCounts, Spread, named};
pub use bench::{BenchEffort, BenchResult, bench};
pub use bound::{Bound, without_rule_options};
pub use caps::{Needs, needs_of, threads_key, within_caps};
pub use catalog::{
    BenchPlan, BuildEvaluator, Catalog, DecisionBench, EvaluatorEntry, HeuristicEntry, Measure,
    Playouts, ReadEvaluator, SolveBench, VerifyTrace, evaluation, factor_entry, factor_file,
};
pub use conduct::Conduct;
pub use erased::{
    AgentInfo, AnyGame, AnySolver, CountInfo, DecisionReport, GameInfo, Job, PerftReport,
    PlayoutReport, PlyReport, ProgressReport, PrunedReport, ResolvedAgent, RootReport, Session,
    SolveProblem, SolveReport, SolverSettings, Thinking, TreeReport,
};
pub use explain::{CandidateReport, Explained, PrunedStep, StepReport, TreeStep, TurnReport};
pub use figures::{ActionCount, GameFigures};
pub use lenses::{ActionOpinion, LensInfo, LensKind, LensReport, SquareMap};
pub use presentation::{Level, Presentation, PresentationInfo};
pub use search::TurnTree;
pub use search::params::{Cost, Kind as ParamKind, Param, did_you_mean, idle_part};
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
