//! Those who think about one game: what is asked of the pool, and the way back.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use arena::WallClock;
use gamecore::{Seat, StopToken};
use live::{AheadPlan, Input, Task, Thinker};
use protocol::{Explanation, Thought};
use registry::{DecisionReport, SpecError};
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;

use super::{Message, Services};
use crate::pool::Lane;

/// What workers say. Every number is that of the work it is about.
pub(crate) enum News {
    /// Work began; it had waited for a worker until then.
    Began(u64),
    /// How far a thought is.
    Progress(u64, Thought),
    /// What was decided, or why nothing; and the thinker, to be used again.
    Decided(u64, Option<Thinker>, Result<Arc<Explanation>, SpecError>),
    /// Advice.
    Advised(u64, Result<Box<DecisionReport>, SpecError>),
    /// An agent would decide so in this position.
    Foreseen(u64, String, Arc<Explanation>),
    /// Thinking ahead ended; all was thought about, or other work came.
    AheadEnded(u64, bool),
}

/// How work that was asked for is ended.
struct Work {
    /// Its best so far is wanted.
    stop: StopToken,
    /// Nobody waits for it any more.
    cancel: StopToken,
    /// Who acts by it, if somebody does.
    seat: Option<Seat>,
}

/// A thinker that is kept for its next decision, and the room it has.
type KeptThinker = (Thinker, OwnedSemaphorePermit);

/// All who think about a game.
pub(super) struct Workers {
    working: BTreeMap<u64, Work>,
    thinkers: [Option<KeptThinker>; 2],
    inbox: mpsc::WeakSender<Message>,
}

/// The way back to the table. If the work ends without an answer, by a panic or because it was
/// thrown away, the table hears that, too.
struct Reply {
    inbox: mpsc::Sender<Message>,
    otherwise: Option<News>,
}

impl Reply {
    fn new(inbox: mpsc::Sender<Message>, otherwise: News) -> Self {
        Self { inbox, otherwise: Some(otherwise) }
    }

    /// Says something on the way; from a worker only.
    fn tell(&self, news: News) {
        // A table that was closed needs no news.
        drop(self.inbox.blocking_send(Message::Worker(news)));
    }

    /// Says the last thing.
    fn end(mut self, news: News) {
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

impl Workers {
    pub(super) fn new(inbox: mpsc::WeakSender<Message>) -> Self {
        Self { working: BTreeMap::new(), thinkers: [None, None], inbox }
    }

    fn begin(&mut self, number: u64, seat: Option<Seat>) -> (StopToken, StopToken) {
        let (stop, cancel) = (StopToken::default(), StopToken::default());
        let work = Work { stop: stop.clone(), cancel: cancel.clone(), seat };
        self.working.insert(number, work);
        (stop, cancel)
    }

    /// Lets an agent decide.
    pub(super) fn think(&mut self, services: &Services, game: &str, number: u64, task: Task) {
        let Some(inbox) = self.inbox.upgrade() else { return };
        let old = self.thinkers[task.seat.index()].take().map(|(thinker, _)| thinker);
        let (stop, cancel) = self.begin(number, Some(task.seat));
        let lane = if task.is_short() { Lane::Short } else { Lane::Long };
        let listener = task.tells.then(|| inbox.clone());
        let reply = Reply::new(inbox, News::Decided(number, None, Err(interrupted())));
        let asked = Instant::now();
        services.pool.submit(lane, game, move || {
            if cancel.is_stopped() {
                return reply.end(News::Decided(number, old, Err(SpecError::plain("abandoned"))));
            }
            reply.tell(News::Began(number));
            let task = task.after(asked.elapsed());
            let mut thinker = match Thinker::at(&task, old) {
                Ok(thinker) => thinker,
                Err(error) => return reply.end(News::Decided(number, None, Err(error))),
            };
            let decided = thinker.decide(&task, &WallClock::new(), &stop, &|thought| {
                // Nobody misses a thought if there is no room for it.
                let tell = |inbox: &mpsc::Sender<Message>| {
                    inbox.try_send(Message::Worker(News::Progress(number, thought)))
                };
                drop(listener.as_ref().map(tell));
            });
            let decided = decided.map(|told| task.explanation(told));
            reply.end(News::Decided(number, Some(thinker), decided));
        });
    }

    /// Lets an adviser think.
    pub(super) fn advise(&mut self, services: &Services, game: &str, number: u64, task: Task) {
        let Some(inbox) = self.inbox.upgrade() else { return };
        let (stop, cancel) = self.begin(number, None);
        let reply = Reply::new(inbox, News::Advised(number, Err(interrupted())));
        services.pool.submit(Lane::Long, game, move || {
            if cancel.is_stopped() {
                return;
            }
            reply.tell(News::Began(number));
            let advice = task.advise(&WallClock::new(), &stop);
            reply.end(News::Advised(number, advice));
        });
    }

    /// Lets somebody think ahead where nobody else waits.
    pub(super) fn think_ahead(&mut self, services: &Services, number: u64, plan: AheadPlan) {
        let Some(inbox) = self.inbox.upgrade() else { return };
        let (_, cancel) = self.begin(number, None);
        let reply = Reply::new(inbox, News::AheadEnded(number, true));
        services.pool.submit_ahead(cancel.clone(), move || {
            let tell = |position, decided| reply.tell(News::Foreseen(number, position, decided));
            let finished = plan.carry_out(&WallClock::new(), &cancel, &tell).is_some();
            reply.end(News::AheadEnded(number, finished));
        });
    }

    /// The best found so far is wanted.
    pub(super) fn stop(&self, number: u64) {
        if let Some(work) = self.working.get(&number) {
            work.stop.stop();
        }
    }

    /// Nobody wants to know any more.
    pub(super) fn abandon(&mut self, number: u64) {
        if let Some(work) = self.working.remove(&number) {
            work.cancel.stop();
            work.stop.stop();
        }
    }

    pub(super) fn abandon_all(&mut self) {
        while let Some((&number, _)) = self.working.first_key_value() {
            self.abandon(number);
        }
    }

    /// Nobody looks, so nothing is kept for the next decision.
    pub(super) fn forget_thinkers(&mut self) {
        self.thinkers = [None, None];
    }

    /// What the game is to hear of news; `watched`: somebody looks.
    pub(super) fn hear(&mut self, services: &Services, watched: bool, news: News) -> Option<Input> {
        Some(match news {
            News::Began(number) => Input::Began(number),
            News::Progress(number, thought) => Input::Progress(number, thought),
            News::Decided(number, thinker, decided) => {
                let seat = self.working.remove(&number)?.seat?;
                let kept = thinker.filter(|_| watched).and_then(|thinker| {
                    let needed = u32::try_from(thinker.megabytes()).ok()?;
                    let room = services.room.clone().try_acquire_many_owned(needed).ok()?;
                    Some((thinker, room))
                });
                self.thinkers[seat.index()] = kept;
                Input::Decided(number, decided)
            }
            News::Advised(number, decided) => {
                self.working.remove(&number)?;
                Input::Advised(number, decided)
            }
            News::Foreseen(number, position, decided) => Input::Foreseen(number, position, decided),
            News::AheadEnded(number, finished) => {
                self.working.remove(&number)?;
                Input::AheadEnded { number, finished }
            }
        })
    }
}

fn interrupted() -> SpecError {
    SpecError::plain("its work was interrupted")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_not_lost_when_there_is_no_room_for_it() {
        let (inbox, mut heard) = mpsc::channel(1);
        inbox.try_send(Message::Worker(News::Began(1))).unwrap();
        drop(Reply::new(inbox, News::AheadEnded(2, false)));
        let mut next = || heard.blocking_recv();
        assert!(matches!(next(), Some(Message::Worker(News::Began(1)))));
        assert!(matches!(next(), Some(Message::Worker(News::AheadEnded(2, false)))));
        assert!(next().is_none());
    }
}
