//! How a game ended: who won, and by what. Both stay values from the rules to the page; records and
//! tables keep them as short texts (`seat-1`, `discs 26:38`), which are compared when a game is
//! replayed and so never change, and people read `White won 38 to 26`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::Seat;

/// Who won.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "&'static str", try_from = "String")]
pub enum Outcome {
    /// Seat 0 won.
    SeatZero,
    /// Seat 1 won.
    SeatOne,
    /// Nobody won.
    Draw,
    /// The game does not count: an agent broke the rules, or something failed.
    Void,
    /// The game was stopped from outside.
    #[default]
    Unfinished,
}

/// A text that is no outcome.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("outcome '{0}': expected seat-0, seat-1, draw, void or unfinished")]
pub struct OutcomeError(pub String);

impl Outcome {
    const ALL: [Self; 5] =
        [Self::SeatZero, Self::SeatOne, Self::Draw, Self::Void, Self::Unfinished];

    /// As records and tables keep it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::SeatZero => "seat-0",
            Self::SeatOne => "seat-1",
            Self::Draw => "draw",
            Self::Void => "void",
            Self::Unfinished => "unfinished",
        }
    }

    /// The victory of a seat.
    #[must_use]
    pub fn won_by(seat: Seat) -> Self {
        match seat {
            Seat::Zero => Self::SeatZero,
            Seat::One => Self::SeatOne,
        }
    }

    /// The outcome that a payoff of seat 0 means.
    #[must_use]
    pub fn of_payoff(seat_zero: f32) -> Self {
        if seat_zero > 0.5 {
            Self::SeatZero
        } else if seat_zero < 0.5 {
            Self::SeatOne
        } else {
            Self::Draw
        }
    }

    /// Who won, if somebody did.
    #[must_use]
    pub fn winner(self) -> Option<Seat> {
        match self {
            Self::SeatZero => Some(Seat::Zero),
            Self::SeatOne => Some(Seat::One),
            Self::Draw | Self::Void | Self::Unfinished => None,
        }
    }

    /// Points of `seat`: 1, ½ or 0; `None` if the game does not count.
    #[must_use]
    pub fn points(self, seat: Seat) -> Option<f64> {
        match self {
            Self::SeatZero | Self::SeatOne => {
                Some(if self.winner() == Some(seat) { 1.0 } else { 0.0 })
            }
            Self::Draw => Some(0.5),
            Self::Void | Self::Unfinished => None,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

impl From<Outcome> for &'static str {
    fn from(outcome: Outcome) -> Self {
        outcome.name()
    }
}

impl FromStr for Outcome {
    type Err = OutcomeError;

    fn from_str(text: &str) -> Result<Self, OutcomeError> {
        let found = Self::ALL.into_iter().find(|outcome| outcome.name() == text);
        found.ok_or_else(|| OutcomeError(text.chars().take(100).collect()))
    }
}

impl TryFrom<String> for Outcome {
    type Error = OutcomeError;

    fn try_from(text: String) -> Result<Self, OutcomeError> {
        text.parse()
    }
}

/// By what a game ended: its rules, or the referee.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", from = "String")]
pub enum Ending {
    /// By the rules, in the words of [`crate::Notation::ending`].
    Rules(String),
    /// A seat gave up.
    Resigned,
    /// The time of a seat was up.
    Time,
    /// So many actions were played, and no more are allowed.
    ActionLimit(usize),
    /// Somebody stopped it.
    #[default]
    Interrupted,
    /// An agent chose something illegal: what, and where.
    Illegal(String),
    /// An agent failed: whose, and how.
    Failed(String),
    /// The program itself failed.
    Panic(String),
}

/// What the texts of faults begin with.
const ILLEGAL: &str = "illegal action: ";
const FAILED: &str = "agent failed ";
const PANIC: &str = "panic: ";
const LIMIT: &str = "action limit ";

impl fmt::Display for Ending {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rules(words) => out.write_str(words),
            Self::Resigned => out.write_str("resigned"),
            Self::Time => out.write_str("time"),
            Self::ActionLimit(actions) => write!(out, "{LIMIT}{actions}"),
            Self::Interrupted => out.write_str("interrupted"),
            Self::Illegal(what) => write!(out, "{ILLEGAL}{what}"),
            Self::Failed(what) => write!(out, "{FAILED}{what}"),
            Self::Panic(what) => write!(out, "{PANIC}{what}"),
        }
    }
}

impl From<Ending> for String {
    fn from(ending: Ending) -> Self {
        ending.to_string()
    }
}

/// What is not the referee's is the game's.
impl From<String> for Ending {
    fn from(text: String) -> Self {
        let after = |begin: &str| text.strip_prefix(begin).map(str::to_owned);
        match text.as_str() {
            "resigned" => return Self::Resigned,
            "time" => return Self::Time,
            "interrupted" => return Self::Interrupted,
            _ => {}
        }
        if let Some(limit) = after(LIMIT).and_then(|number| number.parse().ok()) {
            return Self::ActionLimit(limit);
        }
        after(ILLEGAL)
            .map(Self::Illegal)
            .or_else(|| after(FAILED).map(Self::Failed))
            .or_else(|| after(PANIC).map(Self::Panic))
            .unwrap_or(Self::Rules(text))
    }
}

impl From<&str> for Ending {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl Ending {
    /// Why a game does not count, with the seats as people count them: records say `(seat 0)`.
    #[must_use]
    pub fn fault_words(&self) -> String {
        Seat::BOTH.iter().fold(self.to_string(), |text, seat| {
            text.replace(&format!("({seat})"), &format!("(player {})", seat.number()))
        })
    }
}

/// What the one person among the players reads first.
pub const YOU_WON: &str = "You won";
/// The same after a defeat.
pub const YOU_LOST: &str = "You lost";

/// A finished game, to be told.
#[derive(Clone, Debug)]
pub struct Told<'a> {
    /// Who won; `None` is a draw.
    pub winner: Option<Seat>,
    /// By what.
    pub ending: &'a Ending,
    /// The reader, if one of the players reads it.
    pub you: Option<Seat>,
    /// What the players are called.
    pub names: [String; 2],
}

impl Told<'_> {
    /// `: Player 2 lost 20 cards`, or `: your side lost 20 cards` for the loser; empty after a draw.
    #[must_use]
    pub fn of_loser(&self, did: &str) -> String {
        match self.winner.map(Seat::other) {
            None => String::new(),
            Some(loser) if self.you == Some(loser) => format!(": your side {did}"),
            Some(loser) => format!(": {} {did}", self.names[loser.index()]),
        }
    }

    /// The reader lost.
    #[must_use]
    pub fn is_yours(&self) -> bool {
        self.winner.is_some() && self.you == self.winner.map(Seat::other)
    }
}

/// A text that begins with a capital.
#[must_use]
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_are_read_as_they_are_written() {
        let all = [
            Ending::Rules("discs 26:38".into()),
            Ending::Resigned,
            Ending::Time,
            Ending::ActionLimit(3),
            Ending::Interrupted,
            Ending::Illegal("agent 'cheat' (seat 1) chose 0".into()),
            Ending::Failed("(seat 0): gone".into()),
            Ending::Panic("a fault".into()),
        ];
        for ending in all {
            assert_eq!(Ending::from(ending.to_string()), ending);
        }
        for text in ["", "action limit x", "timely", "panic", "4 command cards lost"] {
            assert_eq!(Ending::from(text), Ending::Rules(text.into()));
        }
        for outcome in Outcome::ALL {
            assert_eq!(outcome.name().parse(), Ok(outcome));
        }
        let wrong = "won".parse::<Outcome>().unwrap_err().to_string();
        assert_eq!(wrong, "outcome 'won': expected seat-0, seat-1, draw, void or unfinished");
    }

    #[test]
    fn people_count_seats_from_one() {
        let words = |text: &str| Ending::from(text).fault_words();
        assert_eq!(
            words("illegal action: agent 'cheat' (seat 1) chose 0"),
            "illegal action: agent 'cheat' (player 2) chose 0"
        );
        assert_eq!(words("agent failed (seat 0): gone"), "agent failed (player 1): gone");
        assert_eq!(capital("élan"), "Élan");
        assert_eq!(capital(""), "");
    }
}
