//! A rate over answers that are not independent of each other.

use gamecore::Rng;

use crate::ratios::quantile;

/// Resamples of the bootstrap.
const RESAMPLES: usize = 1000;

/// 95 % interval on a rate, by percentile bootstrap (Efron, 1979) over whole clusters: answers to
/// questions about one thing resemble each other, so the things are drawn anew, not the answers.
/// Each cluster is hits and answers. The whole range if there are no answers.
#[must_use]
pub fn cluster_rate(clusters: &[(u64, u64)], seed: u64) -> [f64; 2] {
    let sum = |clusters: &mut dyn Iterator<Item = (u64, u64)>| {
        clusters.fold((0, 0), |(hits, all), (more, answers)| (hits + more, all + answers))
    };
    let (hits, all) = sum(&mut clusters.iter().copied());
    if all == 0 {
        return [0.0, 1.0];
    }
    let rate = hits as f64 / all as f64;
    let mut rng = Rng::new(seed);
    let mut rates: Vec<f64> = (0..RESAMPLES)
        .map(|_| {
            let draw = |_| clusters[rng.below(clusters.len() as u32) as usize];
            let (hits, all) = sum(&mut (0..clusters.len()).map(draw));
            if all == 0 { rate } else { hits as f64 / all as f64 }
        })
        .collect();
    rates.sort_by(f64::total_cmp);
    [quantile(&rates, 0.025).min(rate), quantile(&rates, 0.975).max(rate)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wilson;

    /// Ten equal answers about each thing are worth one: the interval is that of the things, about
    /// √10 times as wide as that of independent answers.
    #[test]
    fn repeated_answers_add_nothing() {
        let once: Vec<(u64, u64)> =
            (0..200).map(|number| (u64::from(number % 4 == 0), 1)).collect();
        let tenfold: Vec<(u64, u64)> =
            once.iter().map(|(hits, all)| (hits * 10, all * 10)).collect();
        let width = |[low, high]: [f64; 2]| high - low;
        assert_eq!(cluster_rate(&once, 1), cluster_rate(&tenfold, 1));
        let clustered = width(cluster_rate(&tenfold, 1));
        assert!((clustered / width(wilson(50.0, 200)) - 1.0).abs() < 0.15, "{clustered}");
        assert!(clustered > 2.5 * width(wilson(500.0, 2000)), "{clustered}");
    }

    #[test]
    fn the_interval_holds_the_rate() {
        assert_eq!(cluster_rate(&[], 1), [0.0, 1.0]);
        assert_eq!(cluster_rate(&[(0, 3), (0, 2)], 1), [0.0, 0.0]);
        let [low, high] = cluster_rate(&[(1, 2), (3, 3), (0, 1)], 5);
        assert!(low <= 4.0 / 6.0 && 4.0 / 6.0 <= high);
    }
}
