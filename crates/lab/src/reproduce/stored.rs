//! Experiments of papers as stored runs: they are taken up where they stopped, and `runs` and
//! `report` know them like any other.

use std::sync::atomic::{AtomicU64, Ordering};

use arena::GameRecord;
use gamecore::StopToken;
use registry::{AnyGame, SpecError};
use serde::{Serialize, Serializer};
use serde_json::Value;
use store::{GameRow, Run, Store, StoreError};

use super::Stage;
use crate::MatchError;
use crate::experiment::{ExperimentError, Spec, read_experiment};
use crate::run::{Ended, RunError, Summary, manifest, open_run, play_run, summarise};

/// Why an experiment of a paper cannot be done.
#[derive(Debug, thiserror::Error)]
pub enum ReproduceError {
    /// Its spec.
    #[error(transparent)]
    Experiment(#[from] ExperimentError),
    /// A run of it.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A match.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// A position or agent.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A stored game.
    #[error("run '{run}', game {game}: {reason}")]
    Record {
        /// The run.
        run: String,
        /// The number of the game.
        game: u64,
        /// What is wrong.
        reason: String,
    },
}

/// Where experiments are played.
pub struct Bench<'a> {
    /// The database.
    pub store: &'a Store,
    /// Threads to use.
    pub threads: usize,
    /// Ends it.
    pub stop: &'a StopToken,
    /// What the processor is called.
    pub cpu: &'a str,
    /// Hears how far it is.
    pub progress: &'a (dyn Fn(Stage) + Sync),
}

/// A finished run.
#[derive(Debug, Serialize)]
pub(crate) struct Stored {
    #[serde(serialize_with = "id_alone")]
    pub(crate) run: Run,
    #[serde(skip)]
    pub(crate) spec: Spec,
    #[serde(skip)]
    pub(crate) rows: Vec<GameRow>,
    pub(crate) summary: Summary,
    /// Games that were there already.
    #[serde(skip)]
    pub(crate) before: u64,
}

fn id_alone<S: Serializer>(run: &Run, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&run.id)
}

impl Bench<'_> {
    /// Plays what is missing of an experiment, given as the text of its file; `None` if it was
    /// stopped.
    pub(crate) fn play(
        &self,
        what: &'static str,
        text: &str,
    ) -> Result<Option<Stored>, ReproduceError> {
        let no_file = |path: &str| Err(format!("no file '{path}'"));
        let experiment = read_experiment(what, text, &no_file)?;
        let run = open_run(self.store, &manifest(&experiment, self.cpu), false)?;
        let _lock = self.store.lock(&run.id)?;
        let total = experiment.spec.total_games();
        let before = self.store.count(&run)?;
        let done = AtomicU64::new(before);
        let tell = |done| (self.progress)(Stage { what, done, total });
        tell(before);
        let ended = play_run(&experiment, self.store, &run, self.threads, self.stop, &|_| {
            tell(done.fetch_add(1, Ordering::Relaxed) + 1);
        })?;
        if ended == Ended::Interrupted {
            return Ok(None);
        }
        let rows = self.store.games(&run)?;
        let summary = summarise(&experiment.spec, &rows);
        Ok(Some(Stored { run, spec: experiment.spec, rows, summary, before }))
    }
}

/// What players did in the games of a run, if the game counts anything of its own.
pub fn behaviour_of(
    store: &Store,
    run: &Run,
    game: &dyn AnyGame,
    rows: &[GameRow],
) -> Result<Option<Value>, ReproduceError> {
    let empty = game.behaviour(&mut std::iter::empty())?;
    if empty.get(game.info().name).is_none() {
        return Ok(None);
    }
    let mut failed = None;
    // Void games have nothing to replay.
    let numbers = rows.iter().filter(|row| row.outcome != "void").map(|row| row.number);
    let mut records = numbers.map_while(|number| {
        let wrong =
            |reason: String| ReproduceError::Record { run: run.id.clone(), game: number, reason };
        let read = || -> Result<GameRecord, ReproduceError> {
            let text = store.record(run, number)?;
            GameRecord::from_json(&text).map_err(|error| wrong(error.to_string()))
        };
        read().map_err(|error| failed = Some(error)).ok()
    });
    let counted = game.behaviour(&mut records)?;
    drop(records);
    failed.map_or(Ok(Some(counted)), Err)
}
