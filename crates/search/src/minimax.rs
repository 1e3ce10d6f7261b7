//! Plain minimax (von Neumann, 1928; Shannon, 1950): the yardstick. Every line to the horizon is
//! looked at; all other algorithms must return its value.

use gamecore::{Buf, Game, Score, Seat};

use crate::searcher::{Entered, Searcher};
use crate::window::{Value, Window};

impl<G: Game> Searcher<'_, G> {
    pub(crate) fn minimax(
        &mut self,
        state: &G::State,
        depth: u32,
        ply: usize,
        view: Seat,
    ) -> Value {
        let seat = match self.enter(state, depth, ply, Window::FULL, view)? {
            Entered::Valued(value) => return Ok(value),
            Entered::Chance => {
                return self.expectation(state, depth, view, |me, child| {
                    me.minimax(child, depth, ply + 1, view)
                });
            }
            Entered::Decide(seat) => seat,
        };
        let mut actions = Buf::new();
        self.game.actions(state, &mut actions);
        let mut best = -Score::INFINITE;
        for &action in &actions {
            let value = self.step(state, action, depth - 1, Window::FULL, seat, |me, child| {
                me.minimax(child, depth - 1, ply + 1, seat)
            })?;
            if value > best {
                best = value;
                self.extend_line(ply, action);
            }
        }
        Ok(if seat == view { best } else { -best })
    }
}
