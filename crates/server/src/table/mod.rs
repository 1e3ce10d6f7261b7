//! One live game: a task of its own that owns it, so that nothing needs a lock. Sockets and workers
//! talk to it by messages; it answers by states.

mod clock;
mod kept;
pub(crate) mod lot;
mod pondering;
mod requests;
mod state;
mod thinker;
mod thinking;
mod thoughts;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use arena::{GameRecord, Seeds};
use axum::extract::ws::Utf8Bytes;
use gamecore::Seat;
use registry::{AnyGame, Session};
use tokio::sync::{Semaphore, mpsc, oneshot};

use crate::dto::{Answer, Explanation, GameState, NewGame, Request};
use crate::error::Refusal;
use crate::insight::Subject;
use crate::keeper::Keeper;
use crate::outbox::Outbox;
use crate::players::Seated;
use crate::pool::Pool;
use crate::tasks::Tasks;

pub(crate) use kept::{Kept, LONGEST_GAME, record_from_outside};
pub(crate) use state::won_by;

use clock::ChessClock;
use pondering::Pondering;
use thinker::Thinker;
use thinking::{Advice, Thought};
use thoughts::Thoughts;

/// Every decision of an agent ends after this long with the best it has found.
pub(crate) const LONGEST_THOUGHT: Duration = Duration::from_secs(60);
/// How long advice is thought about.
const LONGEST_ADVICE: Duration = Duration::from_secs(1);
/// The pause before an agent's action that people only watch.
const WATCHING_PAUSE: Duration = Duration::from_millis(300);
/// How long an agent thinks ahead about one position at most.
const LONGEST_PONDERING: Duration = Duration::from_secs(120);
/// Sockets of one game at most.
const MOST_SOCKETS: usize = 32;
/// Megabytes of trees and tables that agents of all games together may keep between decisions;
/// agents that find no room are built anew for every decision.
const KEPT_MEGABYTES: usize = 1024;
/// Messages that may wait for one game.
const INBOX: usize = 256;

/// What all tables share.
pub(crate) struct House {
    pub(crate) pool: Pool,
    pub(crate) keeper: Keeper,
    /// Work beside games that somebody waits for.
    pub(crate) tasks: Arc<Tasks>,
    /// Megabytes that are left for thinkers between decisions.
    room: Arc<Semaphore>,
}

impl House {
    pub(crate) fn new(pool: Pool, keeper: Keeper) -> Self {
        let tasks = Arc::default();
        Self { pool, keeper, tasks, room: Arc::new(Semaphore::new(KEPT_MEGABYTES)) }
    }
}

/// What is said to a table.
pub(crate) enum Message {
    /// A socket comes.
    Join(Arc<Outbox>, oneshot::Sender<Result<u64, Refusal>>),
    /// A socket goes.
    Leave(u64),
    /// A socket asks for something.
    Ask(u64, Request),
    /// The game as it is.
    State(oneshot::Sender<GameState>),
    /// The game is kept for the first time.
    Keep(oneshot::Sender<Result<GameState, Refusal>>),
    /// Its record, if that may be told.
    Record(oneshot::Sender<Result<GameRecord, Refusal>>),
    /// The game with what is needed to think about it, if that may be told.
    Subject(oneshot::Sender<Result<Subject, Refusal>>),
    /// Why an agent played the action after so many others.
    Explanation(u32, oneshot::Sender<Result<Arc<Explanation>, Refusal>>),
    /// The game as it was asked for, for another one like it.
    Asked(oneshot::Sender<NewGame>),
    /// Whether nobody has acted in it and nobody looks at it.
    Untouched(oneshot::Sender<bool>),
    /// The table is to be closed; says whether it was.
    Close(Closing, oneshot::Sender<bool>),
    /// News of a worker.
    Worker(thinking::News),
}

/// Why a table is closed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Closing {
    /// There is no room; only if nobody uses it.
    ForRoom,
    /// The server stops.
    ForGood,
    /// The game was deleted: nothing is kept.
    Deleted,
}

/// What others can see of a table without asking it.
#[derive(Default)]
pub(crate) struct Presence {
    sockets: AtomicUsize,
    thinking: AtomicBool,
    /// When it was last used, in the order of use.
    pub(crate) used: AtomicU64,
}

impl Presence {
    /// Nobody looks and nobody thinks.
    pub(crate) fn is_idle(&self) -> bool {
        self.sockets.load(Ordering::Relaxed) == 0 && !self.thinking.load(Ordering::Relaxed)
    }
}

/// How others reach a table.
#[derive(Clone)]
pub(crate) struct Handle {
    pub(crate) sender: mpsc::Sender<Message>,
    pub(crate) presence: Arc<Presence>,
}

/// A game, who plays it, and who looks.
pub(crate) struct Table {
    house: Arc<House>,
    id: String,
    created: String,
    /// As it was asked for; without the record it may have come from.
    asked: NewGame,
    /// Names of the loadouts that the seats brought.
    loadouts: [String; 2],
    game: Arc<dyn AnyGame>,
    session: Box<dyn Session>,
    seats: [Seated; 2],
    names: [String; 2],
    seeds: Seeds,
    version: u64,
    paused: bool,
    /// Actions taken back, the next to be played again last.
    undone: Vec<String>,
    thoughts: Thoughts,
    clock: Option<ChessClock>,
    /// Somebody opened it since it was made or read from the database; nobody acts and no time runs
    /// before that.
    opened: bool,
    sockets: BTreeMap<u64, Arc<Outbox>>,
    next_number: u64,
    thinkers: [Option<Thinker>; 2],
    thought: Option<Thought>,
    advice: Option<Advice>,
    pondering: Pondering,
    /// The next watched action waits until then.
    wait_until: Option<Instant>,
    inbox: mpsc::WeakSender<Message>,
    presence: Arc<Presence>,
}

/// Whether a table goes on.
#[derive(PartialEq, Eq)]
enum Next {
    GoOn,
    End,
}

/// A table that is ready to be opened.
pub(crate) struct Laid {
    table: Table,
    inbox: mpsc::Receiver<Message>,
    handle: Handle,
}

/// Replays a game, which takes a while if it was long.
pub(crate) fn lay(house: Arc<House>, kept: Kept) -> Result<Laid, Refusal> {
    let (sender, inbox) = mpsc::channel(INBOX);
    let presence = Arc::new(Presence::default());
    let table = kept.into_table(house, sender.downgrade(), presence.clone())?;
    Ok(Laid { table, inbox, handle: Handle { sender, presence } })
}

impl Laid {
    /// Opens the table: a task that lives until it is closed.
    pub(crate) fn open(self) -> Handle {
        tokio::spawn(self.table.run(self.inbox));
        self.handle
    }
}

impl Table {
    async fn run(mut self, mut inbox: mpsc::Receiver<Message>) {
        self.advance().await;
        loop {
            let deadline = self.next_deadline();
            let timer = tokio::time::sleep_until(deadline.unwrap_or_else(Instant::now).into());
            tokio::select! {
                message = inbox.recv() => match message {
                    Some(message) => if self.hear(message).await == Next::End { break },
                    None => break,
                },
                () = timer, if deadline.is_some() => self.time_passes().await,
            }
            let thinking = self.thought.is_some() || self.advice.is_some();
            self.presence.thinking.store(thinking, Ordering::Relaxed);
            self.presence.sockets.store(self.sockets.len(), Ordering::Relaxed);
        }
        self.abandon_all();
    }

    async fn hear(&mut self, message: Message) -> Next {
        match message {
            Message::Join(outbox, done) => {
                let joined = self.join(outbox);
                self.opened |= joined.is_ok();
                // A socket that vanished meanwhile says so by leaving.
                drop(done.send(joined));
                self.advance().await;
            }
            Message::Leave(number) => {
                self.sockets.remove(&number);
                self.run_clock();
                if self.sockets.is_empty() {
                    self.pondering.stop();
                    self.thinkers = [None, None];
                }
            }
            Message::Ask(number, request) => self.obey(number, request).await,
            Message::State(done) => drop(done.send(self.state())),
            Message::Keep(done) => {
                let kept = self.keep().await.map(|_| self.state());
                let next = if kept.is_ok() { Next::GoOn } else { Next::End };
                drop(done.send(kept));
                return next;
            }
            Message::Record(done) => drop(done.send(self.telling_record())),
            Message::Subject(done) => drop(done.send(self.subject())),
            Message::Explanation(ply, done) => drop(done.send(self.explanation(ply))),
            Message::Asked(done) => drop(done.send(self.asked.clone())),
            Message::Untouched(done) => drop(done.send(self.untouched())),
            Message::Close(why, done) => {
                let in_use = !self.presence.is_idle() || !self.sockets.is_empty();
                let close = why != Closing::ForRoom || !in_use;
                if close {
                    self.farewell(why).await;
                }
                let _ = done.send(close);
                return if close { Next::End } else { Next::GoOn };
            }
            Message::Worker(news) => self.hear_worker(news).await,
        }
        Next::GoOn
    }

    fn join(&mut self, outbox: Arc<Outbox>) -> Result<u64, Refusal> {
        // A client that vanished before its socket was open never says that it leaves.
        self.sockets.retain(|_, outbox| Arc::strong_count(outbox) > 1);
        if self.sockets.len() >= MOST_SOCKETS {
            let reason = format!("the game already has {MOST_SOCKETS} connections");
            return Err(Refusal::busy(reason));
        }
        let number = self.number();
        self.sockets.insert(number, outbox);
        Ok(number)
    }

    /// A number that was not given before.
    fn number(&mut self) -> u64 {
        self.next_number += 1;
        self.next_number
    }

    /// Keeps the time left and says goodbye.
    async fn farewell(&mut self, why: Closing) {
        if why != Closing::Deleted
            && let Some(clock) = &mut self.clock
        {
            clock.run(None, Instant::now());
            // Who waits for a table to close can do nothing about a failing disk.
            drop(self.keep().await);
        }
        self.send_all(&Answer::Goodbye);
        self.sockets.values().for_each(|outbox| outbox.close());
    }

    fn is_person(&self, seat: Seat) -> bool {
        self.seats[seat.index()].agent.is_none()
    }

    fn person_to_act(&self) -> bool {
        self.session.to_act().is_some_and(|seat| self.is_person(seat))
    }

    /// People among the players.
    fn people(&self) -> Vec<Seat> {
        Seat::BOTH.into_iter().filter(|&seat| self.is_person(seat)).collect()
    }

    /// Agents wait: they were told to, or nobody looks at their game.
    fn agents_wait(&self) -> bool {
        self.paused || !self.opened || (self.people().is_empty() && self.sockets.is_empty())
    }

    /// The moment at which something happens by itself.
    fn next_deadline(&self) -> Option<Instant> {
        let thought = self.thought.as_ref().and_then(Thought::deadline);
        let advice = self.advice.as_ref().and_then(Advice::deadline);
        let flag = self.clock.as_ref().and_then(ChessClock::flag);
        let pondering = self.pondering.deadline();
        [thought, advice, flag, pondering, self.wait_until].into_iter().flatten().min()
    }

    async fn time_passes(&mut self) {
        let now = Instant::now();
        if self.clock.as_ref().and_then(ChessClock::flag).is_some_and(|flag| flag <= now) {
            return self.flag_falls().await;
        }
        if let Some(thought) = &mut self.thought {
            thought.stop_if_due(now);
        }
        if let Some(advice) = &mut self.advice {
            advice.stop_if_due(now);
        }
        if self.pondering.end_if_due(now) {
            self.show();
        }
        if self.wait_until.is_some_and(|until| until <= now) {
            self.wait_until = None;
            self.advance().await;
        }
    }

    async fn flag_falls(&mut self) {
        self.abandon_all();
        self.session.lose_on_time();
        self.changed().await;
        self.advance().await;
    }

    /// Lets the right time run: nobody's while agents wait, or before somebody opened the game.
    fn run_clock(&mut self) {
        let to_act = self.session.to_act();
        // The pause between watched actions is ours, not the agent's.
        let agent_runs = !self.agents_wait() && self.wait_until.is_none();
        let runs = self.opened && (self.person_to_act() || agent_runs);
        if let Some(clock) = &mut self.clock {
            clock.run(to_act.filter(|_| runs), Instant::now());
        }
    }

    /// After a change of the game: it gets a new version and is kept.
    async fn changed(&mut self) {
        self.version += 1;
        self.run_clock();
        if let Err(refusal) = self.keep().await {
            let error = format!("the game continues but cannot be saved: {}", refusal.reason);
            self.send_all(&Answer::Refused { error });
        }
    }

    /// Keeps the game as it is now.
    async fn keep(&mut self) -> Result<bool, Refusal> {
        let row = self.kept_row();
        self.house.keeper.write(row).await
    }

    /// Lets agents act as far as they can at once, starts what takes longer, and shows the game.
    async fn advance(&mut self) {
        self.run_clock();
        while let Some(decided) = self.ready_action() {
            // People see their own action even if the answer is there at once.
            self.show();
            if !self.act(decided).await {
                break;
            }
        }
        self.ponder();
        self.show();
    }

    /// Plays what an agent decided; false if it cannot be played, and then agents wait.
    async fn act(&mut self, decided: Arc<Explanation>) -> bool {
        let Some(seat) = self.session.to_act() else { return false };
        if let Err(error) = self.session.apply(&decided.choice.action) {
            self.agent_failed(&format!("illegal action: {error}"));
            return false;
        }
        self.after_action(seat);
        self.thoughts.explain(decided);
        if self.people().is_empty() {
            self.wait_until = Some(Instant::now() + WATCHING_PAUSE);
        }
        self.changed().await;
        true
    }

    /// What every action brings with it.
    fn after_action(&mut self, seat: Seat) {
        self.undone.clear();
        self.thoughts.play(self.session.played());
        if self.session.to_act() != Some(seat)
            && let Some(clock) = &mut self.clock
        {
            clock.end_turn(seat);
        }
    }

    fn agent_failed(&mut self, why: &str) {
        self.paused = true;
        self.send_all(&Answer::Refused { error: format!("the agent failed: {why}") });
    }

    /// Shows the game to everybody who looks.
    fn show(&self) {
        if self.sockets.is_empty() {
            return;
        }
        let state = Arc::new(self.state());
        self.sockets.values().for_each(|outbox| outbox.put_state(state.clone()));
    }

    fn send_all(&self, answer: &Answer) {
        let text = text_of(answer);
        self.sockets.values().for_each(|outbox| outbox.put(text.clone()));
    }

    fn send(&self, number: u64, answer: &Answer) {
        if let Some(outbox) = self.sockets.get(&number) {
            outbox.put(text_of(answer));
        }
    }

    /// Nobody thinks about this game any more.
    fn abandon_all(&mut self) {
        self.abandon_thought();
        if let Some(advice) = self.advice.take() {
            advice.abandon();
        }
        self.pondering.stop();
        self.wait_until = None;
    }

    fn abandon_thought(&mut self) {
        if let Some(thought) = self.thought.take() {
            thought.abandon();
        }
    }
}

/// An answer as it is sent.
pub(crate) fn text_of(answer: &Answer) -> Utf8Bytes {
    serde_json::to_string(answer).expect("answers are plain data").into()
}

/// However a table ends, by a panic too, those who look hear of it.
impl Drop for Table {
    fn drop(&mut self) {
        self.sockets.values().for_each(|outbox| outbox.close());
    }
}
