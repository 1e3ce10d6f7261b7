//! Games: to be made, kept, listed.

use protocol::scene::Scene;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Why something was refused; the body of every 4xx and 5xx answer.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Problem {
    /// What is wrong, naming the input and what was expected.
    pub error: String,
}

/// Who sits at a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Player {
    /// Somebody at this screen.
    Human {
        /// A name, up to 40 letters.
        #[serde(default)]
        name: String,
    },
    /// A level, by its number.
    Level {
        /// Its number, from 1.
        number: u32,
    },
    /// Any agent.
    Agent {
        /// `mcts:iterations=500`.
        spec: String,
    },
}

/// A chess clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Clock {
    /// Seconds for the whole game.
    pub total_seconds: u32,
    /// Seconds added after every turn.
    pub increment_seconds: u32,
}

/// A game to be made; `POST /api/games`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewGame {
    /// Its name.
    pub game: String,
    /// Who plays, by seat.
    pub seats: [Player; 2],
    /// A preset, or `KEY=VALUE,…`; empty for the default.
    #[serde(default)]
    pub rules: String,
    /// What each seat brings; empty for the game's own.
    #[serde(default)]
    pub setups: [String; 2],
    /// The chess clock, if any.
    #[serde(default)]
    pub clock: Option<Clock>,
    /// The position to begin from, if not the start.
    #[serde(default)]
    pub position: Option<String>,
    /// A game to go on with: our record as text. `game`, `rules`, `setups` and `position` must then
    /// be left out or agree.
    #[serde(default)]
    pub record: Option<String>,
    /// The seed of everything random; drawn if not given.
    #[serde(default)]
    pub seed: Option<u64>,
    /// The id of a game that this one takes the place of: it goes if nobody has acted in it yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaces: Option<String>,
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

/// Everything about a game; `GET /api/games/ID`, and sent after every change. Over a socket the
/// history is told once: `history` then holds only the actions that are new or changed.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct GameState {
    /// Its id.
    pub id: String,
    /// The name of the game.
    pub game: String,
    /// Its rules as one text.
    pub rules: String,
    /// They hide something from seats, so not every agent can play.
    pub hidden: bool,
    /// The seats.
    pub seats: [SeatState; 2],
    /// The seat that is to act; `None` when it is over.
    pub to_act: Option<u8>,
    /// A person is to act.
    pub human_to_act: bool,
    /// An agent thinks now.
    pub thinking: bool,
    /// An agent thinks ahead while a person does.
    pub pondering: bool,
    /// Agents wait: they were stopped, or something was taken back.
    pub paused: bool,
    /// Whose eyes the scene is for; `None` for all.
    pub eyes: Option<u8>,
    /// Counts every change, so that late answers can be told.
    pub version: u64,
    /// How many actions there are so far.
    pub plies: u32,
    /// The actions so far; over a socket those that it was not told yet as they are now. Each takes
    /// the place that its number says, and none stays from `plies` on.
    pub history: Vec<Ply>,
    /// Something can be taken back.
    pub can_undo: bool,
    /// Something can be played again.
    pub can_redo: bool,
    /// The position, to be drawn.
    pub scene: Scene,
    /// The position as text; what is hidden from a person who plays is left out.
    pub position: Option<String>,
    /// How it ended.
    pub ending: Option<Ending>,
    /// The clock, if there is one.
    pub clock: Option<ClockState>,
    /// When it was made.
    pub created: String,
}

impl GameState {
    /// The same, telling only these of its actions.
    pub(crate) fn with_history(&self, history: Vec<Ply>) -> Self {
        Self {
            id: self.id.clone(),
            game: self.game.clone(),
            rules: self.rules.clone(),
            seats: self.seats.clone(),
            history,
            scene: self.scene.clone(),
            position: self.position.clone(),
            ending: self.ending.clone(),
            clock: self.clock.clone(),
            created: self.created.clone(),
            ..*self
        }
    }
}

/// One action of a game.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Ply {
    /// Its number, from 0.
    pub number: u32,
    /// Who acted.
    pub seat: u8,
    /// The text of the action.
    pub action: String,
    /// What it did, for people.
    pub words: String,
    /// The chance that seat 0 wins, as the agent saw it that acted, if one did.
    pub chance: Option<f64>,
    /// The agent's explanation is kept: `GET /api/games/ID/explanations/PLY`.
    pub explained: bool,
    /// Squares it touched.
    pub squares: Vec<u16>,
}

/// A seat of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct SeatState {
    /// `black`.
    pub seat: String,
    /// Who sits there, for people: `You`, `Level 3: Club`.
    pub name: String,
    /// Who sits there.
    pub player: Player,
    /// The agent's spec in full, if an agent sits there.
    pub spec: Option<String>,
    /// The name of the loadout brought along, as it was when the game was made; empty if it has none.
    pub loadout: String,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Ending {
    /// The winner; `None` if nobody won.
    pub winner: Option<u8>,
    /// Why, in a few words.
    pub reason: String,
    /// For people: `Black won: discs 40:24`; where one person plays, `You lost: White won …`.
    pub words: String,
}

/// The clock of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ClockState {
    /// Milliseconds left, by seat, at the moment of sending.
    pub left_ms: [u64; 2],
    /// The seat whose time runs.
    pub running: Option<u8>,
    /// Seconds added after every turn.
    pub increment_seconds: u32,
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
