//! Score windows and the outcome of a search that may be stopped.

use gamecore::{Bound, Score};

/// The search was stopped by a limit before it had an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stopped;

/// A value, unless the search was stopped.
pub(crate) type Value = Result<Score, Stopped>;

/// The open interval (alpha, beta) of values that matter to the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) alpha: Score,
    pub(crate) beta: Score,
}

impl Window {
    pub(crate) const FULL: Self = Self { alpha: Score(-Score::INFINITE.0), beta: Score::INFINITE };

    /// Asks only whether the value is above `score`.
    #[inline]
    pub(crate) fn above(score: Score) -> Self {
        Self { alpha: score, beta: score.above() }
    }

    /// The same window seen by the opponent.
    #[inline]
    pub(crate) fn flipped(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }

    #[inline]
    pub(crate) fn with_alpha(self, alpha: Score) -> Self {
        Self { alpha, ..self }
    }

    /// What a fail-soft result of this window says about the true value.
    #[inline]
    pub(crate) fn bound(self, value: Score) -> Bound {
        if value <= self.alpha {
            Bound::Upper
        } else if value >= self.beta {
            Bound::Lower
        } else {
            Bound::Exact
        }
    }
}
