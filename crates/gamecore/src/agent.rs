//! Agents, their budgets, and what a decision tells.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::eval::Term;
use crate::game::Game;
use crate::reading::Reading;

/// How much thinking one decision may take. Several limits may hold at once; the first one
/// reached ends the search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Budget {
    /// Decisions looked ahead.
    pub depth: Option<u32>,
    /// Positions entered by depth-first search.
    pub nodes: Option<u64>,
    /// Select–expand–roll out–back up rounds of tree search.
    pub iterations: Option<u64>,
    /// Applications of an action to a state.
    pub calls: Option<u64>,
    /// Milliseconds of wall time; a decision under it does not repeat exactly.
    pub ms: Option<u64>,
}

/// Tells a search from outside to stop and give its best answer so far.
#[derive(Clone, Debug, Default)]
pub struct StopToken(Arc<AtomicBool>);

impl StopToken {
    /// Asks for the stop.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether somebody asked.
    #[inline]
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Whether both are one: to stop one is to stop the other.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// Where time comes from. Searches never read a system clock themselves.
pub trait Clock: Send + Sync {
    /// Time since some fixed moment; never goes back.
    fn now(&self) -> Duration;
}

/// What is left on the chess clock of the seat that thinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeLeft {
    /// Until the flag falls.
    pub remaining: Duration,
    /// Added after every action.
    pub increment: Duration,
}

/// News from a search that goes on.
#[derive(Clone, Debug)]
pub struct Progress<A> {
    /// Depth completed (depth-first) or iterations made (tree search).
    pub completed: u64,
    /// The action it would choose now.
    pub action: A,
    /// Its value for the seat that thinks.
    pub value: f64,
    /// Counters so far.
    pub counters: Counters,
}

/// A listener for [`Progress`].
pub type ProgressFn<'a, A> = &'a (dyn Fn(&Progress<A>) + Sync);

/// The circumstances of one decision that are not part of the agent.
pub struct Limits<'a, A> {
    /// Time.
    pub clock: &'a dyn Clock,
    /// Stop from outside.
    pub stop: &'a StopToken,
    /// The chess clock, if the game is played with one.
    pub time_left: Option<TimeLeft>,
    /// Receives progress.
    pub progress: Option<ProgressFn<'a, A>>,
    /// How many nodes of the search tree to keep in [`Decision::tree`]; 0 keeps none.
    pub tree_nodes: usize,
}

/// Work done for one decision. Glossary: a *node* is a position entered by depth-first search
/// (root, leaves, table hits and re-searches included); a *leaf* a node valued by evaluator or
/// payoff; a *call* one application of an action in tree search; a *tree node* a stored decision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Counters {
    /// Positions entered by depth-first search.
    #[serde(skip_serializing_if = "is_zero")]
    pub nodes: u64,
    /// Nodes valued by evaluator or payoff.
    #[serde(skip_serializing_if = "is_zero")]
    pub leaves: u64,
    /// Nodes answered by the transposition table.
    #[serde(skip_serializing_if = "is_zero")]
    pub table_hits: u64,
    /// Nodes left early because the window was closed.
    #[serde(skip_serializing_if = "is_zero")]
    pub cutoffs: u64,
    /// Searches repeated with a wider window, or evaluations after a passed test.
    #[serde(skip_serializing_if = "is_zero")]
    pub researches: u64,
    /// Nodes entered by SCOUT's EVAL; its TEST entered the others.
    #[serde(skip_serializing_if = "is_zero")]
    pub eval_nodes: u64,
    /// Applications of an action in tree search.
    #[serde(skip_serializing_if = "is_zero")]
    pub calls: u64,
    /// Rounds of tree search.
    #[serde(skip_serializing_if = "is_zero")]
    pub iterations: u64,
    /// Decisions stored in the search tree.
    #[serde(skip_serializing_if = "is_zero")]
    pub tree_nodes: u64,
    /// States drawn from a view, where something is hidden.
    #[serde(skip_serializing_if = "is_zero")]
    pub worlds: u64,
    /// Tree nodes at which pruning had more options than one heuristic keeps.
    #[serde(skip_serializing_if = "is_zero")]
    pub prune_nodes: u64,
    /// Options of these nodes together.
    #[serde(skip_serializing_if = "is_zero")]
    pub prune_options: u64,
    /// Options of these nodes that were not pruned.
    #[serde(skip_serializing_if = "is_zero")]
    pub prune_kept: u64,
    /// The same if no two heuristics had chosen the same option.
    #[serde(skip_serializing_if = "is_zero")]
    pub prune_most: u64,
}

// serde's `skip_serializing_if` hands over a reference.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl std::ops::AddAssign for Counters {
    fn add_assign(&mut self, more: Self) {
        self.nodes += more.nodes;
        self.leaves += more.leaves;
        self.table_hits += more.table_hits;
        self.cutoffs += more.cutoffs;
        self.researches += more.researches;
        self.eval_nodes += more.eval_nodes;
        self.calls += more.calls;
        self.iterations += more.iterations;
        self.tree_nodes += more.tree_nodes;
        self.worlds += more.worlds;
        self.prune_nodes += more.prune_nodes;
        self.prune_options += more.prune_options;
        self.prune_kept += more.prune_kept;
        self.prune_most += more.prune_most;
    }
}

/// Work done by one agent in a game, or in many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Work {
    /// Decisions with a choice.
    pub decisions: u64,
    /// What it counted.
    #[serde(flatten)]
    pub counters: Counters,
}

impl std::ops::AddAssign for Work {
    fn add_assign(&mut self, more: Self) {
        self.decisions += more.decisions;
        self.counters += more.counters;
    }
}

/// What a value says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The true value is this.
    Exact,
    /// The true value is at least this.
    Lower,
    /// The true value is at most this.
    Upper,
    /// The value is an average that proves nothing.
    Estimate,
}

/// What a search thinks of one action at the root.
#[derive(Clone, Debug, PartialEq)]
pub struct RootAction<A> {
    /// The action.
    pub action: A,
    /// How often or with how many nodes it was looked at.
    pub visits: u64,
    /// Its value for the seat that thinks, if known.
    pub value: Option<f64>,
    /// Whether the value is exact.
    pub bound: Bound,
    /// What was thought of it before searching.
    pub prior: Option<f64>,
}

/// An action that heuristics removed, or put back behind the others, before the search.
#[derive(Clone, Debug, PartialEq)]
pub struct PrunedAction<A> {
    /// The action.
    pub action: A,
    /// Each heuristic's name and value; a won or lost game is worth ± [`crate::Score::INFINITE`].
    pub scores: Vec<(String, f64)>,
    /// What became of it, by which heuristics and limit.
    pub reason: String,
}

/// Why a node of a search tree was not searched, or not everything below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeNote {
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

impl TreeNote {
    /// Whether a node with this note and so many visits was left out.
    #[must_use]
    pub const fn leaves_out(self, visits: u64) -> bool {
        matches!(self, Self::Skipped) || matches!(self, Self::Pruned) && visits == 0
    }
}

/// One position of a recorded search tree, in the order entered.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeNode<A> {
    /// Index of the parent in the list; `None` for the root.
    pub parent: Option<usize>,
    /// The action that led here; `None` for the root.
    pub action: Option<A>,
    /// Decisions still to be searched below (depth-first), or 0.
    pub depth: u32,
    /// Nodes below and including this one (depth-first) or visits (tree search).
    pub visits: u64,
    /// Value for the seat that thinks at the root.
    pub value: Option<f64>,
    /// Whether the value is exact.
    pub bound: Bound,
    /// Why it was not searched, or not everything below it; `None` if nothing was left out.
    pub note: Option<TreeNote>,
    /// Actions that heuristics removed here, or put back behind the others.
    pub pruned: u32,
}

impl<A> TreeNode<A> {
    /// An action that was not searched, and why.
    #[must_use]
    pub const fn unsearched(parent: usize, action: A, note: TreeNote) -> Self {
        Self {
            parent: Some(parent),
            action: Some(action),
            depth: 0,
            visits: 0,
            value: None,
            bound: Bound::Estimate,
            note: Some(note),
            pruned: 0,
        }
    }

    /// Whether anything was searched here; a pruned action may be tried all the same.
    #[must_use]
    pub const fn is_searched(&self) -> bool {
        match self.note {
            Some(note) => !note.leaves_out(self.visits),
            None => true,
        }
    }
}

/// A whole turn that a search by turns compared with others.
#[derive(Clone, Debug, PartialEq)]
pub struct TurnOption<A> {
    /// Its actions.
    pub actions: Vec<A>,
    /// Its value for the seat that thinks.
    pub value: f64,
    /// What the value says.
    pub bound: Bound,
}

/// An agent's answer, with what an interface needs to explain it.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision<A> {
    /// The chosen action.
    pub action: A,
    /// Its value for the seat that chose, in the agent's units; `None` if it has no opinion.
    pub value: Option<f64>,
    /// What `value` and the values of `root` and `tree` mean.
    pub reading: Reading,
    /// Decisions looked ahead in the last complete search (0 where that means nothing).
    pub depth: u32,
    /// Whether the intended search was completed, as opposed to stopped by a limit.
    pub complete: bool,
    /// Expected continuation, beginning with `action`.
    pub principal_variation: Vec<A>,
    /// What the value is made of: the parts of the evaluation where the expected continuation
    /// ends, for the seat that chose. Empty where evaluations have no parts.
    pub terms: Vec<Term>,
    /// Every action considered at the root, in the game's order.
    pub root: Vec<RootAction<A>>,
    /// The whole turns that were compared, the best first, as many as people read; empty where the
    /// search is not by turns.
    pub turns: Vec<TurnOption<A>>,
    /// Actions pruned before the search; those that may still be tried are in `root` too.
    pub pruned: Vec<PrunedAction<A>>,
    /// Work done.
    pub counters: Counters,
    /// The search tree, if [`Limits::tree_nodes`] asked for it.
    pub tree: Vec<TreeNode<A>>,
}

impl<A: Copy> Decision<A> {
    /// An action chosen without any opinion about it.
    #[must_use]
    pub fn plain(action: A) -> Self {
        Self {
            action,
            value: None,
            reading: Reading::None,
            depth: 0,
            complete: true,
            principal_variation: vec![action],
            terms: Vec::new(),
            root: Vec::new(),
            turns: Vec::new(),
            pruned: Vec::new(),
            counters: Counters::default(),
            tree: Vec::new(),
        }
    }
}

/// A player. It receives a view, never the state, and is built anew for every game: trees, tables
/// and random streams start empty.
pub trait Agent<G: Game>: Send {
    /// Chooses one of the legal actions of the seat that owns the view.
    fn decide(
        &mut self,
        game: &G,
        view: &G::View,
        limits: &Limits<'_, G::Action>,
    ) -> Decision<G::Action>;

    /// Why its last decision is not to be trusted, in words: a program from outside that ended,
    /// hung or lied. The game in which it happens does not count.
    fn failure(&self) -> Option<String> {
        None
    }

    /// Nodes of the tree it holds now, and the bytes they take with their edges.
    fn tree_memory(&self) -> (usize, usize) {
        (0, 0)
    }
}
