//! What a game offers to agents: evaluations, action heuristics, a way to begin.

use std::sync::Arc;

use crate::factors::{FactorEvaluator, Factors, WeightError, Weights, factors_of, weight_range};
use gamecore::{ActionScore, Evaluator, Game, Notation, ResultOnly};
use search::params::{Param, ParamError, Values};

use crate::SpecError;
use crate::agents::{AgentEntry, generic_agents};
use crate::behaviour::CountBehaviour;
use crate::erased::{AnySolver, SolverSettings};
use crate::figures::ActionCount;
use crate::presentation::Presentation;
use crate::verify::VerifyReport;

/// Builds an evaluation from resolved values.
pub type BuildEvaluator<G> =
    Arc<dyn Fn(&Values) -> Result<Arc<dyn Evaluator<G>>, ParamError> + Send + Sync>;

/// Replays a trace and compares.
pub type VerifyTrace = fn(&str) -> Result<VerifyReport, SpecError>;

/// Makes an evaluation of a file's path and content.
pub type ReadEvaluator<G> = fn(&str, &str) -> Result<EvaluatorEntry<G>, SpecError>;

/// A named evaluation with its own tunables, all of them keys `eval.…`.
pub struct EvaluatorEntry<G: Game> {
    /// The value of the key `eval` that chooses it.
    pub name: String,
    /// What it is, one line.
    pub about: String,
    /// Its tunables.
    pub params: Vec<Param>,
    /// Builds it from resolved values.
    pub build: BuildEvaluator<G>,
}

/// A named action heuristic.
pub struct HeuristicEntry<G: Game> {
    /// The value of the key `heuristic` that chooses it.
    pub name: &'static str,
    /// What it is, one line.
    pub about: &'static str,
    /// It.
    pub score: Arc<dyn ActionScore<G>>,
}

/// The work that `bench` repeats for a game.
#[derive(Clone, Copy, Debug)]
pub struct BenchPlan {
    /// Random games.
    pub playouts: Playouts,
    /// Depth of the count of leaves.
    pub perft_depth: u32,
    /// How many positions are searched.
    pub searches: u64,
    /// Random actions before each of them.
    pub search_plies: u32,
    /// By which agent: alpha-beta with a table.
    pub agent: &'static str,
    /// Problems to solve, for games with a solver.
    pub solve: Option<SolveBench>,
    /// Decisions of other agents.
    pub decisions: &'static [DecisionBench],
}

/// Random games that `bench` plays, and what it counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Playouts {
    /// So many; games in a second are told.
    Games(u64),
    /// So many; actions in a second are told, for games whose length varies much.
    Actions(u64),
}

/// Decisions that `bench` measures, each by an agent that has seen nothing before.
#[derive(Clone, Copy, Debug)]
pub struct DecisionBench {
    /// The name of the measurement.
    pub name: &'static str,
    /// The agent.
    pub agent: &'static str,
    /// How many positions it decides, one for each seed.
    pub positions: u64,
    /// Random actions before each of them.
    pub plies: u32,
    /// What is measured.
    pub measure: Measure,
}

/// What is measured of decisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Iterations in a second.
    Iterations,
    /// Milliseconds for one decision, on average.
    Milliseconds,
    /// Bytes for one node of the tree, its edges included, on average.
    NodeBytes,
}

/// Problems that `bench` solves, each with an empty table.
#[derive(Clone, Copy, Debug)]
pub struct SolveBench {
    /// The name of the measurement.
    pub name: &'static str,
    /// A problem file.
    pub file: &'static str,
    /// Numbers of the problems in it.
    pub ids: (u32, u32),
}

impl BenchPlan {
    const SMALL: Self = Self {
        playouts: Playouts::Games(20_000),
        perft_depth: 4,
        searches: 4,
        search_plies: 1,
        agent: "alphabeta:depth=6",
        solve: None,
        decisions: &[DecisionBench {
            name: "mcts",
            agent: "uct:iterations=2000",
            positions: 4,
            plies: 1,
            measure: Measure::Iterations,
        }],
    };
}

/// Everything the registry knows of a game beyond its rules.
pub struct Catalog<G: Notation> {
    /// Evaluations; the first one is the default.
    pub evaluators: Vec<EvaluatorEntry<G>>,
    /// Reads an evaluation from a file's content, if the game has such files.
    pub evaluator_from_file: Option<ReadEvaluator<G>>,
    /// Action heuristics; the first one is the default.
    pub heuristics: Vec<HeuristicEntry<G>>,
    /// Uniformly random actions before a game of a match begins, so that games differ.
    pub opening_plies: u32,
    /// Agents that can be asked for: every generic one, and those of this game alone.
    pub agents: Vec<AgentEntry<G>>,
    /// Makes a solver of positions, if the game has one.
    pub solver: Option<fn(SolverSettings) -> Box<dyn AnySolver>>,
    /// Replays a trace, a file of games recorded by another program, if the game has such files.
    pub verify_trace: Option<VerifyTrace>,
    /// Counts what players did, if the game counts anything of its own.
    pub behaviour: Option<CountBehaviour<G>>,
    /// What it counts of its own in every game.
    pub counts: &'static [ActionCount<G>],
    /// What `bench` measures.
    pub bench: BenchPlan,
    /// What the game is, one line.
    pub about: &'static str,
    /// Agents for those who name none, the best first.
    pub opponents: &'static [&'static str],
    /// How it is shown to people.
    pub presentation: Presentation<G>,
}

impl<G: Notation> Catalog<G> {
    /// A game without an evaluation of its own: searches see only results.
    #[must_use]
    pub fn plain(about: &'static str, opening_plies: u32) -> Self {
        let result = EvaluatorEntry {
            name: "result".into(),
            about: "0 until the game is over".into(),
            params: Vec::new(),
            build: Arc::new(|_| Ok(Arc::new(ResultOnly))),
        };
        Self {
            evaluators: vec![result],
            evaluator_from_file: None,
            heuristics: Vec::new(),
            agents: generic_agents(),
            solver: None,
            verify_trace: None,
            behaviour: None,
            counts: &[],
            opening_plies,
            bench: BenchPlan::SMALL,
            about,
            opponents: &["pvs:depth=7,roots=all", "ismcts", "random"],
            presentation: Presentation::plain(),
        }
    }

    /// A game whose evaluations are weighted factors; `files` are named weight files.
    #[must_use]
    pub fn with_factors<F: Factors<G>>(
        about: &'static str,
        opening_plies: u32,
        files: &[(&str, &str)],
    ) -> Self {
        let evaluators = files
            .iter()
            .map(|(name, content)| {
                factor_entry::<G, F>(name, content)
                    .unwrap_or_else(|error| panic!("built-in weights {name}: {error}"))
            })
            .collect();
        Self {
            evaluators,
            evaluator_from_file: Some(factor_file::<G, F>),
            ..Self::plain(about, opening_plies)
        }
    }

    /// The same with an agent of its own.
    #[must_use]
    pub fn with_agent(mut self, agent: AgentEntry<G>) -> Self {
        self.agents.push(agent);
        self
    }

    /// The same with a solver.
    #[must_use]
    pub fn with_solver(self, solver: fn(SolverSettings) -> Box<dyn AnySolver>) -> Self {
        Self { solver: Some(solver), ..self }
    }

    /// The same with a reader of traces.
    #[must_use]
    pub fn with_traces(self, verify: VerifyTrace) -> Self {
        Self { verify_trace: Some(verify), ..self }
    }

    /// The same with counts of its own.
    #[must_use]
    pub fn counted(self, behaviour: CountBehaviour<G>) -> Self {
        Self { behaviour: Some(behaviour), ..self }
    }

    /// The same with numbers that are counted in every game while it is played.
    #[must_use]
    pub fn counting(self, counts: &'static [ActionCount<G>]) -> Self {
        Self { counts, ..self }
    }

    /// The same with other agents for those who name none.
    #[must_use]
    pub fn opposed_by(self, opponents: &'static [&'static str]) -> Self {
        Self { opponents, ..self }
    }

    /// The same with a presentation of its own.
    #[must_use]
    pub fn presented(self, presentation: Presentation<G>) -> Self {
        Self { presentation, ..self }
    }

    /// The same with another piece of work for `bench`.
    #[must_use]
    pub fn measured(self, bench: BenchPlan) -> Self {
        Self { bench, ..self }
    }

    /// The same with these evaluations.
    #[must_use]
    pub fn evaluated(self, evaluators: Vec<EvaluatorEntry<G>>) -> Self {
        Self { evaluators, ..self }
    }

    /// The same with evaluations read from files.
    #[must_use]
    pub fn with_evaluator_files(self, read: ReadEvaluator<G>) -> Self {
        Self { evaluator_from_file: Some(read), ..self }
    }

    /// The same with one more action heuristic.
    #[must_use]
    pub fn with_heuristic(
        mut self,
        name: &'static str,
        about: &'static str,
        score: impl ActionScore<G> + 'static,
    ) -> Self {
        self.heuristics.push(HeuristicEntry { name, about, score: Arc::new(score) });
        self
    }
}

/// The evaluation by factors whose weights are in the file of this path and content.
pub fn factor_file<G: Game, F: Factors<G>>(
    path: &str,
    content: &str,
) -> Result<EvaluatorEntry<G>, SpecError> {
    factor_entry::<G, F>("file", content).map_err(|error| SpecError::new(path, error))
}

/// The evaluation by factors with these weights.
pub fn factor_entry<G: Game, F: Factors<G>>(
    name: &str,
    content: &str,
) -> Result<EvaluatorEntry<G>, WeightError> {
    let weights = Weights::parse::<G, F>(content)?;
    let params = factors_of::<G, F>()
        .map(|info| {
            let (min, max) = weight_range(info.name);
            Param::integer(
                &format!("eval.{}", info.name),
                i64::from(min),
                i64::from(max),
                i64::from(weights.get(info.name)),
                &format!("weight of: {}", info.about),
            )
        })
        .collect();
    // The comment at the head of a weight file says what it is.
    let about: Vec<&str> =
        content.lines().map_while(|line| line.strip_prefix('#')).map(str::trim).collect();
    Ok(EvaluatorEntry {
        name: name.into(),
        about: about.join(" "),
        params,
        build: Arc::new(build_factors::<G, F>),
    })
}

fn build_factors<G: Game, F: Factors<G>>(
    values: &Values,
) -> Result<Arc<dyn Evaluator<G>>, ParamError> {
    let mut weights = Weights::zero::<G, F>();
    for info in factors_of::<G, F>() {
        let weight = values.number(&format!("eval.{}", info.name)).unwrap_or(0) as i32;
        weights
            .set::<G, F>(info.name, weight)
            .map_err(|error| ParamError::Combination(error.to_string()))?;
    }
    Ok(Arc::new(FactorEvaluator::<G, F>::new(&weights)))
}

/// An evaluation without tunables.
#[must_use]
pub fn evaluation<G: Game>(
    name: &str,
    about: &str,
    evaluator: impl Evaluator<G> + Clone + 'static,
) -> EvaluatorEntry<G> {
    EvaluatorEntry {
        name: name.into(),
        about: about.into(),
        params: Vec::new(),
        build: Arc::new(move |_| Ok(Arc::new(evaluator.clone()))),
    }
}
