//! The coordinator of a run: whoever stores its games lets them be played elsewhere.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use async_nats::jetstream::Message;
use gamecore::StopToken;
use lab::experiment::Experiment;
use lab::run::{Draw, Host, Known, Numbered, Players, RunError, Wanted};
use protocol::{ChunkReport, PROTOCOL, RunDescription, RunNotice};
use registry::Registry;
use tokio::runtime::Runtime;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::Game;
use crate::access::{Access, Bus, RunKey, lock};
use crate::board::{FOR_NOW, nonce};
use crate::conduct::conducts;
use crate::desk::Desk;
use crate::error::ClusterError;
use crate::here::{Again, Checks, Here};
use crate::joining::Trust;
use crate::player::Shipped;
use crate::playing::Waiting;

/// Heartbeats after which a chunk that nobody speaks of is given to another worker.
pub(crate) const PATIENCE: u32 = 6;

/// Reports that wait to be stored.
pub(crate) const WAITING: usize = 16;

/// How often whoever asked is looked after.
pub(crate) const GLANCE: Duration = Duration::from_millis(100);

/// How long to wait after something went wrong, such as a server that is away.
pub(crate) const PAUSE: Duration = Duration::from_millis(500);

/// How long things take.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// The time between two signs of life.
    pub heartbeat: Duration,
    /// Seconds that a player is to take for a chunk.
    pub chunk: f64,
}

impl Timing {
    /// With this heartbeat; a chunk takes about as long.
    #[must_use]
    pub fn of(heartbeat: Duration) -> Self {
        Self { heartbeat, chunk: heartbeat.as_secs_f64() }
    }
}

/// Who hears what becomes of a run while it is played.
pub trait Listener: Sync {
    /// What it waits for, in words.
    fn waits(&self, words: &str);

    /// These games of others were played again, and are not to be any more.
    fn checked(&self, numbers: &[u64]) -> Result<(), RunError>;
}

/// What is there of a run.
#[derive(Default)]
pub struct Past {
    /// How many games.
    pub games: u64,
    /// Some of them, for workers to prove themselves with.
    pub known: Vec<Known>,
    /// Those of other machines that are to be played again and were not.
    pub owed: Vec<Known>,
}

/// What comes to the coordinator.
pub(crate) enum Heard {
    /// From a worker.
    Report(Box<ChunkReport<Game>>, Box<Message>),
    /// One of the first games, which was played here.
    First(Box<Game>),
    /// One of them that could not be.
    NoFirst(u64, String),
}

/// Who is there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Census {
    /// Workers.
    pub(crate) workers: usize,
    /// Those that may yet play this run: all but those that are refused for good.
    pub(crate) able: usize,
    /// Those that do not, and why.
    pub(crate) unable: BTreeMap<String, String>,
}

impl Census {
    /// Counts a worker, which says why it does not play the run, if it does not. Whether it plays now.
    pub(crate) fn count(&mut self, worker: &str, refused: Option<&str>) -> bool {
        self.workers += 1;
        let reason = refused.unwrap_or_default();
        self.able += usize::from(reason.is_empty() || reason.starts_with(FOR_NOW));
        if !reason.is_empty() {
            self.unable.insert(worker.to_owned(), reason.to_owned());
        }
        reason.is_empty()
    }
}

/// What the tasks of a coordinator share.
pub(crate) struct Shared {
    pub(crate) bus: Bus,
    pub(crate) key: RunKey,
    pub(crate) run: String,
    pub(crate) host: String,
    pub(crate) program: String,
    pub(crate) repeatable: bool,
    pub(crate) timing: Timing,
    pub(crate) trust: Mutex<Trust>,
    pub(crate) description: RunDescription,
    pub(crate) files: BTreeMap<String, String>,
    pub(crate) notice: Mutex<RunNotice>,
    /// Why the run cannot go on.
    pub(crate) alarm: Mutex<Option<ClusterError>>,
    /// Why the server did not keep what it was sent last, if it did not.
    pub(crate) trouble: Mutex<Option<String>>,
    /// The revision of our last word.
    pub(crate) revision: AtomicU64,
    pub(crate) checks: Mutex<Checks>,
    /// Games that other workers play again now, by the name of their chunk.
    pub(crate) lent: Mutex<BTreeMap<String, Again>>,
    pub(crate) census: Mutex<Census>,
    /// The last revision of what every worker says, and when it was new.
    pub(crate) seen: Mutex<BTreeMap<String, (u64, Instant)>>,
    /// Games that the workers play at a time.
    pub(crate) players: AtomicUsize,
    pub(crate) stored: AtomicU64,
}

/// Plays a run on the workers of a NATS server.
pub struct Coordinator<'a> {
    runtime: Runtime,
    pub(crate) shared: Arc<Shared>,
    pub(crate) heard: tokio::sync::Mutex<mpsc::Receiver<Heard>>,
    pub(crate) here: mpsc::UnboundedSender<Here>,
    pub(crate) desk: Mutex<Desk>,
    /// First games that are played here now, and how many could not be.
    pub(crate) first: Mutex<(usize, usize)>,
    pub(crate) waiting: Mutex<Waiting>,
    pub(crate) listener: &'a dyn Listener,
    /// When it was told last what was checked.
    noted: Mutex<Instant>,
    staying: JoinHandle<()>,
}

/// What workers must know of a run.
fn described(experiment: &Experiment) -> Result<RunDescription, ClusterError> {
    let failed = ClusterError::of("describing the run");
    let files = experiment.files();
    let hashes = files.iter().map(|(name, text)| (name.clone(), gamecore::short_hash(text)));
    let programs = experiment.data.iter().filter(|(name, _)| !files.contains_key(*name));
    Ok(RunDescription {
        spec: serde_json::to_value(&experiment.spec).map_err(|error| failed(&error))?,
        files: hashes.collect(),
        programs: programs.map(|(name, hash)| (name.clone(), hash.clone())).collect(),
        repeatable: experiment.repeatable(),
        conducts: conducts(experiment).map_err(|error| failed(&error))?,
    })
}

impl<'a> Coordinator<'a> {
    /// Becomes the only coordinator of a run, and calls for workers. `host` names this machine.
    pub fn open(
        access: &Access,
        (games, experiment): (&Registry, &Experiment),
        (run, past): (&str, Past),
        (host, name): (&Host, String),
        timing: Timing,
        listener: &'a dyn Listener,
    ) -> Result<Self, ClusterError> {
        let failed = ClusterError::of("starting");
        let Past { games: there, known, owed } = past;
        let mut runtime = tokio::runtime::Builder::new_multi_thread();
        let runtime = runtime.worker_threads(2).enable_all().build();
        let runtime = runtime.map_err(|error| failed(&error))?;
        let files = experiment.files().clone();
        let description = described(experiment)?;
        let notice = RunNotice {
            protocol: PROTOCOL,
            run: run.to_owned(),
            host: name.clone(),
            process: std::process::id(),
            nonce: nonce()?,
            beat: 0,
            heartbeat: timing.heartbeat.as_millis() as u64,
            description: String::new(),
            stored: there,
            planned: experiment.spec.total_games(),
        };
        let (games, spec) = (games.clone(), description.spec.clone());
        let shipped = Shipped { games, spec, files: files.clone() };
        let (said, heard) = mpsc::channel(WAITING);
        let (here, orders) = mpsc::unbounded_channel();
        let (shared, staying) = runtime.block_on(async {
            let shared = Arc::new(Shared {
                bus: Bus::connect(access).await?,
                key: RunKey::of(run),
                run: run.to_owned(),
                host: name,
                program: host.program.clone(),
                repeatable: description.repeatable,
                timing,
                trust: Mutex::new(Trust::new(known, Draw::of(run))),
                description,
                files,
                notice: Mutex::new(notice),
                alarm: Mutex::default(),
                trouble: Mutex::default(),
                revision: AtomicU64::default(),
                checks: Mutex::default(),
                lent: Mutex::default(),
                census: Mutex::default(),
                seen: Mutex::default(),
                players: AtomicUsize::default(),
                stored: AtomicU64::new(there),
            });
            let before = shared.last_of_others(listener).await?;
            // Nothing of others is touched before the run is ours.
            shared.announce(before).await?;
            shared.remember_refused().await?;
            // What others handed out is handed out anew.
            let _ = shared.bus.streams.delete_stream(shared.key.jobs()).await;
            shared.make_queues().await?;
            shared.count_players().await;
            let staying = tokio::spawn(Arc::clone(&shared).stay());
            tokio::spawn(Arc::clone(&shared).renew());
            tokio::spawn(Arc::clone(&shared).keep_counting());
            tokio::spawn(Arc::clone(&shared).receive());
            tokio::spawn(Arc::clone(&shared).listen(said.clone()));
            tokio::spawn(Arc::clone(&shared).play_here(shipped, orders, said));
            Ok::<_, ClusterError>((shared, staying))
        })?;
        for (row, record, keys) in owed {
            let worker = row.host.clone().unwrap_or_default();
            shared.owe(&here, Again { worker, game: Box::new((row, record)), keys });
        }
        Ok(Self {
            runtime,
            shared,
            heard: heard.into(),
            here,
            desk: Mutex::default(),
            first: Mutex::default(),
            waiting: Mutex::default(),
            listener,
            noted: Mutex::new(Instant::now()),
            staying,
        })
    }

    /// Games that the workers play at a time now.
    #[must_use]
    pub fn players(&self) -> usize {
        self.shared.players.load(Ordering::Relaxed)
    }

    /// Machines that played games of the run otherwise than they come out, and how that is known.
    #[must_use]
    pub fn untrue(&self) -> BTreeMap<String, String> {
        lock(&self.shared.trust).untrue()
    }

    /// Tells which games of workers were played again since that was told last.
    pub fn tell_checked(&self) -> Result<(), RunError> {
        let fresh = lock(&self.shared.checks).take_fresh();
        if fresh.is_empty() { Ok(()) } else { self.listener.checked(&fresh) }
    }

    /// The same now and then.
    pub(crate) fn tell_checked_sometimes(&self) -> Result<(), RunError> {
        let mut noted = lock(&self.noted);
        if noted.elapsed() < PATIENCE * self.shared.timing.heartbeat {
            return Ok(());
        }
        *noted = Instant::now();
        self.tell_checked()
    }

    /// How many games of workers were played again, in words; nothing if none was to be.
    #[must_use]
    pub fn checked(&self) -> Option<String> {
        lock(&self.shared.checks).words()
    }

    /// Takes everything of the run from the server: nobody plays it any more.
    pub fn close(self) -> Result<(), ClusterError> {
        let Self { runtime, shared, staying, .. } = self;
        let done = runtime.block_on(async {
            // Its heartbeat would call for workers again.
            staying.abort();
            let _ = staying.await;
            shared.leave().await
        });
        runtime.shutdown_background();
        done
    }
}

impl Players for Coordinator<'_> {
    fn play(
        &self,
        wanted: &Wanted<'_>,
        stop: &StopToken,
        hear: &(dyn Fn(Numbered) -> Result<(), RunError> + Sync),
    ) -> Result<(), RunError> {
        self.runtime.block_on(self.play_all(wanted, stop, hear))
    }

    fn settle(&self, stop: &StopToken) -> Result<(), RunError> {
        self.runtime.block_on(self.await_checks(stop))
    }

    fn program(&self) -> &str {
        &self.shared.program
    }

    fn at_once(&self) -> usize {
        self.players()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_counts_until_it_is_refused_for_good() {
        let mut census = Census::default();
        let for_now = format!("{FOR_NOW}it cannot start a player");
        // One that was not asked yet, or is at another run, may come to it.
        let told =
            [("ann", None), ("bob", Some("")), ("cid", Some(&*for_now)), ("dan", Some("no"))];
        let playing = told.map(|(worker, refused)| census.count(worker, refused));
        assert_eq!(playing, [true, true, false, false]);
        assert_eq!((census.workers, census.able), (4, 3));
        assert_eq!(census.unable.into_keys().collect::<Vec<_>>(), ["cid", "dan"]);
    }
}
