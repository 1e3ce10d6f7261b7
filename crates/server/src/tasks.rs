//! Work that somebody asked for and waits for: it ends when nobody waits any more, when it took too
//! long, or when the server stops.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gamecore::StopToken;

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

    pub(crate) fn begin(self: &Arc<Self>) -> Task {
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
pub(crate) struct Task {
    tasks: Arc<Tasks>,
    pub(crate) token: StopToken,
}

impl Drop for Task {
    fn drop(&mut self) {
        self.token.stop();
        self.tasks.running().tokens.retain(|token| !token.is_same(&self.token));
    }
}
