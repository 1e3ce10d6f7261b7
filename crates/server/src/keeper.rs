//! Keeps games and loadouts: one thread writes, and whatever waits goes into one transaction.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use store::{AppGame, AppGameRow, AppQuery, AppWrite, Store};
use tokio::sync::oneshot;

use crate::error::Refusal;

/// A change and whoever waits for it to be safe.
struct Waiting {
    change: AppWrite,
    done: oneshot::Sender<Result<bool, Refusal>>,
}

/// The database, seen from the server.
pub(crate) struct Keeper {
    store: Arc<Store>,
    /// `None` once it is closed.
    writes: Mutex<Option<Sender<Waiting>>>,
    writer: Mutex<Option<JoinHandle<()>>>,
}

/// So many changes in one transaction at most: those that come later need not wait for all.
const BATCH: usize = 256;

impl Keeper {
    pub(crate) fn new(store: Store) -> Self {
        let store = Arc::new(store);
        let (writes, waiting) = channel();
        let writing = store.clone();
        let writer = std::thread::spawn(move || write_all(&writing, &waiting));
        Self { store, writes: Mutex::new(Some(writes)), writer: Mutex::new(Some(writer)) }
    }

    /// Makes a change and waits until it survives the death of the process. Says whether something
    /// changed.
    pub(crate) async fn write(&self, change: AppWrite) -> Result<bool, Refusal> {
        let (done, answer) = oneshot::channel();
        let sent = {
            let writes = self.writes.lock().unwrap_or_else(PoisonError::into_inner);
            writes.as_ref().is_some_and(|writes| writes.send(Waiting { change, done }).is_ok())
        };
        if !sent {
            return Err(Refusal::busy("the server is stopping; nothing more is saved"));
        }
        match answer.await {
            Ok(result) => result,
            Err(_) => Err(Refusal::storage("the database did not answer")),
        }
    }

    /// A game, if there is one of this id.
    pub(crate) async fn game(&self, id: &str) -> Result<Option<AppGame>, Refusal> {
        let id = id.to_owned();
        self.read(move |store| store.app_game(&id)).await
    }

    /// The games asked for, and how many there are.
    pub(crate) async fn games(&self, query: AppQuery) -> Result<(Vec<AppGameRow>, u64), Refusal> {
        self.read(move |store| store.app_games(&query)).await
    }

    /// Names and texts of loadouts.
    pub(crate) async fn loadouts(&self) -> Result<Vec<(String, String)>, Refusal> {
        self.read(Store::loadouts).await
    }

    async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Store) -> Result<T, store::StoreError> + Send + 'static,
    ) -> Result<T, Refusal> {
        let store = self.store.clone();
        match tokio::task::spawn_blocking(move || read(&store)).await {
            Ok(result) => result.map_err(|error| Refusal::storage(error.to_string())),
            Err(_) => Err(Refusal::storage("the database could not be read")),
        }
    }

    /// Writes what waits and takes nothing more.
    pub(crate) fn close(&self) {
        drop(self.writes.lock().unwrap_or_else(PoisonError::into_inner).take());
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(writer) = writer {
            drop(writer.join());
        }
    }
}

fn write_all(store: &Store, waiting: &Receiver<Waiting>) {
    while let Ok(first) = waiting.recv() {
        let batch: Vec<Waiting> =
            std::iter::once(first).chain(waiting.try_iter().take(BATCH - 1)).collect();
        let (changes, waiters): (Vec<AppWrite>, Vec<_>) =
            batch.into_iter().map(|Waiting { change, done }| (change, done)).unzip();
        match store.write_app(&changes) {
            Ok(changed) => {
                for (done, changed) in waiters.into_iter().zip(changed) {
                    // Whoever does not wait any more does not mind.
                    drop(done.send(Ok(changed)));
                }
            }
            Err(error) => {
                let refusal = Refusal::storage(error.to_string());
                for done in waiters {
                    drop(done.send(Err(refusal.clone())));
                }
            }
        }
    }
}
