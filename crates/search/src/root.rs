//! The root: which action to play.
//!
//! All depth-first agents choose the first best action in the game's order, whatever order they
//! searched in. So an action that stands before the best one so far need only equal it, one that
//! stands behind must exceed it: with whole-number scores that is a window one point lower.

use gamecore::{Bound, Game, Score, Seat};

use crate::config::Algorithm;
use crate::searcher::Searcher;
use crate::window::{Stopped, Value, Window};

/// What is known of one action at the root.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RootValue {
    pub(crate) value: Score,
    pub(crate) bound: Bound,
    pub(crate) nodes: u64,
}

/// A completed search of one depth.
#[derive(Clone, Debug)]
pub(crate) struct RootResult<A> {
    pub(crate) value: Score,
    /// Exact unless the window was too narrow.
    pub(crate) bound: Bound,
    pub(crate) best: usize,
    /// By index of the action; `None` where the search needed no look.
    pub(crate) values: Vec<Option<RootValue>>,
    pub(crate) line: Vec<A>,
}

impl<G: Game> Searcher<'_, G> {
    /// Searches `depth` decisions; `order` are the indices of `actions` in the order to try them,
    /// `guess` is what the value is believed to be.
    pub(crate) fn search_root(
        &mut self,
        state: &G::State,
        actions: &[G::Action],
        order: &[usize],
        depth: u32,
        window: Window,
        guess: Score,
    ) -> Result<RootResult<G::Action>, Stopped> {
        let seat = self.root_seat;
        if let Some(trace) = &mut self.trace {
            trace.restart(depth);
        }
        let result = match self.config.algorithm {
            Algorithm::ScoutAsPrinted => self.printed_root(state, actions, depth, seat)?,
            Algorithm::Mtdf if !self.config.all_roots => {
                let value = self.mtdf(state, depth, 0, guess, seat)?;
                // All passes share the root of the trace; how one of them ended is not its note.
                self.note(None);
                self.first_of_value(state, actions, depth, value, seat)?
            }
            _ => {
                self.count_node()?;
                self.counters.eval_nodes += u64::from(self.config.algorithm == Algorithm::Scout);
                self.root_loop(state, actions, order, depth, window, seat)?
            }
        };
        self.trace_leave(Some((result.value, result.bound)), seat);
        Ok(result)
    }

    fn root_loop(
        &mut self,
        state: &G::State,
        actions: &[G::Action],
        order: &[usize],
        depth: u32,
        window: Window,
        seat: Seat,
    ) -> Result<RootResult<G::Action>, Stopped> {
        let mut values = vec![None; actions.len()];
        let (mut best, mut value, mut line) = (order[0], -Score::INFINITE, Vec::new());
        for &index in order {
            // Minimax knows no windows: all its values are exact.
            let exact = self.config.all_roots || self.config.algorithm == Algorithm::Minimax;
            let open = if exact {
                Window::FULL
            } else {
                let needed = if index < best { value.below() } else { value };
                window.with_alpha(window.alpha.max(needed))
            };
            let nodes = self.counters.nodes;
            let first = value == -Score::INFINITE;
            let found = self.root_child(state, actions[index], depth - 1, open, first, seat)?;
            values[index] = Some(RootValue {
                value: found,
                bound: open.bound(found),
                nodes: self.counters.nodes - nodes,
            });
            let better = found > value || found == value && index < best;
            if better && (found > open.alpha || first) {
                (best, value) = (index, found);
                line = vec![actions[index]];
                line.extend(self.lines.get(1).into_iter().flatten());
            }
            if value >= window.beta {
                break;
            }
        }
        Ok(RootResult { value, bound: window.bound(value), best, values, line })
    }

    /// The first action of this value, which is known to be the best. Its expected line comes from
    /// one more look with room on both sides: a null window says no more than yes or no.
    fn first_of_value(
        &mut self,
        state: &G::State,
        actions: &[G::Action],
        depth: u32,
        value: Score,
        seat: Seat,
    ) -> Result<RootResult<G::Action>, Stopped> {
        let proof = Window { alpha: value.below(), beta: value };
        let order: Vec<usize> = (0..actions.len()).collect();
        let mut found = self.root_loop(state, actions, &order, depth, proof, seat)?;
        if found.value < value {
            // A table that answers for other depths may disagree with itself: search afresh.
            return self.root_loop(state, actions, &order, depth, Window::FULL, seat);
        }
        let around = Window { alpha: value.below(), beta: value.above() };
        let nodes = self.counters.nodes;
        self.root_child(state, actions[found.best], depth - 1, around, true, seat)?;
        found.line.truncate(1);
        found.line.extend(self.lines.get(1).into_iter().flatten());
        if let Some(best) = &mut found.values[found.best] {
            let nodes = best.nodes + self.counters.nodes - nodes;
            *best = RootValue { value, bound: Bound::Exact, nodes };
        }
        Ok(RootResult { value, bound: Bound::Exact, ..found })
    }

    /// The value of one root action in `open`, by the algorithm of this search.
    fn root_child(
        &mut self,
        state: &G::State,
        action: G::Action,
        depth: u32,
        open: Window,
        first: bool,
        seat: Seat,
    ) -> Value {
        // There is a value to ask against; with `roots=all` there is none.
        let can_ask = !first && open.alpha > -Score::INFINITE;
        match self.config.algorithm {
            Algorithm::Minimax => self.step(state, action, depth, open, seat, |me, child| {
                me.minimax(child, depth, 1, seat)
            }),
            Algorithm::Scout => {
                if can_ask {
                    if !self.scout_child_above(state, action, depth, 0, open.alpha, seat)? {
                        return Ok(open.alpha);
                    }
                    self.counters.researches += 1;
                }
                self.step(state, action, depth, open, seat, |me, child| {
                    me.scout_eval(child, depth, 1, seat)
                })
            }
            Algorithm::Pvs if can_ask => {
                self.null_window_first(state, action, depth, 0, open, seat)
            }
            _ => self.step(state, action, depth, open, seat, |me, child| {
                me.alphabeta(child, depth, 1, open, seat)
            }),
        }
    }

    fn printed_root(
        &mut self,
        state: &G::State,
        actions: &[G::Action],
        depth: u32,
        seat: Seat,
    ) -> Result<RootResult<G::Action>, Stopped> {
        let (value, best) = self.printed_eval(state, depth, seat)?;
        let mut values = vec![None; actions.len()];
        values[best] = Some(RootValue { value, bound: Bound::Exact, nodes: self.counters.nodes });
        Ok(RootResult { value, bound: Bound::Exact, best, values, line: vec![actions[best]] })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use gamecore::{Decision, Game, Limits, Rng, StopToken};
    use testkit::toys::TicTacToe;
    use testkit::{CountingClock, HashEvaluator};

    use crate::KnownSearch as _;

    use super::*;
    use crate::{Config, DepthFirst};

    fn decide<G: Game>(config: Config, game: &G) -> Decision<G::Action> {
        let (clock, stop) = (CountingClock::new(Duration::from_millis(1)), StopToken::default());
        let limits =
            Limits { clock: &clock, stop: &stop, time_left: None, progress: None, tree_nodes: 0 };
        let state = game.start(&G::Setup::default(), &mut Rng::new(0));
        DepthFirst::new(config, Arc::new(HashEvaluator::new(1)), None)
            .decide_state(game, &state, &limits)
    }

    #[test]
    fn mtdf_knows_the_line_and_the_value_of_its_choice() {
        let decision = decide(Config::plain(Algorithm::Mtdf, 4), &TicTacToe);
        assert_eq!(decision.principal_variation.len(), 4);
        let chosen = decision.root.iter().find(|root| root.action == decision.action).unwrap();
        assert_eq!((chosen.bound, chosen.value), (Bound::Exact, decision.value));
    }

    #[test]
    fn scout_counts_an_evaluation_after_a_passed_test_at_the_root() {
        let decision = decide(Config::plain(Algorithm::Scout, 1), &TicTacToe);
        let passed = decision.root.iter().filter(|root| root.bound == Bound::Exact).count();
        assert!(passed > 1, "{decision:?}");
        assert_eq!(decision.counters.researches, passed as u64 - 1);
        // The root, and every action that is valued; the others are only tested.
        assert_eq!(decision.counters.eval_nodes, 1 + passed as u64);
    }

    #[test]
    fn the_first_action_in_an_aspiration_window_is_not_searched_twice() {
        // A window that holds every value: then only other actions than the first may be repeated.
        let wide = Config { deepening: true, aspiration: 1000, ..Config::plain(Algorithm::Pvs, 2) };
        let full = Config { aspiration: 0, ..wide.clone() };
        let [wide, full] = [wide, full].map(|config| decide(config, &TicTacToe).counters);
        assert_eq!(wide, full);
    }
}
