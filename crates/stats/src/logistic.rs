//! Logistic regression without a constant: `ln(p / (1 − p)) = Σ weight · factor`, by Newton's method
//! on the penalised likelihood. Factors are measured in units of their own spread, so the penalty
//! (ridge) treats them alike; it also keeps apart factors that say nearly the same.

use std::f64::consts::LN_2;

use gamecore::math::{exp, ln};
use nalgebra::{DMatrix, DVector};

/// Enough for any data that converges at all.
const MOST_STEPS: usize = 50;
/// Smaller changes of a weight, in spreads, end the fit.
const SMALL: f64 = 1e-8;

/// What was measured, and what came of it: 1 won, 0 lost, ½ drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The factors.
    pub factors: Vec<f32>,
    /// The result.
    pub result: f32,
    /// How much it counts.
    pub weight: f32,
}

/// The weights of largest likelihood, less `ridge` times half their sum of squares for every unit of
/// weight.
/// Factors that never vary from 0 weigh 0.
#[must_use]
pub fn logistic_fit(samples: &[Sample], ridge: f64) -> Vec<f64> {
    let Some(first) = samples.first() else { return Vec::new() };
    let (size, count) = (first.factors.len(), total_weight(samples));
    let mut squares = vec![0.0; size];
    for sample in samples {
        for (sum, &factor) in squares.iter_mut().zip(&sample.factors) {
            *sum += f64::from(sample.weight) * f64::from(factor).powi(2);
        }
    }
    let spread: Vec<f64> = squares
        .iter()
        .map(|&sum| if sum > 0.0 { (sum / count).sqrt() } else { f64::INFINITY })
        .collect();
    let likelihood = |weights: &DVector<f64>| {
        let plain: Vec<f64> = weights.iter().zip(&spread).map(|(w, unit)| w / unit).collect();
        -count * (log_loss(&plain, samples) * LN_2 + ridge / 2.0 * weights.norm_squared())
    };
    let mut weights = DVector::zeros(size);
    let mut scaled = DVector::zeros(size);
    for _ in 0..MOST_STEPS {
        let mut slope = &weights * (-ridge * count);
        let mut bend = DMatrix::identity(size, size) * (ridge * count).max(f64::MIN_POSITIVE);
        for sample in samples {
            for (place, (&factor, unit)) in sample.factors.iter().zip(&spread).enumerate() {
                scaled[place] = f64::from(factor) / unit;
            }
            let chance = chance(weights.dot(&scaled));
            let weight = f64::from(sample.weight);
            slope.axpy(weight * (f64::from(sample.result) - chance), &scaled, 1.0);
            bend.syger(weight * chance * (1.0 - chance), &scaled, &scaled, 1.0);
        }
        let Some(solved) = bend.cholesky() else { break };
        let mut step = solved.solve(&slope);
        // Where Newton's step goes too far, half of it, and half of that.
        let now = likelihood(&weights);
        while likelihood(&(&weights + &step)) < now && step.amax() > SMALL {
            step /= 2.0;
        }
        weights += &step;
        if step.amax() < SMALL {
            break;
        }
    }
    weights.iter().zip(&spread).map(|(weight, unit)| weight / unit).collect()
}

/// Mean log loss in bits: 1 is as good as a coin.
#[must_use]
pub fn log_loss(weights: &[f64], samples: &[Sample]) -> f64 {
    let bits = |sample: &Sample| {
        let sum: f64 =
            weights.iter().zip(&sample.factors).map(|(weight, &f)| weight * f64::from(f)).sum();
        let (won, lost) = (chance(sum).max(1e-12), chance(-sum).max(1e-12));
        let result = f64::from(sample.result);
        let nats = result * ln(won) + (1.0 - result) * ln(lost);
        -f64::from(sample.weight) * nats / LN_2
    };
    samples.iter().map(bits).sum::<f64>() / total_weight(samples).max(f64::MIN_POSITIVE)
}

fn total_weight(samples: &[Sample]) -> f64 {
    samples.iter().map(|sample| f64::from(sample.weight)).sum()
}

fn chance(log_odds: f64) -> f64 {
    1.0 / (1.0 + exp(-log_odds))
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamecore::Rng;

    /// Results drawn by known weights.
    fn drawn(weights: &[f64], count: usize) -> Vec<Sample> {
        let mut rng = Rng::new(7);
        let mut unit = move || f64::from(rng.below(1 << 20)) / f64::from(1 << 20);
        (0..count)
            .map(|_| {
                let factors: Vec<f32> =
                    weights.iter().map(|_| (20.0 * unit() - 10.0).round() as f32).collect();
                let sum: f64 = weights.iter().zip(&factors).map(|(w, &f)| w * f64::from(f)).sum();
                Sample { factors, result: f32::from(u8::from(unit() < chance(sum))), weight: 2.0 }
            })
            .collect()
    }

    #[test]
    fn finds_the_weights_that_drew_the_results() {
        let truth = [0.3, -0.1, 0.0, 0.05];
        let samples = drawn(&truth, 20_000);
        let found = logistic_fit(&samples, 1e-6);
        for (found, truth) in found.iter().zip(truth) {
            assert!((found - truth).abs() < 0.02, "{found} for {truth}");
        }
        assert!(log_loss(&found, &samples) <= log_loss(&truth, &samples));
        assert!(log_loss(&found, &samples) < 0.8);
        assert!((log_loss(&[0.0; 4], &samples) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn a_factor_that_is_always_0_weighs_0_and_certain_results_stay_finite() {
        let sample = |factor: f32| Sample {
            factors: vec![factor, 0.0],
            result: f32::from(u8::from(factor > 0.0)),
            weight: 1.0,
        };
        let samples: Vec<Sample> = [-2.0, -1.0, 1.0, 2.0].map(sample).to_vec();
        let found = logistic_fit(&samples, 1e-3);
        assert!(found[0].is_finite() && found[0] > 1.0, "{found:?}");
        assert_eq!(found[1], 0.0);
        assert!(logistic_fit(&[], 1.0).is_empty());
    }

    #[test]
    fn exchanging_the_sides_changes_nothing() {
        let samples = drawn(&[0.2, 0.1], 2_000);
        let turned: Vec<Sample> = samples
            .iter()
            .map(|sample| Sample {
                factors: sample.factors.iter().map(|factor| -factor).collect(),
                result: 1.0 - sample.result,
                weight: 1.0,
            })
            .collect();
        let [one, other] = [&samples, &turned].map(|samples| logistic_fit(samples, 1e-4));
        for (one, other) in one.iter().zip(other) {
            assert!((one - other).abs() < 1e-9);
        }
    }
}
