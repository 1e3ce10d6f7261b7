//! What waits to be sent to one socket. A client that does not read holds up nobody: a newer state
//! takes the place of an older one, and one that lets other answers pile up is let go.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use axum::extract::ws::Utf8Bytes;
use tokio::sync::Notify;

/// Answers that may wait besides the state: more than one table can have under way for a socket.
const MOST_WAITING: usize = 512;
/// With more waiting than this, nothing more is read from the socket.
const FULL: usize = 32;

#[derive(Default)]
struct Pending {
    state: Option<Utf8Bytes>,
    thought: Option<Utf8Bytes>,
    answers: VecDeque<Utf8Bytes>,
    closed: bool,
}

/// The queue of one socket.
#[derive(Default)]
pub(crate) struct Outbox {
    pending: Mutex<Pending>,
    news: Notify,
    sent: Notify,
}

impl Outbox {
    fn pending(&self) -> MutexGuard<'_, Pending> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The game as it is now, instead of any older state that still waits.
    pub(crate) fn put_state(&self, text: Utf8Bytes) {
        let mut pending = self.pending();
        pending.state = Some(text);
        // What was thought before is about another position, or will be said again.
        pending.thought = None;
        drop(pending);
        self.news.notify_one();
    }

    /// The latest thought.
    pub(crate) fn put_thought(&self, text: Utf8Bytes) {
        self.pending().thought = Some(text);
        self.news.notify_one();
    }

    /// An answer that must arrive; too many of them close the socket.
    pub(crate) fn put(&self, text: Utf8Bytes) {
        let mut pending = self.pending();
        pending.closed |= pending.answers.len() >= MOST_WAITING;
        if !pending.closed {
            pending.answers.push_back(text);
        }
        drop(pending);
        self.news.notify_one();
    }

    /// Nothing more comes; what waits is still sent.
    pub(crate) fn close(&self) {
        self.pending().closed = true;
        self.news.notify_one();
    }

    /// Waits until there is room for more answers, or nobody waits for them any more.
    pub(crate) async fn room(&self) {
        loop {
            {
                let pending = self.pending();
                if pending.answers.len() < FULL || pending.closed {
                    return;
                }
            }
            self.sent.notified().await;
        }
    }

    /// The next text to send, when there is one; `None` when the socket is to be closed.
    pub(crate) async fn next(&self) -> Option<Utf8Bytes> {
        loop {
            {
                let mut pending = self.pending();
                let next = pending.state.take().or_else(|| pending.answers.pop_front());
                if let Some(text) = next.or_else(|| pending.thought.take()) {
                    self.sent.notify_one();
                    return Some(text);
                }
                if pending.closed {
                    return None;
                }
            }
            self.news.notified().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_newest_state_replaces_older_ones() {
        let outbox = Outbox::default();
        outbox.put_state("old".into());
        outbox.put("advice".into());
        outbox.put_state("new".into());
        outbox.close();
        assert_eq!(outbox.next().await.as_deref(), Some("new"));
        assert_eq!(outbox.next().await.as_deref(), Some("advice"));
        assert_eq!(outbox.next().await.as_deref(), None);
    }

    #[tokio::test]
    async fn who_does_not_read_is_let_go() {
        let outbox = Outbox::default();
        for _ in 0..=MOST_WAITING {
            outbox.put("answer".into());
        }
        for _ in 0..MOST_WAITING {
            assert!(outbox.next().await.is_some());
        }
        assert_eq!(outbox.next().await.as_deref(), None);
    }
}
