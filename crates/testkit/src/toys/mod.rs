//! Small games that together use every part of the contract, so that searches and tools can be
//! tested against exhaustive answers.

mod dice_race;
mod mini_poker;
mod random_tree;
mod staged_nim;
mod tictactoe;

pub use dice_race::{DiceRace, DiceRaceAction, DiceRaceState};
pub use mini_poker::{MiniPoker, MiniPokerAction, MiniPokerState, MiniPokerView};
pub use random_tree::{GridPosition, RandomTree};
pub use staged_nim::{StagedNim, StagedNimAction, StagedNimState};
pub use tictactoe::{TicTacToe, TicTacToeState};

use gamecore::Seat;

/// Reads a canonical decimal number up to `most`: no sign, no leading zeros, so that one position
/// has one text.
fn parse_number(text: &str, most: u8) -> Option<u8> {
    let number: u8 = text.parse().ok()?;
    (number <= most && number.to_string() == text).then_some(number)
}

/// Reads the index of a seat.
fn parse_seat(text: &str) -> Option<Seat> {
    parse_number(text, 1).map(|index| Seat::from_index(usize::from(index)))
}

/// 1, ½ or 0 for `seat`, from the winner if there is one.
fn payoff_of_winner(winner: Option<Seat>, seat: Seat) -> f32 {
    match winner {
        None => 0.5,
        Some(winner) if winner == seat => 1.0,
        Some(_) => 0.0,
    }
}

/// "seat 0 wins", or "draw".
fn ending_of_winner(winner: Option<Seat>) -> String {
    winner.map_or_else(|| "draw".to_owned(), |winner| format!("{winner} wins"))
}
