//! What happened when an action was played, step by step, for those who show it.

use serde::Serialize;

/// Something that happened. Squares are numbers, as in scenes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Event {
    /// What happened, a word of the game: `moved`, `struck`, `died`, `flipped`, `drew`.
    pub verb: &'static str,
    /// Whose doing it was; of what happened to a piece, whose the piece is.
    pub seat: u8,
    /// The piece or command that it is about, by name, if those who are told may know it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub piece: Option<String>,
    /// Where it began.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<u16>,
    /// Where it happened, or where it led.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<u16>,
    /// By how much: −200 for a blow of 200.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount: Option<i32>,
}

impl Event {
    /// Something that happened, without place, piece and amount.
    #[must_use]
    pub const fn new(verb: &'static str, seat: u8) -> Self {
        Self { verb, seat, piece: None, from: None, to: None, amount: None }
    }
}
