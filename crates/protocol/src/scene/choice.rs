//! Legal actions, and what a person points at to choose one.

use serde::Serialize;

/// A legal action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Choice {
    /// Its text, to be sent back.
    pub action: String,
    /// What is pointed at, one after the other: `s:34` a square, `c:5` a card of the hand, `k:Charge`
    /// a command, `b:end` a button. No path is the beginning of another one, and no two are equal.
    pub path: Vec<String>,
    /// What it does, in words: `Knight attacks Mage at 10,10`.
    pub words: String,
    /// What it would change; with a preview the page asks once more before it acts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preview: Option<Preview>,
    /// Take back so many own actions first: this is a change of mind, such as another troop than the
    /// one selected.
    pub back: u8,
}

/// What an action would change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Preview {
    /// In words, a sentence each: `Hits for 300: the Mage dies.`
    pub words: Vec<String>,
    /// On the board.
    pub effects: Vec<Effect>,
}

/// A change on one square.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Effect {
    /// The square.
    pub square: u16,
    /// What to write there: `−300`, `falls`.
    pub text: String,
    /// The piece there is lost.
    pub lost: bool,
}

impl Choice {
    /// An action chosen by pointing at `path`.
    #[must_use]
    pub fn new(action: String, path: Vec<String>, words: String) -> Self {
        Self { action, path, words, preview: None, back: 0 }
    }
}

/// The name of a square in a path.
#[must_use]
pub fn square(number: u16) -> String {
    format!("s:{number}")
}

/// The name of a button in a path.
#[must_use]
pub fn button(name: &str) -> String {
    format!("b:{name}")
}
