//! How a worker gets into runs: one task a run asks, so that a run that does not answer holds up no other;
//! and what keeps it from playing one for a while.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use protocol::{JoinAnswer, JoinRequest, PROTOCOL, RunDescription, RunNotice, pack, unpack};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::Game;
use crate::access::{RunKey, lock};
use crate::board::{FOR_NOW, refusals_of};
use crate::conduct::conduct_difference;
use crate::coordinator::PAUSE;
use crate::error::ClusterError;
use crate::parts::proofs;
use crate::player::{Player, PlayerFault, Shipped};
use crate::worker::Worker;

/// The longest time between two tries.
const LONGEST: Duration = Duration::from_mins(1);

/// Deaths of players one after the other that are blamed on the games alone.
const USUAL_DEATHS: u32 = 1;

/// What is played here.
#[derive(Clone)]
pub(crate) struct Admission {
    /// What its players are told.
    pub(crate) shipped: Arc<Shipped>,
    /// Threads that one game takes.
    pub(crate) threads: usize,
}

/// Whether a run may be played here, or why not.
#[derive(Clone)]
pub(crate) struct Admitted {
    /// The coordinator that was asked.
    pub(crate) nonce: String,
    /// What it says that the run is.
    description: String,
    pub(crate) by: Result<Admission, String>,
}

/// A run that cannot be played for a while.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rest {
    until: Instant,
    /// Twice as long the next time.
    pause: Duration,
    /// Players that died one after the other.
    deaths: u32,
}

impl Default for Rest {
    fn default() -> Self {
        Self { until: Instant::now(), pause: PAUSE / 2, deaths: 0 }
    }
}

impl Rest {
    fn again(&mut self) {
        self.pause = (2 * self.pause).min(LONGEST);
        self.until = Instant::now() + self.pause;
    }
}

/// Why a run is not played yet.
enum NotYet {
    /// There is no game yet to prove oneself with.
    Wait,
    /// Nobody answers.
    Silent,
    /// This machine cannot, now.
    Unable(String),
    /// It is not played here.
    Never(String),
}

impl Worker {
    /// Asks for all runs that are there, each in a task of its own.
    pub(crate) async fn ask_for_all(self: Arc<Self>) {
        let mut asking: JoinSet<RunKey> = JoinSet::new();
        let mut asked = BTreeSet::new();
        loop {
            while let Some(done) = asking.try_join_next() {
                if let Ok(key) = done {
                    asked.remove(&key);
                }
            }
            let there = lock(&self.runs).clone();
            lock(&self.admitted).retain(|key, _| there.contains_key(key));
            lock(&self.resting).retain(|key, _| there.contains_key(key));
            lock(&self.ready).retain(|key, _| there.contains_key(key));
            for (key, notice) in there {
                if self.is_answered(&key, &notice) || !asked.insert(key.clone()) {
                    continue;
                }
                let worker = Arc::clone(&self);
                asking.spawn(async move {
                    worker.ask_until_answered(&key).await;
                    key
                });
            }
            let _ = timeout(PAUSE, self.news.notified()).await;
        }
    }

    /// Whether it is known that a run is played here, or not. Another coordinator may think otherwise of who
    /// was refused, or be a program with other rules.
    fn is_answered(&self, key: &RunKey, notice: &RunNotice) -> bool {
        let admitted = lock(&self.admitted);
        admitted.get(key).is_some_and(|known| {
            let same = known.description == notice.description;
            known.nonce == notice.nonce || known.by.is_ok() && same
        })
    }

    async fn ask_until_answered(&self, key: &RunKey) {
        let mut rest = Rest::default();
        loop {
            let Some(notice) = lock(&self.runs).get(key).cloned() else { return };
            let by = match self.ask(key, &notice).await {
                Ok(admission) => Ok(admission),
                Err(NotYet::Never(reason)) => Err(reason),
                Err(not_yet) => {
                    match not_yet {
                        NotYet::Wait => rest.pause = PAUSE / 5,
                        // Another coordinator may come at any time.
                        NotYet::Silent => rest.pause = PAUSE,
                        NotYet::Unable(what) => {
                            self.say_trouble(&notice.run, &what);
                            rest.again();
                        }
                        NotYet::Never(_) => {}
                    }
                    sleep(rest.pause).await;
                    continue;
                }
            };
            let refused = by.as_ref().err().cloned().unwrap_or_default();
            let mut admitted = lock(&self.admitted);
            // It may have been refused while it was asked.
            if admitted.get(key).is_none_or(|known| known.nonce != notice.nonce) {
                lock(&self.done).entry(notice.run.clone()).or_default().refused = refused;
                let RunNotice { nonce, description, .. } = notice;
                admitted.insert(key.clone(), Admitted { nonce, description, by });
            }
            return;
        }
    }

    /// Plays a run no more: its coordinator has proved that this worker plays it otherwise.
    pub(crate) fn refuse(&self, key: &RunKey, reason: &str) {
        let Some(notice) = lock(&self.runs).get(key).cloned() else { return };
        let by = Err(reason.to_owned());
        let RunNotice { nonce, description, run, .. } = notice;
        lock(&self.admitted).insert(key.clone(), Admitted { nonce, description, by });
        lock(&self.done).entry(run).or_default().refused = reason.to_owned();
    }

    pub(crate) fn is_refused(&self, key: &RunKey) -> bool {
        lock(&self.admitted).get(key).is_some_and(|known| known.by.is_err())
    }

    fn say_trouble(&self, run: &str, what: &str) {
        lock(&self.done).entry(run.to_owned()).or_default().refused = format!("{FOR_NOW}{what}");
    }

    /// What may be played now.
    pub(crate) fn open_runs(&self) -> Vec<(RunKey, RunNotice, Admission)> {
        let there = lock(&self.runs).clone();
        let (admitted, resting) = (lock(&self.admitted), lock(&self.resting));
        let now = Instant::now();
        let open = there.into_iter().filter_map(|(key, notice)| {
            let admission = admitted.get(&key)?.by.clone().ok()?;
            let rests = resting.get(&key).is_some_and(|rest| rest.until > now);
            (!rests).then_some((key, notice, admission))
        });
        open.collect()
    }

    /// A game was played: whatever was wrong is over.
    pub(crate) fn is_well(&self, key: &RunKey, run: &str) {
        if lock(&self.resting).remove(key).is_some() && !self.is_refused(key) {
            lock(&self.done).entry(run.to_owned()).or_default().refused.clear();
        }
    }

    /// This machine cannot play a run now.
    pub(crate) fn rest(&self, key: &RunKey, run: &str, what: &str) {
        lock(&self.resting).entry(key.clone()).or_default().again();
        if !self.is_refused(key) {
            self.say_trouble(run, what);
        }
    }

    /// A player died. Whether it is time to rest: nothing but deaths is not for the games alone.
    pub(crate) fn has_died(&self, key: &RunKey, run: &str, what: &str) -> bool {
        let deaths = {
            let mut resting = lock(&self.resting);
            let rest = resting.entry(key.clone()).or_default();
            rest.deaths += 1;
            rest.deaths
        };
        if deaths <= USUAL_DEATHS {
            return false;
        }
        // Never for long: perhaps it is the games, which others may have to try, too.
        let pause = PAUSE / 5 * (deaths - USUAL_DEATHS).min(5);
        if let Some(rest) = lock(&self.resting).get_mut(key) {
            rest.until = Instant::now() + pause;
        }
        if !self.is_refused(key) {
            self.say_trouble(run, what);
        }
        true
    }

    /// Finds out whether a run may be played here.
    async fn ask(&self, key: &RunKey, notice: &RunNotice) -> Result<Admission, NotYet> {
        if notice.protocol != PROTOCOL {
            return Err(NotYet::Never(format!(
                "its coordinator speaks form {} of the protocol, this program form {PROTOCOL}",
                notice.protocol
            )));
        }
        let unable = |error: ClusterError| NotYet::Unable(error.to_string());
        let refused = refusals_of(&self.bus, &self.id).await.map_err(unable)?;
        if let Some((_, refusal)) = refused.into_iter().find(|(of, _)| of == key) {
            return Err(NotYet::Never(refusal.reason));
        }
        let (shipped, description) = self.fetch(key, &notice.description).await.map_err(unable)?;
        let RunDescription { programs, conducts, .. } = description;
        let experiment = shipped.open().map_err(NotYet::Never)?;
        let threads =
            (self.options.admission)(&experiment, &programs).map_err(NotYet::Never)?.max(1);
        drop(experiment);
        let admission = Admission { shipped: Arc::new(shipped), threads };
        let wrong = |fault| match fault {
            PlayerFault::Unable(what) => NotYet::Unable(what),
            PlayerFault::Said(what) | PlayerFault::Gone(what) => {
                NotYet::Unable(format!("before it may play: {what}"))
            }
        };
        let mut player = {
            let _threads = self.free.acquire_many(threads as u32).await;
            let memory = self.memory(threads);
            let mut player = Player::start(&admission.shipped, memory).await.map_err(wrong)?;
            let here = player.conducts().await.map_err(wrong)?;
            if let Some(what) = conduct_difference(&here, &conducts) {
                return Err(NotYet::Never(what));
            }
            player
        };
        let join = JoinRequest::<Game>::Join { worker: self.id.clone(), protocol: PROTOCOL };
        let orders = match self.request(key, pack(&join)).await? {
            JoinAnswer::Welcome => {
                lock(&self.ready).insert(key.clone(), player);
                return Ok(admission);
            }
            JoinAnswer::Wait => return Err(NotYet::Wait),
            JoinAnswer::Refused { reason } => return Err(NotYet::Never(reason)),
            JoinAnswer::Prove { games } => games,
        };
        let mut games = Vec::new();
        {
            // Such a game takes its threads, too.
            let _threads = self.free.acquire_many(threads as u32).await;
            for order in orders {
                games.push(self.signed(player.play(order).await.map_err(wrong)?));
            }
        }
        let proofs = proofs(&self.id, games, self.bus.client.max_payload())
            .map_err(|error| NotYet::Never(error.to_string()))?;
        // Of a proof in parts one is enough if none is wrong; another coordinator may know other games.
        let mut is_proved = false;
        for proof in proofs {
            match self.request(key, proof).await? {
                JoinAnswer::Welcome => is_proved = true,
                JoinAnswer::Wait => {}
                JoinAnswer::Refused { reason } => return Err(NotYet::Never(reason)),
                JoinAnswer::Prove { .. } => return Err(NotYet::Silent),
            }
        }
        if !is_proved {
            return Err(NotYet::Wait);
        }
        lock(&self.ready).insert(key.clone(), player);
        Ok(admission)
    }

    async fn request(&self, key: &RunKey, what: Vec<u8>) -> Result<JoinAnswer, NotYet> {
        let answer = self.bus.client.request(key.join_subject(), what.into()).await;
        // A coordinator that is gone: what it handed out is for who comes after it.
        let answer = answer.map_err(|_| NotYet::Silent)?;
        unpack(&answer.payload).map_err(|_| NotYet::Silent)
    }

    /// What a player must be told of a run, and what else there is to know.
    async fn fetch(
        &self,
        key: &RunKey,
        description: &str,
    ) -> Result<(Shipped, RunDescription), ClusterError> {
        let text = self.bus.fetch(key, description).await?;
        let failed = ClusterError::of("reading what a run is");
        let found: RunDescription = serde_json::from_str(&text).map_err(|error| failed(&error))?;
        let mut files = BTreeMap::new();
        for (name, hash) in &found.files {
            files.insert(name.clone(), self.bus.fetch(key, hash).await?);
        }
        let games = self.options.games.clone();
        Ok((Shipped { games, spec: found.spec.clone(), files }, found))
    }

    /// Games that are played at a time if each takes so many threads.
    pub(crate) fn at_once(&self, threads: usize) -> usize {
        (self.options.threads / threads.max(1)).max(1)
    }

    /// Memory of one player if its game takes so many threads.
    pub(crate) fn memory(&self, threads: usize) -> Option<u64> {
        self.options.memory.map(|bytes| bytes / self.at_once(threads) as u64)
    }
}
