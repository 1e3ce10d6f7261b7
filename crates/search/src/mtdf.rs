//! MTD(f) (Plaat, Schaeffer, Pijls and de Bruin, 1996): null-window searches from a first guess
//! close in on the value. Lives on its table; without one it repeats most of its work.

use gamecore::{Game, Score, Seat};

use crate::searcher::Searcher;
use crate::window::{Value, Window};

impl<G: Game> Searcher<'_, G> {
    /// The exact value for the seat to act at `state`.
    pub(crate) fn mtdf(
        &mut self,
        state: &G::State,
        depth: u32,
        ply: usize,
        guess: Score,
        seat: Seat,
    ) -> Value {
        let (mut lower, mut upper) = (-Score::INFINITE, Score::INFINITE);
        let mut value = guess;
        while lower < upper {
            let question = Window::above(value.max(lower.above()).below());
            value = self.alphabeta(state, depth, ply, question, seat)?;
            if value >= question.beta {
                lower = value;
            } else {
                upper = value;
            }
        }
        Ok(value)
    }
}
