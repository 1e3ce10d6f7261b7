//! An experiment as plain data: what the manifest of a run keeps.

use serde::{Deserialize, Serialize};
use stats::{EloKind, Sprt, SprtError};

use crate::plan::Openings;

/// The name of the present form of [`Spec`].
pub const SPEC_SCHEMA: &str = "warroom-experiment-1";

/// What is compared with what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Two agents.
    Match,
    /// Everybody against everybody.
    RoundRobin,
    /// Some against some others.
    Gauntlet,
    /// Two agents until the difference is decided.
    Sprt,
    /// One agent with many values of its keys, against others.
    Sweep,
}

/// What the players of a round robin are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Over {
    /// Agents.
    #[default]
    Agents,
    /// What the sides bring: loadouts or armies, played by one agent.
    Setups,
}

/// Whether pairings see the same starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Starts {
    /// Pair number n of every pairing begins alike: best for comparing pairings with each other.
    Shared,
    /// Every pairing has its own: its results are independent of the others.
    Own,
}

/// How much of each game is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Log {
    /// Start, actions, chance and result: enough to replay it.
    #[default]
    Actions,
    /// Also what the agents said about every action, and the time it took.
    Decisions,
}

/// One side of a pairing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Player {
    /// Its name in tables.
    pub name: String,
    /// Its agent as a line.
    pub agent: String,
    /// What it brings, if that is its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub setup: Option<String>,
}

/// When to stop comparing two agents (Wald's test on pairs; `stats` has the formulas).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SprtSpec {
    /// The difference that means "not better".
    pub elo0: f64,
    /// The difference that means "better".
    pub elo1: f64,
    /// Chance to accept "better" wrongly.
    pub alpha: f64,
    /// Chance to reject it wrongly.
    pub beta: f64,
    /// Elo of one game divided by its spread: the length of the test does not depend on draws.
    pub normalised: bool,
    /// Pairs between two looks; part of the spec, so that threads decide nothing.
    pub batch: u64,
}

impl SprtSpec {
    /// The test itself, or why there is none such.
    pub fn test(&self) -> Result<Sprt, SprtError> {
        let kind = if self.normalised { EloKind::Normalised } else { EloKind::Logistic };
        Sprt::new([self.elo0, self.elo1], [self.alpha, self.beta], kind)
    }
}

impl Default for SprtSpec {
    fn default() -> Self {
        Self { elo0: 0.0, elo1: 20.0, alpha: 0.05, beta: 0.05, normalised: false, batch: 16 }
    }
}

/// Everything that decides the games of an experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// [`SPEC_SCHEMA`].
    pub schema: String,
    /// What it is called.
    pub name: String,
    /// What it is for.
    pub about: String,
    /// What is compared with what.
    pub kind: Kind,
    /// What the players are.
    pub over: Over,
    /// The game.
    pub game: String,
    /// Its rules, tables of units included.
    pub rules: String,
    /// Who plays.
    pub players: Vec<Player>,
    /// The pairings: indices of players A and B.
    pub cells: Vec<[usize; 2]>,
    /// What A and B (in games that are dealt, seats 0 and 1) bring, where players bring nothing of
    /// their own; empty for the game's own.
    pub setups: [String; 2],
    /// Games of each pairing; of an SPRT, the most that are played.
    pub games: u64,
    /// Seed of everything.
    pub seed: u64,
    /// Whether pairings see the same starts.
    pub starts: Starts,
    /// Start positions.
    pub openings: Openings,
    /// The chess clock.
    pub clock: Option<String>,
    /// How much is kept.
    pub log: Log,
    /// When to stop.
    pub sprt: Option<SprtSpec>,
}

impl Spec {
    /// Games in the schedule.
    #[must_use]
    pub fn total_games(&self) -> u64 {
        self.games * self.cells.len() as u64
    }

    /// The names of both players of a pairing.
    #[must_use]
    pub fn names(&self, cell: usize) -> [&str; 2] {
        self.cells[cell].map(|player| self.players[player].name.as_str())
    }
}
