//! Why an agent chose what it chose.

use std::fmt;

use serde::Serialize;

/// How the values of a decision are to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ValueKind {
    /// A chance to win, 0 to 1.
    Chance,
    /// Points of an evaluation.
    Points,
    /// The exact final margin, as discs.
    Margin,
    /// Units of the agent's own.
    Own,
    /// There are none.
    None,
}

/// Why an agent chose what it chose.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Explanation {
    /// Who thought.
    pub seat: u8,
    /// The spec of the agent.
    pub spec: String,
    /// One sentence: `Best of 9 actions after 20,000 iterations: win probability about 62 %.`
    pub summary: String,
    /// What it chose.
    pub choice: Step,
    /// How values are to be read.
    pub values: ValueKind,
    /// The value of the choice for the seat that thought.
    pub value: Option<f64>,
    /// The same in words: `62 %`, `+312 points`, `wins by 12`.
    pub value_words: String,
    /// The chance that the seat wins, as far as the value tells.
    pub chance: Option<f64>,
    /// Where `chance` comes from if not from the value itself: `the game's own evaluation`.
    pub chance_source: Option<String>,
    /// Decisions looked ahead; 0 where that means nothing.
    pub depth: u32,
    /// The intended search was completed.
    pub complete: bool,
    /// Work done: `positions`, `iterations`, `nodes kept`, …
    pub effort: Vec<Figure>,
    /// The expected continuation, the choice first.
    pub line: Vec<Step>,
    /// What it thinks of the actions: the choice, then by visits, or by value without any.
    pub candidates: Vec<Candidate>,
    /// Whole turns that it compared, the best first; empty where it does not search by turns.
    pub turns: Vec<ComparedTurn>,
    /// Actions that heuristics removed before the search, or put back behind the others.
    pub pruned: Vec<PrunedCandidate>,
    /// What the evaluation is made of where the line ends.
    pub terms: Vec<TermCard>,
}

/// An action that may be played.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Step {
    /// Who acts.
    pub seat: u8,
    /// The text of the action.
    pub action: String,
    /// What it does, for people.
    pub words: String,
    /// Squares it touches, from where to where.
    pub squares: Vec<u16>,
}

/// A number with a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Figure {
    /// What it counts.
    pub name: String,
    /// How many.
    pub value: u64,
}

/// What a value says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum BoundKind {
    /// It is this.
    Exact,
    /// It is at least this.
    Lower,
    /// It is at most this.
    Upper,
    /// An average that proves nothing.
    Estimate,
}

impl fmt::Display for BoundKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Exact => "=",
            Self::Lower => "≥",
            Self::Upper => "≤",
            Self::Estimate => "≈",
        })
    }
}

/// What a search thinks of an action.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Candidate {
    /// The action.
    pub step: Step,
    /// How often, or with how many positions, it was looked at.
    pub visits: u64,
    /// Its share of all visits, 0 to 1.
    pub share: f64,
    /// Its value for the seat that thought.
    pub value: Option<f64>,
    /// The same in words, with `≥` or `≤` for bounds; empty without value.
    pub value_words: String,
    /// The chance that the seat wins after it, as far as the value tells.
    pub chance: Option<f64>,
    /// What the value says.
    pub bound: BoundKind,
    /// What was thought of it before the search.
    pub prior: Option<f64>,
    /// Heuristics put it back behind the others, or it was tried although pruned.
    pub pruned: bool,
}

/// A whole turn that a search compared with others.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ComparedTurn {
    /// Its actions.
    pub line: Vec<Step>,
    /// Its value for the seat that thought.
    pub value: f64,
    /// The same in words, with `≥` or `≤` for bounds.
    pub value_words: String,
    /// The chance that the seat wins after it, as far as the value tells.
    pub chance: Option<f64>,
    /// What the value says.
    pub bound: BoundKind,
}

/// An action that heuristics removed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PrunedCandidate {
    /// The action.
    pub step: Step,
    /// Why.
    pub reason: String,
    /// Its value under each heuristic.
    pub scores: Vec<HeuristicScore>,
}

/// What a heuristic says.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct HeuristicScore {
    /// The heuristic.
    pub name: String,
    /// Its value; `None` where the game would be over.
    // It is infinite there, which JSON cannot say.
    #[cfg_attr(feature = "schema", schema(value_type = Option<f64>))]
    pub value: f64,
    /// For people: `−1.5`, `wins`.
    pub words: String,
}

/// A part of an evaluation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct TermCard {
    /// What was measured.
    pub name: String,
    /// The measure for the seat that asks.
    pub value: i32,
    /// Its weight.
    pub weight: i32,
    /// What it adds: value × weight.
    pub adds: i64,
}

/// Why a node was not searched, or not everything below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum NodeNote {
    /// Valued by the evaluation.
    Leaf,
    /// The game is over.
    Over,
    /// Its value was known from the table.
    Table,
    /// An action was found that the other seat would not allow; the rest were not searched.
    Cut,
    /// One of the rest after a cut-off.
    Skipped,
    /// Heuristics removed it, or put it back behind the others.
    Pruned,
}
