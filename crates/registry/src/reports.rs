//! What games, agents and searches tell of themselves, as plain data.

use std::sync::Arc;

use gamecore::{Counters, Reading};
use protocol::{BoundKind, Explanation, NodeNote, Step};
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

/// A node of the search tree. Equal steps of a tree are one in memory.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeStep {
    /// Index of the parent; `None` for the root.
    pub parent: Option<usize>,
    /// The action that led here; `None` for the root.
    pub step: Option<Arc<Step>>,
    /// Decisions still to search.
    pub depth: u32,
    /// Nodes below and including this one, or visits.
    pub visits: u64,
    /// Value for the seat that thinks at the root.
    pub value: Option<f64>,
    /// What the value says.
    pub bound: BoundKind,
    /// Why it was not searched, or not everything below it.
    pub note: Option<NodeNote>,
    /// Anything was searched here.
    pub searched: bool,
    /// Actions that heuristics removed here.
    pub pruned: u32,
}

/// A decision: what is told of it, and what else those who asked for it may need.
#[derive(Clone, Debug, PartialEq)]
pub struct DecisionReport {
    /// What is told of it, with candidates in the game's order and without the summary;
    /// [`DecisionReport::told`] completes it.
    pub explanation: Explanation,
    /// How many actions were legal.
    pub options: usize,
    /// What values mean.
    pub reading: Reading,
    /// Work done.
    pub counters: Counters,
    /// The search tree, if asked for.
    pub tree: Vec<TreeStep>,
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
