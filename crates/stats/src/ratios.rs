//! Ratios of effort over positions: geometric mean, quartiles, and a bootstrap interval.

use gamecore::Rng;
use serde::Serialize;

/// Resamples of the bootstrap.
const RESAMPLES: usize = 1000;

/// What a number of ratios come to. All are about factors, so means are geometric.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Ratios {
    /// How many ratios.
    pub n: usize,
    /// Geometric mean.
    pub mean: f64,
    /// 95 % interval on the geometric mean: percentile bootstrap (Efron, 1979).
    pub interval: [f64; 2],
    /// First quartile, median, third quartile.
    pub quartiles: [f64; 3],
}

impl Ratios {
    /// Sums up positive ratios; `None` if there are none. The seed decides the resamples.
    #[must_use]
    pub fn of(ratios: &[f64], seed: u64) -> Option<Self> {
        if ratios.is_empty() {
            return None;
        }
        let logs: Vec<f64> = ratios.iter().map(|ratio| ratio.ln()).collect();
        let mean = average(&logs);
        let mut rng = Rng::new(seed);
        let mut means: Vec<f64> = (0..RESAMPLES)
            .map(|_| {
                let drawn = (0..logs.len()).map(|_| logs[rng.below(logs.len() as u32) as usize]);
                drawn.sum::<f64>() / logs.len() as f64
            })
            .collect();
        means.sort_by(f64::total_cmp);
        let mut sorted = logs;
        sorted.sort_by(f64::total_cmp);
        let low = quantile(&means, 0.025).min(mean);
        let high = quantile(&means, 0.975).max(mean);
        Some(Self {
            n: ratios.len(),
            mean: mean.exp(),
            interval: [low.exp(), high.exp()],
            quartiles: [0.25, 0.5, 0.75].map(|part| quantile(&sorted, part).exp()),
        })
    }
}

/// The geometric mean of positive numbers; 0 if there are none.
#[must_use]
pub fn geometric_mean(values: impl Iterator<Item = f64>) -> f64 {
    let logs: Vec<f64> = values.map(f64::ln).collect();
    if logs.is_empty() { 0.0 } else { average(&logs).exp() }
}

fn average(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// By linear interpolation between the nearest two.
pub(crate) fn quantile(sorted: &[f64], part: f64) -> f64 {
    let place = part * (sorted.len() - 1) as f64;
    let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    below + (above - below) * place.fract()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_contains_the_mean() {
        let mut rng = Rng::new(4);
        for n in [1, 2, 5, 40] {
            let ratios: Vec<f64> = (0..n).map(|_| (rng.unit() * 4.0 - 2.0).exp()).collect();
            let found = Ratios::of(&ratios, 1).unwrap();
            let [low, high] = found.interval;
            assert!(low <= found.mean && found.mean <= high, "{found:?}");
            assert!(found.quartiles.is_sorted(), "{found:?}");
            assert_eq!(Ratios::of(&ratios, 1), Some(found));
        }
        assert_eq!(Ratios::of(&[], 1), None);
    }

    #[test]
    fn equal_things_have_ratio_one() {
        let found = Ratios::of(&[1.0; 7], 3).unwrap();
        assert_eq!((found.mean, found.interval, found.quartiles), (1.0, [1.0; 2], [1.0; 3]));
    }

    #[test]
    fn known_means() {
        assert!((geometric_mean([1.0, 100.0].into_iter()) - 10.0).abs() < 1e-9);
        let found = Ratios::of(&[0.5, 2.0, 4.0, 8.0], 1).unwrap();
        assert!((found.mean - 32f64.powf(0.25)).abs() < 1e-9);
        assert!((found.quartiles[1] - 8f64.sqrt()).abs() < 1e-9);
    }
}
