//! A worker: takes chunks of whatever runs want them, and lets its players play them.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::consumer::pull::{Batch, BatchError};
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt as _;
use gamecore::StopToken;
use lab::experiment::Experiment;
use protocol::{
    Chunk, ChunkReport, Fault, JoinAnswer, JoinRequest, PROTOCOL, RunDescription, RunNotice, Work,
    WorkerNotice, pack, unpack,
};
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};

use crate::Game;
use crate::access::{Access, Bus, ClusterError, RunKey, lock};
use crate::board::{nonce, read, run_of, runs, write};
use crate::parts::parts;
use crate::player::{Player, PlayerFault, Shipped};

/// How often a chunk may be handed out before it is thought to end whoever plays it.
const MOST_DELIVERIES: i64 = 3;

/// How long to wait for a chunk before looking what else there is.
const LONG: Duration = Duration::from_secs(1);

/// How long to wait after something went wrong, such as a server that is away.
const PAUSE: Duration = Duration::from_millis(500);

/// Whether this worker plays an experiment with these programs from outside, or why not.
pub type Admission =
    dyn Fn(&Experiment, &BTreeMap<String, String>) -> Result<(), String> + Send + Sync;

/// What a worker is.
pub struct WorkerOptions {
    /// Games that it plays at a time.
    pub threads: usize,
    /// Bytes of memory that all of them may use together.
    pub memory: Option<u64>,
    /// The name of its machine.
    pub host: String,
    /// This program.
    pub program: String,
    /// What the machine calls its processor.
    pub cpu: String,
    /// The time between two signs of life.
    pub heartbeat: Duration,
    /// What it plays.
    pub admission: Box<Admission>,
}

/// Works until somebody asks to stop; `tell` hears what a person who looks wants to know.
pub fn work(
    access: &Access,
    options: WorkerOptions,
    stop: &StopToken,
    tell: &(dyn Fn(&str) + Sync),
) -> Result<(), ClusterError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| ClusterError::of("starting")(&error))?;
    let done = runtime.block_on(async {
        let bus = Bus::connect(access).await?;
        let id = format!("{}-{}", plain(&options.host), &nonce()?[..8]);
        tell(&format!("worker {id} is there, {} at a time", options.threads));
        let worker = Arc::new(Worker {
            bus,
            id,
            stop: stop.clone(),
            runs: Mutex::default(),
            admitted: Mutex::default(),
            done: Mutex::default(),
            games: AtomicU64::default(),
            options,
        });
        worker.look().await?;
        let mut slots = JoinSet::new();
        for _ in 0..worker.options.threads {
            slots.spawn(Arc::clone(&worker).play());
        }
        let mut others = JoinSet::new();
        others.spawn(Arc::clone(&worker).watch());
        others.spawn(Arc::clone(&worker).announce());
        let mut told = BTreeMap::new();
        while !stop.is_stopped() {
            sleep(LONG / 4).await;
            worker.say_news(&mut told, tell);
        }
        // Each gives back what it plays; not if the server is away.
        let _ = timeout(2 * LONG, slots.join_all()).await;
        others.shutdown().await;
        // Nobody waits for it any more.
        let _ = worker.bus.board.purge(worker.key()).await;
        let _ = worker.bus.client.flush().await;
        Ok(())
    });
    // Nothing that still runs is needed.
    runtime.shutdown_background();
    done
}

/// Letters that may stand in the name of a key.
fn plain(host: &str) -> String {
    host.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' }).collect()
}

/// Whether a run may be played here: its description, or why not.
#[derive(Clone)]
struct Admitted {
    /// The coordinator that was asked.
    nonce: String,
    by: Result<Arc<Shipped>, String>,
}

/// What was found out about a run; several slots that ask wait for one of them.
type Asked = Arc<tokio::sync::Mutex<Option<Admitted>>>;

struct Worker {
    bus: Bus,
    id: String,
    options: WorkerOptions,
    stop: StopToken,
    runs: Mutex<BTreeMap<RunKey, RunNotice>>,
    admitted: Mutex<BTreeMap<RunKey, Asked>>,
    /// What was done, by run.
    done: Mutex<BTreeMap<String, Work>>,
    games: AtomicU64,
}

impl Worker {
    fn key(&self) -> String {
        format!("worker.{}", self.id)
    }

    /// What there is to play now.
    async fn look(&self) -> Result<(), ClusterError> {
        let found = runs(&self.bus).await?;
        *lock(&self.runs) = found;
        Ok(())
    }

    /// Hears of runs that come and go.
    async fn watch(self: Arc<Self>) {
        loop {
            if let Ok(mut news) = self.bus.board.watch("run.>").await {
                // What came before the watch began.
                let _ = self.look().await;
                while let Some(Ok(entry)) = news.next().await {
                    let Some(key) = run_of(&entry) else { continue };
                    match unpack(&entry.value) {
                        Ok(notice) => lock(&self.runs).insert(key, notice),
                        Err(_) => lock(&self.runs).remove(&key),
                    };
                }
            }
            sleep(PAUSE).await;
        }
    }

    /// Says that it lives.
    async fn announce(self: Arc<Self>) {
        let mut beat = interval(self.options.heartbeat);
        beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut before = (Instant::now(), 0);
        let mut rate = 0.0;
        loop {
            beat.tick().await;
            let now = (Instant::now(), self.games.load(Ordering::Relaxed));
            let seconds = (now.0 - before.0).as_secs_f64();
            if seconds > 0.0 {
                // Chunks end one by one: what was of late counts for half.
                rate = f64::midpoint(rate, (now.1 - before.1) as f64 / seconds);
            }
            before = now;
            let WorkerOptions { threads, host, program, cpu, .. } = &self.options;
            let notice = WorkerNotice {
                protocol: PROTOCOL,
                host: host.clone(),
                process: std::process::id(),
                program: program.clone(),
                cpu: cpu.clone(),
                threads: *threads,
                heartbeat: self.options.heartbeat.as_millis() as u64,
                rate,
                runs: lock(&self.done).clone(),
            };
            // Somebody who is not heard is looked for again.
            let _ = write(&self.bus, &self.key(), &notice).await;
        }
    }

    /// Tells which runs are played or refused since it was asked last.
    fn say_news(&self, told: &mut BTreeMap<String, String>, tell: &(dyn Fn(&str) + Sync)) {
        for (run, work) in lock(&self.done).iter() {
            if told.get(run) != Some(&work.refused) {
                match work.refused.as_str() {
                    "" => tell(&format!("plays run {run}")),
                    reason => tell(&format!("does not play run {run}: {reason}")),
                }
                told.insert(run.clone(), work.refused.clone());
            }
        }
    }

    /// One slot: takes chunks and plays them.
    async fn play(self: Arc<Self>) {
        let mut queues: BTreeMap<RunKey, PullConsumer> = BTreeMap::new();
        let mut players: BTreeMap<RunKey, Player> = BTreeMap::new();
        let mut last: Option<RunKey> = None;
        while !self.stop.is_stopped() {
            let there = lock(&self.runs).clone();
            players.retain(|key, _| there.contains_key(key));
            queues.retain(|key, _| there.contains_key(key));
            let mut open = Vec::new();
            for (key, notice) in &there {
                if let Some(shipped) = self.admit(key, notice).await {
                    open.push((key.clone(), shipped));
                }
            }
            // Every run in its turn.
            let is_before = |(key, _): &(RunKey, _)| last.as_ref().is_some_and(|last| key <= last);
            let turn = open.partition_point(is_before);
            open.rotate_left(turn);
            match self.take(&open, &mut queues).await {
                Ok(Some((place, message))) => {
                    let (key, shipped) = &open[place];
                    last = Some(key.clone());
                    let player = players.remove(key);
                    let notice = &there[key];
                    if let Some(player) = self.answer(key, notice, shipped, player, message).await {
                        players.insert(key.clone(), player);
                    }
                }
                Ok(None) if open.is_empty() => sleep(PAUSE / 2).await,
                Ok(None) => {}
                Err(_) => {
                    // Whoever made the queue will make it again.
                    queues.clear();
                    sleep(PAUSE).await;
                }
            }
        }
    }

    /// A chunk of the first of these runs that has one.
    async fn take(
        &self,
        open: &[(RunKey, Arc<Shipped>)],
        queues: &mut BTreeMap<RunKey, PullConsumer>,
    ) -> Result<Option<(usize, Message)>, ClusterError> {
        for (place, (key, _)) in open.iter().enumerate() {
            if !queues.contains_key(key) {
                queues.insert(key.clone(), self.bus.queue(&key.jobs()).await?);
            }
            // All at a glance.
            if open.len() > 1
                && let Some(message) = first(queues[key].fetch().max_messages(1).messages()).await?
            {
                return Ok(Some((place, message)));
            }
        }
        let Some((key, _)) = open.first() else { return Ok(None) };
        let waiting = queues[key].batch().max_messages(1).expires(LONG).messages();
        Ok(first(waiting).await?.map(|message| (0, message)))
    }

    /// Whether a run may be played here; nothing if that is not known yet.
    async fn admit(&self, key: &RunKey, notice: &RunNotice) -> Option<Arc<Shipped>> {
        let asked = lock(&self.admitted).entry(key.clone()).or_default().clone();
        let mut asked = asked.lock().await;
        // Another coordinator may think otherwise of who was refused.
        let known = asked.take_if(|known| known.by.is_err() && known.nonce != notice.nonce);
        drop(known);
        if asked.is_none() {
            let by = match self.ask(key, notice).await {
                Ok(found) => Ok(Arc::new(found?)),
                Err(reason) => Err(reason),
            };
            let refused = by.as_ref().err().cloned().unwrap_or_default();
            lock(&self.done).entry(notice.run.clone()).or_default().refused = refused;
            *asked = Some(Admitted { nonce: notice.nonce.clone(), by });
        }
        asked.as_ref().and_then(|known| known.by.clone().ok())
    }

    /// Finds out whether a run may be played here: what is wrong with it, or nothing if it cannot be
    /// said yet.
    async fn ask(&self, key: &RunKey, notice: &RunNotice) -> Result<Option<Shipped>, String> {
        if notice.protocol != PROTOCOL {
            return Err(format!(
                "its coordinator speaks form {} of the protocol, this program form {PROTOCOL}",
                notice.protocol
            ));
        }
        if let Ok(Some(reason)) = read::<String>(&self.bus, &key.refused(&self.id)).await {
            return Err(reason);
        }
        let Ok((shipped, programs)) = self.fetch(key, &notice.description).await else {
            return Ok(None);
        };
        let experiment = shipped.open()?;
        (self.options.admission)(&experiment, &programs)?;
        drop(experiment);
        let join = JoinRequest::Join { worker: self.id.clone(), protocol: PROTOCOL };
        match self.request(key, &join).await {
            Some(JoinAnswer::Welcome) => Ok(Some(shipped)),
            Some(JoinAnswer::Refused { reason }) => Err(reason),
            Some(JoinAnswer::Prove { games: orders }) => {
                let mut games = Vec::new();
                let said = |fault| match fault {
                    PlayerFault::Said(reason) | PlayerFault::Gone(reason) => reason,
                };
                let mut player = Player::start(&shipped, self.memory()).await.map_err(said)?;
                for order in orders {
                    games.push(self.signed(player.play(order).await.map_err(said)?));
                }
                let proof = JoinRequest::Prove { worker: self.id.clone(), games };
                match self.request(key, &proof).await {
                    Some(JoinAnswer::Welcome) => Ok(Some(shipped)),
                    Some(JoinAnswer::Refused { reason }) => Err(reason),
                    _ => Ok(None),
                }
            }
            Some(JoinAnswer::Wait) | None => {
                sleep(PAUSE).await;
                Ok(None)
            }
        }
    }

    async fn request(&self, key: &RunKey, what: &JoinRequest<Game>) -> Option<JoinAnswer> {
        let answer = self.bus.client.request(key.join_subject(), pack(what).into()).await.ok()?;
        unpack(&answer.payload).ok()
    }

    /// What must be known of a run, and the programs from outside that it names.
    async fn fetch(
        &self,
        key: &RunKey,
        description: &str,
    ) -> Result<(Shipped, BTreeMap<String, String>), ClusterError> {
        let text = self.bus.fetch(key, description).await?;
        let failed = ClusterError::of("reading what a run is");
        let found: RunDescription = serde_json::from_str(&text).map_err(|error| failed(&error))?;
        let mut files = BTreeMap::new();
        for (name, hash) in found.files {
            files.insert(name, self.bus.fetch(key, &hash).await?);
        }
        Ok((Shipped { spec: found.spec, files }, found.programs))
    }

    /// Memory of one player.
    fn memory(&self) -> Option<u64> {
        self.options.memory.map(|bytes| bytes / self.options.threads as u64)
    }

    /// A game with who played it.
    fn signed(&self, (mut row, record): Game) -> Game {
        row.program = Some(self.options.program.clone());
        row.host = Some(self.options.host.clone());
        (row, record)
    }

    /// Plays a chunk, and says that it is done when its report is safe; gives the player back.
    async fn answer(
        &self,
        key: &RunKey,
        notice: &RunNotice,
        shipped: &Shipped,
        mut player: Option<Player>,
        message: Message,
    ) -> Option<Player> {
        let Ok(chunk) = unpack::<Chunk>(&message.payload) else {
            // Nobody of this form can ever play it.
            let _ = message.ack_with(AckKind::Term).await;
            return player;
        };
        let began = Instant::now();
        let delivered = message.info().map_or(1, |info| info.delivered);
        let mut report = ChunkReport {
            chunk: chunk.id,
            worker: self.id.clone(),
            seconds: 0.0,
            games: Vec::new(),
            faults: Vec::new(),
        };
        if delivered > MOST_DELIVERIES {
            let numbers = chunk.games.iter().map(|order| order.number).collect();
            let what = format!("{} workers took it and were not heard again", delivered - 1);
            report.faults.push(Fault { numbers, what });
        } else {
            let mut beat = interval(Duration::from_millis(notice.heartbeat));
            for order in chunk.games {
                let number = order.number;
                let played = {
                    let playing = self.play_one(shipped, &mut player, order);
                    tokio::pin!(playing);
                    loop {
                        tokio::select! {
                            played = &mut playing => break played,
                            // If that is not heard, somebody else plays it, too.
                            _ = beat.tick() => drop(message.ack_with(AckKind::Progress).await),
                            () = self.stopped() => {
                                let _ = message.ack_with(AckKind::Nak(None)).await;
                                return None;
                            }
                        }
                    }
                };
                match played {
                    Ok(game) => report.games.push(self.signed(game)),
                    Err(PlayerFault::Said(what)) => {
                        report.faults.push(Fault { numbers: vec![number], what });
                    }
                    Err(PlayerFault::Gone(what)) => {
                        player = None;
                        report.faults.push(Fault { numbers: vec![number], what });
                    }
                }
            }
        }
        report.seconds = began.elapsed().as_secs_f64();
        let games = report.games.len() as u64;
        if self.deliver(key, report).await {
            // If that is not heard, somebody plays it again, and nobody counts it twice.
            let _ = message.double_ack().await;
            self.games.fetch_add(games, Ordering::Relaxed);
            lock(&self.done).entry(notice.run.clone()).or_default().games += games;
        }
        player
    }

    /// Waits until somebody asks to stop.
    async fn stopped(&self) {
        while !self.stop.is_stopped() {
            sleep(PAUSE / 5).await;
        }
    }

    async fn play_one(
        &self,
        shipped: &Shipped,
        player: &mut Option<Player>,
        order: protocol::GameOrder,
    ) -> Result<Game, PlayerFault> {
        let player = match player {
            Some(player) => player,
            None => player.insert(Player::start(shipped, self.memory()).await?),
        };
        player.play(order).await
    }

    /// Sends a report until it is accepted; not if nobody wants it any more.
    async fn deliver(&self, key: &RunKey, report: ChunkReport<Game>) -> bool {
        for part in parts(report, self.bus.client.max_payload()) {
            loop {
                let sent =
                    match self.bus.streams.publish(key.report_subject(), part.clone().into()).await
                    {
                        Ok(sent) => sent.await.is_ok(),
                        Err(_) => false,
                    };
                if sent {
                    break;
                }
                if !lock(&self.runs).contains_key(key) {
                    return false;
                }
                sleep(PAUSE).await;
            }
        }
        true
    }
}

/// The message that somebody waits for, if one comes.
async fn first(
    waiting: impl Future<Output = Result<Batch, BatchError>>,
) -> Result<Option<Message>, ClusterError> {
    let failed = ClusterError::of("taking a chunk");
    let mut got = waiting.await.map_err(|error| failed(&error))?;
    got.next().await.transpose().map_err(|error| failed(&error))
}
