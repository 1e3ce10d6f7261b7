//! What a game shows in words of its own: an object with a tag, whose other fields its kit declares.
//! It becomes text once, when the scene is made, and is sent as it is.

use serde::Serialize;
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

/// What to draw on a square: its `kind`, and what the game tells of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(value_type = Object))]
pub struct Piece(JsonText);

impl Piece {
    pub(super) const TAG: &str = "kind";

    /// A piece of this kind.
    ///
    /// # Panics
    /// If what is told of it is no object.
    #[must_use]
    pub fn new(kind: &str, face: &impl Serialize) -> Self {
        #[derive(Serialize)]
        struct Tagged<'a, T> {
            kind: &'a str,
            #[serde(flatten)]
            face: &'a T,
        }
        Self(JsonText::new(&Tagged { kind, face }))
    }

    /// A piece of which nothing else is told.
    #[must_use]
    pub fn plain(kind: &str) -> Self {
        Self::new(kind, &())
    }

    /// Read again, for who looks inside.
    #[must_use]
    pub fn value(&self) -> Value {
        self.0.value()
    }
}

/// What one game alone shows: its name as `game`, and what it tells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(value_type = Object))]
pub struct Detail(JsonText);

impl Detail {
    pub(super) const TAG: &str = "game";

    /// What this game shows.
    ///
    /// # Panics
    /// If it is no object.
    #[must_use]
    pub fn new(game: &str, shown: &impl Serialize) -> Self {
        #[derive(Serialize)]
        struct Tagged<'a, T> {
            game: &'a str,
            #[serde(flatten)]
            shown: &'a T,
        }
        Self(JsonText::new(&Tagged { game, shown }))
    }

    /// Nothing but a board and its pieces.
    #[must_use]
    pub fn plain(game: &str) -> Self {
        Self::new(game, &())
    }

    /// Read again, for who looks inside.
    #[must_use]
    pub fn value(&self) -> Value {
        self.0.value()
    }
}

/// An object as it is sent.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
struct JsonText(Box<RawValue>);

impl JsonText {
    fn new(object: &impl Serialize) -> Self {
        Self(to_raw_value(object).expect("what is shown is an object with names"))
    }

    fn value(&self) -> Value {
        serde_json::from_str(self.0.get()).expect("it was written as JSON")
    }
}

impl PartialEq for JsonText {
    fn eq(&self, other: &Self) -> bool {
        self.0.get() == other.0.get()
    }
}

impl Eq for JsonText {}
