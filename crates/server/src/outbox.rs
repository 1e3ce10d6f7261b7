//! What waits to be sent to one socket. A client that does not read holds up nobody: a newer state
//! takes the place of an older one, and one that lets other answers pile up is let go. A socket is
//! told the history once, then what is new of it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::extract::ws::Utf8Bytes;
use tokio::sync::Notify;

use crate::dto::{Answer, GameState, Ply};

/// Answers that may wait besides the state: more than one table can have under way for a socket.
const MOST_WAITING: usize = 512;
/// With more waiting than this, nothing more is read from the socket.
const FULL: usize = 32;

#[derive(Default)]
struct Pending {
    state: Option<Arc<GameState>>,
    /// The last state that was sent.
    told: Option<Arc<GameState>>,
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
    pub(crate) fn put_state(&self, state: Arc<GameState>) {
        let mut pending = self.pending();
        pending.state = Some(state);
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
            if let Some((state, told)) = self.next_state() {
                return Some(news(&state, told.as_deref()));
            }
            {
                let mut pending = self.pending();
                let next = pending.answers.pop_front().or_else(|| pending.thought.take());
                if let Some(text) = next {
                    self.sent.notify_one();
                    return Some(text);
                }
                if pending.closed && pending.state.is_none() {
                    return None;
                }
            }
            self.news.notified().await;
        }
    }

    /// The state that waits, and the one that was sent before it.
    fn next_state(&self) -> Option<(Arc<GameState>, Option<Arc<GameState>>)> {
        let mut pending = self.pending();
        let state = pending.state.take()?;
        let told = pending.told.replace(state.clone());
        self.sent.notify_one();
        Some((state, told))
    }
}

/// A state as it is told to a socket that was told another one before.
fn news(state: &GameState, told: Option<&GameState>) -> Utf8Bytes {
    let known = told.map_or(&[][..], |told| &told.history);
    let is_new = |ply: &&Ply| known.get(ply.number as usize) != Some(*ply);
    let history = state.history.iter().filter(is_new).cloned().collect();
    text_of(&Answer::State(Box::new(state.with_history(history))))
}

/// An answer as it is sent.
pub(crate) fn text_of(answer: &Answer) -> Utf8Bytes {
    serde_json::to_string(answer).expect("answers are plain data").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game of so many actions; the one of this number is explained.
    fn state(plies: u32, explained: u32) -> Arc<GameState> {
        let ply = |number| Ply {
            number,
            seat: 0,
            action: "a1".into(),
            words: "a1".into(),
            chance: None,
            explained: number == explained,
            squares: Vec::new(),
            events: Vec::new(),
        };
        let game = standard::registry().open("tic-tac-toe", "").unwrap();
        let start = game.start(["", ""], None, 1, false).unwrap();
        let session = game.open(&start, arena::Seeds::default()).unwrap();
        let seat = |seat: &str| crate::dto::SeatState {
            seat: seat.into(),
            name: String::new(),
            player: crate::dto::Player::Human { name: String::new() },
            spec: None,
            loadout: String::new(),
        };
        Arc::new(GameState {
            id: String::new(),
            game: "tic-tac-toe".into(),
            rules: String::new(),
            hidden: false,
            seats: [seat("x"), seat("o")],
            to_act: None,
            human_to_act: false,
            thinking: false,
            pondering: false,
            paused: false,
            eyes: None,
            version: plies.into(),
            plies,
            history: (0..plies).map(ply).collect(),
            can_undo: false,
            can_redo: false,
            scene: session.scene(None),
            position: None,
            ending: None,
            clock: None,
            created: String::new(),
        })
    }

    /// The number of actions that the next state says there are, and those that it tells.
    async fn told(outbox: &Outbox) -> (u64, Vec<u64>) {
        let text = outbox.next().await.unwrap();
        let state: serde_json::Value = serde_json::from_str(&text).unwrap();
        let number = |ply: &serde_json::Value| ply["number"].as_u64().unwrap();
        let history = state["history"].as_array().unwrap().iter().map(number).collect();
        (state["plies"].as_u64().unwrap(), history)
    }

    #[tokio::test]
    async fn the_newest_state_replaces_older_ones() {
        let outbox = Outbox::default();
        outbox.put_state(state(1, 9));
        outbox.put("advice".into());
        outbox.put_state(state(2, 9));
        outbox.close();
        assert_eq!(told(&outbox).await, (2, vec![0, 1]));
        assert_eq!(outbox.next().await.as_deref(), Some("advice"));
        assert_eq!(outbox.next().await.as_deref(), None);
    }

    #[tokio::test]
    async fn the_history_is_told_once_and_then_what_is_new() {
        let outbox = Outbox::default();
        let tell = async |plies, explained| {
            outbox.put_state(state(plies, explained));
            told(&outbox).await
        };
        assert_eq!(tell(3, 1).await, (3, vec![0, 1, 2]));
        assert_eq!(tell(3, 1).await, (3, vec![]));
        assert_eq!(tell(5, 1).await, (5, vec![3, 4]));
        // One was taken back, another one is explained no more.
        assert_eq!(tell(4, 9).await, (4, vec![1]));
        assert_eq!(tell(5, 9).await, (5, vec![4]));
        // A state that was never sent is not known.
        outbox.put_state(state(6, 9));
        assert_eq!(tell(7, 9).await, (7, vec![5, 6]));
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
