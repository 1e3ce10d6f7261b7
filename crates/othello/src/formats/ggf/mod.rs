//! GGF, the "generic game format" of Othello servers:
//! `(;GM[Othello]PB[…]PW[…]RE[…]TY[8]BO[8 … *]B[d3//0.01]W[c5]…;)`.
//!
//! A file holds any number of games, and a number in front says how many belong together: two
//! for a synchro game, where both players have both colours. The board `BO` gives the rows from
//! row 1, `*` black, `O` white, `-` empty, and the side to move. A move is a square or `PA`, then
//! after slashes an evaluation and the seconds used, either of which may be missing. Fields not
//! mentioned here are ignored. A pass that a file leaves out is put in.

mod reader;

use super::{Illegal, TextPlace};
use crate::square::{self, COUNT};
use std::fmt::Write as _;
use thiserror::Error;

pub use reader::read_ggf;

/// What is wrong with a GGF text. `game` counts from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GgfError {
    /// The text does not have the shape of a game.
    #[error("game {game}, {at}: found {found:?}, expected {expected}")]
    Unreadable {
        /// Which game.
        game: usize,
        /// Where.
        at: TextPlace,
        /// The characters found; empty at the end of the text.
        found: String,
        /// What should have been there.
        expected: &'static str,
    },
    /// A field whose value cannot be used.
    #[error("game {game}, {at}: field {field} is {found:?}, expected {expected}")]
    Field {
        /// Which game.
        game: usize,
        /// Where its value begins.
        at: TextPlace,
        /// The name of the field.
        field: String,
        /// The beginning of its value.
        found: String,
        /// What should have been there.
        expected: &'static str,
    },
    /// A game without a board in front of its first move or its end.
    #[error("game {game}, {at}: expected a field BO with the start board before this")]
    NoBoard {
        /// Which game.
        game: usize,
        /// Where the board was needed.
        at: TextPlace,
    },
    /// A move by the side that is not to move.
    #[error("game {game}, move {number}, {at}: a move of {side} out of turn")]
    OutOfTurn {
        /// Which game.
        game: usize,
        /// Which of its moves, counted from 1.
        number: usize,
        /// Where.
        at: TextPlace,
        /// The side that is said to move.
        side: &'static str,
    },
    /// A move against the rules.
    #[error("game {game}, move {number} ({text:?}), {at} is illegal: {why}")]
    Illegal {
        /// Which game.
        game: usize,
        /// Which of its moves, counted from 1.
        number: usize,
        /// The move as written.
        text: String,
        /// Where.
        at: TextPlace,
        /// The rule it breaks.
        why: Illegal,
    },
    /// A number in front of games that are not there.
    #[error("game {game}, {at}: {missing} more games were promised before this")]
    MissingGames {
        /// Which game should follow.
        game: usize,
        /// Where.
        at: TextPlace,
        /// How many are missing.
        missing: u32,
    },
}

/// One action and what was noted with it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Move {
    /// A square, or 64 for a pass.
    pub action: u8,
    /// The player's evaluation in discs.
    pub evaluation: Option<f64>,
    /// The seconds used.
    pub seconds: Option<f64>,
}

/// One game. Texts that the file does not give are empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Game {
    /// Which group of games that belong together, counted from 0 in the file.
    pub group: usize,
    /// Where it was played (`PC`).
    pub place: String,
    /// When it was played (`DT`).
    pub date: String,
    /// The black player (`PB`).
    pub black: String,
    /// The white player (`PW`).
    pub white: String,
    /// The result as written (`RE`).
    pub result: String,
    /// The time settings as written (`TI`).
    pub time: String,
    /// The type of game (`TY`), such as `8` or `s8r20`.
    pub kind: String,
    /// Black discs of the start board.
    pub start_black: u64,
    /// White discs of the start board.
    pub start_white: u64,
    /// Whether black moves first.
    pub black_first: bool,
    /// The moves, passes included.
    pub moves: Vec<Move>,
}

impl Game {
    /// The start position from the side to move first: its discs, the other side's.
    #[must_use]
    pub fn start(&self) -> (u64, u64) {
        let (black, white) = (self.start_black, self.start_white);
        if self.black_first { (black, white) } else { (white, black) }
    }
}

/// Writes one game. A `]` in a text becomes `)`, because the format cannot hold it.
#[must_use]
pub fn write_ggf(game: &Game) -> String {
    let mut text = "(;GM[Othello]".to_owned();
    let fields = [
        ("PC", &game.place),
        ("DT", &game.date),
        ("PB", &game.black),
        ("PW", &game.white),
        ("RE", &game.result),
        ("TI", &game.time),
        ("TY", &game.kind),
    ];
    for (name, value) in fields {
        if !value.is_empty() {
            text += &format!("{name}[{}]", value.replace(']', ")"));
        }
    }
    text += "BO[8";
    for square in 0..COUNT {
        if square % 8 == 0 {
            text.push(' ');
        }
        text.push(match (game.start_black >> square & 1, game.start_white >> square & 1) {
            (1, _) => '*',
            (_, 1) => 'O',
            _ => '-',
        });
    }
    text += if game.black_first { " *]" } else { " O]" };
    let mut black = game.black_first;
    for played in &game.moves {
        let name = if played.action < COUNT { square::name(played.action) } else { "PA" };
        text += if black { "B[" } else { "W[" };
        text += name;
        // Writing into a string cannot fail. Numbers that are not finite could not be read back.
        let finite = |number: Option<f64>| number.filter(|number| number.is_finite());
        let _ = match (finite(played.evaluation), finite(played.seconds)) {
            (None, None) => Ok(()),
            (Some(evaluation), None) => write!(text, "/{evaluation}"),
            (None, Some(seconds)) => write!(text, "//{seconds}"),
            (Some(evaluation), Some(seconds)) => write!(text, "/{evaluation}/{seconds}"),
        };
        text.push(']');
        black = !black;
    }
    text + ";)"
}

/// A number that is neither infinite nor undefined.
fn finite(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}
