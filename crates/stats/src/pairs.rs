//! Pairs: one start played twice, agents exchanged. The pair is the unit of statistics.

use serde::Serialize;
use statrs::function::factorial::ln_factorial;

use crate::distributions::t_two_sided;
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

    /// The standard error of the mean, σ/√pairs.
    #[must_use]
    pub fn standard_error(&self) -> Option<f64> {
        self.moments().map(|(_, variance, pairs)| (variance / pairs as f64).sqrt())
    }

    /// Student's interval on the score from the variance of pairs; `None` below two pairs, and where
    /// all pairs ended alike.
    #[must_use]
    pub fn interval(&self, level: f64) -> Option<[f64; 2]> {
        weighted_interval(&self.weighted(), level)
    }

    /// How likely the scores of two independent series differ at least so much if they are equal in
    /// truth: Welch's test over pairs, and where all pairs of each series ended alike, the exact
    /// chance that they fall apart so. `None` below two pairs.
    #[must_use]
    pub fn differs_from(&self, other: &Self) -> Option<f64> {
        let ((one, one_variance, n), (two, two_variance, m)) = (self.moments()?, other.moments()?);
        if n < 2 || m < 2 {
            return None;
        }
        // Squared standard errors; the variances are those of the pairs, not of all there could be.
        let (a, b) = (one_variance / (n - 1) as f64, two_variance / (m - 1) as f64);
        if a + b == 0.0 {
            return Some(if one == two { 1.0 } else { apart(n, m) });
        }
        let freedom = (a + b).powi(2) / (a * a / (n - 1) as f64 + b * b / (m - 1) as f64);
        Some(t_two_sided(freedom, (one - two) / (a + b).sqrt()))
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

/// How likely two series of so many pairs fall wholly apart, either way, if nothing but chance sorts
/// them: what Fisher's exact two-sided test says of all in the one and none in the other.
fn apart(one: u64, other: u64) -> f64 {
    let ways = ln_factorial(one + other) - ln_factorial(one) - ln_factorial(other);
    let extremes = if one == other { 2.0 } else { 1.0 };
    (extremes * (-ways).exp()).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn series_that_differ_are_told() {
        let p = |one: [u64; 5], two: [u64; 5]| PairCounts(one).differs_from(&PairCounts(two));
        // t = 0.5 / 0.11785 = 4.2426 with 18 degrees of freedom.
        let welch = p([0, 0, 5, 0, 5], [5, 0, 5, 0, 0]).unwrap();
        assert!((welch - 0.000_489).abs() < 2e-6, "{welch}");
        assert_eq!(p([3, 0, 4, 0, 3], [3, 0, 4, 0, 3]), Some(1.0));
        // From all split to all won: nothing is decided in the first series.
        let split = p([0, 0, 9, 0, 0], [0, 0, 0, 0, 9]).unwrap();
        assert!(split < 1e-4, "{split}");
        assert_eq!(p([0, 0, 9, 0, 0], [0, 0, 4, 0, 0]), Some(1.0));
        assert_eq!(p([0, 0, 1, 0, 0], [0, 0, 0, 0, 9]), None);
    }

    #[test]
    fn falling_apart_by_chance_is_counted_exactly() {
        // 2 of the C(10, 5) = 252 ways, and 1 of the C(7, 3) = 35.
        assert!((apart(5, 5) - 2.0 / 252.0).abs() < 1e-12);
        assert!((apart(3, 4) - 1.0 / 35.0).abs() < 1e-12);
        assert!((0.0..1e-300).contains(&apart(5_000, 5_000)));
    }

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
        assert!((counts.standard_error().unwrap() - (0.125f64 / 40.0).sqrt()).abs() < 1e-12);
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
