//! What a person sees of a position, as plain data: pieces on a board, what every legal action
//! touches, and layers to lay over the board. A page that draws scenes needs to know no rules.
//!
//! Squares are numbers: `row × columns + column`. Seats are 0 and 1.

mod choice;
mod conquest_choices;
mod conquest_commands;
mod conquest_scene;
mod lords_of_war_scene;
mod othello_scene;
mod plain;

use serde::Serialize;
use utoipa::ToSchema;

pub use choice::{Choice, Effect, Preview};
pub use conquest_commands::{CommandFace, command_about, command_name};
pub use conquest_scene::{ConquestScene, TroopFace, conquest};
pub use lords_of_war_scene::{CardFace, HandCard, LordsOfWarScene, LordsSide, lords_of_war};
pub use othello_scene::{OthelloScene, othello};
pub use plain::{Look, PlainScene, Sighted};

/// The board of a game: the same in every position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
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
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
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

/// What to draw on a square.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Piece {
    /// A disc of Othello.
    Disc,
    /// A troop of Conquest.
    Troop(TroopFace),
    /// A card of Lords of War.
    Card(BoardCard),
}

/// A card on the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct BoardCard {
    /// The card.
    pub card: CardFace,
    /// Sum of the enemy arrows that point at it.
    pub attacked: u8,
    /// It is asked to shoot now.
    pub shooting: bool,
    /// The square it has fired at in this turn.
    pub fired_at: Option<u16>,
}

/// A layer over the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Marked {
    /// The square.
    pub square: u16,
    /// What to write there, if anything: `7`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// What one game alone shows.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(tag = "game", rename_all = "kebab-case")]
pub enum Detail {
    /// Othello.
    Othello(OthelloScene),
    /// Conquest.
    Conquest(ConquestScene),
    /// Lords of War.
    LordsOfWar(LordsOfWarScene),
    /// Any other game: a drawing in letters.
    Plain(PlainScene),
}

pub use gamecore::capital;
