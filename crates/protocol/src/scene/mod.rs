//! What a person sees of a position, as plain data: pieces on a board, what every legal action
//! touches, and layers to lay over the board. A page that draws scenes needs to know no rules.
//!
//! Squares are numbers: `row × columns + column`. Seats are 0 and 1.

mod choice;
mod face;
#[cfg(feature = "schema")]
mod forms;

use serde::Serialize;

pub use choice::{Choice, Effect, Preview, button, square};
pub use face::{Detail, Piece};
#[cfg(feature = "schema")]
pub use forms::SceneForms;

/// The board of a game: the same in every position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Geometry {
    /// Columns; 0 if the game has no board to draw.
    pub columns: u8,
    /// Rows.
    pub rows: u8,
    /// Names of the squares, in their order.
    pub names: Vec<String>,
    /// Row 0 is drawn at the bottom for seat 0.
    pub row_zero_below: bool,
    /// Seat 1 sees the board turned by half a turn.
    pub turned_for_seat_one: bool,
}

/// Everything to be drawn of one position, for the eyes of one seat or of all.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Scene {
    /// What is to be done now, one line: `Black to move`, `Player 1: move the Knight or attack`.
    pub status: String,
    /// Pieces on the board, by square.
    pub pieces: Vec<Placed>,
    /// Squares that nothing can enter.
    pub obstacles: Vec<u16>,
    /// Every legal action, and how it is pointed at; empty for eyes that may not act.
    pub choices: Vec<Choice>,
    /// Layers that can be laid over the board.
    pub overlays: Vec<Overlay>,
    /// What this game alone shows.
    pub detail: Detail,
}

/// A piece on its square.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Placed {
    /// Its square.
    pub square: u16,
    /// Whose it is.
    pub seat: u8,
    /// What it is, for those who hear the page: `black disc`, `Knight, 200 of 300 health`.
    pub label: String,
    /// What to draw.
    pub piece: Piece,
}

/// A layer over the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Overlay {
    /// Its name in settings: `danger`, `attack-0`.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// What it says, one sentence.
    pub about: String,
    /// Whose doing it shows, if one side's.
    pub seat: Option<u8>,
    /// Shown unless switched off.
    pub shown: bool,
    /// The squares it marks.
    pub squares: Vec<Marked>,
}

/// A square of an overlay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Marked {
    /// The square.
    pub square: u16,
    /// What to write there, if anything: `7`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// A game drawn in letters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PlainScene {
    /// The drawing, several lines.
    pub picture: String,
}
