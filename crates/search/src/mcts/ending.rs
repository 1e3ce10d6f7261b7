//! When a search ends: iterations, calls, time, or a stop from outside.

use std::time::Duration;

use gamecore::{Budget, Clock, Counters, Limits, StopToken};

use crate::time::TimePlan;

/// Clock and stop are looked at once in this many calls.
const CALLS_PER_LOOK: u64 = 512;

/// Whether time is up or somebody said stop, also in the middle of an iteration.
pub(crate) struct Halt<'a> {
    clock: &'a dyn Clock,
    stop: &'a StopToken,
    deadline: Option<Duration>,
    next_look: u64,
    /// Once due, it stays so.
    due: bool,
}

impl<'a> Halt<'a> {
    pub(crate) fn new(
        clock: &'a dyn Clock,
        stop: &'a StopToken,
        deadline: Option<Duration>,
    ) -> Self {
        Self { clock, stop, deadline, next_look: 1, due: false }
    }

    /// Looks at clock and stop if so many calls make it worth a look.
    #[inline]
    pub(crate) fn is_due(&mut self, calls: u64) -> bool {
        if calls >= self.next_look && !self.due {
            self.next_look = calls + CALLS_PER_LOOK;
            let late = self.deadline.is_some_and(|deadline| self.clock.now() >= deadline);
            self.due = late || self.stop.is_stopped();
        }
        self.due
    }

    /// Whether it was due at the last look.
    pub(crate) const fn was_due(&self) -> bool {
        self.due
    }
}

/// The limits of one search.
pub(crate) struct Ending<'a> {
    pub(crate) halt: Halt<'a>,
    iterations: u64,
    calls: u64,
}

/// Why a search may go on or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    GoOn,
    /// The iterations or calls are spent.
    Spent,
    /// Time is up, or somebody said stop.
    Stopped,
}

impl<'a> Ending<'a> {
    /// The limits of tree number `tree` of so many, which share a budget.
    pub(crate) fn new<A>(budget: &Budget, limits: &Limits<'a, A>, tree: u64, trees: u64) -> Self {
        let share = |all: u64| (all / trees + u64::from(tree < all % trees)).max(1);
        let plan = TimePlan::steady(budget, limits.time_left);
        let deadline = plan.map(|time| limits.clock.now() + time);
        let halt = Halt::new(limits.clock, limits.stop, deadline);
        Self {
            halt,
            iterations: budget.iterations.map_or(u64::MAX, share),
            calls: budget.calls.map_or(u64::MAX, share),
        }
    }

    /// Whether another iteration may begin. The first one always may.
    #[inline]
    pub(crate) fn verdict(&mut self, counters: &Counters) -> Verdict {
        if counters.iterations >= self.iterations || counters.calls > self.calls {
            return Verdict::Spent;
        }
        if self.halt.is_due(counters.calls) { Verdict::Stopped } else { Verdict::GoOn }
    }

    /// Allows the whole budget once more; false if it is not one that can be repeated.
    pub(crate) fn extend(&mut self, budget: &Budget) -> bool {
        if let Some(calls) = budget.calls {
            self.calls = self.calls.saturating_add(calls);
        }
        if let Some(iterations) = budget.iterations {
            self.iterations = self.iterations.saturating_add(iterations);
        }
        budget.calls.is_some() || budget.iterations.is_some()
    }
}
