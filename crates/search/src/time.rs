//! Time management: how long one decision may take.

use std::time::Duration;

use gamecore::{Budget, TimeLeft};

/// Two limits on one decision, from its beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TimePlan {
    /// No further depth is begun after this.
    pub(crate) soft: Duration,
    /// The search is stopped at this.
    pub(crate) hard: Duration,
}

/// How many decisions a clock is divided over when nobody knows how many are left.
const DECISIONS_AHEAD: u32 = 24;
/// Kept back for what happens between two looks at the clock.
const RESERVE: Duration = Duration::from_millis(20);

impl TimePlan {
    /// The plan of a decision, or `None` if time does not limit it.
    pub(crate) fn of(budget: &Budget, left: Option<TimeLeft>) -> Option<Self> {
        let own = budget.ms.map(Duration::from_millis);
        let clock = left.map(|left| {
            let usable = left.remaining.saturating_sub(RESERVE);
            let share = usable / DECISIONS_AHEAD + left.increment * 3 / 4;
            Self { soft: share.min(usable / 2), hard: (share * 4).min(usable / 2) }
        });
        match (own, clock) {
            (None, clock) => clock,
            // The next depth takes a multiple of all before it: begun late, it would be wasted.
            (Some(own), None) => Some(Self { soft: own / 2, hard: own }),
            (Some(own), Some(plan)) => {
                Some(Self { soft: plan.soft.min(own / 2), hard: plan.hard.min(own) })
            }
        }
    }

    /// The one limit of a search that may end at any moment, from its beginning.
    pub(crate) fn steady(budget: &Budget, left: Option<TimeLeft>) -> Option<Duration> {
        let own = budget.ms.map(Duration::from_millis);
        let clock = Self::of(&Budget::default(), left).map(|plan| plan.soft);
        own.into_iter().chain(clock).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn left(seconds: u64, increment: u64) -> Option<TimeLeft> {
        Some(TimeLeft {
            remaining: Duration::from_secs(seconds),
            increment: Duration::from_secs(increment),
        })
    }

    #[test]
    fn never_plans_more_than_the_clock_holds() {
        for (seconds, increment) in [(0, 0), (1, 0), (1, 60), (300, 0), (300, 5)] {
            let plan = TimePlan::of(&Budget::default(), left(seconds, increment)).unwrap();
            assert!(plan.soft <= plan.hard, "{plan:?}");
            assert!(plan.hard <= Duration::from_secs(seconds) / 2, "{plan:?}");
        }
    }

    #[test]
    fn the_narrower_of_budget_and_clock_holds() {
        let budget = Budget { ms: Some(100), ..Budget::default() };
        let plan = TimePlan::of(&budget, left(300, 0)).unwrap();
        assert_eq!(plan.hard, Duration::from_millis(100));
        let plan = TimePlan::of(&budget, left(1, 0)).unwrap();
        assert!(plan.soft < Duration::from_millis(50));
        assert_eq!(TimePlan::of(&Budget::default(), None), None);
        let steady = |budget, left| TimePlan::steady(budget, left);
        assert_eq!(steady(&budget, left(300, 0)), Some(Duration::from_millis(100)));
        assert!(steady(&budget, left(1, 0)) < Some(Duration::from_millis(50)));
        assert_eq!(steady(&Budget::default(), None), None);
    }
}
