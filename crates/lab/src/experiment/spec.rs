//! An experiment as plain data: what the manifest of a run keeps.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use stats::{EloKind, Sprt, SprtError};
use store::GameRow;

use crate::plan::Openings;
use crate::tuning::{Method, TuneSpec, Tuning};

/// The name of the present form of [`Spec`].
pub const SPEC_SCHEMA: &str = "warroom-experiment-2";

/// The form before sweeps of rules: one condition, whose fields stood in the spec itself.
const ONE_CONDITION: &str = "warroom-experiment-1";

/// What is compared with what.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Kind {
    /// Two agents.
    Match,
    /// Everybody against everybody.
    RoundRobin {
        /// What the players are.
        over: Over,
    },
    /// Some against some others.
    Gauntlet,
    /// Two agents until the difference is decided.
    Sprt {
        /// When to stop.
        sprt: SprtSpec,
    },
    /// One agent with many values of its keys, or under many conditions, against others.
    Sweep,
    /// One agent whose keys are chosen by games, and then confirmed by others.
    Tune {
        /// What is tuned; the pairings confirm it on games of their own.
        tune: TuneSpec,
    },
}

impl Kind {
    /// Its word.
    #[must_use]
    pub fn name(&self) -> KindName {
        match self {
            Self::Match => KindName::Match,
            Self::RoundRobin { .. } => KindName::RoundRobin,
            Self::Gauntlet => KindName::Gauntlet,
            Self::Sprt { .. } => KindName::Sprt,
            Self::Sweep => KindName::Sweep,
            Self::Tune { .. } => KindName::Tune,
        }
    }
}

/// The word for a kind, in files and manifests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KindName {
    /// [`Kind::Match`].
    Match,
    /// [`Kind::RoundRobin`].
    RoundRobin,
    /// [`Kind::Gauntlet`].
    Gauntlet,
    /// [`Kind::Sprt`].
    Sprt,
    /// [`Kind::Sweep`].
    Sweep,
    /// [`Kind::Tune`].
    Tune,
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

/// Under what games are played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Condition {
    /// What sets it apart from the others of a sweep; empty where there is one only.
    pub name: String,
    /// The rules, tables of units included.
    pub rules: String,
    /// Start positions.
    pub openings: Openings,
    /// What A and B (in games that are dealt, seats 0 and 1) bring, where players bring nothing of
    /// their own; empty for the game's own.
    pub setups: [String; 2],
}

/// A pairing: indices of its players and of its condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cell {
    /// Player A.
    pub a: usize,
    /// Player B.
    pub b: usize,
    /// The condition.
    pub under: usize,
}

impl Cell {
    /// Both players, A first.
    #[must_use]
    pub fn players(self) -> [usize; 2] {
        [self.a, self.b]
    }
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
pub struct Spec {
    /// [`SPEC_SCHEMA`].
    pub schema: String,
    /// What it is called.
    pub name: String,
    /// What it is for.
    pub about: String,
    /// What is compared with what.
    #[serde(flatten)]
    pub kind: Kind,
    /// The game.
    pub game: String,
    /// Under what it is played: one condition, or those of a sweep.
    pub conditions: Vec<Condition>,
    /// Who plays.
    pub players: Vec<Player>,
    /// The pairings.
    pub cells: Vec<Cell>,
    /// Games of each pairing; of an SPRT, the most that are played.
    pub games: u64,
    /// Seed of everything.
    pub seed: u64,
    /// Whether pairings see the same starts.
    pub starts: Starts,
    /// The chess clock.
    pub clock: Option<String>,
    /// How much is kept.
    pub log: Log,
}

impl Spec {
    /// When to stop, if it is a sequential test.
    #[must_use]
    pub fn sprt(&self) -> Option<SprtSpec> {
        match self.kind {
            Kind::Sprt { sprt } => Some(sprt),
            _ => None,
        }
    }

    /// What is tuned; the pairings confirm it on games of their own.
    #[must_use]
    pub fn tune(&self) -> Option<&TuneSpec> {
        match &self.kind {
            Kind::Tune { tune } => Some(tune),
            _ => None,
        }
    }

    /// Reads the spec of a manifest, in its present form or the one before.
    pub fn from_json(mut value: Value) -> Result<Self, serde_json::Error> {
        if value["schema"] == ONE_CONDITION {
            value = with_conditions(value);
        }
        let spec: Self = serde_json::from_value(value)?;
        if spec.schema == SPEC_SCHEMA {
            return Ok(spec);
        }
        let message = format!("schema '{}', expected '{SPEC_SCHEMA}'", spec.schema);
        Err(serde::de::Error::custom(message))
    }

    /// Whether a pairing is of a player and the like, under whatever names: what it shows is chance.
    #[must_use]
    pub fn is_mirror(&self, cell: usize) -> bool {
        let [a, b] = self.cells[cell].players();
        let like = |one: &Player, other: &Player| {
            self.tune().is_none() && one.agent == other.agent && one.setup == other.setup
        };
        a == b || like(&self.players[a], &self.players[b])
    }

    /// Games in the schedule.
    #[must_use]
    pub fn total_games(&self) -> u64 {
        self.tuning_games() + self.games * self.cells.len() as u64
    }

    /// Games that come before those of the pairings, to tune.
    #[must_use]
    pub fn tuning_games(&self) -> u64 {
        self.tune().map_or(0, |tune| 2 * tune.evaluations * self.pairs_of_evaluation())
    }

    /// Pairs of games that make one evaluation of a tuning: one against every opponent, so that no
    /// point is lucky in whom it meets; of a method that compares two agents with each other, one.
    #[must_use]
    pub fn pairs_of_evaluation(&self) -> u64 {
        match self.tune().map(|tune| &tune.method) {
            // The tuned agent and the untuned one stand before their opponents.
            Some(method) if !matches!(method, Method::Spsa(_)) => self.players.len() as u64 - 2,
            _ => 1,
        }
    }

    /// What a tuning says after these games, in schedule order; `None` if the experiment is none.
    #[must_use]
    pub fn tuning(&self, rows: &[GameRow]) -> Option<Tuning> {
        let tune = self.tune()?;
        let tuning = Tuning::of(tune, self.seed, self.pairs_of_evaluation(), rows);
        Some(tuning.expect("it was checked when it was read"))
    }

    /// A pairing by the number it has in the table of games. After those of the spec come the
    /// pairs that tune: the tuned agent against every opponent, or against itself.
    #[must_use]
    pub fn cell(&self, number: usize) -> Cell {
        let Some(tune) = self.tune() else { return self.cells[number] };
        let Some(pair) = number.checked_sub(self.cells.len()) else { return self.cells[number] };
        let b = match tune.method {
            Method::Spsa(_) => 0,
            _ => 2 + pair % self.pairs_of_evaluation() as usize,
        };
        Cell { a: 0, b, under: 0 }
    }

    /// The names of both players of a pairing.
    #[must_use]
    pub fn names(&self, cell: usize) -> [&str; 2] {
        self.cell(cell).players().map(|player| self.players[player].name.as_str())
    }

    /// The condition of a pairing.
    #[must_use]
    pub fn condition(&self, cell: usize) -> &Condition {
        &self.conditions[self.cell(cell).under]
    }

    /// A pairing in words, with its condition where there are several.
    #[must_use]
    pub fn cell_name(&self, cell: usize) -> String {
        let [a, b] = self.names(cell);
        match self.condition(cell).name.as_str() {
            "" => format!("{a} v {b}"),
            condition => format!("{condition}: {a} v {b}"),
        }
    }

    /// The rules as one text: the same text means the same rules.
    #[must_use]
    pub fn rules(&self) -> String {
        let named = |condition: &Condition| match condition.name.as_str() {
            "" => condition.rules.clone(),
            name => format!("{name}: {}", condition.rules),
        };
        self.conditions.iter().map(named).collect::<Vec<_>>().join("\n")
    }
}

/// A spec of the form before, in the present one.
fn with_conditions(mut old: Value) -> Value {
    let Some(fields) = old.as_object_mut() else { return old };
    let mut take = |field: &str| fields.shift_remove(field).unwrap_or_default();
    let condition = json!({
        "name": "", "rules": take("rules"), "openings": take("openings"), "setups": take("setups"),
    });
    let cells = take("cells");
    let cell = |pair: &Value| json!({ "a": pair[0], "b": pair[1], "under": 0 });
    old["cells"] = cells.as_array().into_iter().flatten().map(cell).collect();
    old["conditions"] = json!([condition]);
    old["schema"] = SPEC_SCHEMA.into();
    old
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spec_of_the_form_before_is_still_read() {
        let old = json!({
            "schema": "warroom-experiment-1", "name": "old", "about": "", "kind": "match",
            "over": "agents", "game": "othello", "rules": "standard",
            "players": [{ "name": "x", "agent": "random" }, { "name": "y", "agent": "greedy" }],
            "cells": [[0, 1]], "setups": ["", ""], "games": 2, "seed": 1, "starts": "shared",
            "openings": { "random": 8 }, "clock": null, "log": "actions", "sprt": null,
        });
        let spec = Spec::from_json(old).expect("it is read");
        assert_eq!(spec.cells, [Cell { a: 0, b: 1, under: 0 }]);
        assert_eq!(spec.cell_name(0), "x v y");
        assert_eq!(spec.rules(), "standard");
        assert_eq!(spec.condition(0).openings, Openings::Random(Some(8)));
        let again = serde_json::to_value(&spec).expect("plain data");
        assert_eq!(Spec::from_json(again).expect("the present form"), spec);
    }
}
