//! Intervals on a score, and Elo.

use crate::distributions::{beta_quantile, t_quantile};

/// The 0.975 quantile of the normal distribution: 95 % two-sided.
const Z: f64 = 1.959_963_984_540_054;

/// Wilson's 95 % interval (1927) on a rate of `points` out of `games`. Half points count as such,
/// which is conservative. The whole range if there are no games.
#[must_use]
pub fn wilson(points: f64, games: u64) -> [f64; 2] {
    if games == 0 {
        return [0.0, 1.0];
    }
    let n = games as f64;
    let rate = points / n;
    let z2 = Z * Z;
    let centre = (rate + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = Z * (rate * (1.0 - rate) / n + z2 / (4.0 * n * n)).sqrt() / (1.0 + z2 / n);
    [(centre - half).clamp(0.0, rate), (centre + half).clamp(rate, 1.0)]
}

/// The exact interval of Clopper and Pearson (1934) on a rate of `wins` out of `games`, at `level`
/// (0.95 for 95 %): the rates at which neither tail of the binomial is below (1 − level)/2. It never
/// covers less than it says, so it is the one for claims. The whole range if there are no games.
#[must_use]
pub fn clopper_pearson(wins: u64, games: u64, level: f64) -> [f64; 2] {
    let wins = wins.min(games);
    let tail = (1.0 - level.clamp(0.0, 1.0)) / 2.0;
    let (k, n) = (wins as f64, games as f64);
    let low = if wins == 0 { 0.0 } else { beta_quantile(k, n - k + 1.0, tail) };
    let high = if wins == games { 1.0 } else { beta_quantile(k + 1.0, n - k, 1.0 - tail) };
    [low, high]
}

/// Student's interval on the mean of values in [0, 1] that occurred so often.
pub(crate) fn weighted_interval(values: &[(f64, u64)], level: f64) -> Option<[f64; 2]> {
    let (mean, variance, n) = moments(values)?;
    if n < 2 || variance <= 0.0 {
        return None;
    }
    // Variance of the sample, n − 1 below, to match the t distribution.
    let error = (variance / (n - 1) as f64).sqrt();
    let half = error * t_quantile((n - 1) as f64, 0.5 + level.clamp(0.0, 1.0 - 1e-12) / 2.0);
    Some([(mean - half).clamp(0.0, mean), (mean + half).clamp(mean, 1.0)])
}

/// Mean, variance (n below) and number of values that occurred so often; `None` if none did.
pub(crate) fn moments(values: &[(f64, u64)]) -> Option<(f64, f64, u64)> {
    let n: u64 = values.iter().map(|(_, count)| count).sum();
    if n == 0 {
        return None;
    }
    let average = |of: &dyn Fn(f64) -> f64| {
        values.iter().map(|&(value, count)| count as f64 * of(value)).sum::<f64>() / n as f64
    };
    let mean = average(&|value| value);
    Some((mean, average(&|value| (value - mean) * (value - mean)), n))
}

/// The score that a rating difference means, 1 / (1 + 10^(−elo/400)).
#[must_use]
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The rating difference that a score means, −400·log₁₀(1/score − 1); `None` where it is infinite.
#[must_use]
pub fn elo(score: f64) -> Option<f64> {
    let difference = -400.0 * (1.0 / score - 1.0).log10();
    // The logarithm of 1 may come out as −0, which would be printed so.
    difference.is_finite().then_some(difference + 0.0)
}

/// Elo of the interval's lower end, the score and the upper end. The ends are transformed, because
/// Elo is not symmetric.
#[must_use]
pub fn elo_interval(score: f64, [low, high]: [f64; 2]) -> [Option<f64>; 3] {
    [elo(low), elo(score), elo(high)]
}

/// The difference `second − first` of two independent shares with its 95 % interval, by the hybrid of
/// their Wilson intervals (Newcombe 1998, method 10), which also holds where a share is 0 or 1.
#[must_use]
pub fn difference(first: (f64, u64), second: (f64, u64)) -> Option<(f64, [f64; 2])> {
    if first.1 == 0 || second.1 == 0 {
        return None;
    }
    let share = |(hits, n): (f64, u64)| (hits / n as f64, wilson(hits, n));
    let ((one, [one_low, one_high]), (other, [other_low, other_high])) =
        (share(first), share(second));
    let change = other - one;
    let below = (other - other_low).hypot(one_high - one);
    let above = (other_high - other).hypot(one - one_low);
    Some((change, [change - below, change + above]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_those_of_newcombe() {
        // 56/70 less 48/80 and 10/10 less 0/20 of the paper's table II, method 10.
        let cases = [
            ((48.0, 80), (56.0, 70), 0.2, [0.0524, 0.3339]),
            ((0.0, 20), (10.0, 10), 1.0, [0.6791, 1.0]),
            ((3.0, 10), (9.0, 10), 0.6, [0.1705, 0.8090]),
        ];
        for (first, second, change, interval) in cases {
            let (found, [low, high]) = difference(first, second).unwrap();
            assert!((found - change).abs() < 1e-9);
            assert!((low - interval[0]).abs() < 6e-4 && (high - interval[1]).abs() < 6e-4);
        }
        assert_eq!(difference((0.0, 0), (1.0, 2)), None);
    }

    /// Exact values from the literature's formula, computed independently to three digits.
    #[test]
    fn wilson_agrees_with_known_intervals() {
        let cases = [
            (13.0, 25, 0.335, 0.700),
            (18.0, 25, 0.524, 0.857),
            (25.0, 50, 0.366, 0.634),
            (33.0, 50, 0.522, 0.776),
            (413.0, 500, 0.790, 0.857),
            (450.0, 500, 0.871, 0.923),
        ];
        for (points, games, low, high) in cases {
            let [found_low, found_high] = wilson(points, games);
            assert!((found_low - low).abs() < 6e-4, "{points}/{games}: {found_low}");
            assert!((found_high - high).abs() < 6e-4, "{points}/{games}: {found_high}");
        }
    }

    #[test]
    fn wilson_behaves_at_the_ends() {
        assert_eq!(wilson(0.0, 0), [0.0, 1.0]);
        assert_eq!(wilson(0.0, 10)[0], 0.0);
        assert_eq!(wilson(10.0, 10)[1], 1.0);
        assert!(wilson(0.0, 10)[1] > 0.2);
    }

    #[test]
    fn elo_of_known_scores() {
        assert_eq!(elo(0.5), Some(0.0));
        assert!((elo(0.72).unwrap() - 164.0).abs() < 0.5);
        assert!((elo(0.9).unwrap() - 382.0).abs() < 0.5);
        assert_eq!(elo(0.0), None);
        assert_eq!(elo(1.0), None);
    }
}
