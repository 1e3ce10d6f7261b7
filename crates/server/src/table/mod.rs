//! The task of one live game: it owns the game, so that nothing needs a lock, lets it hear what
//! sockets ask and workers found, and does what it wants done.

mod workers;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use arena::GameRecord;
use gamecore::StopToken;
use live::{Audience, Effect, Input, KeptGame, LiveGame, Moment, Snapshot, Subject};
use protocol::{Answer, Explanation, GameState, NewGame, Request};
use registry::Registry;
use store::{AppGame, AppGameRow, AppWrite};
use tokio::sync::{Semaphore, mpsc, oneshot};

use crate::error::Refusal;
use crate::keeper::Keeper;
use crate::moment;
use crate::outbox::{Outbox, text_of};
use crate::pool::{Lane, Pool};
use crate::tasks::Tasks;

use workers::{News, Workers};

/// Sockets of one game at most.
const MOST_SOCKETS: usize = 32;
/// Megabytes of trees and tables that agents of all games together may keep between decisions;
/// agents that find no room are built anew for every decision.
const KEPT_MEGABYTES: usize = 1024;
/// Messages that may wait for one game.
const INBOX: usize = 256;

/// What all tables share.
pub(crate) struct Services {
    pub(crate) games: Registry,
    pub(crate) pool: Pool,
    pub(crate) keeper: Keeper,
    /// Work beside games that somebody waits for.
    pub(crate) tasks: Arc<Tasks>,
    /// Megabytes that are left for thinkers between decisions.
    room: Arc<Semaphore>,
}

impl Services {
    pub(crate) fn new(games: Registry, pool: Pool, keeper: Keeper) -> Self {
        let tasks = Arc::default();
        Self { games, pool, keeper, tasks, room: Arc::new(Semaphore::new(KEPT_MEGABYTES)) }
    }

    /// Lets a worker do something on behalf of `whom` and waits for it: those who want much get it in
    /// turn with the others. After `limit`, counted from when a worker had time,
    /// it is told to stop; at once if the future is dropped.
    pub(crate) async fn work<T: Send + 'static>(
        &self,
        whom: &str,
        limit: Duration,
        job: impl FnOnce(&StopToken) -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let task = self.tasks.begin();
        let token = task.token.clone();
        let (began, begun) = oneshot::channel();
        let (done, mut answer) = oneshot::channel();
        self.pool.submit(Lane::Long, whom, move || {
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
    Worker(News),
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

/// A live game, those who look at it, and those who think about it.
pub(crate) struct Table {
    services: Arc<Services>,
    id: String,
    live: LiveGame,
    /// The beginning of the game's time.
    epoch: Instant,
    sockets: BTreeMap<u64, Arc<Outbox>>,
    last_socket: u64,
    workers: Workers,
    presence: Arc<Presence>,
}

/// Whether a table goes on.
#[derive(PartialEq, Eq)]
enum Next {
    GoOn,
    End,
}

/// A table that is ready to be opened.
pub(crate) struct ReadyTable {
    table: Table,
    inbox: mpsc::Receiver<Message>,
    handle: Handle,
}

/// Replays a game, which takes a while if it was long.
pub(crate) fn prepare(services: Arc<Services>, kept: KeptGame) -> Result<ReadyTable, Refusal> {
    let (sender, inbox) = mpsc::channel(INBOX);
    let presence = Arc::new(Presence::default());
    let table = Table {
        id: kept.id.clone(),
        live: kept.open(services.pool.threads(), &services.games)?,
        services,
        epoch: Instant::now(),
        sockets: BTreeMap::new(),
        last_socket: 0,
        workers: Workers::new(sender.downgrade()),
        presence: presence.clone(),
    };
    Ok(ReadyTable { table, inbox, handle: Handle { sender, presence } })
}

impl ReadyTable {
    /// Opens the table: a task that lives until it is closed.
    pub(crate) fn open(self) -> Handle {
        tokio::spawn(self.table.run(self.inbox));
        self.handle
    }
}

impl Table {
    async fn run(mut self, mut inbox: mpsc::Receiver<Message>) {
        loop {
            let deadline = self.live.deadline().map(|moment| self.epoch + moment);
            let timer = tokio::time::sleep_until(deadline.unwrap_or_else(Instant::now).into());
            tokio::select! {
                message = inbox.recv() => match message {
                    Some(message) => if self.hear(message).await == Next::End { break },
                    None => break,
                },
                () = timer, if deadline.is_some() => self.tell(Input::TimePassed).await,
            }
            self.presence.thinking.store(self.live.is_thinking(), Ordering::Relaxed);
            self.presence.sockets.store(self.sockets.len(), Ordering::Relaxed);
        }
        self.workers.abandon_all();
    }

    fn now(&self) -> Moment {
        self.epoch.elapsed()
    }

    async fn hear(&mut self, message: Message) -> Next {
        match message {
            Message::Join(outbox, done) => {
                let joined = self.join(outbox);
                let came = joined.is_ok();
                // A socket that vanished meanwhile says so by leaving.
                drop(done.send(joined));
                if came {
                    self.tell(Input::Joined(self.sockets.len())).await;
                }
            }
            Message::Leave(number) => {
                self.sockets.remove(&number);
                if self.sockets.is_empty() {
                    self.workers.forget_thinkers();
                }
                self.tell(Input::Left(self.sockets.len())).await;
            }
            Message::Ask(asker, request) => self.tell(Input::Asked { asker, request }).await,
            Message::State(done) => drop(done.send(self.live.state_at(self.now()))),
            Message::Keep(done) => {
                let snapshot = self.live.snapshot();
                let kept = keep(&self.services, snapshot).await;
                let next = if kept.is_ok() { Next::GoOn } else { Next::End };
                drop(done.send(kept.map(|()| self.live.state_at(self.now()))));
                return next;
            }
            Message::Record(done) => {
                drop(done.send(self.live.telling_record().map_err(Refusal::from)));
            }
            Message::Subject(done) => drop(done.send(self.live.subject().map_err(Refusal::from))),
            Message::Explanation(ply, done) => {
                drop(done.send(self.live.explanation(ply).map_err(Refusal::from)));
            }
            Message::Asked(done) => drop(done.send(self.live.asked().clone())),
            Message::Untouched(done) => drop(done.send(self.live.untouched())),
            Message::Close(why, done) => {
                let in_use = !self.presence.is_idle() || !self.sockets.is_empty();
                let close = why != Closing::ForRoom || !in_use;
                if close {
                    self.farewell(why).await;
                }
                let _ = done.send(close);
                return if close { Next::End } else { Next::GoOn };
            }
            Message::Worker(news) => {
                if let Some(input) =
                    self.workers.hear(&self.services, !self.sockets.is_empty(), news)
                {
                    self.tell(input).await;
                }
            }
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
        self.last_socket += 1;
        self.sockets.insert(self.last_socket, outbox);
        Ok(self.last_socket)
    }

    /// Lets the game hear something and does what it wants done.
    async fn tell(&mut self, input: Input) {
        let mut effects = VecDeque::from(self.live.hear(input, self.now()));
        while let Some(effect) = effects.pop_front() {
            if let Effect::Keep = effect {
                let snapshot = self.live.snapshot();
                // What comes after it is told only when it is safe.
                if let Err(refusal) = keep(&self.services, snapshot).await {
                    let more = self.live.hear(Input::NotKept(refusal.reason), self.now());
                    more.into_iter().rev().for_each(|effect| effects.push_front(effect));
                }
            } else {
                self.carry_out(effect);
            }
        }
    }

    fn carry_out(&mut self, effect: Effect) {
        match effect {
            Effect::Keep => {}
            Effect::Show(state) => {
                self.sockets.values().for_each(|outbox| outbox.put_state(state.clone()));
            }
            Effect::Tell(Audience::All, answer @ Answer::Thought(_)) => {
                let text = text_of(&answer);
                self.sockets.values().for_each(|outbox| outbox.put_thought(text.clone()));
            }
            Effect::Tell(Audience::All, answer) => {
                let text = text_of(&answer);
                self.sockets.values().for_each(|outbox| outbox.put(text.clone()));
            }
            Effect::Tell(Audience::Asker(number), answer) => {
                if let Some(outbox) = self.sockets.get(&number) {
                    outbox.put(text_of(&answer));
                }
            }
            Effect::Think(number, task) => {
                self.workers.think(&self.services, &self.id, number, *task);
            }
            Effect::Advise(number, task) => {
                self.workers.advise(&self.services, &self.id, number, *task);
            }
            Effect::ThinkAhead(number, plan) => {
                self.workers.think_ahead(&self.services, number, *plan);
            }
            Effect::Stop(number) => self.workers.stop(number),
            Effect::Abandon(number) => self.workers.abandon(number),
        }
    }

    /// Keeps the time left and says goodbye.
    async fn farewell(&mut self, why: Closing) {
        for effect in self.live.hear(Input::Closed, self.now()) {
            match effect {
                // Who waits for a table to close can do nothing about a failing disk.
                Effect::Keep if why != Closing::Deleted => {
                    let snapshot = self.live.snapshot();
                    drop(keep(&self.services, snapshot).await);
                }
                other => self.carry_out(other),
            }
        }
        self.sockets.values().for_each(|outbox| outbox.close());
    }
}

/// Writes a game and waits until it is safe.
async fn keep(services: &Services, snapshot: Snapshot) -> Result<(), Refusal> {
    let Snapshot { id, game, created, players, status, over, plies, body } = snapshot;
    let updated = moment::now();
    let row = AppGameRow { id, game, created, updated, players, status, over, plies };
    services.keeper.write(AppWrite::Game(Box::new(AppGame { row, body }))).await.map(drop)
}

/// However a table ends, by a panic too, those who look hear of it.
impl Drop for Table {
    fn drop(&mut self) {
        self.sockets.values().for_each(|outbox| outbox.close());
    }
}
