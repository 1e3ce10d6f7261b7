//! The coordinator of a run: whoever stores its games lets them be played elsewhere.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use async_nats::jetstream::Message;
use async_nats::jetstream::message::PublishMessage;
use gamecore::StopToken;
use lab::experiment::Experiment;
use lab::run::{Host, Known, Numbered, Players, RunError, Wanted};
use protocol::{Chunk, ChunkReport, Fault, GameOrder, PROTOCOL, RunDescription, RunNotice, pack};
use tokio::runtime::Runtime;
use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval, sleep};

use crate::Game;
use crate::access::{Access, Bus, ClusterError, RunKey, lock};
use crate::board::nonce;
use crate::desk::Desk;
use crate::joining::{Here, Trust};
use crate::player::Shipped;

/// Heartbeats after which a chunk that nobody speaks of is given to another worker.
pub(crate) const PATIENCE: u32 = 6;

/// Reports that wait to be stored.
pub(crate) const WAITING: usize = 16;

/// How often whoever asked is looked after.
const GLANCE: Duration = Duration::from_millis(100);

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

/// What comes to the coordinator.
pub(crate) enum Heard {
    /// From a worker.
    Report(Box<ChunkReport<Game>>, Box<Message>),
    /// A game that was played here.
    Game(Box<Game>),
    /// One that could not be.
    Fault(u64, String),
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
    /// The last revision of what every worker says, and when it was new.
    pub(crate) seen: Mutex<BTreeMap<String, (u64, Instant)>>,
    /// Games that the workers play at a time.
    pub(crate) players: AtomicUsize,
    pub(crate) stored: AtomicU64,
}

/// Plays a run on the workers of a NATS server.
pub struct Coordinator {
    runtime: Runtime,
    shared: Arc<Shared>,
    heard: tokio::sync::Mutex<mpsc::Receiver<Heard>>,
    here: mpsc::Sender<Here>,
    desk: Mutex<Desk>,
}

impl Coordinator {
    /// Becomes the only coordinator of a run of which so many games are there and these are known, and
    /// calls for workers.
    /// `host` names this machine.
    pub fn open(
        access: &Access,
        experiment: &Experiment,
        (run, there): (&str, u64),
        known: Vec<Known>,
        (host, name): (&Host, String),
        timing: Timing,
    ) -> Result<Self, ClusterError> {
        let failed = ClusterError::of("starting");
        let mut runtime = tokio::runtime::Builder::new_multi_thread();
        let runtime = runtime.worker_threads(2).enable_all().build();
        let runtime = runtime.map_err(|error| failed(&error))?;
        let files = experiment.files().clone();
        let hashes: BTreeMap<String, String> =
            files.iter().map(|(name, text)| (name.clone(), gamecore::short_hash(text))).collect();
        let programs = experiment.data.iter().filter(|(name, _)| !files.contains_key(*name));
        let description = RunDescription {
            spec: serde_json::to_value(&experiment.spec).map_err(|error| failed(&error))?,
            files: hashes,
            programs: programs.map(|(name, hash)| (name.clone(), hash.clone())).collect(),
            repeatable: experiment.repeatable(),
        };
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
        let shipped = Shipped { spec: description.spec.clone(), files: files.clone() };
        let (said, heard) = mpsc::channel(WAITING);
        let (here, orders) = mpsc::channel(WAITING);
        let shared = runtime.block_on(async {
            let shared = Arc::new(Shared {
                bus: Bus::connect(access).await?,
                key: RunKey::of(run),
                run: run.to_owned(),
                host: name,
                program: host.program.clone(),
                repeatable: description.repeatable,
                timing,
                trust: Mutex::new(Trust::new(known)),
                description,
                files,
                notice: Mutex::new(notice),
                alarm: Mutex::default(),
                seen: Mutex::default(),
                players: AtomicUsize::default(),
                stored: AtomicU64::new(there),
            });
            let before = shared.last_of_others().await?;
            // What others handed out is handed out anew.
            let _ = shared.bus.streams.delete_stream(shared.key.jobs()).await;
            let revision = shared.call(before).await?;
            shared.count_players().await;
            tokio::spawn(Arc::clone(&shared).stay(revision));
            tokio::spawn(Arc::clone(&shared).receive());
            tokio::spawn(Arc::clone(&shared).listen(said.clone()));
            tokio::spawn(Arc::clone(&shared).play_here(shipped, orders, said));
            Ok::<_, ClusterError>(shared)
        })?;
        Ok(Self { runtime, shared, heard: heard.into(), here, desk: Mutex::default() })
    }

    /// Games that the workers play at a time now.
    #[must_use]
    pub fn players(&self) -> usize {
        self.shared.players.load(Ordering::Relaxed)
    }

    /// Takes everything of the run from the server: nobody plays it any more.
    pub fn close(self) -> Result<(), ClusterError> {
        let Self { runtime, shared, .. } = self;
        // Without its heartbeat, which would call for workers again.
        lock(&shared.alarm).get_or_insert(ClusterError::TakenOver(String::new()));
        let done = runtime.block_on(shared.bus.remove(&shared.key));
        runtime.shutdown_background();
        done
    }

    async fn play_all(
        &self,
        wanted: &Wanted<'_>,
        stop: &StopToken,
        hear: &(dyn Fn(Numbered) -> Result<(), RunError> + Sync),
    ) -> Result<(), RunError> {
        let mut open: BTreeSet<u64> = wanted.numbers.iter().copied().collect();
        let tell = |game: Game| {
            self.shared.stored.fetch_add(1, Ordering::Relaxed);
            hear(game)
        };
        let kept = lock(&self.desk).ask(wanted.numbers, wanted.ahead);
        for game in kept {
            open.remove(&game.0.number);
            tell(game)?;
        }
        self.play_first_here(wanted)?;
        let mut left_out: Vec<(u64, String)> = Vec::new();
        let mut heard = self.heard.lock().await;
        let mut glance = interval(GLANCE);
        glance.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut news = Instant::now();
        while !open.is_empty() && !stop.is_stopped() {
            if let Some(alarm) = lock(&self.shared.alarm).take() {
                return Err(alarm.into());
            }
            self.hand_out(wanted).await?;
            let what = tokio::select! {
                what = heard.recv() => what,
                _ = glance.tick() => None,
            };
            let (games, faults, message) = match what {
                None => {
                    if news.elapsed() > PATIENCE * self.shared.timing.heartbeat {
                        self.look_for_lost().await;
                        news = Instant::now();
                    }
                    continue;
                }
                Some(Heard::Game(game)) => (vec![*game], Vec::new(), None),
                Some(Heard::Fault(number, what)) => {
                    (Vec::new(), vec![Fault { numbers: vec![number], what }], None)
                }
                Some(Heard::Report(report, message)) => {
                    let (games, faults) = self.believe(*report, wanted);
                    (games, faults, Some(message))
                }
            };
            news = Instant::now();
            for game in games {
                let number = game.0.number;
                let is_asked = open.contains(&number);
                let news = lock(&self.desk).hear(game, is_asked);
                if let Some(game) = news {
                    tell(game)?;
                    open.remove(&number);
                }
            }
            for fault in faults {
                let given_up = lock(&self.desk).fail(fault);
                left_out.extend(given_up.into_iter().filter(|(number, _)| open.remove(number)));
            }
            if let Some(message) = message {
                // If that is not heard, the report comes again, and is no news.
                let _ = message.ack().await;
            }
        }
        left_out.sort();
        match left_out.first() {
            Some((number, what)) if !stop.is_stopped() => {
                let (number, what, more) = (*number, what.clone(), left_out.len() - 1);
                Err(RunError::LeftOut { number, what, more })
            }
            _ => Ok(()),
        }
    }

    /// Plays some games here where none is known that others could prove themselves with.
    fn play_first_here(&self, wanted: &Wanted<'_>) -> Result<(), RunError> {
        let shared = &self.shared;
        let numbers = wanted.numbers;
        if !shared.repeatable || numbers.is_empty() || !lock(&shared.trust).is_empty() {
            return Ok(());
        }
        let apart: BTreeSet<u64> =
            [0, numbers.len() / 2, numbers.len() - 1].map(|place| numbers[place]).into();
        let mut orders = Vec::new();
        for number in apart {
            if lock(&self.desk).take(number) {
                orders.push(GameOrder { number, keys: wanted.keys(number)? });
            }
        }
        // Where they are under way already, nothing is to be done.
        let _ = self.here.try_send(Here::First(orders));
        Ok(())
    }

    /// What a report says, as far as its worker is believed; some of it is played again.
    fn believe(&self, report: ChunkReport<Game>, wanted: &Wanted<'_>) -> (Vec<Game>, Vec<Fault>) {
        let ChunkReport { worker, seconds, games, faults, .. } = report;
        let mut trust = lock(&self.shared.trust);
        if trust.is_refused(&worker) {
            let failed = faults.into_iter().flat_map(|fault| fault.numbers);
            let numbers = games.iter().map(|(row, _)| row.number).chain(failed);
            lock(&self.desk).give_back(numbers);
            return (Vec::new(), Vec::new());
        }
        for (row, record) in &games {
            if trust.is_audited(&worker, row.number)
                && let Ok(keys) = wanted.keys(row.number)
            {
                // Where others wait for the same, one less is played again.
                let (worker, game) = (worker.clone(), Box::new((row.clone(), record.clone())));
                let _ = self.here.try_send(Here::Again { worker, game, keys });
            }
        }
        lock(&self.desk).note_pace(games.len(), seconds);
        (games, faults)
    }

    /// Fills the queue of chunks.
    async fn hand_out(&self, wanted: &Wanted<'_>) -> Result<(), RunError> {
        let Shared { bus, key, timing, .. } = &*self.shared;
        let together = wanted.experiment.games_per_start();
        loop {
            let players = self.players();
            let numbers = lock(&self.desk).next(timing.chunk, players, together);
            let [first, ..] = numbers[..] else { return Ok(()) };
            let order = |&number: &u64| Ok(GameOrder { number, keys: wanted.keys(number)? });
            let games = numbers.iter().map(order).collect::<Result<_, RunError>>()?;
            let id = format!("{first}-{}", nonce()?);
            let message = PublishMessage::build()
                .payload(pack(&Chunk { id: id.clone(), games }).into())
                .message_id(id);
            let sent = match bus.streams.send_publish(key.job_subject(), message).await {
                Ok(sent) => sent.await.is_ok(),
                Err(_) => false,
            };
            if !sent {
                // A server that is away, or has lost what it had.
                lock(&self.desk).give_back(numbers.into_iter().rev());
                sleep(PAUSE).await;
                let _ = bus.make_queues(key, PATIENCE * timing.heartbeat).await;
                return Ok(());
            }
        }
    }

    /// Hands out again what lies nowhere: finished is what is here, not what is gone from a queue.
    async fn look_for_lost(&self) {
        let Shared { bus, key, .. } = &*self.shared;
        if !lock(&self.desk).is_waiting() {
            return;
        }
        for name in [key.jobs(), key.reports()] {
            match bus.streams.get_stream(name).await {
                Ok(stream) if stream.cached_info().state.messages == 0 => {}
                // Somebody has it, or nobody can say.
                _ => return,
            }
        }
        lock(&self.desk).all_lost();
    }
}

impl Players for Coordinator {
    fn play(
        &self,
        wanted: &Wanted<'_>,
        stop: &StopToken,
        hear: &(dyn Fn(Numbered) -> Result<(), RunError> + Sync),
    ) -> Result<(), RunError> {
        self.runtime.block_on(self.play_all(wanted, stop, hear))
    }

    fn program(&self) -> &str {
        &self.shared.program
    }

    fn at_once(&self) -> usize {
        self.players()
    }
}
