//! Opinions about a position that can be laid over its board.

use serde::Serialize;

use crate::explanation::{Step, TermCard};

/// What a lens is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum LensKind {
    /// Squares of the board: weights, a heat map.
    Squares,
    /// What an evaluation makes of the positions after each action.
    Evaluation,
    /// What an action heuristic thinks of each action.
    Heuristic,
}

/// An opinion that can be laid over the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct LensCard {
    /// Its name in requests.
    pub name: String,
    /// What it is, one line.
    pub about: String,
    /// What it is about.
    pub kind: LensKind,
}

/// An opinion about a position; `GET /api/games/ID/lens?ply=&name=`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Lens {
    /// Which one.
    pub card: LensCard,
    /// The seat whose view it is.
    pub seat: u8,
    /// The lowest value of all, for colours.
    pub lowest: f64,
    /// The highest.
    pub highest: f64,
    /// Values of squares; of actions, the best that touches the square last.
    pub squares: Vec<SquareValue>,
    /// Values of actions, the best first.
    pub actions: Vec<ActionValue>,
    /// The value of the position itself in words, for evaluations.
    pub position_words: String,
    /// What that is made of.
    pub terms: Vec<TermCard>,
}

/// A square and its value.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SquareValue {
    /// The square.
    pub square: u16,
    /// Its value.
    pub value: f64,
    /// Short, to be written there.
    pub text: String,
}

/// An action and its value.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ActionValue {
    /// The action.
    pub step: Step,
    /// Its value.
    pub value: f64,
    /// Short: `+0.31`, `wins`.
    pub text: String,
}
