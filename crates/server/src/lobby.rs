//! All games: those in memory, and those that only the database knows.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use live::KeptGame;
use store::{AppGame, AppWrite};
use tokio::sync::oneshot;

use crate::dto::{GameState, NewGame};
use crate::error::{Refusal, aside};
use crate::moment;
use crate::setups::loadout_names;
use crate::table::{self, Closing, Handle, Message, ReadyTable, Services};

/// Games in memory at most.
pub(crate) const MOST_LIVE: usize = 1000;

/// Letters and digits of a game's id.
const ID_LENGTH: usize = 10;
const ID_LETTERS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Attempts to reach a table that may be closed at the same moment.
const ATTEMPTS: usize = 3;

/// Where games are found.
pub(crate) struct Lobby {
    pub(crate) services: Arc<Services>,
    live: Mutex<BTreeMap<String, Handle>>,
    uses: AtomicU64,
}

impl Lobby {
    pub(crate) fn new(services: Services) -> Self {
        Self { services: Arc::new(services), live: Mutex::default(), uses: AtomicU64::new(0) }
    }

    fn live(&self) -> MutexGuard<'_, BTreeMap<String, Handle>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many games are in memory.
    pub(crate) fn count(&self) -> usize {
        self.live().values().filter(|handle| !handle.sender.is_closed()).count()
    }

    /// Makes a game, keeps it, and says how it looks.
    pub(crate) async fn create(&self, asked: NewGame) -> Result<GameState, Refusal> {
        self.create_as(random_id()?, asked).await
    }

    /// The same under an id that no other game has.
    pub(crate) async fn create_as(&self, id: String, asked: NewGame) -> Result<GameState, Refusal> {
        let drawn = random_number()?;
        let threads = self.services.pool.threads();
        let (services, its_id) = (self.services.clone(), id.clone());
        let saved = self.services.keeper.loadouts().await?;
        let make = move || {
            let games = &services.games;
            let loadouts = loadout_names(games, &asked, &saved);
            KeptGame::make(its_id, moment::now(), asked, drawn, threads, loadouts, games)
        };
        let services = self.services.clone();
        let ready = aside(move || table::prepare(services, make()?)).await?;
        self.make_room().await?;
        let handle = self.seat(&id, ready);
        let (done, state) = oneshot::channel();
        let sent = handle.sender.send(Message::Keep(done)).await;
        let kept = if sent.is_ok() { state.await.ok() } else { None };
        kept.unwrap_or_else(|| Err(Refusal::busy("the server is stopping")))
    }

    /// Opens a table, unless another one of the game was opened meanwhile.
    fn seat(&self, id: &str, ready: ReadyTable) -> Handle {
        let mut live = self.live();
        if let Some(handle) = live.get(id).filter(|handle| !handle.sender.is_closed()) {
            return handle.clone();
        }
        let handle = ready.open();
        live.insert(id.to_owned(), handle.clone());
        handle
    }

    /// The table of a game; read from the database if it is not in memory.
    pub(crate) async fn table(&self, id: &str) -> Result<Handle, Refusal> {
        let known = self.live().get(id).filter(|handle| !handle.sender.is_closed()).cloned();
        let handle = match known {
            Some(handle) => handle,
            None => {
                let found = self.services.keeper.game(id).await?;
                let found = found.ok_or_else(|| Refusal::missing("game", id))?;
                let services = self.services.clone();
                let read = move || {
                    let AppGame { row, body } = found;
                    table::prepare(services, KeptGame::read(row.id, row.created, &body)?)
                };
                let ready = aside(read).await?;
                self.make_room().await?;
                self.seat(id, ready)
            }
        };
        handle.presence.used.store(self.uses.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
        Ok(handle)
    }

    /// Asks the table of a game; one that is closed at the same moment is opened again.
    pub(crate) async fn ask<T>(
        &self,
        id: &str,
        question: impl Fn(oneshot::Sender<T>) -> Message,
    ) -> Result<T, Refusal> {
        for _ in 0..ATTEMPTS {
            let handle = self.table(id).await?;
            let (done, answer) = oneshot::channel();
            if handle.sender.send(question(done)).await.is_ok()
                && let Ok(answer) = answer.await
            {
                return Ok(answer);
            }
        }
        Err(Refusal::busy(format!("game '{id}' is being closed")))
    }

    /// Closes a table that nobody uses if there are too many, the one that was used longest ago.
    async fn make_room(&self) -> Result<(), Refusal> {
        for _ in 0..ATTEMPTS {
            let idle = {
                let mut live = self.live();
                if live.len() < MOST_LIVE {
                    return Ok(());
                }
                live.retain(|_, handle| !handle.sender.is_closed());
                let idle = live.iter().filter(|(_, handle)| handle.presence.is_idle());
                let oldest =
                    idle.min_by_key(|(_, handle)| handle.presence.used.load(Ordering::Relaxed));
                oldest.map(|(id, handle)| (id.clone(), handle.clone()))
            };
            let Some((id, handle)) = idle else { break };
            if close(&handle, Closing::ForRoom).await {
                let mut live = self.live();
                // Somebody may have opened the game anew meanwhile.
                if live.get(&id).is_some_and(|now| now.sender.same_channel(&handle.sender)) {
                    live.remove(&id);
                }
            }
        }
        if self.live().len() < MOST_LIVE {
            return Ok(());
        }
        Err(Refusal::busy(format!("{MOST_LIVE} games are being played; try again later")))
    }

    /// Deletes a game for good.
    pub(crate) async fn delete(&self, id: &str) -> Result<(), Refusal> {
        let delete = AppWrite::DeleteGame(id.to_owned());
        // First from the database, so that nobody who comes back opens it again.
        if !self.services.keeper.write(delete.clone()).await? {
            return Err(Refusal::missing("game", id));
        }
        let handle = self.live().remove(id);
        if let Some(handle) = handle {
            close(&handle, Closing::Deleted).await;
            // An action may have been kept between the two.
            self.services.keeper.write(delete).await?;
        }
        Ok(())
    }

    /// Deletes a game that nobody acted in, unless somebody looks at it; another game takes its
    /// place. A game that is gone already is none to delete.
    pub(crate) async fn delete_untouched(&self, id: &str) -> Result<(), Refusal> {
        if self.services.keeper.game(id).await?.is_none() {
            return Ok(());
        }
        if self.ask(id, Message::Untouched).await? {
            self.delete(id).await?;
        }
        Ok(())
    }

    /// Closes everything: says goodbye, ends thinking, writes what waits.
    pub(crate) async fn close(&self) {
        let handles: Vec<Handle> = {
            let mut live = self.live();
            std::mem::take(&mut *live).into_values().collect()
        };
        for handle in &handles {
            close(handle, Closing::ForGood).await;
        }
        let services = self.services.clone();
        // Workers are waited for, so nobody may go on.
        services.tasks.close();
        let closed = tokio::task::spawn_blocking(move || {
            services.pool.close();
            services.keeper.close();
        });
        drop(closed.await);
    }
}

/// Asks a table to close; says whether it did.
async fn close(handle: &Handle, why: Closing) -> bool {
    let (done, closed) = oneshot::channel();
    let sent = handle.sender.send(Message::Close(why, done)).await;
    sent.is_err() || closed.await.unwrap_or(true)
}

/// An id that nobody guesses.
pub(crate) fn random_id() -> Result<String, Refusal> {
    // Bytes beyond the last whole number of alphabets are drawn again, so all letters are as likely.
    let fair = u8::MAX - u8::MAX % ID_LETTERS.len() as u8;
    let mut id = String::with_capacity(ID_LENGTH);
    while id.len() < ID_LENGTH {
        for byte in random_number()?.to_le_bytes() {
            if byte < fair && id.len() < ID_LENGTH {
                id.push(char::from(ID_LETTERS[usize::from(byte) % ID_LETTERS.len()]));
            }
        }
    }
    Ok(id)
}

/// A number from the system's own randomness.
pub(crate) fn random_number() -> Result<u64, Refusal> {
    getrandom::u64()
        .map_err(|error| Refusal::storage(format!("the system gives no randomness: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_ten_letters_or_digits_and_differ() {
        let ids: Vec<String> = (0..100).map(|_| random_id().unwrap()).collect();
        for (index, id) in ids.iter().enumerate() {
            assert!(id.len() == ID_LENGTH && id.chars().all(|c| c.is_ascii_alphanumeric()), "{id}");
            assert!(!ids[index + 1..].contains(id), "{id} came twice");
        }
    }
}
