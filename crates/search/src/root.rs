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
                let proof = Window { alpha: value.below(), beta: value };
                let game_order: Vec<usize> = (0..actions.len()).collect();
                let found = self.root_loop(state, actions, &game_order, depth, proof, seat)?;
                RootResult { value, bound: Bound::Exact, ..found }
            }
            _ => {
                self.count_node()?;
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
            // Minimax values every action exactly, whatever is asked for.
            let exact = self.config.all_roots || self.config.algorithm == Algorithm::Minimax;
            let open = if exact {
                Window::FULL
            } else {
                let needed = if index < best { value.below() } else { value };
                window.with_alpha(window.alpha.max(needed))
            };
            let nodes = self.counters.nodes;
            let found = self.root_child(state, actions[index], depth - 1, open, seat)?;
            values[index] = Some(RootValue {
                value: found,
                bound: open.bound(found),
                nodes: self.counters.nodes - nodes,
            });
            let better = found > value || found == value && index < best;
            if better && (found > open.alpha || value == -Score::INFINITE) {
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

    /// The value of one root action in `open`, by the algorithm of this search.
    fn root_child(
        &mut self,
        state: &G::State,
        action: G::Action,
        depth: u32,
        open: Window,
        seat: Seat,
    ) -> Value {
        let unknown = open.alpha <= -Score::INFINITE;
        match self.config.algorithm {
            Algorithm::Minimax => self.step(state, action, depth, open, seat, |me, child| {
                me.minimax(child, depth, 1, seat)
            }),
            Algorithm::Scout => {
                if !unknown && !self.scout_child_above(state, action, depth, 0, open.alpha, seat)? {
                    return Ok(open.alpha);
                }
                self.step(state, action, depth, open, seat, |me, child| {
                    me.scout_eval(child, depth, 1, seat)
                })
            }
            Algorithm::Pvs if !unknown => {
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
