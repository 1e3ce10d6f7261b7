//! The record of a game: enough to play it again and to know how it was made.

use gamecore::{Counters, Ending, Outcome};
use serde::{Deserialize, Serialize};

/// The name of the present form of [`GameRecord`].
pub const SCHEMA: &str = "warroom-game-1";

/// The seeds of every random stream of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seeds {
    /// Made the start position.
    pub start: u64,
    /// Draws chance events.
    pub chance: u64,
    /// Given to the agents, by seat.
    pub agents: [u64; 2],
}

/// What an agent said about one action of a player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DecisionRecord {
    /// Index of the seat that acted.
    pub seat: usize,
    /// The action.
    pub action: String,
    /// The only legal action, played without asking the agent.
    #[serde(default, skip_serializing_if = "is_false")]
    pub forced: bool,
    /// Its value for the seat in the agent's units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// Decisions looked ahead.
    pub depth: u32,
    /// How undecided the agent was: the entropy, in bits, of its visits to the actions; of agents
    /// that count visits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entropy: Option<f64>,
    /// Work done.
    pub counters: Counters,
    /// Expected continuation, beginning with the action, as far as it can be played in the true
    /// position.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub principal_variation: Vec<String>,
}

fn is_false(value: &bool) -> bool {
    !value
}

/// Time used. Kept apart from the rest of a record because it never repeats.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Timing {
    /// The time control as text, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub control: Option<String>,
    /// Seconds for each action, by seat; forced actions take none.
    pub seconds: [Vec<f64>; 2],
}

/// One game from its start position to its end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameRecord {
    /// [`SCHEMA`].
    pub schema: String,
    /// The name of the game.
    pub game: String,
    /// Its rule options as one text.
    pub rules: String,
    /// The start position.
    pub start: String,
    /// The random streams.
    pub seeds: Seeds,
    /// Who played, by seat.
    pub agents: [String; 2],
    /// The actions of the players, in order.
    pub actions: Vec<String>,
    /// The outcomes of chance events, in order.
    pub chance: Vec<String>,
    /// Who won.
    pub outcome: Outcome,
    /// By what it ended.
    pub reason: Ending,
    /// What the agents said about each action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decisions: Option<Vec<DecisionRecord>>,
    /// Time used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timing: Option<Timing>,
}

/// Why a text is not a record.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// Not JSON, or not of this form.
    #[error("game record: {0}")]
    Form(#[from] serde_json::Error),
    /// Another schema.
    #[error("game record: schema '{found}', expected '{SCHEMA}'")]
    Schema {
        /// The schema it names.
        found: String,
    },
}

impl GameRecord {
    /// The record on one line.
    ///
    /// # Panics
    /// Never: every field has a form in JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a record has only texts, numbers and lists")
    }

    /// Reads a record.
    ///
    /// # Errors
    /// If the text is not JSON of this form, or has another schema.
    pub fn from_json(text: &str) -> Result<Self, RecordError> {
        let record: Self = serde_json::from_str(text)?;
        if record.schema == SCHEMA {
            Ok(record)
        } else {
            Err(RecordError::Schema { found: record.schema.chars().take(100).collect() })
        }
    }
}
