//! Thinking ahead: what was found, and when there is something to be found ([`AheadPlan`] says how).

use std::collections::BTreeMap;
use std::sync::Arc;

use gamecore::Seat;
use registry::ResolvedAgent;

use crate::ahead::AheadPlan;
use crate::{Effect, LONGEST_PONDERING, LiveGame, Moment};
use protocol::Explanation;

/// What was thought ahead.
#[derive(Default)]
pub(crate) struct Pondering {
    running: Option<u64>,
    deadline: Option<Moment>,
    /// The position that is or was thought about.
    from: Option<String>,
    /// Decisions of the agent, by position.
    decisions: BTreeMap<String, Arc<Explanation>>,
}

impl Pondering {
    pub(crate) fn is_running(&self) -> bool {
        self.running.is_some()
    }

    fn cancel(&mut self) -> Option<u64> {
        self.deadline = None;
        self.running.take()
    }

    pub(crate) fn deadline(&self) -> Option<Moment> {
        self.deadline
    }

    /// Ends thinking ahead about this position when it took too long; says which work that was.
    pub(crate) fn end_if_due(&mut self, now: Moment) -> Option<u64> {
        self.deadline.is_some_and(|deadline| deadline <= now).then(|| self.cancel()).flatten()
    }

    /// What the agent would decide in a position, if it has thought about it.
    pub(crate) fn foreseen(&self, position: &str) -> Option<Arc<Explanation>> {
        self.decisions.get(position).cloned()
    }

    pub(crate) fn note(&mut self, number: u64, position: String, decided: Arc<Explanation>) {
        if self.running == Some(number) {
            self.decisions.insert(position, decided);
        }
    }

    /// The work of this number ended; says whether it was the present one.
    pub(crate) fn ended(&mut self, number: u64, finished: bool) -> bool {
        let ours = self.running.take_if(|running| *running == number).is_some();
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

impl LiveGame {
    /// Ends thinking ahead; what was found stays.
    pub(crate) fn stop_pondering(&mut self) {
        self.effects.extend(self.pondering.cancel().map(Effect::Abandon));
        self.pondering.from = None;
    }

    /// Thinks ahead if a person thinks about an agent's next task, and stops otherwise.
    pub(crate) fn ponder(&mut self) {
        let Some((person, agent)) = self.who_ponders() else { return self.stop_pondering() };
        let position = self.session.position();
        if self.pondering.from.as_ref() == Some(&position) {
            return;
        }
        self.stop_pondering();
        if self.session.plies().last().is_none_or(|ply| ply.seat != person.index() as u8) {
            // A new turn: what was foreseen before is past.
            self.pondering.decisions.clear();
        }
        let plan = AheadPlan::new(self, person, agent, self.pondering.decisions.clone());
        let number = self.number();
        self.pondering.running = Some(number);
        self.pondering.deadline = Some(self.now + LONGEST_PONDERING);
        self.pondering.from = Some(position);
        self.effects.push(Effect::ThinkAhead(number, Box::new(plan)));
    }

    /// The person who thinks, and the agent that waits for it.
    fn who_ponders(&self) -> Option<(Seat, ResolvedAgent)> {
        let person = self.session.to_act().filter(|&seat| self.is_person(seat))?;
        let agent = self.seats[person.other().index()].agent.as_ref()?;
        let may = !self.agents_wait() && self.watching > 0;
        may.then(|| (person, agent.clone()))
    }
}
