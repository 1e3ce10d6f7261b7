//! An agent in a session of its own: it goes to a worker and comes back, so that trees and tables are
//! used again.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use arena::GameRecord;
use gamecore::{Clock, Seat, StopToken, TimeLeft};
use registry::{
    AnyGame, Cost, DecisionReport, ProgressReport, ResolvedAgent, Session, SpecError, Thinking,
};

use crate::{LiveGame, lot};
use protocol::{Explanation, Thought};

/// How often a thought is told at most.
const TELL_EVERY: Duration = Duration::from_millis(200);
/// Actions of each kind in an explanation that is kept.
const MOST_KEPT: usize = 40;

/// What somebody must know to let an agent decide.
#[derive(Clone)]
pub struct Task {
    pub(crate) game: Arc<dyn AnyGame>,
    pub(crate) record: GameRecord,
    pub(crate) position: String,
    /// Who is to act.
    pub seat: Seat,
    /// Who thinks.
    pub agent: ResolvedAgent,
    pub(crate) seed: u64,
    /// It is a level's, which draws lots.
    pub(crate) lots: bool,
    /// Its thoughts may be told on the way.
    pub tells: bool,
    /// What its seat had left of its time when the task was given.
    pub(crate) time_left: Option<TimeLeft>,
}

impl LiveGame {
    /// What somebody must know to let this agent decide the present position.
    pub(crate) fn task(&self, seat: Seat, agent: &ResolvedAgent, seed: u64) -> Task {
        Task {
            game: self.game.clone(),
            record: self.record(),
            position: self.session.position(),
            seat,
            agent: agent.clone(),
            seed,
            lots: false,
            tells: false,
            time_left: None,
        }
    }
}

impl Task {
    /// Whether it takes no more than a moment.
    #[must_use]
    pub fn is_short(&self) -> bool {
        self.agent.values.is_short()
    }

    /// The same after so long: the clock ran meanwhile.
    #[must_use]
    pub fn after(mut self, waited: Duration) -> Self {
        if let Some(left) = &mut self.time_left {
            left.remaining = left.remaining.saturating_sub(waited);
        }
        self
    }

    /// Thinks about advice.
    pub fn advise(
        &self,
        clock: &dyn Clock,
        stop: &StopToken,
    ) -> Result<Box<DecisionReport>, SpecError> {
        let mut adviser = Thinker::at(self, None)?;
        let limits = Thinking::new(clock, stop);
        adviser.session.think(adviser.agent, &limits).map(Box::new)
    }

    /// What is told of a decision, and kept. Lots are drawn by the agent's seed and the number of
    /// actions before.
    #[must_use]
    pub fn explanation(&self, told: DecisionReport) -> Arc<Explanation> {
        let lots = self.lots.then_some((self.seed, self.record.actions.len()));
        to_be_kept(told, lots)
    }
}

/// An agent with its own session of the game.
pub struct Thinker {
    session: Box<dyn Session>,
    agent: usize,
    played: Vec<String>,
    /// What its tables take, in megabytes; its tree grows and is asked for.
    tables: usize,
}

impl Thinker {
    /// A thinker at the position of the task: the old one brought up to date, or a new one.
    pub fn at(task: &Task, old: Option<Self>) -> Result<Self, SpecError> {
        if let Some(mut old) = old
            && old.follow(&task.record.actions)
            && old.session.position() == task.position
        {
            return Ok(old);
        }
        let mut session = task.game.open_record(&task.record)?;
        let agent = session.add_agent(&task.agent, task.seed);
        let played = task.record.actions.clone();
        Ok(Self { session, agent, played, tables: tables_of(&task.agent) })
    }

    /// What it holds, at least 1.
    #[must_use]
    pub fn megabytes(&self) -> usize {
        let (_, bytes) = self.session.tree_memory(self.agent);
        self.tables + bytes.div_ceil(1 << 20) + 1
    }

    /// Decides, telling its thoughts not too often.
    pub fn decide(
        &mut self,
        task: &Task,
        clock: &dyn Clock,
        stop: &StopToken,
        tell: &(dyn Fn(Thought) + Sync),
    ) -> Result<DecisionReport, SpecError> {
        let began = clock.now();
        let told = Mutex::new(began);
        let progress = |report: &ProgressReport| {
            let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
            let now = clock.now();
            if now.saturating_sub(*told) >= TELL_EVERY {
                *told = now;
                tell(Thought {
                    seat: task.seat.index() as u8,
                    completed: report.completed,
                    action: report.action.clone(),
                    value: report.value,
                    elapsed_ms: now.saturating_sub(began).as_millis() as u64,
                });
            }
        };
        let limits = Thinking {
            progress: Some(&progress),
            time_left: task.time_left,
            ..Thinking::new(clock, stop)
        };
        self.session.think(self.agent, &limits)
    }

    /// Takes back and plays until the history is this one; false if it cannot be.
    fn follow(&mut self, actions: &[String]) -> bool {
        let same = self.played.iter().zip(actions).take_while(|(mine, real)| mine == real).count();
        while self.played.len() > same {
            if !self.session.undo() {
                return false;
            }
            self.played.pop();
        }
        for action in &actions[same..] {
            if self.session.apply(action).is_err() {
                return false;
            }
            self.played.push(action.clone());
        }
        true
    }
}

/// Megabytes of the tables of an agent.
fn tables_of(agent: &ResolvedAgent) -> usize {
    let tables = agent.values.costs().filter(|(.., cost)| matches!(cost, Cost::Megabytes(_)));
    tables.map(|(_, megabytes, _)| megabytes as usize).sum()
}

/// What is kept of a decision. Lots are drawn by the agent's seed and the number of actions before.
pub(crate) fn to_be_kept(
    mut decision: DecisionReport,
    lots: Option<(u64, usize)>,
) -> Arc<Explanation> {
    let count = lots.map_or(1, |(seed, played)| lot::draw(&mut decision, seed, played));
    let mut told = decision.told(count);
    told.line.truncate(MOST_KEPT);
    told.candidates.truncate(MOST_KEPT);
    told.turns.truncate(MOST_KEPT);
    told.pruned.truncate(MOST_KEPT);
    Arc::new(told)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_agents_hold_is_known() {
        let game = standard::registry().open("othello", "").unwrap();
        let agent = |spec| crate::players::agent(&*game, spec, 2).unwrap();
        let both = "othello-engine:depth=2,table.mb=7,solve.mb=5";
        assert_eq!(tables_of(&agent(both)), 12);
        let start = game.start(["", ""], Some(0), 1, false).unwrap();
        let record = game
            .open(&start, arena::Seeds::default())
            .unwrap()
            .record([const { String::new() }; 2]);
        let task = |spec| Task {
            game: game.clone(),
            record: record.clone(),
            position: start.clone(),
            seat: Seat::Zero,
            agent: agent(spec),
            seed: 1,
            lots: false,
            tells: false,
            time_left: None,
        };
        let megabytes = |spec| {
            let task = task(spec);
            let mut thinker = Thinker::at(&task, None).unwrap();
            let clock = arena::WallClock::new();
            thinker.decide(&task, &clock, &StopToken::default(), &|_| {}).unwrap();
            thinker.megabytes()
        };
        assert_eq!(megabytes("greedy"), 1);
        assert!(megabytes("mcts:iterations=30000") > megabytes("mcts:iterations=3000"));
    }
}
