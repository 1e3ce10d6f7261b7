//! Alpha-beta in its fail-soft form (Knuth and Moore, 1975; Fishburn, 1983), the node function of
//! principal variation search and MTD(f) as well. Zero-sum, two seats, chance by expectation.

use gamecore::{Buf, Game, Score, Seat};

use crate::config::Algorithm;
use crate::ordering::Picker;
use crate::searcher::{Entered, Place, Probe, Searcher};
use crate::window::{Value, Window};

impl<G: Game> Searcher<'_, G> {
    /// The value for `view`: exact inside the window, a bound outside.
    pub(crate) fn alphabeta(
        &mut self,
        state: &G::State,
        depth: u32,
        ply: usize,
        window: Window,
        view: Seat,
    ) -> Value {
        match self.enter(state, depth, ply, window, view)? {
            Entered::Valued(value) => Ok(value),
            Entered::Chance => self.expectation(state, depth, view, |me, child| {
                me.alphabeta(child, depth, ply + 1, Window::FULL, view)
            }),
            Entered::Decide(seat) if seat == view => {
                self.best_in_window(state, depth, ply, window, seat)
            }
            Entered::Decide(seat) => {
                Ok(-self.best_in_window(state, depth, ply, window.flipped(), seat)?)
            }
        }
    }

    fn best_in_window(
        &mut self,
        state: &G::State,
        depth: u32,
        ply: usize,
        window: Window,
        seat: Seat,
    ) -> Value {
        // Step 1: the table.
        let key = self.table_key(state, depth);
        let horizon_before = self.horizon;
        let hint = match self.probe(key, depth, window) {
            Probe::Answer(value) => return Ok(value),
            Probe::Hint(hint) => hint,
        };
        // Step 2: the actions, promising ones first.
        let mut actions = Buf::new();
        self.game.actions(state, &mut actions);
        let mut picker = Picker::new(actions.len());
        self.order(&mut picker, state, &actions, Place { seat, depth, ply }, hint);
        // Step 3: the best of them, until the opponent would not let it come to this.
        let (mut best, mut best_index, mut open) = (-Score::INFINITE, 0, window);
        while let Some(index) = picker.pick() {
            let first = best == -Score::INFINITE;
            let value = self.child(state, actions[index], depth - 1, ply, open, first, seat)?;
            if value <= best {
                continue;
            }
            (best, best_index) = (value, index);
            if value > open.alpha {
                open.alpha = value;
                self.extend_line(ply, actions[index]);
                if value >= open.beta {
                    self.counters.cutoffs += 1;
                    self.trace_cut(&actions, &mut picker);
                    self.memory.reward(seat, actions[index], depth, ply);
                    break;
                }
            }
        }
        // Step 4: remember.
        self.remember(key, depth, best, window.bound(best), best_index, horizon_before);
        Ok(best)
    }

    /// The value of one action: with the open window, or by principal variation search.
    #[expect(clippy::too_many_arguments, reason = "the state of one node, passed once")]
    #[inline]
    fn child(
        &mut self,
        state: &G::State,
        action: G::Action,
        depth: u32,
        ply: usize,
        open: Window,
        first: bool,
        seat: Seat,
    ) -> Value {
        if first || self.config.algorithm != Algorithm::Pvs {
            return self.step(state, action, depth, open, seat, |me, child| {
                me.alphabeta(child, depth, ply + 1, open, seat)
            });
        }
        self.null_window_first(state, action, depth, ply, open, seat)
    }
}
