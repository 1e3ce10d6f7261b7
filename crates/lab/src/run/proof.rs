//! Whether this program may go on with what another one began. It must ask for exactly the games
//! that are stored, and a sample of them, played again, must come out the same to the last node.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

use arena::{GameRecord, RecordError};
use gamecore::{Outcome, StopToken};
use store::{GameRow, Run, Store};

use super::audit::{asked_otherwise, difference};
use super::{Players, RunError, Wanted};
use crate::experiment::{Experiment, KeysOfBoth};
use crate::tuning::Tuning;

/// Games that are played again at least, however much they thought.
const FEWEST: usize = 3;

/// Beyond those that must be in it, a sample takes no more than this share of the thought stored,
/// and no more games than this.
const SHARE: f64 = 0.02;
const MOST: usize = 50;

/// What was looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Proof {
    /// Games played again, all alike.
    pub(super) replayed: u64,
    /// Games that do not repeat, replayed by the rules only.
    pub(super) by_rules: u64,
}

/// Refuses to go on with games that this program would not ask for, or would play otherwise.
pub(super) fn prove(
    experiment: &Experiment,
    store: &Store,
    run: &Run,
    players: &dyn Players,
    stop: &StopToken,
) -> Result<Proof, RunError> {
    let rows = store.games(run)?;
    let tuning = experiment.tuning(&rows);
    let differs = |row: &GameRow, what: String| RunError::Differs {
        id: run.id.clone(),
        then: row.program.clone().unwrap_or_else(|| run.manifest.version.clone()),
        number: row.number,
        what,
    };
    let (mut repeat, mut others) = (Vec::new(), Vec::new());
    for row in &rows {
        if stop.is_stopped() {
            return Ok(Proof::default());
        }
        let record = GameRecord::from_json(&store.record(run, row.number)?);
        let asked = match &record {
            Ok(record) => asked_otherwise(experiment, row, record, tuning.as_ref())?,
            Err(error) => Some(error.to_string()),
        };
        if let Some(what) = asked {
            return Err(differs(row, what));
        }
        let repeats = repeats(experiment, row, tuning.as_ref())?;
        if repeats { &mut repeat } else { &mut others }.push(row);
    }
    let mut proof = Proof::default();
    for row in sample(experiment, &others) {
        let record = store.record(run, row.number)?;
        let report = experiment.game(row.cell as usize).verify(&record)?;
        if let Some(found) = report.first_difference {
            return Err(differs(row, found.found.to_string()));
        }
        proof.by_rules += 1;
    }
    let repeat = sample(experiment, &repeat);
    let numbers: Vec<u64> = repeat.iter().map(|row| row.number).collect();
    let heard = AtomicU64::new(0);
    let wanted = Wanted { experiment, tuning: tuning.as_ref(), numbers: &numbers, ahead: &[] };
    players.play(&wanted, stop, &|(again, record)| {
        let index = numbers.binary_search(&again.number).expect("it was asked for");
        heard.fetch_add(1, Ordering::Relaxed);
        let then = store.record(run, again.number)?;
        match difference((repeat[index], &then), (&again, record)) {
            Some(what) => Err(differs(repeat[index], what)),
            None => Ok(()),
        }
    })?;
    proof.replayed = heard.into_inner();
    Ok(proof)
}

/// Of so many of the quickest games, and of those of so many pairings, the sample for workers is drawn.
const KNOWN: u64 = 200;

/// A game that is known, with the keys that a tuning gave to its agents.
pub type Known = (GameRow, GameRecord, KeysOfBoth);

/// Games that whoever wants to play on can replay, of those that are stored and repeat: first those by which every
/// player and every condition is there, the quickest of each kind first.
pub fn known_games(
    experiment: &Experiment,
    store: &Store,
    run: &Run,
) -> Result<Vec<Known>, RunError> {
    // Only a tuning depends on all games, and has few; others may have millions.
    let (rows, tuning) = match experiment.spec.tune() {
        Some(_) => {
            let rows = store.games(run)?;
            let tuning = experiment.tuning(&rows);
            (rows, tuning)
        }
        None => (store.quickest_games(run, KNOWN)?, None),
    };
    let mut repeat = Vec::new();
    for row in &rows {
        if repeats(experiment, row, tuning.as_ref())? {
            repeat.push(row);
        }
    }
    let (needed, others) = by_need(experiment, &repeat);
    let some = needed.into_iter().chain(others).take(MOST);
    some.map(|row| known(experiment, (store, run), row, tuning.as_ref())).collect()
}

/// A stored game with all that is needed to play it again.
pub(super) fn known(
    experiment: &Experiment,
    (store, run): (&Store, &Run),
    row: &GameRow,
    tuning: Option<&Tuning>,
) -> Result<Known, RunError> {
    let unreadable = |error: RecordError| RunError::Record {
        id: run.id.clone(),
        number: row.number,
        reason: error.to_string(),
    };
    let record = GameRecord::from_json(&store.record(run, row.number)?).map_err(unreadable)?;
    Ok((row.clone(), record, experiment.keys(row.cell as usize, tuning)?))
}

/// Whether a game comes out the same whenever it is played.
fn repeats(
    experiment: &Experiment,
    row: &GameRow,
    tuning: Option<&Tuning>,
) -> Result<bool, RunError> {
    let agents = experiment.agents(row.cell as usize, tuning)?;
    Ok(experiment.time.is_none() && agents.iter().all(|agent| agent.repeatable))
}

/// Games that are not void, the quickest first: those by which every player and every condition is there, and all
/// others.
fn by_need<'a>(
    experiment: &Experiment,
    rows: &[&'a GameRow],
) -> (Vec<&'a GameRow>, Vec<&'a GameRow>) {
    let mut seen = BTreeSet::new();
    let mut left: Vec<&GameRow> =
        rows.iter().copied().filter(|row| row.outcome != Outcome::Void).collect();
    left.sort_by(|one, other| thought(one).total_cmp(&thought(other)));
    left.into_iter().partition(|row| {
        let cell = experiment.spec.cell(row.cell as usize);
        let news = [(0, cell.a), (0, cell.b), (1, cell.under)];
        news.map(|key| seen.insert(key)).contains(&true)
    })
}

/// Seconds that both agents of a game thought.
#[must_use]
pub fn thought(row: &GameRow) -> f64 {
    row.seconds[0] + row.seconds[1]
}

/// The games to play again: every player and every condition at least once, by the quickest games;
/// at least a few; and more of them, spread over the run, as long as they cost little.
fn sample<'a>(experiment: &Experiment, rows: &[&'a GameRow]) -> Vec<&'a GameRow> {
    let (mut taken, mut left) = by_need(experiment, rows);
    let all: f64 = taken.iter().chain(&left).map(|row| thought(row)).sum();
    let missing = FEWEST.saturating_sub(taken.len()).min(left.len());
    taken.extend(left.drain(..missing));
    let mut cost: f64 = taken.iter().map(|row| thought(row)).sum();
    // What a game is like has nothing to do with its hash.
    left.sort_by_key(|row| (row.moves_hash, row.number));
    for row in left {
        if taken.len() >= MOST || cost + thought(row) > SHARE * all {
            break;
        }
        cost += thought(row);
        taken.push(row);
    }
    taken.sort_by_key(|row| row.number);
    taken
}
