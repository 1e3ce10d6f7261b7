//! How a coordinator calls for workers, shows that it lives, and hears what they report.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use async_nats::jetstream::AckKind;
use async_nats::jetstream::kv::UpdateErrorKind;
use futures_util::StreamExt as _;
use protocol::{GONE_AFTER, RunNotice, WorkerNotice, pack, unpack};
use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval, sleep};

use crate::access::{ClusterError, lock};
use crate::board::entry;
use crate::coordinator::{Heard, PATIENCE, PAUSE, Shared, WAITING};

impl Shared {
    /// The run cannot go on.
    pub(crate) fn alarm(&self, error: ClusterError) {
        lock(&self.alarm).get_or_insert(error);
    }

    /// The last word of another coordinator that is gone; an error if one is there.
    pub(crate) async fn last_of_others(&self) -> Result<Option<u64>, ClusterError> {
        let place = self.key.notice();
        let Some(found) = entry(&self.bus, &place).await? else { return Ok(None) };
        let Ok(notice) = unpack::<RunNotice>(&found.value) else { return Ok(Some(found.revision)) };
        // Nobody's clock counts: whoever is there writes again.
        sleep(Duration::from_millis(notice.heartbeat) * GONE_AFTER).await;
        match entry(&self.bus, &place).await? {
            None => Ok(None),
            Some(now) if now.revision == found.revision => Ok(Some(found.revision)),
            Some(_) => {
                let RunNotice { run, host, process, .. } = notice;
                Err(ClusterError::Busy { run, host, process })
            }
        }
    }

    /// Makes the queues, sends what workers must know, and calls for them.
    pub(crate) async fn call(&self, before: Option<u64>) -> Result<u64, ClusterError> {
        self.bus.make_queues(&self.key, PATIENCE * self.timing.heartbeat).await?;
        for text in self.files.values() {
            self.bus.ship(&self.key, text).await?;
        }
        let text = serde_json::to_string(&self.description);
        let text = text.map_err(|error| ClusterError::of("describing the run")(&error))?;
        let hash = self.bus.ship(&self.key, &text).await?;
        let notice = {
            let mut notice = lock(&self.notice);
            notice.description = hash;
            pack(&*notice)
        };
        let taken = |_| ClusterError::TakenOver(self.run.clone());
        match before {
            // A key that was there and is gone has a last revision, too.
            None => self
                .bus
                .board
                .create(self.key.notice(), notice.into())
                .await
                .map_err(|error| ClusterError::of("calling for workers")(&error)),
            Some(revision) => self
                .bus
                .board
                .update(self.key.notice(), notice.into(), revision)
                .await
                .map_err(taken),
        }
    }

    /// Shows that the coordinator lives, as long as nobody else has taken over.
    pub(crate) async fn stay(self: Arc<Self>, mut revision: u64) {
        let mut beat = interval(self.timing.heartbeat);
        beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            beat.tick().await;
            if lock(&self.alarm).is_some() {
                return;
            }
            let packed = {
                let mut notice = lock(&self.notice);
                notice.beat += 1;
                notice.stored = self.stored.load(Ordering::Relaxed);
                pack(&*notice)
            };
            match self.bus.board.update(self.key.notice(), packed.into(), revision).await {
                Ok(now) => revision = now,
                Err(error) if error.kind() == UpdateErrorKind::WrongLastRevision => {
                    match self.who_was_it().await {
                        Ok(now) => revision = now,
                        Err(ClusterError::TakenOver(run)) => {
                            self.alarm(ClusterError::TakenOver(run));
                            return;
                        }
                        Err(_) => {}
                    }
                }
                // A server that is away.
                Err(_) => {}
            }
            self.count_players().await;
        }
    }

    /// The revision of our own last word, which may have been heard although nobody said so.
    async fn who_was_it(&self) -> Result<u64, ClusterError> {
        let found = entry(&self.bus, &self.key.notice()).await?;
        let own = lock(&self.notice).nonce.clone();
        match found {
            Some(found)
                if unpack::<RunNotice>(&found.value).is_ok_and(|last| last.nonce == own) =>
            {
                Ok(found.revision)
            }
            Some(_) => Err(ClusterError::TakenOver(self.run.clone())),
            // The server has lost everything.
            None => self.call(None).await,
        }
    }

    /// Counts the players of all workers that are there.
    pub(crate) async fn count_players(&self) {
        let Ok(workers) = self.bus.keys("worker.").await else { return };
        let mut players = 0;
        for worker in workers {
            let Ok(Some(entry)) = entry(&self.bus, &worker).await else { continue };
            let Ok(notice) = unpack::<WorkerNotice>(&entry.value) else { continue };
            let mut seen = lock(&self.seen);
            let last = seen.entry(worker).or_insert((entry.revision, Instant::now()));
            if last.0 != entry.revision {
                *last = (entry.revision, Instant::now());
            }
            if last.1.elapsed() <= Duration::from_millis(notice.heartbeat) * GONE_AFTER {
                players += notice.threads;
            }
        }
        self.players.store(players, Ordering::Relaxed);
    }

    /// Hears reports, one after the other.
    pub(crate) async fn listen(self: Arc<Self>, said: mpsc::Sender<Heard>) {
        loop {
            if let Ok(queue) = self.bus.queue(&self.key.reports()).await
                && let Ok(mut reports) =
                    queue.stream().max_messages_per_batch(WAITING).messages().await
            {
                while let Some(Ok(message)) = reports.next().await {
                    match unpack(&message.payload) {
                        Ok(report) => {
                            let report = Heard::Report(Box::new(report), Box::new(message));
                            if said.send(report).await.is_err() {
                                return;
                            }
                        }
                        // Nobody can ever read it.
                        Err(_) => drop(message.ack_with(AckKind::Term).await),
                    }
                }
            }
            sleep(PAUSE).await;
        }
    }
}
