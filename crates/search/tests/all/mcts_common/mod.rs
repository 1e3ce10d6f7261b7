//! What the tests of tree search share.

use std::sync::Arc;
use std::time::Duration;

use gamecore::{ActionScore, Decision, Evaluator, Game, Limits, ResultOnly, StopToken};
use search::params::Values;
use search::{Mcts, MctsConfig};
use testkit::CountingClock;

/// A configuration from `KEY=VALUE,…` over the defaults of plain UCT.
pub(crate) fn config(keys: &str) -> MctsConfig {
    try_config(keys).unwrap_or_else(|error| panic!("{keys}: {error}"))
}

/// The same, or the reason why not.
pub(crate) fn try_config(keys: &str) -> Result<MctsConfig, String> {
    let given = keys.split(',').filter_map(|part| part.split_once('='));
    Values::resolve(&MctsConfig::params(), given)
        .and_then(|values| MctsConfig::from_values(&values))
        .map_err(|error| error.to_string())
}

/// An agent that knows results only.
pub(crate) fn agent<G: Game>(keys: &str, seed: u64) -> Mcts<G> {
    Mcts::new(config(keys), Arc::new(ResultOnly), None, seed)
}

/// An agent with an evaluation and an action heuristic.
pub(crate) fn agent_with<G: Game>(
    keys: &str,
    evaluator: impl Evaluator<G> + 'static,
    score: impl ActionScore<G> + 'static,
    seed: u64,
) -> Mcts<G> {
    Mcts::new(config(keys), Arc::new(evaluator), Some(Arc::new(score)), seed)
}

/// Lets an agent decide without any limit but its own.
pub(crate) fn decide<G: Game>(
    agent: &mut Mcts<G>,
    game: &G,
    state: &G::State,
) -> Decision<G::Action> {
    decide_and_trace(agent, game, state, 0)
}

/// The same, with the tree in the answer.
pub(crate) fn decide_and_trace<G: Game>(
    agent: &mut Mcts<G>,
    game: &G,
    state: &G::State,
    tree_nodes: usize,
) -> Decision<G::Action> {
    let (clock, stop) = (CountingClock::new(Duration::from_millis(1)), StopToken::default());
    let limits = Limits { clock: &clock, stop: &stop, time_left: None, progress: None, tree_nodes };
    agent.decide_state(game, state, &limits)
}
