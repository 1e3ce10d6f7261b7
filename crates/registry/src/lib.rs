//! The only crate that names every game, evaluation and algorithm. It turns names and texts into
//! games and agents, and gives every game one face without types, [`AnyGame`].

mod agents;
pub mod armies;
mod behaviour;
mod bound;
mod catalog;
mod conquest_traces;
mod erased;
mod exec;
mod explain;
mod figures;
mod games;
mod hidden;
mod lenses;
pub mod loadouts;
mod lords_of_war_parts;
mod lords_of_war_traces;
mod named;
mod othello_parts;
mod othello_texts;
mod presets;
mod session;
pub mod shop;
mod spec;
mod table;
mod tables;
mod verify;

use std::fmt::Display;

pub use agents::{AgentEntry, AgentKind, Parts, generic_agents};
pub use behaviour::{CountBehaviour, OwnCounts};
pub use catalog::{
    BenchPlan, BuildEvaluator, Catalog, DecisionBench, EvaluatorEntry, HeuristicEntry, Measure,
    Playouts, ReadEvaluator, SolveBench, VerifyTrace,
};
pub use erased::{
    AgentInfo, AnyGame, AnySolver, DecisionReport, GameInfo, Job, PerftReport, PlayoutReport,
    PlyReport, ProgressReport, PrunedReport, ResolvedAgent, RootReport, Session, SolveProblem,
    SolveReport, SolverSettings, Thinking, TreeReport,
};
pub use exec::program_words;
pub use explain::{CandidateReport, Explained, PrunedStep, StepReport, TreeStep};
pub use figures::GameFigures;
pub use games::{game_names, open_game, rule_warnings, rules_with_units};
pub use lenses::{ActionOpinion, LensInfo, LensKind, LensReport, SquareMap};
pub use othello_parts::WthorGames;
pub use othello_texts::{
    OthelloText, othello_ggf, othello_transcript, read_othello_ggf, read_othello_transcript,
};
pub use search::TurnTree;
pub use search::params::{Kind as ParamKind, Param};
pub use spec::{AgentSpec, Loader};
pub use table::{Level, RuleInfo, RuleWords, TableInfo, Tabled};
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
