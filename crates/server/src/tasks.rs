//! Work that somebody asked for and waits for: it ends when nobody waits any more, when it took too
//! long, or when the server stops.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use gamecore::StopToken;
use tokio::sync::oneshot;

use crate::error::Refusal;
use crate::pool::Lane;
use crate::table::Services;

/// All such work of a server.
#[derive(Default)]
pub(crate) struct Tasks {
    running: Mutex<Running>,
}

#[derive(Default)]
struct Running {
    tokens: Vec<StopToken>,
    closed: bool,
}

impl Tasks {
    fn running(&self) -> MutexGuard<'_, Running> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(self: &Arc<Self>) -> Task {
        let token = StopToken::default();
        let mut running = self.running();
        if running.closed {
            token.stop();
        } else {
            running.tokens.push(token.clone());
        }
        Task { tasks: self.clone(), token }
    }

    /// Stops everything, now and later: the pool waits for what runs.
    pub(crate) fn close(&self) {
        let mut running = self.running();
        running.closed = true;
        running.tokens.drain(..).for_each(|token| token.stop());
    }
}

/// One piece of work, as long as somebody waits for it.
struct Task {
    tasks: Arc<Tasks>,
    token: StopToken,
}

impl Drop for Task {
    fn drop(&mut self) {
        self.token.stop();
        self.tasks.running().tokens.retain(|token| !token.is_same(&self.token));
    }
}

/// Lets a worker do something on behalf of `whom` and waits for it: those who want much get it in
/// turn with the others. After `limit`, counted from when a worker had time,
/// it is told to stop; at once if the future is dropped.
pub(crate) async fn work<T: Send + 'static>(
    services: &Services,
    whom: &str,
    limit: Duration,
    job: impl FnOnce(&StopToken) -> T + Send + 'static,
) -> Result<T, Refusal> {
    let task = services.tasks.begin();
    let token = task.token.clone();
    let (began, begun) = oneshot::channel();
    let (done, mut answer) = oneshot::channel();
    services.pool.submit(Lane::Long, whom, move || {
        if token.is_stopped() {
            return;
        }
        // Whoever does not wait any more has stopped the token.
        let _ = began.send(());
        drop(done.send(job(&token)));
    });
    let lost = |_| Refusal::busy("the work was interrupted; the server may be stopping");
    begun.await.map_err(lost)?;
    match tokio::time::timeout(limit, &mut answer).await {
        Ok(found) => found.map_err(lost),
        Err(_) => {
            task.token.stop();
            answer.await.map_err(lost)
        }
    }
}
