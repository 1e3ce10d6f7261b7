//! What games, agents and searches tell of themselves, as plain data.

use std::collections::BTreeMap;
use std::sync::Arc;

use gamecore::{Bound, Counters, Reading, Seat, Term, TreeNote, TurnOption};
use search::params::Param;
use serde::Serialize;

/// What a game is, for listings.
#[derive(Clone, Debug, Serialize)]
pub struct GameInfo {
    /// Its name in commands.
    pub name: &'static str,
    /// One line about it.
    pub about: &'static str,
    /// Rule options as resolved.
    pub rules: String,
    /// A seat does not see everything.
    pub hidden: bool,
    /// Chance events occur.
    pub chance: bool,
    /// Names of its evaluations, the default first.
    pub evaluators: Vec<String>,
    /// Random actions before a game of a match.
    pub opening_plies: u32,
    /// What the seats bring where nothing is said; empty where they bring nothing.
    pub usual_setups: [&'static str; 2],
    /// Starts are deals: what the sides bring belongs to the seats, and every deal is played with
    /// either seat beginning.
    pub dealt: bool,
    /// Agents that play it well in a second or so, and explain themselves; the first one that the
    /// rule options allow is taken where nobody names one.
    pub opponents: &'static [&'static str],
    /// What it counts of its own in every game.
    pub counts: Vec<CountInfo>,
}

/// A number that a game counts of its own.
#[derive(Clone, Copy, Debug, serde::Serialize)]
pub struct CountInfo {
    /// Its name in exports.
    pub name: &'static str,
    /// In words.
    pub words: &'static str,
}

impl GameInfo {
    /// How many games of a match belong together: every start with the agents exchanged, and where
    /// starts are deals, also with the other seat beginning.
    #[must_use]
    pub fn games_per_start(&self) -> u64 {
        if self.dealt { 4 } else { 2 }
    }
}

/// What an agent is, for listings.
#[derive(Clone, Debug)]
pub struct AgentInfo {
    /// Its name in specs.
    pub name: &'static str,
    /// One line about it.
    pub about: &'static str,
    /// Its tunables for this game, with the default evaluation.
    pub params: Vec<Param>,
    /// The key that a spec must give, if there is one.
    pub needs: Option<&'static str>,
    /// Why it cannot play this game, if so.
    pub refused: Option<String>,
}

/// Progress of a search, in words.
#[derive(Clone, Debug)]
pub struct ProgressReport {
    /// Depth completed or iterations made.
    pub completed: u64,
    /// The action preferred now.
    pub action: String,
    /// Its value.
    pub value: f64,
    /// Work so far.
    pub counters: Counters,
}

/// An action at the root, in words.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RootReport {
    /// The action.
    pub action: String,
    /// Visits or nodes.
    pub visits: u64,
    /// Value for the seat that thinks.
    pub value: Option<f64>,
    /// What the value says.
    pub bound: Bound,
    /// Opinion before the search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prior: Option<f64>,
}

/// An action that was pruned, in words.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PrunedReport {
    /// The action.
    pub action: String,
    /// Its value under each heuristic.
    pub scores: BTreeMap<String, f64>,
    /// Why.
    pub reason: String,
}

/// A node of the search tree, in words.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TreeReport {
    /// Index of the parent; `None` for the root.
    pub parent: Option<usize>,
    /// The action that led here.
    pub action: Option<String>,
    /// Decisions still to search.
    pub depth: u32,
    /// Nodes below and including this one.
    pub visits: u64,
    /// Value for the seat that thinks at the root.
    pub value: Option<f64>,
    /// What the value says.
    pub bound: Bound,
    /// Why it was not searched, or not everything below it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<TreeNote>,
}

/// A decision, in words.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DecisionReport {
    /// The chosen action.
    pub action: String,
    /// Its value for the seat that chose.
    pub value: Option<f64>,
    /// What values mean.
    #[serde(skip)]
    pub reading: Reading,
    /// Decisions looked ahead.
    pub depth: u32,
    /// Whether the search was completed.
    pub complete: bool,
    /// Expected continuation.
    pub principal_variation: Vec<String>,
    /// What the value is made of, where the expected continuation ends.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub terms: Vec<Term>,
    /// Root actions in the game's order.
    pub root: Vec<RootReport>,
    /// Whole turns that were compared, the best first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub turns: Vec<TurnOption<String>>,
    /// Actions removed before the search.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pruned: Vec<PrunedReport>,
    /// Work done.
    pub counters: Counters,
    /// The search tree, if asked for.
    #[serde(skip)]
    pub tree: Vec<TreeReport>,
}

/// An action that was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlyReport {
    /// Who acted.
    pub seat: Seat,
    /// The text of the action.
    pub action: String,
    /// What it did, for people.
    pub words: String,
    /// Squares of the board that it touched.
    pub squares: Vec<u16>,
}

/// Leaves of the game tree, in all and by first action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PerftReport {
    /// All leaves.
    pub leaves: u64,
    /// Leaves under each first action.
    pub divide: Vec<(String, u64)>,
}

/// The result of a number of random games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayoutReport {
    /// Games played.
    pub games: u64,
    /// Actions in all games.
    pub actions: u64,
    /// A hash of all final positions.
    pub signature: u64,
}

/// An action that may be played.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StepReport {
    /// Who acts; of what chance does, the seat whose decision came before.
    pub seat: Seat,
    /// The text of the action.
    pub action: String,
    /// What it does, for people.
    pub words: String,
    /// Squares it touches, from where to where.
    pub squares: Vec<u16>,
}

/// What a search thinks of an action.
#[derive(Clone, Debug, PartialEq)]
pub struct CandidateReport {
    /// The action.
    pub step: StepReport,
    /// Visits or nodes.
    pub visits: u64,
    /// Value for the seat that thinks.
    pub value: Option<f64>,
    /// What the value says.
    pub bound: Bound,
    /// Opinion before the search.
    pub prior: Option<f64>,
}

/// What a search by turns thinks of a whole turn.
#[derive(Clone, Debug, PartialEq)]
pub struct TurnReport {
    /// Its actions.
    pub line: Vec<StepReport>,
    /// Value for the seat that thinks.
    pub value: f64,
    /// What the value says.
    pub bound: Bound,
}

/// An action that was pruned.
#[derive(Clone, Debug, PartialEq)]
pub struct PrunedStep {
    /// The action.
    pub step: StepReport,
    /// Each heuristic's name and value; a won or lost game is worth ± [`gamecore::Score::INFINITE`].
    pub scores: Vec<(String, f64)>,
    /// Why.
    pub reason: String,
}

/// A node of the search tree. Equal steps of a tree are one in memory.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeStep {
    /// Index of the parent; `None` for the root.
    pub parent: Option<usize>,
    /// The action that led here; `None` for the root.
    pub step: Option<Arc<StepReport>>,
    /// Decisions still to search.
    pub depth: u32,
    /// Nodes below and including this one, or visits.
    pub visits: u64,
    /// Value for the seat that thinks at the root.
    pub value: Option<f64>,
    /// What the value says.
    pub bound: Bound,
    /// Why it was not searched, or not everything below it.
    pub note: Option<TreeNote>,
    /// Actions that heuristics removed here.
    pub pruned: u32,
}

/// A decision with everything that explains it.
#[derive(Clone, Debug, PartialEq)]
pub struct Explained {
    /// Who thought.
    pub seat: Seat,
    /// What was chosen.
    pub choice: StepReport,
    /// How many actions were legal.
    pub options: usize,
    /// What values mean.
    pub reading: Reading,
    /// The value of the choice for the seat that thought.
    pub value: Option<f64>,
    /// The chance that the seat wins, as far as it can be told.
    pub chance: Option<f64>,
    /// The chance does not come from the value, which tells none, but from the game's own
    /// evaluation where the expected line ends.
    pub chance_by_evaluation: bool,
    /// Decisions looked ahead.
    pub depth: u32,
    /// Whether the search was completed.
    pub complete: bool,
    /// Expected continuation, the choice first.
    pub line: Vec<StepReport>,
    /// What the evaluation that the chance comes from is made of where the line ends.
    pub terms: Vec<Term>,
    /// Actions at the root in the game's order.
    pub candidates: Vec<CandidateReport>,
    /// Whole turns that were compared, the best first; empty where the search is not by turns.
    pub turns: Vec<TurnReport>,
    /// Actions removed before the search, or put back behind the others.
    pub pruned: Vec<PrunedStep>,
    /// Work done.
    pub counters: Counters,
    /// The search tree, if asked for.
    pub tree: Vec<TreeStep>,
}

/// What a lens is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LensKind {
    /// Squares of the board.
    Squares,
    /// What an evaluation makes of the positions after each action.
    Evaluation,
    /// What an action heuristic thinks of each action.
    Heuristic,
}

/// An opinion that can be asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LensInfo {
    /// `eval:h4`, `heuristic:order`, `squares:h6`.
    pub name: String,
    /// What it is, one line.
    pub about: String,
    /// What it is about.
    pub kind: LensKind,
}

/// What squares are worth to a seat.
#[derive(Clone, Debug, PartialEq)]
pub struct SquareMap {
    /// Its name.
    pub name: &'static str,
    /// What it is, one line.
    pub about: String,
    /// Squares and their values.
    pub squares: Vec<(u16, f64)>,
}

/// An action and what is thought of it.
#[derive(Clone, Debug, PartialEq)]
pub struct ActionOpinion {
    /// The action.
    pub step: StepReport,
    /// Its value: points of the evaluation, or the heuristic's score from 0 to 1.
    pub value: f64,
    /// What the seat gets if the game is over then.
    pub result: Option<f32>,
}

/// An opinion about a position.
#[derive(Clone, Debug, PartialEq)]
pub struct LensReport {
    /// Which one.
    pub info: LensInfo,
    /// The seat whose view it is: the one to act, or seat 0 of a finished game.
    pub seat: Seat,
    /// Values of squares, for lenses that are about them.
    pub squares: Vec<(u16, f64)>,
    /// Values of the legal actions, in the game's order.
    pub actions: Vec<ActionOpinion>,
    /// The value of the position itself in points, for evaluations.
    pub position: Option<f64>,
    /// The chance that these points stand for.
    pub chance: Option<f64>,
    /// What they are made of.
    pub terms: Vec<Term>,
}
