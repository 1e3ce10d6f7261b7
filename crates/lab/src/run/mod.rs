//! Playing an experiment into a store: in any number of threads, stopped and taken up at any
//! moment, with the same games in the end.

mod analysis;
mod audit;
mod calibrate;
mod checks;
mod export;
mod players;
mod proof;
mod row;
mod sequential;
mod shard;
mod stored;
mod summary;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use gamecore::{MachineFault, StopToken, short_hash};
use registry::SpecError;
use store::{GameRow, Manifest, Run, Store, StoreError};

use crate::evidence::Played;
use crate::experiment::{Experiment, Spec};
use crate::tuning::Tuning;

pub use audit::{Audit, asked_otherwise, difference, rerun, verify_run};
pub use calibrate::{Calibration, calibrate};
pub use checks::{Draw, note_checked, open_run_without, owed_games};
pub use export::{ExportRow, Exporter, export_rows, json_line};
pub(crate) use players::play_guarded;
pub use players::{Numbered, Players, Threads, Wanted, play_numbered};
pub use proof::{Known, known_games, thought};
pub(crate) use row::work_of;
pub use sequential::Sequential;
pub use shard::{Missing, Shard, ShardError, merge_run, missing_of};
pub use stored::{
    News, RunState, Standings, check_resumable, check_true, note_alike, note_untrue, spec_of,
    state_of, take_up, take_up_locked,
};
pub use summary::{
    CellSummary, ConditionSummary, CountFigures, DesignFigures, Rate, Spread, Summary, Used,
    VoidGame, summarise, summary_of,
};
pub(crate) use summary::{is_finished, summary_of_each};

/// Who plays the games of a run: a program on a machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Host {
    /// The number of the program and a hash of its file.
    pub program: String,
    /// What the machine calls its processor.
    pub cpu: String,
}

/// The name of the present form of manifests.
const MANIFEST_SCHEMA: &str = "warroom-run-1";

/// Why an experiment cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The experiment was begun under other conditions.
    #[error(
        "run '{id}' was started with {what} {then}, and now it is {now}; the games would not be \
         comparable. Use --as-new to start a new run"
    )]
    Changed {
        /// The run.
        id: String,
        /// What changed.
        what: String,
        /// What it was.
        then: String,
        /// What it is.
        now: String,
    },
    /// Another program played some of the run, and this one asks for other games or plays otherwise.
    #[error(
        "game {number} of run '{id}' was played by warroom {then}, and this program differs: {what}. \
         Go on with that program, or use --as-new to start a new run"
    )]
    Differs {
        /// The run.
        id: String,
        /// The program that played it.
        then: String,
        /// The game.
        number: u64,
        /// What is different.
        what: String,
    },
    /// A machine that played some of the run plays otherwise than others.
    #[error(
        "run '{id}' holds {games} games of the machine '{host}', which does not play as others do: {what}. \
         Games are never taken out of a run: `warroom runs {check} {id}` looks at all of them, and allows \
         to go on if none is wrong; --without-host {host} starts a new run with the games of all others, --as-new \
         one with none"
    )]
    Untrue {
        /// The run.
        id: String,
        /// The machine.
        host: String,
        /// How many games it played.
        games: u64,
        /// How that is known.
        what: String,
        /// What looks at all games: those that do not repeat are not played again.
        check: &'static str,
    },
    /// A machine that played nothing of a run.
    #[error("--without-host {host}: {there}")]
    NoHost {
        /// The machine.
        host: String,
        /// What is there.
        there: String,
    },
    /// The number of games of a match is not a positive even number.
    #[error("--games {0}: expected a positive even number, because every start is played twice")]
    Games(u64),
    /// That of a dealt game is not a positive multiple of four.
    #[error(
        "--games {0}: expected a positive multiple of four, because every deal is played by both \
         agents at both seats, with either seat first"
    )]
    DealtGames(u64),
    /// What is stored of the experiment is of another form.
    #[error("the manifest of run '{id}' cannot be read: {reason}")]
    Manifest {
        /// The run.
        id: String,
        /// Why.
        reason: String,
    },
    /// A stored game.
    #[error("run '{id}', game {number}: {reason}")]
    Record {
        /// The run.
        id: String,
        /// The game.
        number: u64,
        /// What is wrong.
        reason: String,
    },
    /// A start position or agent.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Some games end whoever plays them; all others are stored.
    #[error(
        "game {number}: {what}; it is left out{}, and the same command tries it again",
        others(*.more)
    )]
    LeftOut {
        /// The first of them.
        number: u64,
        /// What happens.
        what: String,
        /// How many others there are.
        more: usize,
    },
    /// A shard of what has none.
    #[error(transparent)]
    Shard(#[from] ShardError),
    /// Those who play do not do it for who asked so.
    #[error(transparent)]
    Unwilling(Box<dyn std::error::Error + Send + Sync>),
    /// Those who play cannot.
    #[error(transparent)]
    Players(Box<dyn std::error::Error + Send + Sync>),
    /// A game could not be played here and now; nothing of it is stored.
    #[error("game {number}: {fault}; it is not stored, and the same command goes on with it")]
    Machine {
        /// The game.
        number: u64,
        /// What failed.
        fault: MachineFault,
    },
}

fn others(more: usize) -> String {
    if more == 0 { String::new() } else { format!(", and so are {more} others") }
}

impl RunError {
    /// Whether the machine is to blame, not what was asked.
    #[must_use]
    pub fn is_machine_fault(&self) -> bool {
        match self {
            Self::Machine { .. } | Self::LeftOut { .. } | Self::Players(_) => true,
            Self::Store(error) => error.is_machine_fault(),
            _ => false,
        }
    }
}

/// How playing ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Every game that the experiment needs is there.
    Finished,
    /// Somebody asked to stop.
    Interrupted,
}

/// What a run of this experiment rests on.
#[must_use]
pub fn manifest(experiment: &Experiment, host: &Host) -> Manifest {
    Manifest {
        schema: MANIFEST_SCHEMA.into(),
        name: experiment.spec.name.clone(),
        game: experiment.spec.game.clone(),
        spec: serde_json::to_value(&experiment.spec).expect("a spec is plain data"),
        spec_hash: experiment.hash(),
        version: host.program.clone(),
        rules: experiment.spec.rules(),
        data: experiment.data.clone(),
        cpu: host.cpu.clone(),
        repeatable: experiment.repeatable(),
        games: experiment.spec.total_games(),
    }
}

/// The run of an experiment that would be taken up, if there is one: rather one that this program
/// began, otherwise the last. A run is taken up only with the rules and data that it began with.
pub fn find_run(store: &Store, manifest: &Manifest) -> Result<Option<Run>, RunError> {
    let before = store.runs_of_spec(&manifest.spec_hash)?;
    let fits = |run: &&Run| check_unchanged(run, manifest).is_ok();
    let own = |run: &&Run| run.manifest.version == manifest.version;
    let newest = || before.iter().rev();
    match newest().filter(fits).find(own).or_else(|| newest().find(fits)) {
        Some(run) => Ok(Some(run.clone())),
        None => before.last().map_or(Ok(()), |last| check_unchanged(last, manifest)).map(|()| None),
    }
}

/// A finished run of an experiment with the same rules and data, whatever program played it: nothing
/// is added to it, so nothing is mixed.
pub fn finished_run(store: &Store, manifest: &Manifest) -> Result<Option<Run>, RunError> {
    for run in store.runs_of_spec(&manifest.spec_hash)?.into_iter().rev() {
        let complete = store.count(&run)? == run.manifest.games;
        if complete && check_unchanged(&run, manifest).is_ok() {
            return Ok(Some(run));
        }
    }
    Ok(None)
}

/// The name of a run of an experiment by its number among them.
fn name_of(manifest: &Manifest, number: u64) -> String {
    let hash = short_hash(format!(
        "{}/{}/{}/{:?}/{number}",
        manifest.spec_hash, manifest.version, manifest.rules, manifest.data
    ));
    format!("{}-{}", manifest.name, &hash[..8])
}

/// A run that is surely new.
fn another(store: &Store, manifest: &Manifest) -> Result<Run, RunError> {
    Ok(store.create_another(&|number| name_of(manifest, number), manifest)?)
}

/// The run of an experiment: the one begun before, or a new one; `as_new` begins another one
/// whatever there is.
pub fn open_run(store: &Store, manifest: &Manifest, as_new: bool) -> Result<Run, RunError> {
    if as_new {
        return another(store, manifest);
    }
    if let Some(run) = find_run(store, manifest)? {
        return Ok(run);
    }
    // Two programs that begin it at the same moment mean the same run.
    let run = store.create(&name_of(manifest, 0), manifest)?;
    if let Some(other) = other_length(store, &run)? {
        store.copy_games(&other, &run, manifest.games, None)?;
    }
    Ok(run)
}

/// The run of the same experiment with another number of games that has the most of them. The
/// schedule of fewer games is the beginning of that of more, so its games belong to both.
fn other_length(store: &Store, run: &Run) -> Result<Option<Run>, RunError> {
    let but_games = |manifest: &Manifest| {
        let spec = Spec::from_json(manifest.spec.clone()).ok()?;
        Some(Spec { games: 0, about: String::new(), ..spec })
    };
    let Some(wanted) = but_games(&run.manifest) else { return Ok(None) };
    let mut best = None;
    for other in store.runs()? {
        // Of one that holds games of a machine that is not believed nothing is taken over.
        let same = other.manifest.games != run.manifest.games
            && but_games(&other.manifest).as_ref() == Some(&wanted)
            && check_unchanged(&other, &run.manifest).is_ok()
            && check_true(store, &other).is_ok();
        if same {
            let games = store.count(&other)?;
            if games > best.as_ref().map_or(0, |(most, _)| *most) {
                best = Some((games, other));
            }
        }
    }
    Ok(best.map(|(_, run)| run))
}

/// Refuses to mix games of different rules or data.
fn check_unchanged(run: &Run, now: &Manifest) -> Result<(), RunError> {
    let changed = |what: &str, then: &str, now: &str| RunError::Changed {
        id: run.id.clone(),
        what: what.to_owned(),
        then: then.to_owned(),
        now: now.to_owned(),
    };
    let then = &run.manifest;
    if then.rules != now.rules {
        return Err(changed("the rules", &then.rules, &now.rules));
    }
    let files: BTreeSet<&String> = then.data.keys().chain(now.data.keys()).collect();
    for file in files {
        let hash = |data: &BTreeMap<String, String>| {
            data.get(file).map_or_else(|| "(not read)".to_owned(), |hash| format!("(hash {hash})"))
        };
        let (then, now) = (hash(&then.data), hash(&now.data));
        if then != now {
            return Err(changed(&format!("the file '{file}'"), &then, &now));
        }
    }
    Ok(())
}

/// Plays what is missing of a run and stores every game when it ends; `progress` hears of it.
pub fn play_run(
    experiment: &Experiment,
    store: &Store,
    run: &Run,
    players: &dyn Players,
    stop: &StopToken,
    progress: &(dyn Fn(&GameRow) + Sync),
) -> Result<Ended, RunError> {
    let there = store.numbers(run)?;
    let (shard, together) = (players.shard(), experiment.games_per_start());
    if let Some(shard) = shard {
        shard.check(&experiment.spec)?;
    }
    let missing = |numbers: Range<u64>| -> Vec<u64> {
        let open = |&number: &u64| {
            shard.is_none_or(|shard| shard.holds(number, together))
                && there.binary_search(&number).is_err()
        };
        numbers.filter(open).collect()
    };
    let play = |numbers: Range<u64>, ahead: &[u64], tuning: Option<&Tuning>| {
        let wanted = Wanted { experiment, tuning, numbers: &missing(numbers), ahead };
        players.play(&wanted, stop, &|(row, record)| {
            store.add(run, &row, &record.to_json())?;
            progress(&row);
            Ok(())
        })
    };
    let games = experiment.spec.total_games();
    let mut finished = false;
    if experiment.spec.tune().is_some()
        && let Some(mut tuning) = experiment.tuning(&store.games(run)?)
    {
        let confirming = experiment.spec.tuning_games()..games;
        // Of those who confirm, some play whatever is found.
        let is_sure = |&number: &u64| experiment.spec.cell(experiment.place(number).cell).a != 0;
        let sure: Vec<u64> = missing(confirming.clone()).into_iter().filter(is_sure).collect();
        while let Some(batch) = tuning.pending().filter(|_| !stop.is_stopped()) {
            play(batch, &sure, Some(&tuning))?;
            tuning.hear(&store.games(run)?);
        }
        if !stop.is_stopped() {
            play(confirming, &[], Some(&tuning))?;
        }
    } else if let Some(test) = experiment.spec.sprt() {
        let mut played = 0;
        while !stop.is_stopped() && played < games && !finished {
            let batch = Sequential::next_batch(&test, games, played);
            played = batch.end;
            let next = Sequential::next_batch(&test, games, played);
            play(batch, &missing(next), None)?;
            let rows = played_rows(store, run)?;
            let so_far = rows.partition_point(|row| row.number < played);
            finished = is_finished(&experiment.spec, &rows[..so_far]);
        }
    } else {
        play(0..games, &[], None)?;
    }
    // A stop that came with the last game stopped nothing.
    let done = finished || store.count(run)? == games;
    Ok(if stop.is_stopped() && !done { Ended::Interrupted } else { Ended::Finished })
}

/// The games of a run, as far as they decide what it shows.
fn played_rows(store: &Store, run: &Run) -> Result<Vec<Played>, StoreError> {
    let mut rows = Vec::new();
    store.each_game(run, |row| -> Result<(), StoreError> {
        rows.push(Played::from(&row));
        Ok(())
    })?;
    Ok(rows)
}
