//! Kinds of agents: what they are told by, checked with and built from.

use std::sync::Arc;

use gamecore::{ActionScore, Agent, Evaluator, Game, Traits};
use search::params::{Param, ParamError, Values};

use crate::erased::ResolvedAgent;

/// The name of a heuristic that is made for the order of depth-first search.
pub const ORDER: &str = "order";

/// The keys of budgets, the same for all agents.
pub(crate) const BUDGETS: [&str; 6] = ["depth", "turns", "nodes", "iterations", "calls", "ms"];

/// What an agent is built from, besides its values.
pub struct Parts<G: Game> {
    /// Values positions.
    pub evaluator: Arc<dyn Evaluator<G>>,
    /// Scores actions.
    pub action_score: Option<Arc<dyn ActionScore<G>>>,
    /// What its key `prune` names, in that order.
    pub pruners: Vec<Arc<dyn Evaluator<G>>>,
    /// Seed of its random stream.
    pub seed: u64,
}

/// One kind of agent: its tunables, and how to build it from them.
pub trait AgentKind<G: Game>: Send + Sync {
    /// Its tunables, those of an evaluation aside.
    fn params(&self) -> Vec<Param>;

    /// The key without which it is nothing, if there is one.
    fn needs(&self) -> Option<&'static str> {
        None
    }

    /// Whether it uses an evaluation.
    fn evaluates(&self) -> bool {
        true
    }

    /// The evaluation it takes where a spec names none and the game has one of this name;
    /// otherwise it takes the game's first.
    fn evaluation(&self) -> &'static str {
        ""
    }

    /// The action heuristic it takes in the same way; `None` if it uses none at all.
    fn heuristic(&self) -> Option<&'static str> {
        None
    }

    /// Fills in what depends on several keys, such as the budget when none was given.
    fn settle(&self, _values: &mut Values) {}

    /// Reads the values, once for all games. Refuses those that have no meaning together, or for a
    /// game with these traits.
    fn prepare(&self, values: &Values, traits: Traits) -> Result<Ready<G>, ParamError>;
}

/// An agent whose values are read, to be made for every game.
pub struct Ready<G: Game> {
    /// Makes it.
    pub make: MakeAgent<G>,
}

/// Makes an agent of its parts.
pub type MakeAgent<G> = Box<dyn Fn(Parts<G>) -> Box<dyn Agent<G>> + Send + Sync>;

impl<G: Game> Ready<G> {
    /// An agent that is made in this way.
    pub fn new<A: Agent<G> + 'static>(
        make: impl Fn(Parts<G>) -> A + Send + Sync + 'static,
    ) -> Self {
        Self { make: Box::new(move |parts| Box::new(make(parts))) }
    }
}

/// An agent that was resolved for this game, with everything that its values name.
pub(crate) struct PreparedAgent<G: Game> {
    pub(crate) evaluator: Arc<dyn Evaluator<G>>,
    pub(crate) action_score: Option<Arc<dyn ActionScore<G>>>,
    pub(crate) pruners: Vec<Arc<dyn Evaluator<G>>>,
    pub(crate) make: MakeAgent<G>,
}

impl<G: Game> PreparedAgent<G> {
    pub(crate) fn of(agent: &ResolvedAgent) -> &Self {
        agent.prepared.0.downcast_ref().expect("agents play the game that they were resolved for")
    }

    /// Makes it anew.
    pub(crate) fn make(&self, seed: u64) -> Box<dyn Agent<G>> {
        let Self { evaluator, action_score, pruners, make } = self;
        let (evaluator, pruners) = (evaluator.clone(), pruners.clone());
        make(Parts { evaluator, action_score: action_score.clone(), pruners, seed })
    }
}

/// A kind of agent with its name.
pub struct AgentEntry<G: Game> {
    /// Its name in specs.
    pub name: &'static str,
    /// What it is, one line.
    pub about: &'static str,
    /// What it is made of.
    pub kind: Box<dyn AgentKind<G>>,
}

impl<G: Game> AgentEntry<G> {
    /// An agent of a kit.
    #[must_use]
    pub fn new(name: &'static str, about: &'static str, kind: impl AgentKind<G> + 'static) -> Self {
        Self { name, about, kind: Box::new(kind) }
    }

    /// One without keys and evaluation, made of the seed of its random stream.
    #[must_use]
    pub fn without_keys(
        name: &'static str,
        about: &'static str,
        make: fn(u64) -> Box<dyn Agent<G>>,
    ) -> Self {
        Self::new(name, about, WithoutKeys(make))
    }
}

/// What is made of a seed alone.
struct WithoutKeys<G: Game>(fn(u64) -> Box<dyn Agent<G>>);

impl<G: Game> AgentKind<G> for WithoutKeys<G> {
    fn params(&self) -> Vec<Param> {
        Vec::new()
    }

    fn evaluates(&self) -> bool {
        false
    }

    fn prepare(&self, _values: &Values, _traits: Traits) -> Result<Ready<G>, ParamError> {
        let make = self.0;
        Ok(Ready { make: Box::new(move |parts| make(parts.seed)) })
    }
}

/// Refuses a search that cannot play a game, for this reason.
pub(crate) fn admitted(refused: Option<String>) -> Result<(), ParamError> {
    refused.map_or(Ok(()), |reason| Err(ParamError::Combination(reason)))
}
