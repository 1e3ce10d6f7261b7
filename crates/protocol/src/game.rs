//! A game as it is asked for, and as it is shown.

use serde::{Deserialize, Serialize};

use crate::Event;
use crate::scene::Scene;

/// Who sits at a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Clock {
    /// Seconds for the whole game.
    pub total_seconds: u32,
    /// Seconds added after every turn.
    pub increment_seconds: u32,
}

/// A game to be made; `POST /api/games`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
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

/// Everything about a game; `GET /api/games/ID`, and sent after every change. Over a socket the
/// history is told once: `history` then holds only the actions that are new or changed.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
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
    #[must_use]
    pub fn with_history(&self, history: Vec<Ply>) -> Self {
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
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
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
    /// What happened, step by step, as far as those who are told may know.
    pub events: Vec<Event>,
}

/// A seat of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Ending {
    /// The winner; `None` if nobody won.
    pub winner: Option<u8>,
    /// Why, in a few words.
    pub reason: String,
    /// For people: `Black won: discs 40:24`; where one person plays, `You lost: White won …`.
    pub words: String,
}

/// The clock of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ClockState {
    /// Milliseconds left, by seat, at the moment of sending.
    pub left_ms: [u64; 2],
    /// The seat whose time runs.
    pub running: Option<u8>,
    /// Seconds added after every turn.
    pub increment_seconds: u32,
}
