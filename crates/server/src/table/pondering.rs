//! Thinking ahead: while a person thinks, the agent looks at the replies that the person is likeliest
//! to choose, and decides the positions that it would then face. If the person's turn ends in one of
//! them, the answer is there at once, and it is the answer that the agent gives with all its budget.
//!
//! Which replies are likely is asked of the agent itself: a search of its own kind, with a small
//! budget, from the person's side. It only orders the replies. What the agent decides comes from a
//! new agent that sees what its seat may see, so nothing hidden leaks into its answers.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use arena::{GameRecord, WallClock};
use gamecore::{Bound, Seat, StopToken};
use registry::{
    AgentSpec, AnyGame, CandidateReport, Cost, Explained, ResolvedAgent, Session, StepReport,
    Thinking,
};

use super::thinker::to_be_kept;
use super::thinking::{News, Reply};
use super::{LONGEST_PONDERING, Table};
use crate::dto::Explanation;

/// Replies that are thought about at most.
const MOST_REPLIES: usize = 8;
/// Decisions of one turn that are followed at most.
const LONGEST_TURN: usize = 64;
/// The small budget is this part of the agent's own.
const PART: i64 = 8;

/// What was thought ahead.
#[derive(Default)]
pub(super) struct Pondering {
    running: Option<(u64, StopToken)>,
    deadline: Option<Instant>,
    /// The position that is or was thought about.
    from: Option<String>,
    /// Decisions of the agent, by position.
    decisions: BTreeMap<String, Arc<Explanation>>,
}

impl Pondering {
    pub(super) fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// Ends thinking ahead; what was found stays.
    pub(super) fn stop(&mut self) {
        self.cancel();
        self.from = None;
    }

    fn cancel(&mut self) {
        if let Some((_, cancel)) = self.running.take() {
            cancel.stop();
        }
        self.deadline = None;
    }

    pub(super) fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// Ends thinking ahead about this position when it took too long; says whether it did.
    pub(super) fn end_if_due(&mut self, now: Instant) -> bool {
        let due = self.deadline.is_some_and(|deadline| deadline <= now);
        if due {
            self.cancel();
        }
        due
    }

    /// What the agent would decide in a position, if it has thought about it.
    pub(super) fn foreseen(&self, position: &str) -> Option<Arc<Explanation>> {
        self.decisions.get(position).cloned()
    }

    pub(super) fn note(&mut self, number: u64, position: String, decided: Arc<Explanation>) {
        if self.running.as_ref().is_some_and(|(running, _)| *running == number) {
            self.decisions.insert(position, decided);
        }
    }

    /// The work of this number ended; says whether it was the present one.
    pub(super) fn ended(&mut self, number: u64, finished: bool) -> bool {
        let ours = self.running.take_if(|(running, _)| *running == number).is_some();
        if ours {
            self.deadline = None;
        }
        if ours && !finished {
            // Other work came; it may go on when there is room.
            self.from = None;
        }
        ours
    }
}

impl Table {
    /// Thinks ahead if a person thinks about an agent's next task, and stops otherwise.
    pub(super) fn ponder(&mut self) {
        let Some((person, agent)) = self.who_ponders() else { return self.pondering.stop() };
        let position = self.session.position();
        if self.pondering.from.as_ref() == Some(&position) {
            return;
        }
        self.pondering.stop();
        if self.session.plies().last().is_none_or(|ply| ply.seat != person) {
            // A new turn: what was foreseen before is past.
            self.pondering.decisions.clear();
        }
        let Some(inbox) = self.inbox.upgrade() else { return };
        let plan = Plan {
            game: self.game.clone(),
            record: self.session.record(self.names.clone()),
            scout: scout(&*self.game, &agent),
            agent,
            seed: self.seeds.agents[person.other().index()],
            lots: self.draws_lots(person.other()),
            scout_seed: self.side_seed(),
            person,
            known: self.pondering.decisions.clone(),
        };
        let number = self.number();
        let cancel = StopToken::default();
        self.pondering.running = Some((number, cancel.clone()));
        self.pondering.deadline = Some(Instant::now() + LONGEST_PONDERING);
        self.pondering.from = Some(position);
        let reply = Reply::new(inbox, News::PonderingEnded(number, true));
        self.house.pool.submit_ahead(cancel.clone(), move || {
            let tell = |position, decided| reply.tell(News::Foreseen(number, position, decided));
            let finished = plan.carry_out(&cancel, &tell).is_some();
            reply.end(News::PonderingEnded(number, finished));
        });
    }

    /// The person who thinks, and the agent that waits for it.
    fn who_ponders(&self) -> Option<(Seat, ResolvedAgent)> {
        let person = self.session.to_act().filter(|&seat| self.is_person(seat))?;
        let agent = self.seats[person.other().index()].agent.as_ref()?;
        let may = !self.agents_wait() && !self.sockets.is_empty();
        may.then(|| (person, agent.clone()))
    }
}

/// Hears what the agent would decide in a position.
type Teller<'a> = &'a dyn Fn(String, Arc<Explanation>);

/// What a worker must know to think ahead.
struct Plan {
    game: Arc<dyn AnyGame>,
    record: GameRecord,
    agent: ResolvedAgent,
    seed: u64,
    /// The agent is a level's, which draws lots.
    lots: bool,
    /// The agent with a small budget.
    scout: ResolvedAgent,
    scout_seed: u64,
    person: Seat,
    /// Decisions that are known already.
    known: BTreeMap<String, Arc<Explanation>>,
}

impl Plan {
    /// Thinks about the likeliest replies in turn; `None` if it was stopped.
    fn carry_out(&self, cancel: &StopToken, tell: Teller<'_>) -> Option<()> {
        // It may have waited until nobody needs it any more.
        if cancel.is_stopped() {
            return None;
        }
        for line in self.replies(cancel)? {
            let Some(mut session) = self.after(&line, cancel)? else { continue };
            self.answer(&mut *session, cancel, tell)?;
        }
        Some(())
    }

    fn open(&self) -> Option<Box<dyn Session>> {
        self.game.open_record(&self.record).ok()
    }

    /// The likeliest replies, each with what probably follows.
    fn replies(&self, cancel: &StopToken) -> Option<Vec<Vec<String>>> {
        let Some(mut session) = self.open() else { return Some(Vec::new()) };
        let legal = session.legal();
        if let [only] = &legal[..] {
            return Some(vec![vec![only.clone()]]);
        }
        let scout = session.add_agent(&self.scout, self.scout_seed);
        let decision = think(&mut *session, scout, cancel)?;
        Some(likeliest(&decision))
    }

    /// The position in which the person's turn probably ends after a line of actions; nothing if
    /// the game ends before.
    fn after(&self, line: &[String], cancel: &StopToken) -> Option<Option<Box<dyn Session>>> {
        let Some(mut session) = self.open() else { return Some(None) };
        let mut expected = line.iter();
        let mut scout = None;
        for _ in 0..LONGEST_TURN {
            if session.to_act() != Some(self.person) {
                break;
            }
            if let Some(action) = expected.next()
                && session.apply(action).is_ok()
            {
                continue;
            }
            let action = match &session.legal()[..] {
                [only] => only.clone(),
                _ => {
                    let number = *scout
                        .get_or_insert_with(|| session.add_agent(&self.scout, self.scout_seed));
                    think(&mut *session, number, cancel)?.choice.action
                }
            };
            if session.apply(&action).is_err() {
                return Some(None);
            }
        }
        let answers = session.to_act() == Some(self.person.other());
        Some(answers.then_some(session))
    }

    /// Lets a new agent decide all of its turn.
    fn answer(
        &self,
        session: &mut dyn Session,
        cancel: &StopToken,
        tell: Teller<'_>,
    ) -> Option<()> {
        let mut agent = None;
        for _ in 0..LONGEST_TURN {
            if session.to_act() != Some(self.person.other()) {
                break;
            }
            let position = session.position();
            let action = match (&session.legal()[..], self.known.get(&position)) {
                ([only], _) => only.clone(),
                (_, Some(known)) => known.choice.action.clone(),
                _ => {
                    let number =
                        *agent.get_or_insert_with(|| session.add_agent(&self.agent, self.seed));
                    let lots = self.lots.then_some((self.seed, session.played()));
                    let told = think(session, number, cancel)?;
                    let kept = to_be_kept(told, &self.agent.spec.to_string(), lots);
                    let action = kept.choice.action.clone();
                    tell(position, kept);
                    action
                }
            };
            if session.apply(&action).is_err() {
                break;
            }
        }
        Some(())
    }
}

/// A decision made in full; `None` if it was stopped or the agent failed.
fn think(session: &mut dyn Session, agent: usize, cancel: &StopToken) -> Option<Explained> {
    if cancel.is_stopped() {
        return None;
    }
    let limits = Thinking { clock: &WallClock::new(), stop: cancel, progress: None, tree_nodes: 0 };
    let decision = session.explain(agent, &limits).ok()?;
    (!cancel.is_stopped()).then_some(decision)
}

/// The replies in the order in which a search likes them: the chosen one with what it expects to
/// follow, then by visits where values are averages, or by value.
fn likeliest(decision: &Explained) -> Vec<Vec<String>> {
    let action = |step: &StepReport| step.action.clone();
    let mut chosen: Vec<String> = decision.line.iter().map(action).collect();
    if chosen.first() != Some(&decision.choice.action) {
        chosen = vec![decision.choice.action.clone()];
    }
    let mut others: Vec<&CandidateReport> =
        decision.candidates.iter().filter(|it| it.step != decision.choice).collect();
    if others.iter().any(|it| it.bound == Bound::Estimate) {
        others.sort_by_key(|it| std::cmp::Reverse(it.visits));
    } else {
        let value = |it: &CandidateReport| it.value.unwrap_or(f64::NEG_INFINITY);
        others.sort_by(|one, other| value(other).total_cmp(&value(one)));
    }
    let others = others.into_iter().map(|it| vec![action(&it.step)]);
    std::iter::once(chosen).chain(others).take(MOST_REPLIES).collect()
}

/// The agent with a small part of its budget.
fn scout(game: &dyn AnyGame, agent: &ResolvedAgent) -> ResolvedAgent {
    let mut spec: AgentSpec = agent.spec.clone();
    for (key, number, cost) in agent.values.costs() {
        let small = match cost {
            Cost::Budget(_) | Cost::Clock(_) => (number / PART).max(1),
            Cost::Depth(_) => (number - 2).max(1),
            Cost::Time(_) | Cost::Memory(_) | Cost::Megabytes(_) | Cost::Threads { .. } => continue,
        };
        spec.keys.retain(|(known, _)| known != key);
        spec.keys.push((key.to_owned(), small.to_string()));
    }
    game.resolve(&spec, &registry::no_files).unwrap_or_else(|_| agent.clone())
}
