//! What a designer asks of every game: who began, how long it was, how much there was to choose,
//! and whether the winner had been behind.

use arena::{GameRecord, Step, replay};
use gamecore::{Buf, Evaluator, Notation, Seat, Term, Turn};

use crate::SpecError;

/// Figures of one game, the same for all games and independent of who played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameFigures {
    /// The seat that acted first.
    pub first_seat: Option<Seat>,
    /// Runs of actions of one seat.
    pub turns: u64,
    /// Actions that were a choice between several.
    pub decisions: u64,
    /// The same for each seat.
    pub decisions_by_seat: [u64; 2],
    /// Legal actions at these decisions together.
    pub choices: u64,
    /// The seat that the game's own evaluation sees ahead half-way through the steps of the game;
    /// `None` if it sees nobody ahead.
    pub half_leader: Option<Seat>,
}

/// Counts one recorded game by replaying it.
pub(crate) fn figures<G: Notation>(
    game: &G,
    evaluator: &dyn Evaluator<G>,
    record: &GameRecord,
) -> Result<GameFigures, SpecError> {
    let replayed = replay(game, record).map_err(SpecError::plain)?;
    let mut figures = GameFigures::default();
    let mut last = None;
    for (state, step) in replayed.states.iter().zip(&replayed.steps) {
        let Step::Player { seat, .. } = step else { continue };
        figures.first_seat.get_or_insert(*seat);
        figures.turns += u64::from(last != Some(*seat));
        last = Some(*seat);
        let mut legal = Buf::new();
        game.actions(state, &mut legal);
        if legal.len() > 1 {
            figures.decisions += 1;
            figures.decisions_by_seat[seat.index()] += 1;
            figures.choices += legal.len() as u64;
        }
    }
    let middle = &replayed.states[replayed.steps.len() / 2];
    if !replayed.steps.is_empty() && game.turn(middle) != Turn::Over {
        let ahead = evaluator.evaluate(game, middle, Seat::Zero).0;
        figures.half_leader = match ahead {
            0 => None,
            1.. => Some(Seat::Zero),
            _ => Some(Seat::One),
        };
    }
    Ok(figures)
}

/// The parts of an evaluation for seat 0 at every decision of a recorded game, and whether a turn
/// begins there; of the first decision it is not known.
pub(crate) fn terms<G: Notation>(
    game: &G,
    evaluator: &dyn Evaluator<G>,
    record: &GameRecord,
) -> Result<Vec<(bool, Vec<Term>)>, SpecError> {
    let replayed = replay(game, record).map_err(SpecError::plain)?;
    let mut last = None;
    let measured = |state: &G::State| {
        let Turn::Player(seat) = game.turn(state) else { return None };
        let begins = last.replace(seat).is_some_and(|last| last != seat);
        Some((begins, evaluator.explain(game, state, Seat::Zero)))
    };
    Ok(replayed.states.iter().filter_map(measured).collect())
}
