//! Experiments of the lab in the app: one run is played at a time, on threads of its own that leave
//! one core to those who play, or on machines elsewhere; every game is in the database when it ends.

mod cards;
mod cluster;
mod compare;
mod examples;
mod follow;
mod handlers;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use gamecore::StopToken;
use lab::experiment::{Experiment, ExperimentError, read_experiment};
use lab::run::{
    Host, News, RunError, Standings, Threads, check_resumable, find_run, manifest, open_run,
    spec_of, take_up,
};
use registry::{Registry, SpecError};
use store::{GameRow, Run, Store, StoreError};

use crate::dto::{ExperimentCheck, ExperimentRequest, PlanCard, TextProblem};
use crate::error::Refusal;

pub use cluster::Cluster;
pub(crate) use handlers::*;

/// Letters of an experiment's name at most.
const LONGEST_NAME: usize = 60;

/// How often is looked whether a run that was told to stop has.
const STOPPING: Duration = Duration::from_millis(5);
/// How long a run whose games are all there may take to end.
const LONGEST_END: Duration = Duration::from_secs(5);
/// Games of an experiment that the app plays at most.
const MOST_GAMES: u64 = 1_000_000;
/// Pairings of it at most: every one is told to the page.
const MOST_PAIRINGS: usize = 5_000;

/// Runs, and the one that is played now.
pub(crate) struct Runs {
    known: Registry,
    /// A connection of its own: a long look at results must not hold up games.
    store: Arc<Store>,
    threads: usize,
    host: Host,
    /// Those who play runs, if not threads of this program.
    cluster: Option<Arc<dyn Cluster>>,
    playing: Mutex<Option<Playing>>,
    /// The server stops: nothing is begun any more.
    closed: AtomicBool,
    /// What went wrong with runs that were played here, by their ids.
    failed: Arc<Mutex<BTreeMap<String, String>>>,
}

/// The run that is played.
struct Playing {
    id: String,
    stop: StopToken,
    pace: Arc<Pace>,
    thread: JoinHandle<()>,
}

/// How playing goes.
struct Pace {
    began: Instant,
    seen: Mutex<(u64, Standings)>,
}

impl Pace {
    fn seen(&self) -> MutexGuard<'_, (u64, Standings)> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Games a second since it began.
    fn games_per_second(&self) -> f64 {
        self.seen().0 as f64 / self.began.elapsed().as_secs_f64().max(0.001)
    }
}

impl Runs {
    /// Runs in this database; of so many cores one is left to those who play.
    pub(crate) fn new(
        known: Registry,
        database: &Path,
        cores: usize,
        host: Host,
        cluster: Option<Arc<dyn Cluster>>,
    ) -> Result<Self, StoreError> {
        Ok(Self {
            known,
            store: Arc::new(Store::open(database)?),
            threads: cores.saturating_sub(1).max(1),
            host,
            cluster,
            playing: Mutex::default(),
            closed: AtomicBool::new(false),
            failed: Arc::default(),
        })
    }

    fn playing(&self) -> MutexGuard<'_, Option<Playing>> {
        self.playing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the run of this id is played here.
    fn is_playing(&self, id: &str) -> bool {
        self.playing().as_ref().is_some_and(|playing| playing.is(id))
    }

    fn pace(&self, id: &str) -> Option<Arc<Pace>> {
        self.playing().as_ref().filter(|playing| playing.is(id)).map(|playing| playing.pace.clone())
    }

    /// What went wrong when this run was played last, if something did.
    fn failure(&self, id: &str) -> Option<String> {
        let failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        failed.get(id).cloned()
    }

    fn run(&self, id: &str) -> Result<Run, Refusal> {
        self.store.run_of_id(id)?.ok_or_else(|| Refusal::missing("run", id))
    }

    /// What a text would play.
    fn check(&self, asked: &ExperimentRequest) -> Result<ExperimentCheck, Refusal> {
        let experiment = match read(&self.known, asked) {
            Ok(experiment) => experiment,
            Err(problem) => return Ok(ExperimentCheck { problem: Some(problem), plan: None }),
        };
        let manifest = manifest(&experiment, &self.host);
        // A run with other rules or files is no obstacle to a new one, and cannot be taken up.
        let before = find_run(&self.store, &manifest).ok().flatten();
        let played = before.as_ref().map_or(Ok(0), |run| self.store.count(run))?;
        let spec = &experiment.spec;
        let plan = PlanCard {
            about: spec.about.clone(),
            game: spec.game.clone(),
            kind: cards::kind(spec),
            players: spec.players.iter().map(|player| player.name.clone()).collect(),
            pairings: spec.cells.len() as u32,
            games: spec.total_games(),
            repeatable: experiment.repeatable(),
            run: before.map(|run| run.id),
            played,
        };
        Ok(ExperimentCheck { problem: None, plan: Some(plan) })
    }

    /// Starts an experiment, or goes on with its run.
    fn start(&self, asked: &ExperimentRequest) -> Result<Run, Refusal> {
        let experiment = read(&self.known, asked).map_err(|problem| {
            let line = problem.line.map_or_else(String::new, |line| format!(" line {line}:"));
            Refusal::bad(format!("'{}':{line} {}", asked.name, problem.error))
        })?;
        let mut playing = self.free()?;
        let manifest = manifest(&experiment, &self.host);
        // Games by different rules or files do not belong together: they begin a new run.
        let changed = match find_run(&self.store, &manifest) {
            Ok(_) => false,
            Err(RunError::Changed { .. }) => true,
            Err(error) => return Err(cards::refused(error)),
        };
        let as_new = asked.as_new || changed;
        let run = open_run(&self.store, &manifest, as_new).map_err(cards::refused)?;
        self.play(&mut playing, experiment, run)
    }

    /// Goes on with a run.
    fn resume(&self, id: &str) -> Result<Run, Refusal> {
        let run = self.run(id)?;
        let experiment = self.resumable(&run)?;
        let mut playing = self.free()?;
        self.play(&mut playing, experiment, run)
    }

    /// The experiment of a run that this program can go on with.
    fn resumable(&self, run: &Run) -> Result<Experiment, Refusal> {
        let spec = spec_of(run).map_err(cards::refused)?;
        let experiment = Experiment::open(&self.known, spec, &no_files).map_err(|error| {
            Refusal::conflict(format!("run '{}' cannot be played here: {error}", run.id))
        })?;
        within_app(&experiment)
            .map_err(|reason| Refusal::conflict(format!("run '{}': {reason}", run.id)))?;
        check_resumable(run, &experiment).map_err(cards::refused)?;
        Ok(experiment)
    }

    /// The place of the run that is played, if nobody has it. A run whose games are all there only
    /// has to note that, and is waited for.
    fn free(&self) -> Result<MutexGuard<'_, Option<Playing>>, Refusal> {
        let began = Instant::now();
        loop {
            let playing = self.playing();
            if self.closed.load(Ordering::SeqCst) {
                return Err(Refusal::busy("the server is stopping"));
            }
            let busy = match &*playing {
                Some(busy) if !busy.thread.is_finished() => busy.id.clone(),
                _ => return Ok(playing),
            };
            drop(playing);
            let run = self.run(&busy)?;
            let ends = self.store.count(&run)? == run.manifest.games;
            if !ends || began.elapsed() > LONGEST_END {
                return Err(Refusal::conflict(format!(
                    "run '{busy}' is being played; stop it first or wait until it ends"
                )));
            }
            std::thread::sleep(STOPPING);
        }
    }

    fn play(
        &self,
        playing: &mut Option<Playing>,
        experiment: Experiment,
        run: Run,
    ) -> Result<Run, Refusal> {
        // Another program may play it; it is refused here rather than on the thread.
        drop(self.store.lock(&run.id)?);
        let stop = StopToken::default();
        let standings = Standings::new(&experiment.spec);
        let pace = Arc::new(Pace { began: Instant::now(), seen: Mutex::new((0, standings)) });
        let work = Work {
            store: self.store.clone(),
            run: run.clone(),
            threads: Threads { program: self.host.program.clone(), ..Threads::new(self.threads) },
            cluster: self.cluster.clone(),
            stop: stop.clone(),
            pace: pace.clone(),
        };
        let failed = self.failed.clone();
        failed.lock().unwrap_or_else(PoisonError::into_inner).remove(&run.id);
        let thread = std::thread::spawn(move || {
            let id = work.run.id.clone();
            if let Some(why) = work.play(&experiment) {
                failed.lock().unwrap_or_else(PoisonError::into_inner).insert(id, why);
            }
        });
        *playing = Some(Playing { id: run.id.clone(), stop, pace, thread });
        Ok(run)
    }

    /// Stops a run that is played here; every finished game is kept.
    fn stop(&self, id: &str) -> Result<Run, Refusal> {
        let run = self.run(id)?;
        // Not waited for under the lock: others want to know what is played.
        let stopped = self.playing().as_ref().filter(|playing| playing.is(id)).map(|playing| {
            playing.stop.stop();
            playing.pace.clone()
        });
        let Some(stopped) = stopped else {
            return Err(Refusal::conflict(format!("run '{id}' is not being played here")));
        };
        // Somebody may resume it at once; that is another playing.
        while self.pace(id).is_some_and(|pace| Arc::ptr_eq(&pace, &stopped)) {
            std::thread::sleep(STOPPING);
        }
        Ok(run)
    }

    /// Ends whatever is played.
    pub(crate) fn close(&self) {
        self.closed.store(true, Ordering::SeqCst);
        let playing = self.playing().take();
        if let Some(playing) = playing {
            playing.end();
        }
    }
}

impl Playing {
    fn is(&self, id: &str) -> bool {
        self.id == id && !self.thread.is_finished()
    }

    fn end(self) {
        self.stop.stop();
        // It catches its own panics.
        drop(self.thread.join());
    }
}

/// What the thread of a run works with.
struct Work {
    store: Arc<Store>,
    run: Run,
    threads: Threads,
    cluster: Option<Arc<dyn Cluster>>,
    stop: StopToken,
    pace: Arc<Pace>,
}

impl Work {
    /// Plays it; what went wrong, if something did.
    fn play(&self, experiment: &Experiment) -> Option<String> {
        let count = |row: &GameRow| self.pace.seen().1.count(&experiment.spec, row);
        let hear = |news: News<'_>| match news {
            News::Begins(_) | News::Waits(_) => {}
            News::Known(row) => count(row),
            News::Played(row) => {
                count(row);
                self.pace.seen().0 += 1;
            }
        };
        let play = || {
            let Self { store, run, threads, stop, .. } = self;
            match &self.cluster {
                Some(cluster) => cluster.take_up(experiment, (store, run), stop, &hear),
                None => take_up(experiment, store, run, threads, stop, &hear),
            }
        };
        match catch_unwind(AssertUnwindSafe(play)) {
            Ok(Ok(_)) => None,
            Ok(Err(error)) => Some(error.to_string()),
            Err(_) => Some("internal error; the games so far are saved".to_owned()),
        }
    }
}

/// The app reads no files and starts no programs for whoever asks over the network.
fn no_files(path: &str) -> std::io::Result<String> {
    let reason = format!("'{path}': the app reads no files; `warroom run` does");
    Err(std::io::Error::other(reason))
}

fn read(games: &Registry, asked: &ExperimentRequest) -> Result<Experiment, TextProblem> {
    let problem = |error: String| TextProblem { error, line: None };
    let name = asked.name.as_str();
    let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if name.is_empty() || name.len() > LONGEST_NAME || !plain {
        let shown: String = name.chars().take(LONGEST_NAME).collect();
        return Err(problem(format!(
            "the name '{shown}': expected 1 to {LONGEST_NAME} letters, digits and -"
        )));
    }
    let scale = asked.scale.unwrap_or(1.0);
    if !(scale > 0.0 && scale <= 1.0) {
        return Err(problem(format!("scale {scale}: expected a number above 0 and up to 1")));
    }
    let located = |error: &ExperimentError| TextProblem {
        error: error.message().to_owned(),
        line: error.line().map(|line| line as u32),
    };
    let experiment = read_experiment(games, &format!("{name}.toml"), &asked.text, &no_files)
        .map_err(|error| located(&error))?;
    let experiment = experiment.scaled(scale);
    within_app(&experiment).map_err(|error| problem(error.to_string()))?;
    Ok(experiment)
}

/// Refuses what nobody may make the app do.
fn within_app(experiment: &Experiment) -> Result<(), SpecError> {
    let games = experiment.spec.total_games();
    if games > MOST_GAMES {
        let reason = format!("{games} games: the app plays at most {MOST_GAMES}");
        return Err(SpecError::plain(reason));
    }
    let pairings = experiment.spec.cells.len();
    if pairings > MOST_PAIRINGS {
        let reason = format!("{pairings} pairings: the app plays at most {MOST_PAIRINGS}");
        return Err(SpecError::plain(reason));
    }
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    for agent in experiment.all_agents() {
        registry::within_caps(agent, threads)?;
    }
    Ok(())
}
