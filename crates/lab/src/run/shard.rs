//! A run in parts that know nothing of each other: every machine of a batch system plays one shard into a
//! database of its own, and the databases are merged.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use store::{Merged, Run, Store, StoreError, Visit};

use super::stored::{UNTRUE, accusations};
use super::{RunError, RunState, spec_of, state_of};
use crate::experiment::{Experiment, Spec};

/// Every so many-th start of a schedule. A start is never divided, since its games are one pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shard {
    index: u64,
    of: u64,
}

/// What is no shard, or cannot have one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShardError {
    /// No shard.
    #[error("'{0}': expected I/N, with I from 0 and below N, such as 0/8")]
    Text(String),
    /// Which games come next depends on all before them.
    #[error("shard {0} of {1}: its games depend on those of the other shards; play it whole")]
    Dependent(Shard, &'static str),
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let wrong = || ShardError::Text(text.to_owned());
        let number = |digits: &str| {
            let plain = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
            digits.parse::<u64>().ok().filter(|_| plain).ok_or_else(wrong)
        };
        let (index, of) = text.split_once('/').ok_or_else(wrong)?;
        let (index, of) = (number(index)?, number(of)?);
        if index < of { Ok(Self { index, of }) } else { Err(wrong()) }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}/{}", self.index, self.of)
    }
}

impl Shard {
    /// All shards of so many.
    pub fn all(of: u64) -> impl Iterator<Item = Self> {
        (0..of).map(move |index| Self { index, of })
    }

    /// Whether a game is one of its games, if so many have one start.
    #[must_use]
    pub fn holds(self, number: u64, games_per_start: u64) -> bool {
        number / games_per_start % self.of == self.index
    }

    /// How many of so many games are in it.
    #[must_use]
    pub fn games(self, games: u64, games_per_start: u64) -> u64 {
        let starts = games / games_per_start;
        let mine = (starts + self.of - 1 - self.index) / self.of;
        mine * games_per_start
    }

    /// Refuses an experiment whose games cannot be known beforehand.
    pub fn check(self, spec: &Spec) -> Result<(), ShardError> {
        if spec.sprt().is_some() {
            return Err(ShardError::Dependent(self, "a sequential test"));
        }
        if spec.tune().is_some() {
            return Err(ShardError::Dependent(self, "a tuning"));
        }
        Ok(())
    }
}

/// What is noted of a run when a shard of it is there.
pub(super) const PART: &str = "part";

/// Copies the games of a run from another database, with the note which shard they are, and of which machines
/// some are not believed. That others were refuted there says nothing of the games here.
pub fn merge_run(store: &Store, from: &Store, id: &str) -> Result<Merged, StoreError> {
    let source = from.run(id)?;
    let merged = store.merge(from, &source.id)?;
    let run = store.run(&source.id)?;
    let there = store.visits(&run)?;
    let open = accusations(store, &run)?;
    for visit in accusations(from, &source)? {
        let same = |one: &Visit| one.what == visit.what && one.detail == visit.detail;
        // One that was refuted here was not of the games that came now.
        let is_new = merged.added > 0 || !there.iter().any(same);
        if is_new && !open.iter().any(same) {
            store.note(&run, UNTRUE, &visit.detail)?;
        }
    }
    for visit in from.visits(&source)? {
        let known = there.iter().any(|one| one.what == PART && one.detail == visit.detail);
        if visit.what == PART && !known {
            store.note(&run, PART, &visit.detail)?;
        }
    }
    Ok(merged)
}

/// Games that a run lacks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Missing {
    /// How many.
    pub games: u64,
    /// Their numbers, each from and to.
    pub ranges: Vec<(u64, u64)>,
    /// The shards that they belong to, if it is known into how many the run was divided.
    pub shards: Vec<Shard>,
}

/// What a run lacks. Into how many shards it was divided, its merged databases tell, unless it is said.
pub fn missing_of(
    experiment: &Experiment,
    store: &Store,
    run: &Run,
    of: Option<u64>,
) -> Result<Missing, RunError> {
    let there = store.numbers(run)?;
    let mut missing = Missing::default();
    if state_of(store, run, there.len() as u64)? == RunState::Finished {
        return Ok(missing);
    }
    let of = of.or(shards_noted(store, run)?);
    let together = experiment.games_per_start();
    let mut shards = BTreeSet::new();
    let mut there = there.into_iter().peekable();
    for number in 0..spec_of(run)?.total_games() {
        if there.next_if_eq(&number).is_some() {
            continue;
        }
        missing.games += 1;
        match missing.ranges.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => missing.ranges.push((number, number)),
        }
        if let Some(of) = of {
            shards.insert(Shard { index: number / together % of, of });
        }
    }
    missing.shards = shards.into_iter().collect();
    Ok(missing)
}

/// Into how many shards a run was divided, by the last note about one.
fn shards_noted(store: &Store, run: &Run) -> Result<Option<u64>, StoreError> {
    let visits = store.visits(run)?;
    let noted = visits.iter().rev().filter(|visit| visit.what == PART).find_map(|visit| {
        let shard = visit.detail.strip_prefix("shard ")?.split(':').next()?;
        shard.parse::<Shard>().ok()
    });
    Ok(noted.map(|shard| shard.of))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_divide_the_starts_of_a_run() {
        for (games, together, of) in [(40, 2, 3), (40, 4, 7), (8, 4, 5), (12, 1, 12)] {
            let shards: Vec<Shard> = Shard::all(of).collect();
            for number in 0..games {
                let holders = shards.iter().filter(|shard| shard.holds(number, together)).count();
                assert_eq!(holders, 1, "game {number} of {games}");
            }
            for shard in shards {
                let held = (0..games).filter(|&number| shard.holds(number, together)).count();
                assert_eq!(held as u64, shard.games(games, together), "{shard}");
                assert_eq!(shard.to_string().parse(), Ok(shard));
            }
        }
    }

    #[test]
    fn what_is_no_shard_is_refused() {
        for text in
            ["", "3", "1/0", "4/4", "-1/4", "+1/4", "1/4/2", "a/b", "1/99999999999999999999"]
        {
            let error = text.parse::<Shard>().unwrap_err();
            assert!(error.to_string().contains(&format!("'{text}'")), "{error}");
        }
    }
}
