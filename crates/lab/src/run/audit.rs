//! Whether a stored run is what it says: replayed by the rules, or played again.

use std::collections::BTreeSet;

use arena::GameRecord;
use gamecore::StopToken;
use serde::Serialize;
use serde_json::json;
use store::{GameRow, Run, Store, StoreError};

use super::{RunError, play_numbered};
use crate::experiment::Experiment;
use crate::plan::by_seat;
use crate::tuning::Tuning;
use crate::workers::in_order;

/// What was checked, and the first thing that is not so.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Audit {
    /// Games looked at.
    pub games: u64,
    /// Number of the first game that is wrong, and what is.
    pub first_difference: Option<(u64, String)>,
    /// The numbers of all games that are, where all were looked at.
    pub wrong: BTreeSet<u64>,
}

/// Replays every record by the rules and compares it with the schedule and with its row.
pub fn verify_run(
    experiment: &Experiment,
    store: &Store,
    run: &Run,
    stop: &StopToken,
    progress: &dyn Fn(),
) -> Result<Audit, RunError> {
    store.check()?;
    let mut audit = Audit::default();
    let rows = store.games(run)?;
    let tuning = experiment.tuning(&rows);
    for row in rows {
        if stop.is_stopped() {
            break;
        }
        audit.games += 1;
        if let Some(wrong) = wrong_with(experiment, store, run, &row, tuning.as_ref())? {
            audit.first_difference = Some((row.number, wrong));
            audit.wrong.insert(row.number);
            break;
        }
        progress();
    }
    Ok(audit)
}

/// What is wrong with a stored game.
fn wrong_with(
    experiment: &Experiment,
    store: &Store,
    run: &Run,
    row: &GameRow,
    tuning: Option<&Tuning>,
) -> Result<Option<String>, RunError> {
    let record = match store.record(run, row.number) {
        Ok(text) => text,
        Err(StoreError::NoGame { .. }) => return Ok(Some("its record is missing".into())),
        Err(error) => return Err(error.into()),
    };
    let record = match GameRecord::from_json(&record) {
        Ok(record) => record,
        Err(error) => return Ok(Some(error.to_string())),
    };
    if let Some(wrong) = asked_otherwise(experiment, row, &record, tuning)? {
        return Ok(Some(wrong));
    }
    // The rules do not admit what made some games void, so those have no figures.
    let figures = experiment.game(row.cell as usize).figures(&record).unwrap_or_default();
    let counted = super::row::row(experiment, row.number, record.clone(), &figures);
    // How undecided agents were, and how much they worked, only logs of decisions tell.
    let same = counted.is_some_and(|(counted, _)| {
        let (entropy, entropy_decisions) = (row.entropy, row.entropy_decisions);
        GameRow { entropy, entropy_decisions, ..counted }.is_same(row)
    });
    if !same {
        return Ok(Some("its record contradicts the table of games".into()));
    }
    let report = experiment.game(row.cell as usize).verify(&record.to_json())?;
    Ok(report.first_difference.map(|difference| difference.found.to_string()))
}

/// Where the schedule asks for another game than the one stored.
pub fn asked_otherwise(
    experiment: &Experiment,
    row: &GameRow,
    record: &GameRecord,
    tuning: Option<&Tuning>,
) -> Result<Option<String>, RunError> {
    if row.number >= experiment.spec.total_games() {
        return Ok(Some("the schedule has no such game".into()));
    }
    let place = experiment.place(row.number);
    if (place.cell as u64, place.pair, place.game) != (row.cell, row.pair, row.game) {
        return Ok(Some(format!("the schedule has it at {place:?}")));
    }
    let pair = experiment.pair(place.cell, place.pair)?;
    let game = usize::from(place.game);
    let agents = experiment.agents(place.cell, tuning)?.map(|agent| agent.spec.to_string());
    let checks = [
        (record.rules == experiment.spec.condition(place.cell).rules, "other rules"),
        (record.start == pair.starts[game], "another start"),
        (record.seeds == pair.seeds[game], "other seeds"),
        (record.agents == by_seat(place.game, agents), "other agents"),
    ];
    let wrong = checks.iter().find(|(fine, _)| !fine);
    Ok(wrong.map(|(_, what)| format!("the schedule asks for {what}")))
}

/// Plays games again and compares every action. Only for experiments that repeat.
pub fn rerun(
    experiment: &Experiment,
    store: &Store,
    run: &Run,
    numbers: Option<u64>,
    threads: usize,
    stop: &StopToken,
    progress: &(dyn Fn() + Sync),
) -> Result<Audit, RunError> {
    let all = store.games(run)?;
    let tuning = experiment.tuning(&all);
    let rows: Vec<GameRow> = match numbers {
        None => all,
        Some(number) => {
            let row = all.into_iter().find(|row| row.number == number);
            vec![row.ok_or(StoreError::NoGame { id: run.id.clone(), number })?]
        }
    };
    let audit = std::sync::Mutex::new(Audit::default());
    in_order(threads, &rows, stop, &|row| {
        let keys = experiment.keys(row.cell as usize, tuning.as_ref())?;
        let Some((again, record)) = play_numbered(experiment, row.number, &keys, stop)? else {
            return Ok(());
        };
        let differs = difference((row, &store.record(run, row.number)?), (&again, record));
        let mut audit = audit.lock().expect("nobody panics while holding it");
        audit.games += 1;
        let first = audit.first_difference.as_ref().is_none_or(|(first, _)| *first > row.number);
        if differs.is_some() {
            audit.wrong.insert(row.number);
        }
        if let Some(what) = differs.filter(|_| first) {
            audit.first_difference = Some((row.number, what));
        }
        drop(audit);
        progress();
        Ok::<(), RunError>(())
    })?;
    Ok(audit.into_inner().expect("nobody panics while holding it"))
}

/// Where a game that was played again departs from the one stored, if it does.
#[must_use]
pub fn difference(
    (then, then_record): (&GameRow, &str),
    (now, now_record): (&GameRow, GameRecord),
) -> Option<String> {
    let before = match GameRecord::from_json(then_record) {
        Ok(record) => GameRecord { timing: None, ..record },
        Err(error) => return Some(error.to_string()),
    };
    let again = GameRecord { timing: None, ..now_record };
    let differ = |index: &usize| before.actions.get(*index) != again.actions.get(*index);
    if let Some(index) = (0..before.actions.len().max(again.actions.len())).find(differ) {
        let told = |record: &GameRecord| {
            record.actions.get(index).map_or_else(|| "nothing".into(), |text| format!("'{text}'"))
        };
        return Some(format!(
            "action {} is {} now, it was {}",
            index + 1,
            told(&again),
            told(&before)
        ));
    }
    let decisions = before.decisions.iter().flatten().zip(again.decisions.iter().flatten());
    if let Some(index) = decisions.into_iter().position(|(before, again)| before != again) {
        return Some(format!("decision {} is made in another way now", index + 1));
    }
    if before != again {
        return Some("what chance drew, or how it ended, is not the same now".to_owned());
    }
    let worked = then.work.zip(now.work).filter(|(then, now)| then != now);
    if let Some((then, now)) = worked {
        let (then, now) = (json!(then), json!(now));
        return Some(format!("the same actions cost {now} now, and {then} before"));
    }
    (!then.is_same(now)).then(|| "the figures of the game are others now".to_owned())
}
