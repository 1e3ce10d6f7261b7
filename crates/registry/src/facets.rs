//! What only some games bring: setups to choose or build, and texts of other programs.

use arena::GameRecord;
use protocol::{LoadoutCard, SetupCard};

use crate::SpecError;

/// What seats bring to a game, for people who choose or build it.
pub struct Setups<G> {
    /// All there is to choose from.
    pub card: fn(&G) -> SetupCard,
    /// Reads what a seat brings and says what is wrong with it.
    pub draft: fn(&G, &str) -> Result<LoadoutCard, SpecError>,
}

/// A text of other programs that holds a game.
#[derive(Clone, Copy)]
pub struct TextFormat {
    /// Its name.
    pub name: &'static str,
    /// How names of its files end.
    pub ending: &'static str,
    /// Whether a text is meant to be one.
    pub resembles: fn(&str) -> bool,
    /// Reads one.
    pub read: fn(&str) -> Result<GameText, SpecError>,
    /// Writes a game.
    pub write: fn(&GameRecord) -> Result<String, SpecError>,
}

/// A game out of a text of other programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameText {
    /// The start position.
    pub start: String,
    /// The actions, passes included.
    pub actions: Vec<String>,
    /// The players, where the text tells them.
    pub players: [String; 2],
}
