//! What the tests of pruning share: an agent, and a slow reference.

use std::collections::BTreeSet;
use std::sync::Arc;

use gamecore::{Decision, Evaluator, Game, ResultOnly, Seat, Turn};
use search::Mcts;
use testkit::HashEvaluator;

use crate::common::{after, legal, mover};
use crate::mcts_common::config;

/// Heuristics with many ties, one for each name in the keys.
pub(crate) fn heuristics(count: usize) -> Vec<HashEvaluator> {
    (0..count).map(|number| HashEvaluator::with_range(100 + number as u64, 3)).collect()
}

pub(crate) fn pruner<G: Game>(keys: &str, seed: u64) -> Mcts<G> {
    let config = config(keys);
    let names = config.pruning.as_ref().map_or(0, |pruning| pruning.names.len());
    let shared = heuristics(names).into_iter().map(|heuristic| Arc::new(heuristic) as Arc<_>);
    Mcts::new(config, Arc::new(ResultOnly), None, seed).pruned_by(shared.collect())
}

/// What pruning ranks a position by.
pub(crate) fn value<G: Game>(
    game: &G,
    state: &G::State,
    seat: Seat,
    heuristic: HashEvaluator,
) -> f64 {
    if game.turn(state) == Turn::Over && game.payoff(state, seat) != 0.5 {
        return if game.payoff(state, seat) > 0.5 { 1e9 } else { -1e9 };
    }
    f64::from(heuristic.one_sided(game, state, seat).0)
}

/// By heuristic, then action: the value right after it.
pub(crate) fn values<G: Game>(game: &G, state: &G::State, count: usize) -> Vec<Vec<f64>> {
    let seat = mover(game, state);
    let all = legal(game, state);
    let of = |heuristic| {
        all.iter().map(|&a| value(game, &after(game, state, a), seat, heuristic)).collect()
    };
    heuristics(count).into_iter().map(of).collect()
}

/// Positions of the best, equal ones as listed: every action that fewer than `limit` come before.
pub(crate) fn best_of(values: &[f64], limit: usize) -> BTreeSet<usize> {
    let before = |at: usize| {
        let ahead = |&other: &usize| {
            values[other] > values[at] || values[other] == values[at] && other < at
        };
        (0..values.len()).filter(ahead).count()
    };
    (0..values.len()).filter(|&at| before(at) < limit).collect()
}

/// Positions in the list of legal actions of those in the answer's root.
pub(crate) fn kept<G: Game>(
    game: &G,
    state: &G::State,
    decision: &Decision<G::Action>,
) -> BTreeSet<usize> {
    let all = legal(game, state);
    let place = |action| all.binary_search(action).expect("legal");
    decision.root.iter().map(|root| place(&root.action)).collect()
}
