//! Playing a record again, checking everything it says.

use gamecore::{Buf, Ending, Notation, NotationError, Outcome, Seat, Turn};

use crate::record::GameRecord;

/// One action or chance event of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<A> {
    /// A player acted.
    Player {
        /// Who.
        seat: Seat,
        /// How.
        action: A,
    },
    /// Chance decided.
    Chance {
        /// What happened.
        outcome: A,
    },
}

impl<A: Copy> Step<A> {
    /// The action or outcome.
    #[must_use]
    pub fn action(&self) -> A {
        match *self {
            Self::Player { action, .. } => action,
            Self::Chance { outcome } => outcome,
        }
    }
}

/// A game as it was played.
pub struct Replay<G: Notation> {
    /// Every position from the start to the end: one more than there are steps.
    pub states: Vec<G::State>,
    /// What led from each position to the next.
    pub steps: Vec<Step<G::Action>>,
}

impl<G: Notation> Replay<G> {
    /// The last position.
    ///
    /// # Panics
    /// If somebody emptied the list of positions.
    #[must_use]
    pub fn final_state(&self) -> &G::State {
        self.states.last().expect("a replay has at least its start")
    }
}

/// Why a record cannot have happened. Actions and chance events are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// Another game.
    #[error("the record is of '{found}', expected '{expected}'")]
    Game {
        /// In the record.
        found: String,
        /// Of the game it is replayed with.
        expected: String,
    },
    /// Other rules.
    #[error("the record was made under the rules '{found}', expected '{expected}'")]
    Rules {
        /// In the record.
        found: String,
        /// Of the game it is replayed with.
        expected: String,
    },
    /// The start position cannot be read.
    #[error("start: {0}")]
    Start(#[source] NotationError),
    /// An action of a player is not legal.
    #[error("action {number} '{text}' in position '{position}': {source}")]
    Action {
        /// Counted from 1.
        number: usize,
        /// As recorded.
        text: String,
        /// Where it should have been possible.
        position: String,
        /// What was expected.
        source: NotationError,
    },
    /// A chance outcome is not possible.
    #[error("chance event {number} '{text}' in position '{position}': {source}")]
    Chance {
        /// Counted from 1.
        number: usize,
        /// As recorded.
        text: String,
        /// Where it should have been possible.
        position: String,
        /// What was expected.
        source: NotationError,
    },
    /// Actions after the end, or after a chance event that the record lacks.
    #[error("action {number} '{text}': {expected}")]
    TooManyActions {
        /// The first one too many, counted from 1.
        number: usize,
        /// As recorded.
        text: String,
        /// What was expected instead.
        expected: &'static str,
    },
    /// Chance outcomes that no event asked for.
    #[error("chance event {number} '{text}': the game has only {expected} chance events")]
    TooManyChanceEvents {
        /// The first one too many, counted from 1.
        number: usize,
        /// As recorded.
        text: String,
        /// How many there are.
        expected: usize,
    },
    /// The log of decisions is about other actions.
    #[error("decision {number}: the log says {found}, expected {expected}")]
    Decision {
        /// Counted from 1.
        number: usize,
        /// In the log.
        found: String,
        /// By the actions.
        expected: String,
    },
    /// The end is not the one the record tells.
    #[error(
        "after {actions} actions the record ends with '{found}' by '{reason}', expected {expected}"
    )]
    End {
        /// Actions played.
        actions: usize,
        /// The outcome in the record.
        found: Outcome,
        /// The reason in the record.
        reason: Ending,
        /// What the position says.
        expected: String,
    },
}

/// Plays a record again and checks game, rules, start, every action and chance outcome, the log of
/// decisions, outcome and reason.
///
/// # Errors
/// The first contradiction found.
pub fn replay<G: Notation>(game: &G, record: &GameRecord) -> Result<Replay<G>, ReplayError> {
    if record.game != G::NAME {
        let (found, expected) = (record.game.clone(), G::NAME.to_owned());
        return Err(ReplayError::Game { found, expected });
    }
    let rules = game.rules_text();
    if record.rules != rules {
        return Err(ReplayError::Rules { found: record.rules.clone(), expected: rules });
    }
    let start = game.parse_position(&record.start).map_err(ReplayError::Start)?;
    let played = play_steps(game, start, record)?;
    check_nothing_left(game, &played, record)?;
    check_decisions(&played, record)?;
    check_end(game, played.final_state(), record)?;
    Ok(played)
}

fn play_steps<G: Notation>(
    game: &G,
    start: G::State,
    record: &GameRecord,
) -> Result<Replay<G>, ReplayError> {
    let (mut actions, mut chance) = (record.actions.iter(), record.chance.iter());
    let mut played = Replay { states: vec![start], steps: Vec::new() };
    loop {
        let state = played.final_state();
        let position = || game.position_text(state);
        let step = match game.turn(state) {
            Turn::Over => return Ok(played),
            Turn::Chance => {
                let Some(text) = chance.next() else { return Ok(played) };
                let outcome = read_legal(game, state, text).map_err(|source| {
                    let number = record.chance.len() - chance.len();
                    ReplayError::Chance { number, text: text.clone(), position: position(), source }
                })?;
                Step::Chance { outcome }
            }
            Turn::Player(seat) => {
                let Some(text) = actions.next() else { return Ok(played) };
                let action = read_legal(game, state, text).map_err(|source| {
                    let number = record.actions.len() - actions.len();
                    ReplayError::Action { number, text: text.clone(), position: position(), source }
                })?;
                Step::Player { seat, action }
            }
        };
        let mut next = state.clone();
        game.apply(&mut next, step.action());
        played.states.push(next);
        played.steps.push(step);
    }
}

/// Reads an action and does not trust the reader that it is legal: applying others is undefined.
fn read_legal<G: Notation>(
    game: &G,
    state: &G::State,
    text: &str,
) -> Result<G::Action, NotationError> {
    let action = game.parse_action(state, text)?;
    let mut legal = Buf::new();
    game.actions(state, &mut legal);
    if legal.binary_search(&action).is_ok() {
        Ok(action)
    } else {
        Err(NotationError::new("action", text, "not legal here"))
    }
}

fn check_nothing_left<G: Notation>(
    game: &G,
    played: &Replay<G>,
    record: &GameRecord,
) -> Result<(), ReplayError> {
    let players = played.steps.iter().filter(|step| matches!(step, Step::Player { .. })).count();
    let events = played.steps.len() - players;
    if let Some(text) = record.actions.get(players) {
        let expected = match game.turn(played.final_state()) {
            Turn::Over => "the game is over before it",
            _ => "a chance event is missing before it",
        };
        let (number, text) = (players + 1, text.clone());
        return Err(ReplayError::TooManyActions { number, text, expected });
    }
    if let Some(text) = record.chance.get(events) {
        let (number, text) = (events + 1, text.clone());
        return Err(ReplayError::TooManyChanceEvents { number, text, expected: events });
    }
    Ok(())
}

fn check_decisions<G: Notation>(
    played: &Replay<G>,
    record: &GameRecord,
) -> Result<(), ReplayError> {
    let Some(decisions) = &record.decisions else { return Ok(()) };
    if decisions.len() != record.actions.len() {
        return Err(ReplayError::Decision {
            number: decisions.len().min(record.actions.len()) + 1,
            found: format!("{} decisions", decisions.len()),
            expected: format!("{}, one for each action", record.actions.len()),
        });
    }
    let seats = played.steps.iter().filter_map(|step| match step {
        Step::Player { seat, .. } => Some(seat.index()),
        Step::Chance { .. } => None,
    });
    for (index, ((decision, action), seat)) in
        decisions.iter().zip(&record.actions).zip(seats).enumerate()
    {
        if (decision.seat, &decision.action) != (seat, action) {
            return Err(ReplayError::Decision {
                number: index + 1,
                found: format!("'{}' by seat {}", decision.action, decision.seat),
                expected: format!("'{action}' by seat {seat}"),
            });
        }
    }
    Ok(())
}

/// Outcome and reason must be what the last position allows.
fn check_end<G: Notation>(
    game: &G,
    state: &G::State,
    record: &GameRecord,
) -> Result<(), ReplayError> {
    let said = (record.outcome, &record.reason);
    let (agrees, expected) = match game.turn(state) {
        Turn::Over => {
            let outcome = Outcome::of_payoff(game.payoff(state, Seat::Zero));
            let ending = Ending::Rules(game.ending(state));
            (said == (outcome, &ending), format!("'{outcome}' by '{ending}'"))
        }
        Turn::Chance => (false, "a chance event, which is missing".to_owned()),
        Turn::Player(seat) => {
            let on_time = Outcome::won_by(seat.other());
            let limit = record.actions.len();
            let agrees = match said {
                (Outcome::Draw, Ending::ActionLimit(actions)) => *actions == limit,
                (outcome, Ending::Time) => outcome == on_time,
                (outcome, Ending::Resigned) => outcome.winner().is_some(),
                (Outcome::Unfinished, ending) => *ending == Ending::Interrupted,
                (Outcome::Void, ending) => *ending != Ending::Rules(String::new()),
                _ => false,
            };
            let expected = format!(
                "that the game goes on: only '{on_time}' by '{}', a win by '{}', 'draw' by '{}', \
                 'unfinished' by '{}', or 'void' can end it here",
                Ending::Time,
                Ending::Resigned,
                Ending::ActionLimit(limit),
                Ending::Interrupted
            );
            (agrees, expected)
        }
    };
    if agrees {
        return Ok(());
    }
    Err(ReplayError::End {
        actions: record.actions.len(),
        found: record.outcome,
        reason: record.reason.clone(),
        expected,
    })
}
