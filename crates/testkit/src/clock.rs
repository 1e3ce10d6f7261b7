//! Time for tests.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use gamecore::Clock;

/// A clock on which every look takes the same time, so that tests of time limits repeat exactly.
#[derive(Debug)]
pub struct CountingClock {
    step: Duration,
    looks: AtomicU64,
}

impl CountingClock {
    /// A clock at zero that advances by `step` with every look.
    #[must_use]
    pub fn new(step: Duration) -> Self {
        Self { step, looks: AtomicU64::new(0) }
    }

    /// How often somebody looked.
    #[must_use]
    pub fn looks(&self) -> u64 {
        self.looks.load(Ordering::Relaxed)
    }
}

impl Clock for CountingClock {
    fn now(&self) -> Duration {
        let looks = self.looks.fetch_add(1, Ordering::Relaxed);
        self.step.saturating_mul(u32::try_from(looks).unwrap_or(u32::MAX))
    }
}
