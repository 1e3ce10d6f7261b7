//! What explains agents: searches of one position, their trees, opinions about squares and actions,
//! and whole games looked through again.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use protocol::{BoundKind, Explanation, LensCard, NodeNote, Step};

/// A search of one position of a game; `POST /api/studies`. It is answered when the search is done;
/// who closes the request ends the search.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StudyRequest {
    /// The id of the game.
    pub game: String,
    /// The position after so many actions; the present one if not given.
    #[serde(default)]
    pub ply: Option<u32>,
    /// The agent; if not given the one that plays the seat to act, or else the adviser.
    #[serde(default)]
    pub spec: Option<String>,
    /// How many nodes of the tree to keep, up to 100,000.
    #[serde(default)]
    pub tree_nodes: u32,
}

/// What a search found. The server keeps its tree until newer studies need the room.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Study {
    /// Its id.
    pub id: String,
    /// The position: so many actions were played.
    pub ply: u32,
    /// The agent's spec in full.
    pub spec: String,
    /// How long it thought.
    pub elapsed_ms: u64,
    /// What it says.
    pub explanation: Explanation,
    /// Nodes of the tree that were searched and are kept.
    pub tree_nodes: u32,
    /// Nodes that are kept though they were left out: pruned or cut off.
    pub left_out: u32,
}

/// A part of the children of a node; `GET /api/studies/ID/tree?parent=&offset=&limit=`.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct TreePage {
    /// The node whose children these are; `None` gives the root alone.
    pub parent: Option<u32>,
    /// How many children there are.
    pub total: u32,
    /// The most visited first; pruned ones last.
    pub nodes: Vec<TreeCard>,
}

/// Which children.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct TreeQuery {
    /// The node whose children are asked for; without it the root.
    #[serde(default)]
    pub parent: Option<u32>,
    /// Children to leave out.
    #[serde(default)]
    pub offset: u32,
    /// Children at most, 100 unless given, up to 500.
    #[serde(default)]
    pub limit: Option<u32>,
}

/// A node of a search tree.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct TreeCard {
    /// Its number.
    pub node: u32,
    /// The action that led here; `None` for the root.
    pub step: Option<Step>,
    /// Visits or positions below.
    pub visits: u64,
    /// Share of its parent's visits, 0 to 1.
    pub share: f64,
    /// Value for the seat that thought at the root.
    pub value: Option<f64>,
    /// The same in words.
    pub value_words: String,
    /// The chance that the seat that thought wins, as far as the value tells.
    pub chance: Option<f64>,
    /// What the value says.
    pub bound: BoundKind,
    /// Why it was not searched, or not everything below it; `None` if nothing was left out.
    pub note: Option<NodeNote>,
    /// Children that are kept, those that were not searched among them.
    pub children: u32,
    /// Actions that heuristics removed here. Which they are is told of the most visited nodes.
    pub pruned: u32,
}

/// A whole tree; `GET /api/studies/ID/tree.json`.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TreeDownload {
    /// What was searched and found.
    pub study: Study,
    /// All nodes that are kept, the root first and parents before their children.
    pub nodes: Vec<TreeRow>,
}

/// A node of a whole tree.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TreeRow {
    /// The number of its parent; `None` for the root.
    pub parent: Option<u32>,
    /// The node.
    #[serde(flatten)]
    pub card: TreeCard,
}

/// Which position of a game.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PlyQuery {
    /// After so many actions; the present one if not given.
    #[serde(default)]
    pub ply: Option<u32>,
}

/// Which opinion about which position.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct LensQuery {
    /// After so many actions; the present one if not given.
    #[serde(default)]
    pub ply: Option<u32>,
    /// The lens.
    pub name: String,
}

/// Opinions that can be laid over the board; `GET /api/games/ID/lenses?ply=`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct LensList {
    /// The most telling first.
    pub lenses: Vec<LensCard>,
}

/// A game to be looked through; `GET /api/games/ID/analysis?agent=SPEC&second=SPEC`, a stream of
/// server-sent events, each an [`AnalysisEvent`]. Who closes it ends the work.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct AnalysisQuery {
    /// The agent; the adviser if not given.
    #[serde(default)]
    pub agent: Option<String>,
    /// Another one, to compare.
    #[serde(default)]
    pub second: Option<String>,
}

/// A piece of an analysis.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum AnalysisEvent {
    /// What will be done; first.
    Plan {
        /// Positions to look at: one more than there are actions, unless the game is over.
        positions: u32,
        /// Specs of the agents, in full.
        agents: Vec<String>,
        /// Exact scores will follow where they can be found.
        solver: bool,
    },
    /// What an agent thinks of a position.
    Opinion(Opinion),
    /// What an action cost; once both positions around it are known.
    Judgement(Judgement),
    /// The exact score of a position.
    Exact(ExactScore),
    /// All is done.
    Done {
        /// How long it took.
        elapsed_ms: u64,
    },
    /// It could not go on.
    Failed {
        /// Why.
        error: String,
    },
}

/// What an agent thinks of a position.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Opinion {
    /// Which agent: 0 or 1.
    pub agent: u8,
    /// The position: so many actions were played.
    pub ply: u32,
    /// Who is to act.
    pub seat: u8,
    /// The chance that seat 0 wins.
    pub chance: Option<f64>,
    /// The value for the seat to act, in words.
    pub value_words: String,
    /// The expected continuation, the best action first; empty in a finished game.
    pub line: Vec<Step>,
    /// What was played is what the agent would have played; `None` if nothing was.
    pub agrees: Option<bool>,
}

/// How bad an action was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// Nothing to say.
    Fine,
    /// It cost 5 % or more of the chance to win.
    Inaccuracy,
    /// 10 %.
    Mistake,
    /// 20 %.
    Blunder,
}

/// What an action cost.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Judgement {
    /// By which agent's opinion.
    pub agent: u8,
    /// The action: so many were played before it.
    pub ply: u32,
    /// Who acted.
    pub seat: u8,
    /// There was nothing to choose.
    pub forced: bool,
    /// The chance to win that it lost, 0 to 1.
    pub loss: f64,
    /// In a word.
    pub mark: Mark,
}

/// The exact score of a position.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ExactScore {
    /// The position: so many actions were played.
    pub ply: u32,
    /// The final margin for seat 0 if both play best.
    pub score: i32,
    /// Best play to the end.
    pub line: Vec<Step>,
    /// What the action before it lost, in the units of the score, if that is known.
    pub lost_before: Option<i32>,
}
