//! One budget for many worlds: every world has an equal share of what is left.

use std::time::Duration;

use gamecore::{Budget, Counters, Limits};

use crate::time::TimePlan;

/// What is left of a budget, to be shared by the worlds to come.
pub(super) struct Shares {
    left: Budget,
    deadline: Option<Duration>,
    worlds: u64,
}

impl Shares {
    pub(super) fn new<A>(budget: Budget, worlds: u64, limits: &Limits<'_, A>) -> Self {
        let time = TimePlan::steady(&budget, limits.time_left);
        // A world without an iteration says nothing.
        let worlds = worlds.min(budget.iterations.unwrap_or(u64::MAX));
        let deadline = time.map(|time| limits.clock.now() + time);
        Self { left: budget, deadline, worlds }
    }

    /// The budget of the next world; `None` if all are searched or nothing is left.
    pub(super) fn next<A>(&self, limits: &Limits<'_, A>) -> Option<Budget> {
        let Budget { iterations, calls, nodes, .. } = self.left;
        if self.worlds == 0 || [iterations, calls, nodes].contains(&Some(0)) {
            return None;
        }
        let share = |left: u64| left.div_ceil(self.worlds);
        let ms = self.deadline.map(|deadline| {
            let left = deadline.saturating_sub(limits.clock.now()).as_millis() as u64;
            (left / self.worlds).max(1)
        });
        Some(Budget {
            iterations: iterations.map(share),
            calls: calls.map(share),
            nodes: nodes.map(share),
            ms,
            ..self.left
        })
    }

    pub(super) fn spend(&mut self, spent: &Counters) {
        self.worlds -= 1;
        let rest = |left: &mut Option<u64>, spent: u64| {
            *left = left.map(|left| left.saturating_sub(spent));
        };
        rest(&mut self.left.iterations, spent.iterations);
        rest(&mut self.left.calls, spent.calls);
        rest(&mut self.left.nodes, spent.nodes);
    }

    pub(super) fn is_late<A>(&self, limits: &Limits<'_, A>) -> bool {
        self.deadline.is_some_and(|deadline| limits.clock.now() >= deadline)
    }
}
