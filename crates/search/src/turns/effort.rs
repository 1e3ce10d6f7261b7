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
    iterations: u64,
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
            iterations: budget.iterations.unwrap_or(u64::MAX),
            counters: Counters::default(),
        }
    }

    /// Counts one application of an action.
    #[inline]
    pub(crate) fn call(&mut self) -> Result<(), Stopped> {
        if self.counters.calls >= self.calls
            || self.halt.is_due(self.counters.calls + self.counters.iterations)
        {
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

    /// Counts one round: of a tree search an iteration, of an evolution a generation.
    pub(crate) fn iteration(&mut self) -> Result<(), Stopped> {
        let rounds = self.counters.calls + self.counters.iterations;
        if self.counters.iterations >= self.iterations || self.halt.is_due(rounds) {
            return Err(Stopped);
        }
        self.counters.iterations += 1;
        Ok(())
    }

    /// Whether time or somebody outside ended the search, and not its own budget.
    pub(crate) const fn is_halted(&self) -> bool {
        self.halt.was_due()
    }
}
