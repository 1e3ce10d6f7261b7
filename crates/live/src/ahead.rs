//! Thinking ahead: while a person thinks, the agent looks at the replies that the person is likeliest
//! to choose, and decides the positions that it would then face. If the person's turn ends in one of
//! them, the answer is there at once, and it is the answer that the agent gives with all its budget.
//!
//! Which replies are likely is asked of the agent itself: a search of its own kind, with a small
//! budget, from the person's side. It only orders the replies. What the agent decides comes from a
//! new agent that sees what its seat may see, so nothing hidden leaks into its answers.

use std::collections::BTreeMap;
use std::sync::Arc;

use arena::GameRecord;
use gamecore::{Clock, Seat, StopToken};
use registry::{AgentSpec, AnyGame, Cost, DecisionReport, ResolvedAgent, Session, Thinking};

use crate::LiveGame;
use crate::state::side_seed;
use crate::thinker::to_be_kept;
use protocol::{BoundKind, Candidate, Explanation, Step};

/// Replies that are thought about at most.
const MOST_REPLIES: usize = 8;
/// Decisions of one turn that are followed at most.
const LONGEST_TURN: usize = 64;
/// The small budget is this part of the agent's own.
const PART: i64 = 8;

/// Hears what the agent would decide in a position.
type Teller<'a> = &'a dyn Fn(String, Arc<Explanation>);

/// How far somebody who thinks ahead may go, and what it takes time from.
#[derive(Clone, Copy)]
struct Means<'a> {
    clock: &'a dyn Clock,
    cancel: &'a StopToken,
}

/// What somebody must know to think ahead.
pub struct AheadPlan {
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

impl AheadPlan {
    pub(crate) fn new(
        live: &LiveGame,
        person: Seat,
        agent: ResolvedAgent,
        known: BTreeMap<String, Arc<Explanation>>,
    ) -> Self {
        let waiting = person.other();
        Self {
            game: live.game.clone(),
            record: live.record(),
            scout: scout(&*live.game, &agent),
            agent,
            seed: live.seeds.agents[waiting.index()],
            lots: live.draws_lots(waiting),
            scout_seed: side_seed(live.seeds),
            person,
            known,
        }
    }

    /// Thinks about the likeliest replies in turn, and tells what the agent would decide in which
    /// position; `None` if it was stopped.
    pub fn carry_out(
        &self,
        clock: &dyn Clock,
        cancel: &StopToken,
        tell: &dyn Fn(String, Arc<Explanation>),
    ) -> Option<()> {
        let means = Means { clock, cancel };
        // It may have waited until nobody needs it any more.
        if cancel.is_stopped() {
            return None;
        }
        for line in self.replies(means)? {
            let Some(mut session) = self.after(&line, means)? else { continue };
            self.answer(&mut *session, means, tell)?;
        }
        Some(())
    }

    fn open(&self) -> Option<Box<dyn Session>> {
        self.game.open_record(&self.record).ok()
    }

    /// The likeliest replies, each with what probably follows.
    fn replies(&self, means: Means<'_>) -> Option<Vec<Vec<String>>> {
        let Some(mut session) = self.open() else { return Some(Vec::new()) };
        let legal = session.legal();
        if let [only] = &legal[..] {
            return Some(vec![vec![only.clone()]]);
        }
        let scout = session.add_agent(&self.scout, self.scout_seed);
        let decision = think(&mut *session, scout, means)?;
        Some(likeliest(&decision.explanation))
    }

    /// The position in which the person's turn probably ends after a line of actions; nothing if
    /// the game ends before.
    fn after(&self, line: &[String], means: Means<'_>) -> Option<Option<Box<dyn Session>>> {
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
                    think(&mut *session, number, means)?.explanation.choice.action
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
    fn answer(&self, session: &mut dyn Session, means: Means<'_>, tell: Teller<'_>) -> Option<()> {
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
                    let told = think(session, number, means)?;
                    let kept = to_be_kept(told, lots);
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
fn think(session: &mut dyn Session, agent: usize, means: Means<'_>) -> Option<DecisionReport> {
    if means.cancel.is_stopped() {
        return None;
    }
    let limits = Thinking::new(means.clock, means.cancel);
    let decision = session.think(agent, &limits).ok()?;
    (!means.cancel.is_stopped()).then_some(decision)
}

/// The replies in the order in which a search likes them: the chosen one with what it expects to
/// follow, then by visits where values are averages, or by value.
fn likeliest(decision: &Explanation) -> Vec<Vec<String>> {
    let action = |step: &Step| step.action.clone();
    let mut chosen: Vec<String> = decision.line.iter().map(action).collect();
    if chosen.first() != Some(&decision.choice.action) {
        chosen = vec![decision.choice.action.clone()];
    }
    let mut others: Vec<&Candidate> =
        decision.candidates.iter().filter(|it| it.step != decision.choice).collect();
    if others.iter().any(|it| it.bound == BoundKind::Estimate) {
        others.sort_by_key(|it| std::cmp::Reverse(it.visits));
    } else {
        let value = |it: &Candidate| it.value.unwrap_or(f64::NEG_INFINITY);
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
            Cost::Budget { .. } | Cost::Clock(_) => (number / PART).max(1),
            Cost::Depth { .. } => (number - 2).max(1),
            _ => continue,
        };
        spec.keys.retain(|(known, _)| known != key);
        spec.keys.push((key.to_owned(), small.to_string()));
    }
    game.resolve(&spec, &registry::no_files).unwrap_or_else(|_| agent.clone())
}
