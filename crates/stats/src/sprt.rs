//! Sequential testing: play pairs until the result is clear, with errors known beforehand.
//!
//! Wald's sequential probability ratio test (1945), generalised to an unknown distribution of pair
//! scores: both hypotheses are given their likeliest distribution (Li, Liu, Liu and Ying, 2014;
//! Van den Bergh's notes on the tests of Stockfish, 2019). After an early stop the plain estimate of
//! strength is biased away from 0, so callers label it "at stop".

use serde::Serialize;
use thiserror::Error;

use crate::distributions::bisect;
use crate::interval::score_of_elo;
use crate::pairs::{PairCounts, SCORES};

/// Empty classes of pairs count as this many, so that both hypotheses allow every result.
const EMPTY_CLASS: f64 = 1e-3;
/// Normalised Elo is this times mean over deviation of one game: 800 / ln 10.
const NORMALISED: f64 = 800.0 / std::f64::consts::LN_10;
/// Beyond this the scores of both hypotheses are 0 or 1 to many digits.
const LARGEST_ELO: f64 = 4000.0;
const FIXED_POINT_STEPS: usize = 200;

/// What the bounds of a test are measured in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EloKind {
    /// The usual rating difference: a score of 1 / (1 + 10^(−elo/400)).
    Logistic,
    /// (score − ½) / σ of one game, times 800/ln 10: how long a test lasts then depends on the bounds
    /// alone, not on how many games are drawn.
    Normalised,
}

/// A test of H0 "A is `elo0` better than B" against H1 "A is `elo1` better".
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    kind: EloKind,
}

/// Why there is no such test.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum SprtError {
    /// The bounds.
    #[error("elo0 {0} and elo1 {1}: both within ±4000, and elo0 below elo1")]
    Bounds(f64, f64),
    /// The errors.
    #[error("alpha {0} and beta {1}: both above 0, and their sum below 1")]
    Errors(f64, f64),
}

/// What a test says so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SprtVerdict {
    /// H0 is accepted: A is not as much better as H1 says.
    AcceptH0,
    /// H1 is accepted: A is better.
    AcceptH1,
    /// Not clear yet.
    Continue,
    /// Not clear, and no more pairs are allowed.
    UndecidedAtCap,
}

/// The state of a test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SprtStatus {
    /// Logarithm of the likelihood ratio of H1 to H0.
    pub llr: f64,
    /// At or below the first H0 is accepted, at or above the second H1.
    pub bounds: [f64; 2],
    /// False where normalised bounds have no likeliest distribution for such results, and the
    /// ratio is that of the normal approximation.
    pub exact: bool,
    /// Pairs seen.
    pub pairs: u64,
    /// What to do.
    pub verdict: SprtVerdict,
}

/// How many pairs a test takes on average.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ExpectedPairs {
    /// If H0 is true.
    pub if_h0: f64,
    /// If H1 is true.
    pub if_h1: f64,
    /// At worst: if the truth lies in the middle.
    pub at_worst: f64,
}

impl Sprt {
    /// A test with error `alpha` of accepting H1 wrongly and `beta` of accepting H0 wrongly.
    ///
    /// # Errors
    /// If the bounds are not in order or the errors are not probabilities that leave room.
    pub fn new(
        [elo0, elo1]: [f64; 2],
        [alpha, beta]: [f64; 2],
        kind: EloKind,
    ) -> Result<Self, SprtError> {
        // Written so that "not a number" is refused.
        if !(-LARGEST_ELO <= elo0 && elo0 < elo1 && elo1 <= LARGEST_ELO) {
            return Err(SprtError::Bounds(elo0, elo1));
        }
        if !(alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0) {
            return Err(SprtError::Errors(alpha, beta));
        }
        Ok(Self { elo0, elo1, alpha, beta, kind })
    }

    /// ln(β/(1−α)) and ln((1−β)/α): where the test stops.
    #[must_use]
    pub fn bounds(&self) -> [f64; 2] {
        let Self { alpha, beta, .. } = *self;
        [(beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln()]
    }

    /// What the pairs say so far; `cap` is the largest number of pairs that will be played.
    #[must_use]
    pub fn status(&self, counts: &PairCounts, cap: Option<u64>) -> SprtStatus {
        let (llr, exact) = self.llr(counts);
        let bounds = self.bounds();
        let pairs = counts.pairs();
        let verdict = if llr >= bounds[1] {
            SprtVerdict::AcceptH1
        } else if llr <= bounds[0] {
            SprtVerdict::AcceptH0
        } else if cap.is_some_and(|cap| pairs >= cap) {
            SprtVerdict::UndecidedAtCap
        } else {
            SprtVerdict::Continue
        };
        SprtStatus { llr, bounds, exact, pairs, verdict }
    }

    /// The logarithm of the likelihood ratio, and whether it is exact.
    fn llr(&self, counts: &PairCounts) -> (f64, bool) {
        if counts.pairs() == 0 {
            return (0.0, true);
        }
        let counts = counts.0.map(|count| (count as f64).max(EMPTY_CLASS));
        let total: f64 = counts.iter().sum();
        let observed = counts.map(|count| count / total);
        let ratio = |h0: [f64; 5], h1: [f64; 5]| {
            (0..5).map(|class| counts[class] * (h1[class] / h0[class]).ln()).sum::<f64>()
        };
        match self.kind {
            EloKind::Logistic => {
                let [h0, h1] = [self.elo0, self.elo1]
                    .map(|elo| likeliest_with_mean(&observed, score_of_elo(elo)));
                (ratio(h0, h1), true)
            }
            EloKind::Normalised => {
                let [t0, t1] = self.pair_effects();
                let likeliest = [t0, t1].map(|t| likeliest_with_effect(&observed, t));
                if let [Some(h0), Some(h1)] = likeliest {
                    return (ratio(h0, h1), true);
                }
                // Profile likelihood of a normal distribution with mean − ½ = t·σ.
                let (mean, deviation) = mean_and_deviation(&observed);
                let seen = (mean - 0.5) / deviation;
                let distance = |t: f64| (1.0 + (seen - t).powi(2)).ln();
                (0.5 * total * (distance(t0) - distance(t1)), false)
            }
        }
    }

    /// The bounds as (mean − ½)/σ of pairs. Two games halve the variance: √2 times that of one.
    fn pair_effects(&self) -> [f64; 2] {
        [self.elo0, self.elo1].map(|elo| elo / NORMALISED * std::f64::consts::SQRT_2)
    }

    /// Average length, if a pair's score has this standard deviation (0.3 to 0.35 where games are
    /// seldom drawn). Normalised bounds do not depend on it. Wald's approximation: what the ratio
    /// moves in all over what it moves in a pair, (μ1−μ0)²/2σ².
    #[must_use]
    pub fn expected_pairs(&self, deviation: f64) -> ExpectedPairs {
        let step = match self.kind {
            EloKind::Logistic => {
                (score_of_elo(self.elo1) - score_of_elo(self.elo0)) / deviation.max(1e-9)
            }
            EloKind::Normalised => {
                let [t0, t1] = self.pair_effects();
                t1 - t0
            }
        };
        let [low, high] = self.bounds();
        let drift = step * step / 2.0;
        ExpectedPairs {
            if_h0: -(self.alpha * high + (1.0 - self.alpha) * low) / drift,
            if_h1: ((1.0 - self.beta) * high + self.beta * low) / drift,
            at_worst: -low * high / (step * step),
        }
    }
}

/// The likeliest distribution over pair scores whose mean is `mean`, given what was observed: of the
/// form p̂ᵢ/(1 + x(aᵢ − mean)) by Lagrange's method.
fn likeliest_with_mean(observed: &[f64; 5], mean: f64) -> [f64; 5] {
    // The hypotheses lie strictly between 0 and 1, so some values are on either side.
    tilted(observed, &SCORES.map(|score| score - mean)).unwrap_or(*observed)
}

/// p̂ᵢ/(1 + x·bᵢ) with x such that the mean of b is 0. `None` if no x does: all b on one side.
fn tilted(observed: &[f64; 5], values: &[f64; 5]) -> Option<[f64; 5]> {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !(low < 0.0 && high > 0.0) {
        return None;
    }
    // The mean is decreasing in x from +∞ to −∞ between the poles −1/high and −1/low, as every class
    // has been seen a little. The root may be very near a pole; so it is sought as the distance y from
    // the nearer one, where 1 + x·b = (1 − b/end) ± y·b keeps all its digits.
    let (left, right) = (-1.0 / high, -1.0 / low);
    let (end, sign) = if mean_of(observed, values, |b| 1.0 + 0.5 * (left + right) * b) > 0.0 {
        (low, -1.0)
    } else {
        (high, 1.0)
    };
    let divisor = |b: f64, y: f64| (1.0 - b / end) + sign * y * b;
    // Both sides see a function that grows with the distance from where it is too small.
    let too_near = |y: f64| sign * mean_of(observed, values, |b| divisor(b, y)) > 0.0;
    let y = bisect(0.0, 0.5 * (right - left), too_near);
    let found: [f64; 5] = std::array::from_fn(|class| observed[class] / divisor(values[class], y));
    let total: f64 = found.iter().sum();
    let usable = total.is_finite() && found.iter().all(|&p| p > 0.0);
    usable.then(|| found.map(|p| p / total))
}

/// Σ p̂ᵢbᵢ / divisor(bᵢ).
fn mean_of(observed: &[f64; 5], values: &[f64; 5], divisor: impl Fn(f64) -> f64) -> f64 {
    observed.iter().zip(values).map(|(p, &value)| p * value / divisor(value)).sum()
}

/// The likeliest distribution with (mean − ½)/σ = `effect`. The condition is not linear in p; it is
/// made so about the last solution, until that stays (Van den Bergh, 2020, "normalized Elo").
/// `None` if that never happens.
fn likeliest_with_effect(observed: &[f64; 5], effect: f64) -> Option<[f64; 5]> {
    let mut last = *observed;
    for _ in 0..FIXED_POINT_STEPS {
        let (mean, deviation) = mean_and_deviation(&last);
        let values = SCORES.map(|score| {
            let away = (mean - score) / deviation;
            score - 0.5 - effect * deviation * (1.0 + away * away) / 2.0
        });
        let next = tilted(observed, &values)?;
        let change = (0..5).map(|class| (next[class] - last[class]).abs()).fold(0.0, f64::max);
        last = next;
        if change < 1e-12 {
            let (mean, deviation) = mean_and_deviation(&last);
            let kept = ((mean - 0.5) / deviation - effect).abs() < 1e-6;
            return kept.then_some(last);
        }
    }
    None
}

fn mean_and_deviation(p: &[f64; 5]) -> (f64, f64) {
    let mean: f64 = p.iter().zip(SCORES).map(|(p, score)| p * score).sum();
    let variance: f64 = p.iter().zip(SCORES).map(|(p, score)| p * (score - mean).powi(2)).sum();
    // Above 0, as every class has been seen a little.
    (mean, variance.max(1e-300).sqrt())
}
