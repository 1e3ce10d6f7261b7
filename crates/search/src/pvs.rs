//! Principal variation search (Finkel and Fishburn, 1982; Marsland and Campbell, 1982), which is
//! NegaScout (Reinefeld, 1983) but for details: after the first action, ask only whether another
//! one is better at all; search it properly if so. It is SCOUT's idea inside alpha-beta's window.

use gamecore::{Game, Seat};

use crate::searcher::Searcher;
use crate::window::{Value, Window};

impl<G: Game> Searcher<'_, G> {
    /// The value of an action that is expected to be no better than `open.alpha`.
    pub(crate) fn null_window_first(
        &mut self,
        state: &G::State,
        action: G::Action,
        depth: u32,
        ply: usize,
        open: Window,
        seat: Seat,
    ) -> Value {
        let question = Window::above(open.alpha);
        let value = self.step(state, action, depth, question, seat, |me, child| {
            me.alphabeta(child, depth, ply + 1, question, seat)
        })?;
        if value <= open.alpha || value >= open.beta {
            return Ok(value);
        }
        self.counters.researches += 1;
        // Fail-soft: the first search proved the value to be at least `value`.
        let rest = open.with_alpha(value.below().max(open.alpha));
        self.step(state, action, depth, rest, seat, |me, child| {
            me.alphabeta(child, depth, ply + 1, rest, seat)
        })
    }
}
