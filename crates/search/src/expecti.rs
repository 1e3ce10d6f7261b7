//! Chance nodes (Michie, 1966; Ballard's Star0, 1983): the value is the weighted mean over all
//! outcomes. Outcomes are searched with the full window, which keeps every algorithm exact.

use gamecore::{Buf, Game, Score, Seat, weighted_mean};

use crate::searcher::Searcher;
use crate::window::{Value, Window};

impl<G: Game> Searcher<'_, G> {
    /// The mean of `search` over the outcomes, for `view`. An outcome is no decision, so the
    /// depth stays the same below.
    pub(crate) fn expectation(
        &mut self,
        state: &G::State,
        depth: u32,
        view: Seat,
        mut search: impl FnMut(&mut Self, &G::State) -> Value,
    ) -> Value {
        let mut outcomes = Buf::new();
        self.game.actions(state, &mut outcomes);
        let (mut sum, mut total) = (0i64, 0i64);
        for &outcome in &outcomes {
            let weight = i64::from(self.game.weight(state, outcome));
            let value = self.step(state, outcome, depth, Window::FULL, view, &mut search)?;
            sum += weight * i64::from(value.0);
            total += weight;
        }
        Ok(Score(weighted_mean(sum, total)))
    }
}
