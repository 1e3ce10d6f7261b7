//! An agent in a session of its own: it goes to a worker and comes back, so that trees and tables are
//! used again.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use arena::{GameRecord, WallClock};
use gamecore::{Seat, StopToken};
use registry::{
    AnyGame, Cost, Explained, ProgressReport, ResolvedAgent, Session, SpecError, Thinking,
};
use tokio::sync::OwnedSemaphorePermit;

use super::lot;
use crate::dto::{self, Explanation};
use crate::insight::told::short_explanation;

/// How often a thought is told at most.
const TELL_EVERY: Duration = Duration::from_millis(200);
/// Actions of each kind in an explanation that is kept.
const MOST_KEPT: usize = 40;

/// What a worker must know to let an agent decide.
#[derive(Clone)]
pub(super) struct Task {
    pub(super) game: Arc<dyn AnyGame>,
    pub(super) record: GameRecord,
    pub(super) position: String,
    pub(super) agent: ResolvedAgent,
    pub(super) seed: u64,
    /// It is a level's, which draws lots.
    pub(super) lots: bool,
}

/// An agent with its own session of the game.
pub(crate) struct Thinker {
    pub(super) session: Box<dyn Session>,
    pub(super) agent: usize,
    played: Vec<String>,
    /// What its tables take, in megabytes; its tree grows and is asked for.
    tables: usize,
    /// The room it has while it is kept between decisions.
    pub(super) room: Option<OwnedSemaphorePermit>,
}

impl Thinker {
    /// A thinker at the position of the task: the old one brought up to date, or a new one.
    pub(super) fn at(task: &Task, old: Option<Self>) -> Result<Self, SpecError> {
        if let Some(mut old) = old
            && old.follow(&task.record.actions)
            && old.session.position() == task.position
        {
            return Ok(old);
        }
        let mut session = task.game.open_record(&task.record)?;
        let agent = session.add_agent(&task.agent, task.seed);
        let played = task.record.actions.clone();
        Ok(Self { session, agent, played, tables: tables_of(&task.agent), room: None })
    }

    /// What it holds, at least 1.
    pub(super) fn megabytes(&self) -> usize {
        let (_, bytes) = self.session.tree_memory(self.agent);
        self.tables + bytes.div_ceil(1 << 20) + 1
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

/// Lets a thinker decide, telling its thoughts not too often.
pub(super) fn decide(
    thinker: &mut Thinker,
    seat: Seat,
    task: &Task,
    stop: &StopToken,
    tell: &(dyn Fn(dto::Thought) + Sync),
) -> Result<Arc<Explanation>, SpecError> {
    let began = Instant::now();
    let told = Mutex::new(began);
    let progress = |report: &ProgressReport| {
        let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        if now.duration_since(*told) >= TELL_EVERY {
            *told = now;
            tell(dto::Thought {
                seat: seat.index() as u8,
                completed: report.completed,
                action: report.action.clone(),
                value: report.value,
                elapsed_ms: now.duration_since(began).as_millis() as u64,
            });
        }
    };
    let clock = WallClock::new();
    let limits = Thinking { clock: &clock, stop, progress: Some(&progress), tree_nodes: 0 };
    let decision = thinker.session.explain(thinker.agent, &limits);
    let lots = task.lots.then_some((task.seed, thinker.session.played()));
    let spec = task.agent.spec.to_string();
    decision.map(|told| to_be_kept(told, &spec, lots))
}

/// What is kept of a decision. Lots are drawn by the agent's seed and the number of actions before.
pub(super) fn to_be_kept(
    mut told: Explained,
    spec: &str,
    lots: Option<(u64, usize)>,
) -> Arc<Explanation> {
    let count = lots.map_or(1, |(seed, played)| lot::draw(&mut told, seed, played));
    Arc::new(short_explanation(&told, spec, MOST_KEPT, count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_agents_hold_is_known() {
        let game = standard::open_game("othello", "").unwrap();
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
            agent: agent(spec),
            seed: 1,
            lots: false,
        };
        let megabytes = |spec| {
            let task = task(spec);
            let mut thinker = Thinker::at(&task, None).unwrap();
            decide(&mut thinker, Seat::Zero, &task, &StopToken::default(), &|_| {}).unwrap();
            thinker.megabytes()
        };
        assert_eq!(megabytes("greedy"), 1);
        assert!(megabytes("mcts:iterations=30000") > megabytes("mcts:iterations=3000"));
    }
}
