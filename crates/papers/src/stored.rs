//! Experiments of papers as stored runs: they are taken up where they stopped, and `runs` and
//! `report` know them like any other.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use arena::WallClock;
use gamecore::{Clock, StopToken};
use lab::experiment::{Experiment, ExperimentError, Spec, read_experiment};
use lab::grouped;
use lab::run::{
    Ended, Host, News, RunError, Summary, Threads, calibrate, find_run, finished_run, manifest,
    open_run, summarise, take_up,
};
use registry::SpecError;
use serde::{Serialize, Serializer};
use serde_json::Value;
use store::{GameRow, Run, Store, StoreError};

use super::{Finished, GAMES, Stage};

/// Games of each run are tried for so long to say how long all of them take.
const CALIBRATION: Duration = Duration::from_secs(1);

/// Why an experiment of a paper cannot be done.
#[derive(Debug, thiserror::Error)]
pub enum PaperError {
    /// Its spec.
    #[error(transparent)]
    Experiment(#[from] ExperimentError),
    /// A run of it.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A position or agent.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Games do not count, so that results would rest on fewer than they say.
    #[error(
        "run '{run}': {games} games are void, the first because: {reason}. `warroom runs show \
         {run}` lists them; use --as-new to play everything again"
    )]
    Void {
        /// The run.
        run: String,
        /// How many.
        games: usize,
        /// What went wrong with the first of them.
        reason: String,
    },
}

/// Where experiments are played.
pub struct Bench<'a> {
    /// The database.
    pub store: &'a Store,
    /// Begins new runs, whatever there is.
    pub as_new: bool,
    /// Threads to use.
    pub threads: usize,
    /// Ends it.
    pub stop: &'a StopToken,
    /// Who plays.
    pub host: &'a Host,
    /// Hears how far it is.
    pub progress: &'a (dyn Fn(Stage) + Sync),
}

/// A run that an experiment of a paper needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planned {
    /// What it is for, as progress is told.
    pub what: &'static str,
    /// The text of an experiment file.
    pub text: String,
}

impl PaperError {
    /// Whether the machine failed, not what was asked.
    #[must_use]
    pub fn is_machine_fault(&self) -> bool {
        match self {
            Self::Run(error) => error.is_machine_fault(),
            Self::Store(error) => error.is_machine_fault(),
            _ => false,
        }
    }
}

impl Planned {
    /// The text of an experiment with some fields changed, those of its tables one by one.
    pub(crate) fn changed(what: &'static str, mut fields: toml::Table, changes: Value) -> Self {
        for (key, value) in toml::Table::try_from(changes).expect("plain data") {
            match (fields.get_mut(&key), value) {
                (Some(toml::Value::Table(own)), toml::Value::Table(more)) => own.extend(more),
                (_, value) => drop(fields.insert(key, value)),
            }
        }
        Self { what, text: toml::to_string(&fields).expect("a table is plain data") }
    }

    fn experiment(&self) -> Result<Experiment, ExperimentError> {
        let no_file = |path: &str| Err(std::io::Error::other(format!("no file '{path}'")));
        read_experiment(&GAMES, self.what, &self.text, &no_file)
    }
}

/// A finished run.
#[derive(Debug, Serialize)]
pub struct Stored {
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
    /// Plays what is missing of all of them; `None` if it was stopped.
    pub fn play_all(&self, planned: &[Planned]) -> Finished<Vec<Stored>> {
        planned
            .iter()
            .map(|planned| self.play(planned).transpose())
            .collect::<Option<_>>()
            .transpose()
    }

    /// Plays what is missing of an experiment; `None` if it was stopped.
    fn play(&self, planned: &Planned) -> Finished<Stored> {
        if self.stop.is_stopped() {
            return Ok(None);
        }
        let what = planned.what;
        let experiment = planned.experiment()?;
        let manifest = manifest(&experiment, self.host);
        let finished = if self.as_new { None } else { finished_run(self.store, &manifest)? };
        let run = match finished {
            Some(run) => run,
            None => open_run(self.store, &manifest, self.as_new)?,
        };
        let total = experiment.spec.total_games();
        let before = self.store.count(&run)?;
        let done = AtomicU64::new(before);
        let tell = |done| (self.progress)(Stage { what, done, total });
        let hear = |news: News<'_>| match news {
            News::Begins(there) => tell(there),
            News::Known(_) | News::Waits(_) => {}
            News::Played(_) => tell(done.fetch_add(1, Ordering::Relaxed) + 1),
        };
        let players = Threads { program: self.host.program.clone(), ..Threads::new(self.threads) };
        let ended = take_up(&experiment, self.store, &run, &players, self.stop, &hear)?;
        if ended == Ended::Interrupted {
            return Ok(None);
        }
        let rows = self.store.games(&run)?;
        let summary = summarise(&experiment.spec, &rows);
        if let Some(first) = summary.void.first() {
            let (games, reason) = (summary.void.len(), first.reason.to_string());
            return Err(PaperError::Void { run: run.id, games, reason });
        }
        Ok(Some(Stored { run, spec: experiment.spec, rows, summary, before }))
    }
}

impl Stored {
    /// The run and the program that played it, for pages.
    pub(crate) fn origin(&self) -> String {
        format!("Run `{}`, played by warroom {}.", self.run.id, self.run.manifest.version)
    }

    /// The games of one pairing.
    pub(crate) fn rows_of(&self, cell: usize) -> impl Iterator<Item = &GameRow> {
        self.rows.iter().filter(move |row| row.cell == cell as u64)
    }
}

/// What a clock measured.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct StudyTiming {
    /// Seconds of the whole experiment, or of what was missing of it.
    pub seconds: f64,
    /// Games that were there already when it began.
    pub games_before: u64,
}

impl StudyTiming {
    pub(crate) fn of<'a>(began: &WallClock, runs: impl Iterator<Item = &'a Stored>) -> Self {
        Self {
            seconds: began.now().as_secs_f64(),
            games_before: runs.map(|stored| stored.before).sum(),
        }
    }

    /// How long it took, as far as that is known.
    pub(crate) fn words(&self) -> String {
        match self.games_before {
            0 => format!("in {:.0} s", self.seconds),
            before => format!("using {} games played before", grouped(before)),
        }
    }
}

/// What is missing of an experiment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate {
    /// Runs, those that are finished included.
    pub runs: usize,
    /// Games that are there already.
    pub games_before: u64,
    /// Games that are missing.
    pub games: u64,
    /// Seconds that they will take, about.
    pub seconds: f64,
}

/// How much of these runs is missing in a database and how long it will take, by a few games of
/// each, which are not kept. Without a database everything is missing.
pub fn estimate(
    store: Option<&Store>,
    host: &Host,
    planned: &[Planned],
    threads: usize,
    stop: &StopToken,
    progress: &(dyn Fn(Stage) + Sync),
) -> Result<Estimate, PaperError> {
    let total = planned.len() as u64;
    let mut found = Estimate { runs: planned.len(), ..Estimate::default() };
    for (done, planned) in (0..).zip(planned) {
        progress(Stage { what: "calibration", done, total });
        let experiment = planned.experiment()?;
        let games = experiment.spec.total_games();
        let before = match store {
            Some(store) => {
                let manifest = manifest(&experiment, host);
                // A finished run counts whatever version played it, as when it is played.
                let run = match finished_run(store, &manifest)? {
                    Some(run) => Some(run),
                    None => find_run(store, &manifest)?,
                };
                run.map_or(Ok(0), |run| store.count(&run))?
            }
            None => 0,
        };
        let missing = games - before.min(games);
        found.games_before += before;
        found.games += missing;
        if missing > 0 && !stop.is_stopped() {
            let all = calibrate(&experiment, threads, None, CALIBRATION, stop)?.estimated_seconds;
            found.seconds += all * missing as f64 / games as f64;
        }
    }
    Ok(found)
}
