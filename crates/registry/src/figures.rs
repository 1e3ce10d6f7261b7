//! What a designer asks of every game: who began, how long it was, how much there was to choose,
//! and whether the winner had been behind.

use arena::{Event, GameRecord, Step, replay};
use gamecore::{Buf, Evaluator, Game, Notation, Seat, Term, Turn};

use crate::SpecError;

/// A number that a game counts of its own while it is played: how many actions are of a kind. Store,
/// export, summary and report know it by this declaration.
#[derive(Debug)]
pub struct ActionCount<G: Game> {
    /// Its name in exports: small letters and underscores.
    pub name: &'static str,
    /// In words, such as "shots per game".
    pub words: &'static str,
    /// Whether an action is of the kind.
    pub counts: fn(G::Action) -> bool,
}

/// Figures of one game, independent of who played.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
    /// What this game counts of its own, as it declares them.
    pub counts: Vec<(&'static str, u64)>,
}

impl GameFigures {
    /// Nothing counted yet.
    fn new<G: Game>(counts: &[ActionCount<G>]) -> Self {
        let counts = counts.iter().map(|count| (count.name, 0)).collect();
        Self { counts, ..Self::default() }
    }

    /// Counts an action of a seat, one of so many legal ones, after one of `last`.
    fn count<G: Game>(
        &mut self,
        (seat, action): (Seat, G::Action),
        options: usize,
        last: &mut Option<Seat>,
        counts: &[ActionCount<G>],
    ) {
        for (count, (_, number)) in counts.iter().zip(&mut self.counts) {
            *number += u64::from((count.counts)(action));
        }
        self.first_seat.get_or_insert(seat);
        self.turns += u64::from(last.replace(seat) != Some(seat));
        if options > 1 {
            self.decisions += 1;
            self.decisions_by_seat[seat.index()] += 1;
            self.choices += options as u64;
        }
    }
}

/// The seat that the game's own evaluation sees ahead in a position.
fn leader<G: Notation>(game: &G, evaluator: &dyn Evaluator<G>, middle: &G::State) -> Option<Seat> {
    if game.turn(middle) == Turn::Over {
        return None;
    }
    match evaluator.evaluate(game, middle, Seat::Zero).0 {
        0 => None,
        1.. => Some(Seat::Zero),
        _ => Some(Seat::One),
    }
}

/// Counts a game while it is played.
pub(crate) struct Counted<G: Notation> {
    counts: &'static [ActionCount<G>],
    figures: GameFigures,
    last: Option<Seat>,
    start: G::State,
    /// Actions and chance events so far.
    steps: Vec<G::Action>,
}

impl<G: Notation> Counted<G> {
    pub(crate) fn new(start: &G::State, counts: &'static [ActionCount<G>]) -> Self {
        let figures = GameFigures::new(counts);
        Self { counts, figures, last: None, start: start.clone(), steps: Vec::new() }
    }

    pub(crate) fn hear(&mut self, event: &Event<'_, G>) {
        match *event {
            Event::Action { seat, action, options, .. } => {
                self.figures.count((seat, action), options, &mut self.last, self.counts);
                self.steps.push(action);
            }
            Event::Chance { outcome, .. } => self.steps.push(outcome),
            Event::Start { .. } | Event::Thinking { .. } | Event::End { .. } => {}
        }
    }

    /// The figures of the game, which is over: only now it is known where its middle was.
    pub(crate) fn figures(mut self, game: &G, evaluator: &dyn Evaluator<G>) -> GameFigures {
        if !self.steps.is_empty() {
            for &step in &self.steps[..self.steps.len() / 2] {
                game.apply(&mut self.start, step);
            }
            self.figures.half_leader = leader(game, evaluator, &self.start);
        }
        self.figures
    }
}

/// Counts one recorded game by replaying it.
pub(crate) fn figures<G: Notation>(
    game: &G,
    evaluator: &dyn Evaluator<G>,
    counts: &[ActionCount<G>],
    record: &GameRecord,
) -> Result<GameFigures, SpecError> {
    let replayed = replay(game, record).map_err(SpecError::plain)?;
    let mut figures = GameFigures::new(counts);
    let mut last = None;
    for (state, step) in replayed.states.iter().zip(&replayed.steps) {
        let Step::Player { seat, action, .. } = step else { continue };
        let mut legal = Buf::new();
        game.actions(state, &mut legal);
        figures.count((*seat, *action), legal.len(), &mut last, counts);
    }
    if !replayed.steps.is_empty() {
        let middle = &replayed.states[replayed.steps.len() / 2];
        figures.half_leader = leader(game, evaluator, middle);
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
