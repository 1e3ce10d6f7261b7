//! Who thinks about a game: the agent to act, and whoever gives advice.

use lab::grouped;
use std::sync::Arc;
use std::time::Instant;

use arena::WallClock;
use gamecore::{Purpose, Seat, StopToken, seed};
use protocol::scene::Choice;
use registry::{DecisionReport, ResolvedAgent, SpecError, Thinking};
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;

use super::thinker::{Task, Thinker, decide};
use super::{LONGEST_ADVICE, LONGEST_THOUGHT, Message, Table, text_of};
use crate::dto::{self, Answer, Explanation, Hint, Player};
use crate::error::Refusal;
use crate::insight::told::explanation;
use crate::players::{adviser, is_short};
use crate::pool::Lane;

/// What workers say. Every number is that of the work it is about.
pub(crate) enum News {
    /// A thought began; it had waited for a worker until then.
    Began(u64),
    /// How far it is.
    Progress(u64, dto::Thought),
    /// What was decided, or why nothing; and the thinker, to be used again.
    Decided(u64, Option<Thinker>, Result<Arc<Explanation>, SpecError>),
    /// Advice began to be thought about.
    AdviceBegan(u64),
    /// Advice.
    Advised(u64, Result<Box<DecisionReport>, SpecError>),
    /// An agent would decide so in this position.
    Foreseen(u64, String, Arc<Explanation>),
    /// Thinking ahead ended; all was thought about, or other work came.
    PonderingEnded(u64, bool),
}

/// A decision that is being thought about.
pub(super) struct Thought {
    number: u64,
    seat: Seat,
    stop: StopToken,
    cancel: StopToken,
    deadline: Option<Instant>,
}

impl Thought {
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    pub(super) fn stop_if_due(&mut self, now: Instant) {
        if self.deadline.is_some_and(|deadline| deadline <= now) {
            self.deadline = None;
            self.stop.stop();
        }
    }

    /// The best found so far is to be played.
    pub(super) fn stop(&self) {
        self.stop.stop();
    }

    /// Nobody wants to know any more.
    pub(super) fn abandon(&self) {
        self.cancel.stop();
        self.stop.stop();
    }
}

/// Advice that is being thought about.
pub(super) struct Advice {
    thought: Thought,
    asker: u64,
    version: u64,
}

impl Advice {
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.thought.deadline
    }

    pub(super) fn stop_if_due(&mut self, now: Instant) {
        self.thought.stop_if_due(now);
    }

    pub(super) fn stop(&self) {
        self.thought.stop();
    }

    pub(super) fn abandon(&self) {
        self.thought.abandon();
    }
}

/// The way back to the table. If the work ends without an answer, by a panic or because it was
/// thrown away, the table hears that, too.
pub(super) struct Reply {
    inbox: mpsc::Sender<Message>,
    otherwise: Option<News>,
}

impl Reply {
    pub(super) fn new(inbox: mpsc::Sender<Message>, otherwise: News) -> Self {
        Self { inbox, otherwise: Some(otherwise) }
    }

    /// Says something on the way; from a worker only.
    pub(super) fn tell(&self, news: News) {
        // A table that was closed needs no news.
        drop(self.inbox.blocking_send(Message::Worker(news)));
    }

    /// Says the last thing.
    pub(super) fn end(mut self, news: News) {
        self.otherwise = None;
        self.tell(news);
    }
}

impl Drop for Reply {
    fn drop(&mut self) {
        if let Some(news) = self.otherwise.take() {
            let Err(TrySendError::Full(news)) = self.inbox.try_send(Message::Worker(news)) else {
                return;
            };
            // A table that waits for this answer must hear it, and neither a worker nor whoever
            // throws away its work may wait for room.
            let inbox = self.inbox.clone();
            std::thread::spawn(move || drop(inbox.blocking_send(news)));
        }
    }
}

impl Table {
    /// What the agent to act plays without thinking: its only action, or one that was
    /// thought about ahead. Otherwise it begins to think, if it may.
    pub(super) fn ready_action(&mut self) -> Option<Arc<Explanation>> {
        let seat = self.session.to_act()?;
        let waits = self.agents_wait() || self.wait_until.is_some() || self.thought.is_some();
        if self.is_person(seat) || waits {
            return None;
        }
        if let [only] = &self.session.legal()[..]
            && let Ok(told) = self.session.unexplained(only)
        {
            let spec = self.seats[seat.index()].spec().unwrap_or_default();
            return Some(Arc::new(explanation(&told, &spec)));
        }
        if let Some(decided) = self.pondering.foreseen(&self.session.position()) {
            return Some(decided);
        }
        self.begin_thinking(seat);
        None
    }

    /// What a worker must know to let this agent decide the present position.
    pub(super) fn task(&self, agent: &ResolvedAgent, seed: u64) -> Task {
        Task {
            game: self.game.clone(),
            record: self.session.record(self.names.clone()),
            position: self.session.position(),
            agent: agent.clone(),
            seed,
            lots: false,
        }
    }

    /// Whether a level sits there.
    pub(super) fn draws_lots(&self, seat: Seat) -> bool {
        matches!(self.seats[seat.index()].player, Player::Level { .. })
    }

    /// The seed of whoever thinks beside the game; not that of the deal, which would know the cards.
    pub(super) fn side_seed(&self) -> u64 {
        seed(self.seeds.start, 1, Purpose::Agent { game: 0, letter: 'h' })
    }

    fn begin_thinking(&mut self, seat: Seat) {
        let Some(inbox) = self.inbox.upgrade() else { return };
        let Some(agent) = &self.seats[seat.index()].agent else { return };
        let lane = if is_short(agent) { Lane::Short } else { Lane::Long };
        let seed = self.seeds.agents[seat.index()];
        let task = Task { lots: self.draws_lots(seat), ..self.task(agent, seed) };
        // What an agent prefers may hint at what only it knows.
        let tells = !self.session.hides();
        let number = self.number();
        let old = self.thinkers[seat.index()].take();
        let (stop, cancel) = (StopToken::default(), StopToken::default());
        let thought =
            Thought { number, seat, stop: stop.clone(), cancel: cancel.clone(), deadline: None };
        self.thought = Some(thought);
        let lost = SpecError::plain("its work was interrupted");
        let listener = tells.then(|| inbox.clone());
        let reply = Reply::new(inbox, News::Decided(number, None, Err(lost)));
        self.house.pool.submit(lane, &self.id, move || {
            if cancel.is_stopped() {
                return reply.end(News::Decided(number, old, Err(SpecError::plain("abandoned"))));
            }
            reply.tell(News::Began(number));
            let mut thinker = match Thinker::at(&task, old) {
                Ok(thinker) => thinker,
                Err(error) => return reply.end(News::Decided(number, None, Err(error))),
            };
            let decided = decide(&mut thinker, seat, &task, &stop, &|thought| {
                // Nobody misses a thought if there is no room for it.
                let tell = |inbox: &mpsc::Sender<Message>| {
                    inbox.try_send(Message::Worker(News::Progress(number, thought)))
                };
                drop(listener.as_ref().map(tell));
            });
            reply.end(News::Decided(number, Some(thinker), decided));
        });
    }

    pub(super) async fn hear_worker(&mut self, news: News) {
        match news {
            News::Began(number) => {
                if let Some(thought) = self.thought.as_mut().filter(|it| it.number == number) {
                    let now = Instant::now();
                    let share = self.clock.as_ref().map(|clock| clock.share(thought.seat, now));
                    let limit = share.unwrap_or(LONGEST_THOUGHT).min(LONGEST_THOUGHT);
                    thought.deadline = Some(now + limit);
                }
            }
            News::Progress(number, thought) => {
                if self.thought.as_ref().is_some_and(|it| it.number == number) {
                    let text = text_of(&Answer::Thought(thought));
                    self.sockets.values().for_each(|outbox| outbox.put_thought(text.clone()));
                }
            }
            News::Decided(number, thinker, decided) => {
                self.decided(number, thinker, decided).await;
            }
            News::AdviceBegan(number) => {
                let advice = self.advice.as_mut();
                if let Some(advice) = advice.filter(|it| it.thought.number == number) {
                    advice.thought.deadline = Some(Instant::now() + LONGEST_ADVICE);
                }
            }
            News::Advised(number, decision) => self.advised(number, decision),
            News::Foreseen(number, position, decided) => {
                self.pondering.note(number, position, decided);
            }
            News::PonderingEnded(number, finished) => {
                if self.pondering.ended(number, finished) {
                    self.ponder();
                    if finished {
                        self.show();
                    }
                }
            }
        }
    }

    async fn decided(
        &mut self,
        number: u64,
        thinker: Option<Thinker>,
        decided: Result<Arc<Explanation>, SpecError>,
    ) {
        let current = self.thought.take_if(|thought| thought.number == number);
        let Some(Thought { seat, .. }) = current else { return };
        self.thinkers[seat.index()] = thinker.and_then(|thinker| self.keep_thinker(thinker));
        match decided {
            Ok(decided) => {
                self.act(decided).await;
            }
            Err(why) => self.agent_failed(&why.to_string()),
        }
        self.advance().await;
    }

    /// A thinker may be kept while somebody looks and there is room for what it holds.
    fn keep_thinker(&self, mut thinker: Thinker) -> Option<Thinker> {
        // What it had is too little or too much now.
        thinker.room = None;
        if self.sockets.is_empty() {
            return None;
        }
        let needed = u32::try_from(thinker.megabytes()).ok()?;
        thinker.room = self.house.room.clone().try_acquire_many_owned(needed).ok();
        thinker.room.is_some().then_some(thinker)
    }

    /// Begins to think about advice for the person to act.
    pub(super) fn ask_advice(&mut self, asker: u64) -> Result<(), Refusal> {
        if !self.person_to_act() {
            return Err(Refusal::conflict("hints are for a person whose turn it is"));
        }
        if self.advice.is_some() {
            return Err(Refusal::conflict("a hint is already being computed"));
        }
        let inbox =
            self.inbox.upgrade().ok_or_else(|| Refusal::conflict("the game is being closed"))?;
        let agent = adviser(&*self.game, 1)?;
        let task = self.task(&agent, self.side_seed());
        let number = self.number();
        let (stop, cancel) = (StopToken::default(), StopToken::default());
        let thought = Thought {
            number,
            seat: self.session.to_act().unwrap_or(Seat::Zero),
            stop: stop.clone(),
            cancel: cancel.clone(),
            deadline: None,
        };
        self.advice = Some(Advice { thought, asker, version: self.version });
        let lost = Err(SpecError::plain("its work was interrupted"));
        let reply = Reply::new(inbox, News::Advised(number, lost));
        self.house.pool.submit(Lane::Long, &self.id, move || {
            if cancel.is_stopped() {
                return;
            }
            reply.tell(News::AdviceBegan(number));
            let decision = Thinker::at(&task, None).and_then(|mut adviser| {
                let limits = Thinking {
                    clock: &WallClock::new(),
                    stop: &stop,
                    progress: None,
                    tree_nodes: 0,
                };
                let decision = adviser.session.think(adviser.agent, &limits);
                decision.map(Box::new)
            });
            reply.end(News::Advised(number, decision));
        });
        Ok(())
    }

    fn advised(&mut self, number: u64, decision: Result<Box<DecisionReport>, SpecError>) {
        let Some(advice) = self.advice.take_if(|advice| advice.thought.number == number) else {
            return;
        };
        if advice.version != self.version {
            return;
        }
        let decision = match decision {
            Ok(decision) => decision,
            Err(why) => {
                let error = format!("there is no hint: {why}");
                return self.send(advice.asker, &Answer::Refused { error });
            }
        };
        let choices = self.session.scene(self.eyes()).choices;
        let advised = |choice: &Choice| choice.back == 0 && choice.action == decision.action;
        let choice = choices.into_iter().find(advised);
        let (words, path) = choice.map_or_else(
            || (decision.action.clone(), Vec::new()),
            |choice| (choice.words, choice.path),
        );
        let hint = Hint {
            reason: self.reason_of(&decision),
            action: decision.action,
            words,
            path,
            version: advice.version,
        };
        self.send(advice.asker, &Answer::Hint(hint));
    }

    /// Why an action is advised, one sentence.
    fn reason_of(&self, decision: &DecisionReport) -> String {
        let options = self.session.legal().len();
        let work = &decision.counters;
        let effort = match (work.iterations, work.nodes) {
            (0, 0) => String::new(),
            (0, nodes) => format!(" after {} positions", grouped(nodes)),
            (iterations, _) => format!(" after {} iterations", grouped(iterations)),
        };
        // Where something is hidden the expected continuation may tell it.
        let expected =
            decision.principal_variation.get(1..6.min(decision.principal_variation.len()));
        let expected = match expected {
            // Squares speak for themselves; what is said of other actions stands under Explain.
            Some(line)
                if !line.is_empty()
                    && !self.session.hides()
                    && line.iter().all(|action| !action.contains(' ')) =>
            {
                format!("; then it expects {}", line.join(" "))
            }
            _ => String::new(),
        };
        format!("Best of {options} actions{effort}{expected}.")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_not_lost_when_there_is_no_room_for_it() {
        let (inbox, mut heard) = mpsc::channel(1);
        inbox.try_send(Message::Worker(News::Began(1))).unwrap();
        drop(Reply::new(inbox, News::PonderingEnded(2, false)));
        let mut next = || heard.blocking_recv();
        assert!(matches!(next(), Some(Message::Worker(News::Began(1)))));
        assert!(matches!(next(), Some(Message::Worker(News::PonderingEnded(2, false)))));
        assert!(next().is_none());
    }
}
