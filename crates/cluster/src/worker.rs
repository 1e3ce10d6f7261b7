//! A worker: what it is, which runs there are, and what it says of itself. How it gets into them is in
//! `admitting.rs`, how it plays them in `slots.rs`.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use gamecore::StopToken;
use lab::experiment::Experiment;
use protocol::{PROTOCOL, Refusal, RunNotice, Work, WorkerNotice, unpack};
use registry::Registry;
use tokio::sync::{Notify, Semaphore};
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};

use crate::access::{Access, Bus, RunKey, lock};
use crate::admitting::{Admitted, Rest};
use crate::board::{nonce, refusals_of, run_of, runs, write};
use crate::coordinator::PAUSE;
use crate::error::ClusterError;
use crate::player::Player;

/// How long to wait for a chunk before looking what else there is.
pub(crate) const LONG: Duration = Duration::from_secs(1);

/// How many threads a game of an experiment with these programs from outside takes, or why this worker
/// does not play it.
pub type Admission =
    dyn Fn(&Experiment, &BTreeMap<String, String>) -> Result<usize, String> + Send + Sync;

/// What a worker is.
pub struct WorkerOptions {
    /// What it knows to play.
    pub games: Registry,
    /// Threads of all games that it plays at a time.
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

/// Stops when whoever manages this machine says so: services and containers end their programs by SIGTERM.
#[cfg(unix)]
async fn stop_on_termination(stop: StopToken) {
    use tokio::signal::unix::{SignalKind, signal};
    if let Ok(mut asked) = signal(SignalKind::terminate()) {
        asked.recv().await;
        stop.stop();
    }
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
            ready: Mutex::default(),
            resting: Mutex::default(),
            done: Mutex::default(),
            games: AtomicU64::default(),
            news: Notify::new(),
            free: Semaphore::new(options.threads),
            options,
        });
        worker.look().await?;
        let mut slots = JoinSet::new();
        for slot in 0..worker.options.threads {
            slots.spawn(Arc::clone(&worker).play(slot));
        }
        let mut others = JoinSet::new();
        others.spawn(Arc::clone(&worker).ask_for_all());
        others.spawn(Arc::clone(&worker).watch());
        others.spawn(Arc::clone(&worker).announce());
        #[cfg(unix)]
        others.spawn(stop_on_termination(stop.clone()));
        let mut told = BTreeMap::new();
        while !stop.is_stopped() {
            sleep(LONG / 4).await;
            worker.say_news(&mut told, tell);
        }
        // Each gives back what it plays; not if the server is away.
        let _ = timeout(2 * LONG, slots.join_all()).await;
        others.shutdown().await;
        // Nobody waits for it any more.
        worker.bus.erase(&worker.key()).await;
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

pub(crate) struct Worker {
    pub(crate) bus: Bus,
    pub(crate) id: String,
    pub(crate) options: WorkerOptions,
    pub(crate) stop: StopToken,
    /// Runs that want workers.
    pub(crate) runs: Mutex<BTreeMap<RunKey, RunNotice>>,
    /// Which of them are played here, or why not.
    pub(crate) admitted: Mutex<BTreeMap<RunKey, Admitted>>,
    /// Players that proved this worker, for the first slot that plays the run.
    pub(crate) ready: Mutex<BTreeMap<RunKey, Player>>,
    /// Those that cannot be played now.
    pub(crate) resting: Mutex<BTreeMap<RunKey, Rest>>,
    /// What was done, by run.
    pub(crate) done: Mutex<BTreeMap<String, Work>>,
    pub(crate) games: AtomicU64,
    /// Told when runs come, go, or have another coordinator.
    pub(crate) news: Notify,
    /// Threads that play nothing.
    pub(crate) free: Semaphore,
}

impl Worker {
    fn key(&self) -> String {
        format!("worker.{}", self.id)
    }

    /// What there is to play now, and what may not be.
    async fn look(&self) -> Result<(), ClusterError> {
        let found = runs(&self.bus).await?;
        *lock(&self.runs) = found;
        for (key, refusal) in refusals_of(&self.bus, &self.id).await? {
            self.refuse(&key, &refusal.reason);
        }
        Ok(())
    }

    /// Hears of runs that come and go, and of those that it may not play any more.
    async fn watch(self: Arc<Self>) {
        loop {
            let keys = ["run.>".to_owned(), format!("refused.*.{}", self.id)];
            if let Ok(mut news) = self.bus.board.watch_many(keys).await {
                // What came before the watch began.
                let _ = self.look().await;
                while let Some(Ok(entry)) = news.next().await {
                    let Some(key) = run_of(&entry.key) else { continue };
                    if entry.key.starts_with("refused.") {
                        if let Ok(Refusal { reason, .. }) = unpack(&entry.value) {
                            self.refuse(&key, &reason);
                        }
                        continue;
                    }
                    match unpack(&entry.value) {
                        Ok(notice) => lock(&self.runs).insert(key, notice),
                        Err(_) => lock(&self.runs).remove(&key),
                    };
                    self.news.notify_one();
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
}
