//! How a coordinator calls for workers, shows that it lives, and hears what they report.

use std::fmt::Display;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use async_nats::jetstream::AckKind;
use async_nats::jetstream::kv::{Entry, UpdateErrorKind};
use futures_util::StreamExt as _;
use protocol::{GONE_AFTER, RunNotice, WorkerNotice, pack, unpack};
use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval, sleep};

use crate::access::{KEPT, lock};
use crate::board::{FORGOTTEN, entry};
use crate::coordinator::{Census, Heard, Listener, PATIENCE, PAUSE, Shared, WAITING};
use crate::error::ClusterError;

impl Shared {
    /// The run cannot go on.
    pub(crate) fn alarm(&self, error: ClusterError) {
        lock(&self.alarm).get_or_insert(error);
    }

    /// The last word of another coordinator that is gone; an error if one is there.
    pub(crate) async fn last_of_others(
        &self,
        listener: &dyn Listener,
    ) -> Result<Option<u64>, ClusterError> {
        let place = self.key.notice();
        let Some(found) = entry(&self.bus, &place).await? else { return Ok(None) };
        let Ok(notice) = unpack::<RunNotice>(&found.value) else { return Ok(Some(found.revision)) };
        // Nobody's clock counts: whoever is there writes again.
        let patience = Duration::from_millis(notice.heartbeat) * GONE_AFTER;
        let RunNotice { host, process, .. } = &notice;
        listener.waits(&format!(
            "process {process} on {host} coordinated this run; whether it is gone shows in {:.0} s",
            patience.as_secs_f64()
        ));
        sleep(patience).await;
        match entry(&self.bus, &place).await? {
            None => Ok(None),
            Some(now) if now.revision == found.revision => Ok(Some(found.revision)),
            Some(_) => {
                let RunNotice { run, host, process, .. } = notice;
                Err(ClusterError::Busy { run, host, process })
            }
        }
    }

    /// Sends what workers must know, and calls for them where nobody else has since.
    pub(crate) async fn announce(&self, before: Option<u64>) -> Result<(), ClusterError> {
        let hash = self.ship().await?;
        let notice = {
            let mut notice = lock(&self.notice);
            notice.description = hash;
            pack(&*notice)
        };
        let (board, key) = (&self.bus.board, self.key.notice());
        let revision = match before {
            // A key that was there and is gone has a last revision, too.
            None => board
                .create(key, notice.into())
                .await
                .map_err(|error| ClusterError::of("calling for workers")(&error))?,
            Some(revision) => {
                board.update(key, notice.into(), revision).await.map_err(|error| {
                    match error.kind() {
                        UpdateErrorKind::WrongLastRevision => {
                            ClusterError::TakenOver(self.run.clone())
                        }
                        _ => ClusterError::of("calling for workers")(&error),
                    }
                })?
            }
        };
        self.revision.store(revision, Ordering::Relaxed);
        Ok(())
    }

    /// Sends the files of the run and what it is; the name of the latter.
    async fn ship(&self) -> Result<String, ClusterError> {
        for text in self.files.values() {
            self.bus.ship(&self.key, text).await?;
        }
        let text = serde_json::to_string(&self.description);
        let text = text.map_err(|error| ClusterError::of("describing the run")(&error))?;
        self.bus.ship(&self.key, &text).await
    }

    /// Makes the queues of the run where they are missing.
    pub(crate) async fn make_queues(&self) -> Result<(), ClusterError> {
        self.bus.make_queues(&self.key, PATIENCE * self.timing.heartbeat).await
    }

    /// Sends anew, long before the server forgets it, what whoever joins must know.
    pub(crate) async fn renew(self: Arc<Self>) {
        loop {
            sleep(KEPT / 7).await;
            while self.renew_now().await.is_err() {
                sleep(KEPT / 7 / 24).await;
            }
        }
    }

    async fn renew_now(&self) -> Result<(), ClusterError> {
        self.ship().await?;
        self.renew_refused().await;
        Ok(())
    }

    /// Takes what is ours from the server; nothing if somebody else has taken over.
    pub(crate) async fn leave(&self) -> Result<(), ClusterError> {
        loop {
            let revision = Some(self.revision.load(Ordering::Relaxed));
            let purged = self.bus.board.purge_expect_revision(self.key.notice(), revision).await;
            let Err(error) = purged else { break };
            if error.kind() != UpdateErrorKind::WrongLastRevision {
                return Err(ClusterError::of("cleaning up")(&error));
            }
            // A last word of ours may have been heard although nobody said so.
            match entry(&self.bus, &self.key.notice()).await? {
                Some(found) if self.is_own(&found) => {
                    self.revision.store(found.revision, Ordering::Relaxed);
                }
                Some(_) => return Ok(()),
                None => break,
            }
        }
        self.bus.remove_rest(&self.key).await
    }

    fn is_own(&self, found: &Entry) -> bool {
        let own = lock(&self.notice).nonce.clone();
        unpack::<RunNotice>(&found.value).is_ok_and(|last| last.nonce == own)
    }

    /// Shows that the coordinator lives, as long as nobody else has taken over.
    pub(crate) async fn stay(self: Arc<Self>) {
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
            let revision = self.revision.load(Ordering::Relaxed);
            let updated = self.bus.board.update(self.key.notice(), packed.into(), revision).await;
            self.note_trouble(&updated);
            match updated {
                Ok(now) => self.revision.store(now, Ordering::Relaxed),
                Err(error) if error.kind() == UpdateErrorKind::WrongLastRevision => {
                    if let Err(ClusterError::TakenOver(run)) = self.who_was_it().await {
                        self.alarm(ClusterError::TakenOver(run));
                        return;
                    }
                }
                // A server that is away, or has come back without what it had.
                Err(_) => self.bus.mend().await,
            }
        }
    }

    /// What the server says to something that it was to keep: its disk may be full.
    pub(crate) fn note_trouble<T, E: Display>(&self, said: &Result<T, E>) {
        *lock(&self.trouble) = said.as_ref().err().map(E::to_string);
    }

    /// Whose the last word is. Our own may have been heard although nobody said so.
    async fn who_was_it(&self) -> Result<(), ClusterError> {
        match entry(&self.bus, &self.key.notice()).await? {
            Some(found) if self.is_own(&found) => {
                self.revision.store(found.revision, Ordering::Relaxed);
                Ok(())
            }
            Some(_) => Err(ClusterError::TakenOver(self.run.clone())),
            // The server has lost everything.
            None => {
                self.announce(None).await?;
                self.renew_refused().await;
                self.make_queues().await
            }
        }
    }

    /// Counts them with every heartbeat.
    pub(crate) async fn keep_counting(self: Arc<Self>) {
        loop {
            sleep(self.timing.heartbeat).await;
            self.count_players().await;
        }
    }

    /// Counts the workers that are there, and their players.
    pub(crate) async fn count_players(&self) {
        let Ok(workers) = self.bus.keys("worker.").await else { return };
        let (mut players, mut census) = (0, Census::default());
        lock(&self.seen).retain(|worker, _| workers.contains(worker));
        for worker in workers {
            let Ok(Some(entry)) = entry(&self.bus, &worker).await else { continue };
            let Ok(notice) = unpack::<WorkerNotice>(&entry.value) else { continue };
            let silent = {
                let mut seen = lock(&self.seen);
                let fresh = (entry.revision, Instant::now());
                let last = seen.entry(worker.clone()).or_insert(fresh);
                if last.0 != entry.revision {
                    *last = fresh;
                }
                last.1.elapsed()
            };
            if silent > FORGOTTEN {
                self.bus.erase(&worker).await;
            }
            if silent > Duration::from_millis(notice.heartbeat) * GONE_AFTER {
                continue;
            }
            let refused = notice.runs.get(&self.run).map(|work| &*work.refused);
            if census.count(&worker["worker.".len()..], refused) {
                players += notice.threads;
            }
        }
        self.players.store(players, Ordering::Relaxed);
        *lock(&self.census) = census;
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
