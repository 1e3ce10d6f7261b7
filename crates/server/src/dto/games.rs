//! Games: to be listed, imported, and what seats bring.

use protocol::scene::Scene;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Why something was refused; the body of every 4xx and 5xx answer.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Problem {
    /// What is wrong, naming the input and what was expected.
    pub error: String,
}

/// A game in a list.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct GameSummary {
    /// Its id, part of its address `/game/ID`.
    pub id: String,
    /// The name of the game.
    pub game: String,
    /// Who plays, by seat, as people call them.
    pub players: [String; 2],
    /// Actions so far.
    pub plies: u32,
    /// How it stands, one line: `White to move`, `You won: discs 40:24`.
    pub status: String,
    /// It is over.
    pub over: bool,
    /// Whether the only person among its players won; `None` if there is no such person or result.
    pub won: Option<bool>,
    /// When it was made, RFC 3339.
    pub created: String,
    /// When something last happened.
    pub updated: String,
}

/// A part of the list of games; `GET /api/games?search=&game=&offset=&limit=`.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct GameList {
    /// The last ones first.
    pub games: Vec<GameSummary>,
    /// How many there are that were asked for.
    pub total: u64,
}

/// A text that may be a game or a position; `POST /api/import`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportRequest {
    /// The game it is expected to be, if known; records say it themselves.
    #[serde(default)]
    pub game: Option<String>,
    /// The rules to read a position under.
    #[serde(default)]
    pub rules: String,
    /// The text.
    pub text: String,
}

/// What a text was found to be.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ImportAnswer {
    /// `record`, `transcript`, `ggf` or `position`.
    pub format: String,
    /// The game.
    pub game: String,
    /// Its rules.
    pub rules: String,
    /// The record, to be sent with a new game; of a position, a game without actions.
    pub record: String,
    /// Actions in it.
    pub plies: u32,
    /// Its last position, to be drawn.
    pub scene: Scene,
}

/// A loadout to be checked or kept.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LoadoutRequest {
    /// A name, up to 40 letters; needed for keeping only.
    #[serde(default)]
    pub name: String,
    /// Its text in any form that the game reads.
    pub text: String,
    /// Rules whose costs count.
    #[serde(default)]
    pub rules: String,
}

/// A loadout that somebody kept.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SavedLoadout {
    /// Its name.
    pub name: String,
    /// Its compact text.
    pub text: String,
}

/// All of them; `GET /api/loadouts`.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SavedLoadouts {
    /// By name.
    pub loadouts: Vec<SavedLoadout>,
}
