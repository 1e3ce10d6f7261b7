//! Quiescence search (Shannon, 1950; Beal, 1990): at the horizon the seat to act may accept the
//! static value or play on with actions the evaluator calls noisy.

use gamecore::{Buf, Game, Seat, Turn};

use crate::searcher::Searcher;
use crate::window::{Value, Window};

impl<G: Game> Searcher<'_, G> {
    /// The value for `view` of a position at the horizon where `seat` acts.
    #[inline]
    pub(crate) fn quiet_value(
        &mut self,
        state: &G::State,
        left: u32,
        window: Window,
        seat: Seat,
        view: Seat,
    ) -> Value {
        if left == 0 || !self.evaluator.has_noisy_actions() {
            return Ok(self.static_value(state, view));
        }
        if seat == view {
            self.play_on(state, left, window, seat)
        } else {
            Ok(-self.play_on(state, left, window.flipped(), seat)?)
        }
    }

    fn play_on(&mut self, state: &G::State, left: u32, window: Window, seat: Seat) -> Value {
        let mut best = self.static_value(state, seat);
        let mut actions = Buf::new();
        self.game.actions(state, &mut actions);
        for &action in &actions {
            if best >= window.beta {
                break;
            }
            if self.evaluator.is_noisy(self.game, state, action) {
                let window = window.with_alpha(window.alpha.max(best));
                let value = self.step(state, action, 0, window, seat, |me, child| {
                    me.beyond(child, left - 1, window, seat)
                })?;
                best = best.max(value);
            }
        }
        Ok(best)
    }

    fn beyond(&mut self, state: &G::State, left: u32, window: Window, view: Seat) -> Value {
        self.count_node()?;
        match self.game.turn(state) {
            Turn::Over => Ok(self.finished(state, view)),
            Turn::Player(seat) => self.quiet_value(state, left, window, seat, view),
            Turn::Chance => self.expectation(state, 0, view, |me, child| {
                me.beyond(child, left, Window::FULL, view)
            }),
        }
    }
}
