//! What a game brings beyond its rules: how its rules are read, evaluations, agents, looks.

use std::sync::Arc;

use crate::factors::{FactorEvaluator, Factors, WeightError, Weights, factors_of, weight_range};
use gamecore::{ActionScore, Evaluator, Game, Notation, ResultOnly};
use search::params::{Param, ParamError, Values};

use crate::SpecError;
use crate::agents::AgentEntry;
use crate::behaviour::CountBehaviour;
use crate::bench_plan::BenchPlan;
use crate::facets::{Setups, TextFormat};
use crate::figures::ActionCount;
use crate::generic::generic_agents;
use crate::presentation::Presentation;
use crate::solver::{AnySolver, SolverSettings};
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

/// Makes a game of the text of its rules.
pub type ReadRules<G> = Box<dyn Fn(&str) -> Result<G, SpecError> + Send + Sync>;

/// Tables of units that a file may hold, as a rule option.
#[derive(Clone, Copy)]
pub struct UnitTables {
    /// The rule option.
    pub key: &'static str,
    /// The value that it has for the content of a file.
    pub value: fn(&str) -> Result<String, SpecError>,
}

/// All that a game brings beyond its rules. What it does not bring, it does without.
pub struct Kit<G: Notation> {
    /// Makes the game of its rules: a preset, `key=value,…`, or nothing for the default.
    pub rules: ReadRules<G>,
    /// Tables of units in files, if rules may have some.
    pub units: Option<UnitTables>,
    /// What is unusual about rules that can be played nevertheless.
    pub warnings: fn(&G) -> Vec<String>,
    /// What seats bring, if people choose or build it.
    pub setups: Option<Setups<G>>,
    /// Texts of other programs that hold games.
    pub texts: &'static [TextFormat],
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

impl<G: Notation> Kit<G> {
    /// A game without rule options and without an evaluation of its own: searches see only results. What it
    /// is in a line, and how many random actions come before each game of a match.
    #[must_use]
    pub fn of(game: G, about: &'static str, opening_plies: u32) -> Self {
        let only = move |rules: &str| {
            if !matches!(rules, "" | "standard") && rules != game.rules_text() {
                let name = G::NAME;
                let reason = format!("{name} has no rule options; the only rules are 'standard'");
                return Err(SpecError::new(rules, reason));
            }
            Ok(game.clone())
        };
        Self::with_rules(only, about, opening_plies)
    }

    /// The same for a game that is made of the text of its rules.
    #[must_use]
    pub fn with_rules(
        rules: impl Fn(&str) -> Result<G, SpecError> + Send + Sync + 'static,
        about: &'static str,
        opening_plies: u32,
    ) -> Self {
        let result = EvaluatorEntry {
            name: "result".into(),
            about: "0 until the game is over".into(),
            params: Vec::new(),
            build: Arc::new(|_| Ok(Arc::new(ResultOnly))),
        };
        Self {
            rules: Box::new(rules),
            units: None,
            warnings: |_| Vec::new(),
            setups: None,
            texts: &[],
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

    /// The same with tables of units from files.
    #[must_use]
    pub fn with_units(self, units: UnitTables) -> Self {
        Self { units: Some(units), ..self }
    }

    /// The same with warnings about unusual rules.
    #[must_use]
    pub fn warned(self, warnings: fn(&G) -> Vec<String>) -> Self {
        Self { warnings, ..self }
    }

    /// The same with setups that people choose or build.
    #[must_use]
    pub fn with_setups(self, setups: Setups<G>) -> Self {
        Self { setups: Some(setups), ..self }
    }

    /// The same with texts of other programs.
    #[must_use]
    pub fn with_texts(self, texts: &'static [TextFormat]) -> Self {
        Self { texts, ..self }
    }

    /// The same with evaluations that are weighted factors; `files` are named weight files.
    #[must_use]
    pub fn with_factors<F: Factors<G>>(self, files: &[(&str, &str)]) -> Self {
        let evaluators = files
            .iter()
            .map(|(name, content)| {
                factor_entry::<G, F>(name, content)
                    .unwrap_or_else(|error| panic!("built-in weights {name}: {error}"))
            })
            .collect();
        Self { evaluators, evaluator_from_file: Some(factor_file::<G, F>), ..self }
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
