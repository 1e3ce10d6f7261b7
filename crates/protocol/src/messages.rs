//! What is said over the WebSocket of a game, `/api/games/ID/play`.

use serde::{Deserialize, Serialize};

use crate::game::GameState;

/// What the page asks for.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Request {
    /// Plays an action of a person.
    Play {
        /// Its text.
        action: String,
        /// Own actions to take back first: that of the choice.
        #[serde(default)]
        back: u8,
        /// The version of the game that was seen; another one is refused.
        version: u64,
    },
    /// Takes back the last action of a person, and those of agents after it.
    Undo,
    /// Plays again what was taken back, up to the next action of a person.
    Redo,
    /// Asks for advice.
    Hint,
    /// Stops whoever thinks: an agent plays the best it has found, a hint is given as it is.
    Stop,
    /// Agents wait from now on.
    Pause,
    /// Agents go on.
    Resume,
    /// A person gives up; whoever is to act, or the only person.
    Resign,
    /// Nothing; the answer is `pong`.
    Ping,
}

/// What the server says.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Answer {
    /// The game, after every change and at the beginning.
    State(Box<GameState>),
    /// How far an agent is, a few times a second.
    Thought(Thought),
    /// Advice.
    Hint(Hint),
    /// A request was refused; the game is as it was.
    Refused {
        /// Why.
        error: String,
    },
    /// To `ping`.
    Pong,
    /// The server is going to stop; the game is kept.
    Goodbye,
}

/// A thought of an agent.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Thought {
    /// The seat it thinks for.
    pub seat: u8,
    /// Depth completed or iterations made.
    pub completed: u64,
    /// The action it prefers now.
    pub action: String,
    /// Its value for that seat in the agent's own units.
    pub value: f64,
    /// Milliseconds since it began.
    pub elapsed_ms: u64,
}

/// Advice.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Hint {
    /// The action advised.
    pub action: String,
    /// What it does, in words.
    pub words: String,
    /// What to point at.
    pub path: Vec<String>,
    /// Why, one sentence.
    pub reason: String,
    /// The version of the game it is for.
    pub version: u64,
}
