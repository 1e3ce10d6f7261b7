//! Every algorithm, registered for every game by one call.

use std::sync::Arc;

use gamecore::{ActionScore, Agent, Evaluator, Game, RandomAgent, Traits};
use search::params::{Param, ParamError, Values};
use search::{Algorithm, Config, DepthFirst};

/// What an agent is built from, besides its values.
pub(crate) struct Parts<G: Game> {
    pub(crate) evaluator: Arc<dyn Evaluator<G>>,
    pub(crate) action_score: Option<Arc<dyn ActionScore<G>>>,
    pub(crate) seed: u64,
}

/// One kind of agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Random,
    /// The best action by the evaluation after it: minimax of depth 1.
    Greedy,
    DepthFirst(Algorithm),
}

/// A kind of agent with its name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AgentEntry {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) kind: Kind,
}

const fn entry(name: &'static str, kind: Kind, about: &'static str) -> AgentEntry {
    AgentEntry { name, about, kind }
}

/// All agents, weakest idea first.
pub(crate) const AGENTS: &[AgentEntry] = &[
    entry("random", Kind::Random, "uniformly random legal actions"),
    entry("greedy", Kind::Greedy, "the action with the best evaluation right after it"),
    entry("minimax", Kind::DepthFirst(Algorithm::Minimax), "plain minimax, the yardstick"),
    entry("alphabeta", Kind::DepthFirst(Algorithm::AlphaBeta), "alpha-beta, fail-soft"),
    entry("scout", Kind::DepthFirst(Algorithm::Scout), "Pearl's SCOUT: EVAL and TEST"),
    entry(
        "scout-as-printed",
        Kind::DepthFirst(Algorithm::ScoutAsPrinted),
        "the faulty pseudo-code of the 2020 Othello paper, a negative control",
    ),
    entry("pvs", Kind::DepthFirst(Algorithm::Pvs), "principal variation search (NegaScout)"),
    entry("mtdf", Kind::DepthFirst(Algorithm::Mtdf), "MTD(f): null windows closing in"),
];

impl AgentEntry {
    pub(crate) fn params(&self) -> Vec<Param> {
        match self.kind {
            Kind::Random | Kind::Greedy => Vec::new(),
            Kind::DepthFirst(algorithm) => algorithm.params(),
        }
    }

    pub(crate) fn evaluates(&self) -> bool {
        self.kind != Kind::Random
    }

    fn config(&self, values: &Values) -> Result<Option<Config>, ParamError> {
        match self.kind {
            Kind::Random => Ok(None),
            Kind::Greedy => {
                Ok(Some(Config { all_roots: true, ..Config::plain(Algorithm::Minimax, 1) }))
            }
            Kind::DepthFirst(algorithm) => Config::from_values(algorithm, values).map(Some),
        }
    }

    /// Refuses values that have no meaning together, or for a game with these traits.
    pub(crate) fn check<G: Game>(&self, values: &Values, traits: Traits) -> Result<(), ParamError> {
        match self.config(values)?.and_then(|config| config.refuses::<G>(traits)) {
            Some(reason) => Err(ParamError::Combination(reason)),
            None => Ok(()),
        }
    }

    pub(crate) fn is_repeatable(&self, values: &Values) -> bool {
        !matches!(self.config(values), Ok(Some(config)) if !config.is_repeatable())
    }

    /// Builds the agent from values that passed [`AgentEntry::check`].
    pub(crate) fn build<G: Game>(&self, values: &Values, parts: Parts<G>) -> Box<dyn Agent<G>> {
        match self.config(values).expect("values were checked when the spec was resolved") {
            None => Box::new(RandomAgent::new(parts.seed)),
            Some(config) => Box::new(DepthFirst::new(config, parts.evaluator, parts.action_score)),
        }
    }
}
