//! Pairs: one start played twice, agents exchanged. The pair is the unit of statistics.

use serde::Serialize;

use crate::interval::{moments, weighted_interval};

/// The score of a pair in each class, as a share.
pub(crate) const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// How many pairs gave agent A 0, ½, 1, 1½ and 2 points (the pentanomial).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct PairCounts(pub [u64; 5]);

impl PairCounts {
    /// Counts a pair in which A made these points.
    pub fn add(&mut self, points: f64) {
        self.0[((points * 2.0).round() as usize).min(4)] += 1;
    }

    /// Pairs that A won.
    #[must_use]
    pub fn won(&self) -> u64 {
        self.0[3] + self.0[4]
    }

    /// Pairs that A lost.
    #[must_use]
    pub fn lost(&self) -> u64 {
        self.0[0] + self.0[1]
    }

    /// All pairs.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// A's score, 0 to 1; `None` without pairs.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        self.moments().map(|(mean, ..)| mean)
    }

    /// The standard deviation σ of a pair's score, 0 to ½. Where the start favours one seat, it is
    /// less than that of single games over √2, and so fewer games are needed.
    #[must_use]
    pub fn deviation(&self) -> Option<f64> {
        self.moments().map(|(_, variance, _)| variance.sqrt())
    }

    /// Student's interval on the score from the variance of pairs; `None` below two pairs, and where
    /// all pairs ended alike.
    #[must_use]
    pub fn interval(&self, level: f64) -> Option<[f64; 2]> {
        weighted_interval(&self.weighted(), level)
    }

    fn moments(&self) -> Option<(f64, f64, u64)> {
        moments(&self.weighted())
    }

    fn weighted(&self) -> [(f64, u64); 5] {
        std::array::from_fn(|class| (SCORES[class], self.0[class]))
    }
}

/// The exact two-sided sign test over decided pairs, which is the exact binomial test against ½: how
/// likely a split at least this uneven is if both sides are equally strong. 1 if nothing was decided.
#[must_use]
pub fn sign_test(won: u64, lost: u64) -> f64 {
    let n = won + lost;
    let fewer = won.min(lost);
    // P(X ≤ fewer) for X ~ Binomial(n, ½), in logarithms so that no term over- or underflows.
    let mut log_choose = -(n as f64) * std::f64::consts::LN_2;
    let mut tail = 0.0;
    for k in 0..=fewer {
        tail += log_choose.exp();
        log_choose += ((n - k) as f64).ln() - ((k + 1) as f64).ln();
    }
    (2.0 * tail).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sign_test_is_exact() {
        // 18 of 25 → .043, 30 of 50 → .20, 33 of 50 → .033: published two-sided binomial values.
        let cases = [(18, 7, 0.0433), (30, 20, 0.2026), (33, 17, 0.0328), (0, 0, 1.0), (1, 0, 1.0)];
        for (won, lost, p) in cases {
            assert!(
                (sign_test(won, lost) - p).abs() < 5e-5,
                "{won}:{lost} {}",
                sign_test(won, lost)
            );
            assert_eq!(sign_test(won, lost), sign_test(lost, won));
        }
        // 2 · 2^−10, and far into the tail without underflow to nonsense.
        assert!((sign_test(10, 0) - 2.0 / 1024.0).abs() < 1e-15);
        let far = sign_test(5_000, 0);
        assert!((0.0..1e-300).contains(&far));
    }

    #[test]
    fn pairs_fall_into_five_classes() {
        let mut counts = PairCounts::default();
        for points in [0.0, 0.5, 1.0, 1.0, 1.5, 2.0, 2.0] {
            counts.add(points);
        }
        assert_eq!(counts.0, [1, 1, 2, 1, 2]);
        assert_eq!((counts.won(), counts.lost()), (3, 2));
        assert_eq!((counts.pairs(), counts.mean()), (7, Some(8.0 / 14.0)));
    }

    /// Ten pairs of each end and twenty split: variance ¼·½ by hand, and fewer split pairs widen.
    #[test]
    fn variance_is_of_pairs() {
        let counts = PairCounts([10, 0, 20, 0, 10]);
        assert!((counts.deviation().unwrap() - 0.125f64.sqrt()).abs() < 1e-12);
        let [low, high] = counts.interval(0.95).unwrap();
        // t(39, 0.975) = 2.0227, sample variance 0.125·40/39.
        assert!((high - 0.5 - 2.0227 * (0.125f64 / 39.0).sqrt()).abs() < 1e-5, "{low} {high}");
        assert!((low + high - 1.0).abs() < 1e-12);
        for nothing in [[0; 5], [1, 0, 0, 0, 0], [9, 0, 0, 0, 0]] {
            assert_eq!(PairCounts(nothing).interval(0.95), None);
        }
        assert_eq!(PairCounts([0; 5]).deviation(), None);
    }
}
