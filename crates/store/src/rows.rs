//! What the database holds, as plain data.

use gamecore::{Ending, Outcome, Work};
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Everything a run rests on; written before its first game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The name of this form.
    pub schema: String,
    /// What the experiment calls itself.
    pub name: String,
    /// The game.
    pub game: String,
    /// The experiment with everything resolved.
    pub spec: Value,
    /// A hash of `spec`: runs of one hash are runs of one experiment.
    pub spec_hash: String,
    /// The program: its number and a hash of what decides games.
    pub version: String,
    /// The rules as one text.
    pub rules: String,
    /// Every file that was read, with the hash of its content.
    pub data: BTreeMap<String, String>,
    /// The processor it began on.
    pub cpu: String,
    /// The same spec gives the same games.
    pub repeatable: bool,
    /// Games in the schedule.
    pub games: u64,
}

/// A run in the database.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Its key in the tables.
    pub(crate) key: i64,
    /// Its name in commands.
    pub id: String,
    /// When it began, UTC.
    pub created: String,
    /// What it rests on.
    pub manifest: Manifest,
}

/// One time that somebody worked on a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Visit {
    /// When, UTC.
    pub at: String,
    /// `begun`, `finished` or `interrupted`.
    pub what: String,
    /// More about it, such as what is missing.
    pub detail: String,
}

/// One game without its record.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GameRow {
    /// Its number in the schedule.
    pub number: u64,
    /// The pairing.
    pub cell: u64,
    /// The pair in its cell.
    pub pair: u64,
    /// The game in its pair: 0 or 1.
    pub game: u8,
    /// Who won.
    pub outcome: Outcome,
    /// By what it ended.
    pub reason: Ending,
    /// The seat that acted first.
    pub first_seat: Option<u8>,
    /// Actions of players.
    pub actions: u64,
    /// Runs of actions of one seat.
    pub turns: u64,
    /// Actions that were a choice.
    pub decisions: u64,
    /// Legal actions at all decisions together.
    pub choices: u64,
    /// Bits of undecidedness at all decisions that tell it, together.
    pub entropy: f64,
    /// How many decisions tell it.
    pub entropy_decisions: u64,
    /// The seat that was ahead half-way through the steps of the game.
    pub half_leader: Option<u8>,
    /// A hash of start, actions and chance: equal games are equal here.
    pub moves_hash: u64,
    /// Seconds of thought by seat.
    pub seconds: [f64; 2],
    /// Work done by seat; `None` in games stored before it was kept, and in those that ended in a
    /// panic.
    pub work: Option<[Work; 2]>,
    /// What the game counts of its own, by name; empty in games stored before it was counted.
    pub counts: BTreeMap<String, u64>,
    /// The program that played it; `None` in games stored before it was kept, which are of the
    /// program that began the run.
    pub program: Option<String>,
    /// The machine that played it, where others than this one may have.
    pub host: Option<String>,
}

impl GameRow {
    /// Whether both are the same game, whoever played it and however long it took. What one of them
    /// did not keep (games stored before work or a number was counted) is not compared.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        let work = self.work.and(other.work);
        let plain = |row: &Self| Self {
            seconds: [0.0; 2],
            work: work.and(row.work),
            program: None,
            host: None,
            counts: BTreeMap::new(),
            ..row.clone()
        };
        let counted = |(name, count): (&String, &u64)| {
            other.counts.get(name).is_none_or(|known| known == count)
        };
        self.counts.iter().all(counted) && plain(self) == plain(other)
    }
}
