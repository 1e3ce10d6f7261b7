//! A match until it is decided: looks at fixed places of the schedule, so that threads and
//! interruptions decide nothing.

use std::collections::BTreeSet;

use serde::Serialize;
use stats::{PairCounts, SprtStatus, SprtVerdict};

use crate::evidence::Played;
use crate::experiment::{Spec, SprtSpec};

/// What a sequential test says so far.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sequential {
    /// The test.
    pub test: SprtSpec,
    /// The likelihood ratio and the verdict at the stop, or after all pairs so far.
    #[serde(flatten)]
    pub status: SprtStatus,
    /// After how many pairs of the schedule it was decided; games of later pairs are kept, marked
    /// `after-stop`, and count for nothing.
    pub stopped_after: Option<u64>,
}

impl Sequential {
    /// Judges the longest beginning of the schedule without a gap; `None` if the experiment is no
    /// sequential test.
    #[must_use]
    pub(crate) fn of(spec: &Spec, rows: &[Played]) -> Option<Self> {
        let test = spec.sprt()?;
        let sprt = test.test().expect("the bounds were checked when the experiment was read");
        let cap = spec.games / 2;
        let mut counts = PairCounts::default();
        let mut seen = BTreeSet::new();
        let mut status = sprt.status(&counts, None);
        for (index, pair) in (0u64..).zip(rows.chunks(2)) {
            let [first, second] = pair else { break };
            if (first.number, second.number) != (2 * index, 2 * index + 1) {
                break;
            }
            // A pair with a void game says nothing, and one that was played before nothing new.
            let fresh = seen.insert((first.moves_hash, second.moves_hash));
            if let [Some(first), Some(second)] = [first, second].map(Played::points_of_a)
                && fresh
            {
                counts.add(first + second);
            }
            let last = index + 1 == cap;
            status = sprt.status(&counts, last.then_some(0));
            if status.verdict != SprtVerdict::Continue {
                let stopped_after = Some(index + 1);
                return Some(Self { test, status, stopped_after });
            }
        }
        Some(Self { test, status, stopped_after: None })
    }

    /// What the test decided about two players.
    #[must_use]
    pub fn words(&self, a: &str, b: &str) -> String {
        let SprtSpec { elo0, elo1, normalised, .. } = self.test;
        let unit = if normalised { "normalised Elo" } else { "Elo" };
        let rather =
            |this: f64, that: f64| format!("a difference of {this} {unit} rather than {that}");
        match self.status.verdict {
            SprtVerdict::AcceptH1 if elo0 >= 0.0 => {
                format!("{a} is better than {b} ({})", rather(elo1, elo0))
            }
            SprtVerdict::AcceptH1 => format!("{a} against {b}: {}", rather(elo1, elo0)),
            SprtVerdict::AcceptH0 if elo1 >= 0.0 && elo0 <= 0.0 => {
                format!("{a} is not better than {b} ({})", rather(elo0, elo1))
            }
            SprtVerdict::AcceptH0 => format!("{a} against {b}: {}", rather(elo0, elo1)),
            SprtVerdict::Continue => format!("not decided yet between {a} and {b}"),
            SprtVerdict::UndecidedAtCap => {
                let games = 2 * self.stopped_after.unwrap_or_default();
                format!("{games} games, the most allowed, do not decide between {a} and {b}")
            }
        }
    }

    /// The next games to play: those of the first batch that is not complete.
    pub(super) fn next_batch(test: &SprtSpec, games: u64, played: u64) -> std::ops::Range<u64> {
        let batch = test.batch.saturating_mul(2);
        let begin = played / batch * batch;
        begin..begin.saturating_add(batch).min(games)
    }
}
