//! How a worker plays: every slot takes a chunk of one of the runs that it may play, in turn, and reports.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::consumer::pull::{Batch, BatchError};
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt as _;
use protocol::{Chunk, ChunkReport, Fault, GameOrder, RunNotice, unpack};
use tokio::sync::SemaphorePermit;
use tokio::time::{interval, sleep};

use crate::Game;
use crate::access::{RunKey, lock};
use crate::admitting::Admission;
use crate::coordinator::PAUSE;
use crate::error::ClusterError;
use crate::parts::parts;
use crate::player::{Player, PlayerFault};
use crate::worker::{LONG, Worker};

/// How often a chunk may be handed out before it is thought to end whoever plays it.
const MOST_DELIVERIES: i64 = 3;

/// The queues of one slot; one that could not be reached is left alone for a while.
type Queues = BTreeMap<RunKey, Result<PullConsumer, Instant>>;

/// A player with the run that it knows. A slot has one: what it may use is not to be used twice.
type Seated = Option<(RunKey, Player)>;

/// A run that may be played.
type Open = (RunKey, RunNotice, Admission);

impl Worker {
    /// One slot: takes chunks and plays them.
    pub(crate) async fn play(self: Arc<Self>, slot: usize) {
        let mut queues = Queues::new();
        let mut seated: Seated = None;
        let mut last: Option<RunKey> = None;
        while !self.stop.is_stopped() {
            let mut open = self.open_runs();
            // Games of several threads need those of other slots, which play none of them.
            open.retain(|(.., admission)| slot < self.at_once(admission.threads));
            queues.retain(|key, _| open.iter().any(|(of, ..)| of == key));
            seated = seated.filter(|(key, _)| open.iter().any(|(of, ..)| of == key));
            if open.is_empty() {
                sleep(PAUSE / 5).await;
                continue;
            }
            // Every run in its turn.
            let is_before = |(key, ..): &Open| last.as_ref().is_some_and(|last| key <= last);
            let turn = open.partition_point(is_before);
            open.rotate_left(turn);
            let Some((place, message)) = self.take(&open, &mut queues).await else { continue };
            let run = &open[place];
            last = Some(run.0.clone());
            seated = seated.filter(|(key, _)| *key == run.0);
            let Some(_threads) = self.threads_for(run, &message).await else {
                // Whoever else plays it has it at once.
                let _ = message.ack_with(AckKind::Nak(None)).await;
                continue;
            };
            let player = seated.take().map(|(_, player)| player);
            let player = self.answer(run, player, message).await;
            seated = player.map(|player| (run.0.clone(), player));
        }
    }

    /// The threads that a game of this run takes, as soon as they are free; the chunk is kept meanwhile. Nothing
    /// if it is not wanted any more.
    async fn threads_for(
        &self,
        (key, notice, admission): &Open,
        message: &Message,
    ) -> Option<SemaphorePermit<'_>> {
        let mut beat = interval(Duration::from_millis(notice.heartbeat));
        let free = self.free.acquire_many(admission.threads as u32);
        tokio::pin!(free);
        loop {
            tokio::select! {
                biased;
                threads = &mut free => return threads.ok(),
                () = self.unwanted(key) => return None,
                _ = beat.tick() => drop(message.ack_with(AckKind::Progress).await),
            }
        }
    }

    /// A chunk of the first of these runs that has one; one that cannot be asked is passed over.
    async fn take(&self, open: &[Open], queues: &mut Queues) -> Option<(usize, Message)> {
        let mut waits = None;
        for (place, (key, ..)) in open.iter().enumerate() {
            let queue = match queues.get(key) {
                Some(Ok(queue)) => queue.clone(),
                Some(Err(until)) if *until > Instant::now() => continue,
                _ => {
                    let found = self.bus.queue(&key.jobs()).await;
                    // Whoever made it will make it again.
                    let found = found.map_err(|_| Instant::now() + PAUSE);
                    queues.insert(key.clone(), found.clone());
                    let Ok(queue) = found else { continue };
                    queue
                }
            };
            if open.len() == 1 {
                waits = Some((place, queue));
                break;
            }
            // All at a glance.
            match first(queue.fetch().max_messages(1).messages()).await {
                Ok(Some(message)) => return Some((place, message)),
                Ok(None) => {
                    waits.get_or_insert((place, queue));
                }
                Err(_) => drop(queues.insert(key.clone(), Err(Instant::now() + PAUSE))),
            }
        }
        let Some((place, queue)) = waits else {
            sleep(PAUSE / 5).await;
            return None;
        };
        // Where there are several, another may have one meanwhile.
        let long = if open.len() == 1 { LONG } else { LONG / 4 };
        match first(queue.batch().max_messages(1).expires(long).messages()).await {
            Ok(message) => message.map(|message| (place, message)),
            Err(_) => {
                queues.insert(open[place].0.clone(), Err(Instant::now() + PAUSE));
                None
            }
        }
    }

    /// A game with who played it.
    pub(crate) fn signed(&self, (mut row, record): Game) -> Game {
        row.program = Some(self.options.program.clone());
        row.host = Some(self.options.host.clone());
        (row, record)
    }

    /// Plays a chunk, and says that it is done when its report is safe; gives the player back.
    async fn answer(
        &self,
        (key, notice, admission): &Open,
        mut player: Option<Player>,
        message: Message,
    ) -> Option<Player> {
        let Ok(chunk) = unpack::<Chunk>(&message.payload) else {
            // Nobody of this form can ever play it.
            let _ = message.ack_with(AckKind::Term).await;
            return player;
        };
        let began = Instant::now();
        let delivered = message.info().map_or(1, |info| info.delivered);
        let mut report = ChunkReport {
            chunk: chunk.id,
            worker: self.id.clone(),
            seconds: 0.0,
            games: Vec::new(),
            faults: Vec::new(),
            returned: Vec::new(),
        };
        if delivered > MOST_DELIVERIES {
            let numbers = chunk.games.iter().map(|order| order.number).collect();
            let what = format!("{} workers took it and were not heard again", delivered - 1);
            report.faults.push(Fault { numbers, what, unheard: true });
        } else if chunk.again.is_some_and(|by| [&self.id, &self.options.host].contains(&&by)) {
            report.returned = chunk.games.iter().map(|order| order.number).collect();
        } else {
            let mut beat = interval(Duration::from_millis(notice.heartbeat));
            let mut orders = chunk.games.into_iter();
            while let Some(order) = orders.next() {
                let number = order.number;
                let played = {
                    let playing = self.play_one((key, admission), &mut player, order);
                    tokio::pin!(playing);
                    loop {
                        tokio::select! {
                            played = &mut playing => break Some(played),
                            // If that is not heard, somebody else plays it, too.
                            _ = beat.tick() => drop(message.ack_with(AckKind::Progress).await),
                            () = self.unwanted(key) => break None,
                        }
                    }
                };
                let fault = |what| Fault { numbers: vec![number], what, unheard: false };
                let (is_back, goes_on) = match played {
                    Some(Ok(game)) => {
                        self.is_well(key, &notice.run);
                        report.games.push(self.signed(game));
                        (false, true)
                    }
                    Some(Err(PlayerFault::Said(what))) => {
                        report.faults.push(fault(what));
                        (false, true)
                    }
                    Some(Err(PlayerFault::Gone(what))) => {
                        player = None;
                        let rests = self.has_died(key, &notice.run, &what);
                        report.faults.push(fault(what));
                        (false, !rests)
                    }
                    Some(Err(PlayerFault::Unable(what))) => {
                        player = None;
                        self.rest(key, &notice.run, &what);
                        (true, false)
                    }
                    None => {
                        player = None;
                        (true, false)
                    }
                };
                if !goes_on {
                    // Others play them: that nobody has heard of them would count against the games.
                    let left = orders.by_ref().map(|order| order.number);
                    report.returned = is_back.then_some(number).into_iter().chain(left).collect();
                }
            }
        }
        report.seconds = began.elapsed().as_secs_f64();
        let games = report.games.len() as u64;
        if self.deliver((key, &notice.run), report, &message).await {
            // If that is not heard, somebody plays it again, and nobody counts it twice.
            let _ = message.double_ack().await;
            self.games.fetch_add(games, Ordering::Relaxed);
            lock(&self.done).entry(notice.run.clone()).or_default().games += games;
        }
        player
    }

    /// Waits until what is played is not wanted any more: somebody asks to stop, the run has ended, or this
    /// worker may not play it.
    async fn unwanted(&self, key: &RunKey) {
        while !self.stop.is_stopped() && lock(&self.runs).contains_key(key) && !self.is_refused(key)
        {
            sleep(PAUSE / 5).await;
        }
    }

    async fn play_one(
        &self,
        (key, admission): (&RunKey, &Admission),
        player: &mut Option<Player>,
        order: GameOrder,
    ) -> Result<Game, PlayerFault> {
        if player.is_none() {
            *player = lock(&self.ready).remove(key);
        }
        let player = match player {
            Some(player) => player,
            None => {
                let memory = self.memory(admission.threads);
                player.insert(Player::start(&admission.shipped, memory).await?)
            }
        };
        player.play(order).await
    }

    /// Sends a report until it is accepted; not if nobody wants it any more.
    async fn deliver(
        &self,
        (key, run): (&RunKey, &str),
        report: ChunkReport<Game>,
        chunk: &Message,
    ) -> bool {
        for part in parts(report, self.bus.client.max_payload()) {
            let mut is_kept = true;
            loop {
                let message = PublishMessage::build().payload(part.clone().into());
                let Err(error) = self.bus.send(key.report_subject(), message).await else { break };
                if !lock(&self.runs).contains_key(key) {
                    return false;
                }
                is_kept = false;
                self.rest(
                    key,
                    run,
                    &format!("the NATS server does not keep what it is sent ({error})"),
                );
                sleep(PAUSE).await;
                // Nobody else is to play it, who could not report it either.
                let _ = chunk.ack_with(AckKind::Progress).await;
            }
            if !is_kept {
                self.is_well(key, run);
            }
        }
        true
    }
}

/// The message that somebody waits for, if one comes.
async fn first(
    waiting: impl Future<Output = Result<Batch, BatchError>>,
) -> Result<Option<Message>, ClusterError> {
    let failed = ClusterError::of("taking a chunk");
    let mut got = waiting.await.map_err(|error| failed(&error))?;
    got.next().await.transpose().map_err(|error| failed(&error))
}
