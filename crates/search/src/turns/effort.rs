//! What a search by turns may spend, counted where actions are applied.

use gamecore::{Budget, Counters, Limits};

use crate::mcts::Halt;
use crate::time::TimePlan;
use crate::window::Stopped;

/// The limits of one decision, and what was spent of them.
pub(crate) struct Effort<'a> {
    halt: Halt<'a>,
    calls: u64,
    nodes: u64,
    pub(crate) counters: Counters,
}

impl<'a> Effort<'a> {
    pub(crate) fn new<A>(budget: &Budget, limits: &Limits<'a, A>) -> Self {
        let plan = TimePlan::steady(budget, limits.time_left);
        let deadline = plan.map(|time| limits.clock.now() + time);
        Self {
            halt: Halt::new(limits.clock, limits.stop, deadline),
            calls: budget.calls.unwrap_or(u64::MAX),
            nodes: budget.nodes.unwrap_or(u64::MAX),
            counters: Counters::default(),
        }
    }

    /// Counts one application of an action.
    #[inline]
    pub(crate) fn call(&mut self) -> Result<(), Stopped> {
        if self.counters.calls >= self.calls || self.halt.is_due(self.counters.calls) {
            return Err(Stopped);
        }
        self.counters.calls += 1;
        Ok(())
    }

    /// Counts one position between two turns.
    #[inline]
    pub(crate) fn node(&mut self) -> Result<(), Stopped> {
        if self.counters.nodes >= self.nodes {
            return Err(Stopped);
        }
        self.counters.nodes += 1;
        Ok(())
    }
}
