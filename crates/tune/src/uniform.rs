//! Uniform sampling and additive marginals: what a tuner must beat.
//!
//! Points are drawn uniformly. Each value of a dimension has a mean reward, whatever the rest was; the
//! best value of each dimension is recommended, even if no one has evaluated that very combination.
//! This is right exactly if dimensions do not interact.

use gamecore::Rng;
use serde::{Deserialize, Serialize};

use crate::evidence::Evidence;
use crate::space::{Point, Space};
use crate::tuner::{Recommendation, SettingsError, TellError, Tuner, check_budget, check_results};

/// How to sample.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct UniformSettings {
    /// Budget.
    pub evaluations: u64,
    /// Evaluations asked for at a time; it changes nothing in the result.
    pub batch: usize,
    /// Of all random draws.
    pub seed: u64,
}

impl Default for UniformSettings {
    fn default() -> Self {
        Self { evaluations: 1000, batch: 1, seed: 1 }
    }
}

/// The baseline, between two questions.
pub struct UniformMarginals {
    settings: UniformSettings,
    evidence: Evidence,
    rng: Rng,
    pending: Vec<Point>,
    spent: u64,
}

impl UniformMarginals {
    /// A run at its beginning.
    ///
    /// # Errors
    /// If a setting has no sense.
    pub fn new(space: Space, settings: UniformSettings) -> Result<Self, SettingsError> {
        check_budget(settings.evaluations, settings.batch)?;
        let rng = Rng::new(settings.seed);
        Ok(Self { settings, evidence: Evidence::new(space), rng, pending: Vec::new(), spent: 0 })
    }
}

impl Tuner for UniformMarginals {
    fn ask(&mut self) -> Vec<Point> {
        if self.pending.is_empty() {
            let left = self.settings.evaluations - self.spent;
            let space = self.evidence.space();
            let count = left.min(self.settings.batch as u64);
            self.pending = (0..count).map(|_| space.random(&mut self.rng)).collect();
        }
        self.pending.clone()
    }

    fn tell(&mut self, results: &[(Point, Option<f64>)]) -> Result<(), TellError> {
        check_results(&self.pending, results)?;
        for (point, reward) in results {
            if let Some(reward) = *reward {
                self.evidence.add(point, reward);
            }
        }
        self.spent += results.len() as u64;
        self.pending.clear();
        Ok(())
    }

    /// The estimate adds each value's distance from the overall mean to that mean, and is kept in
    /// [0, 1]. Of equal values the first is chosen, and never one without a reward.
    fn recommendation(&self) -> Option<Recommendation> {
        let overall = self.evidence.overall();
        if overall.n == 0 {
            return None;
        }
        let mut estimate = overall.mean;
        let mut point = Point::new();
        for of_dimension in self.evidence.marginals() {
            let mut best: Option<(usize, f64)> = None;
            for (value, tally) in of_dimension.iter().enumerate().filter(|(_, tally)| tally.n > 0) {
                if best.is_none_or(|(_, mean)| tally.mean > mean) {
                    best = Some((value, tally.mean));
                }
            }
            let (value, mean) = best.expect("a reward belongs to some value of every dimension");
            point.push(value);
            estimate += mean - overall.mean;
        }
        let observed = self.evidence.at(&point);
        Some(Recommendation { point, estimate: estimate.clamp(0.0, 1.0), observed })
    }

    fn evidence(&self) -> &Evidence {
        &self.evidence
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::Dimension;

    /// The best values of both dimensions together, though that combination was never rewarded.
    #[test]
    fn recommends_the_best_value_of_each_dimension() {
        let bit = |name: &str| Dimension::new(name, ["0", "1"]);
        let space = Space::new(vec![bit("a"), bit("b")]).unwrap();
        let settings = UniformSettings { evaluations: 400, batch: 30, seed: 2 };
        let mut tuner = UniformMarginals::new(space, settings).unwrap();
        assert_eq!(tuner.recommendation(), None);
        let mut asked = 0;
        loop {
            let batch = tuner.ask();
            if batch.is_empty() {
                break;
            }
            asked += batch.len();
            // Both ones are void; one of them is worth .3 and .4 more than none.
            let reward = |point: &Point| match point[..] {
                [1, 1] => None,
                [a, b] => Some(0.3 * a as f64 + 0.4 * b as f64),
                _ => unreachable!("two dimensions"),
            };
            let results: Vec<_> =
                batch.into_iter().map(|point| (point.clone(), reward(&point))).collect();
            tuner.tell(&results).unwrap();
        }
        assert_eq!(asked, 400);
        let found = tuner.recommendation().unwrap();
        assert_eq!((&found.point[..], found.observed.n), (&[1, 1][..], 0));
        // Means .3 and .4 for the ones, about .7/3 overall.
        assert!((found.estimate - (0.7 - 0.7 / 3.0)).abs() < 0.03, "{}", found.estimate);
        let all: u64 = tuner.marginals()[0].iter().map(|tally| tally.n).sum();
        assert_eq!(tuner.evidence().overall().n, all);
        for value in tuner.pair_marginals(0, 1).concat() {
            assert!(value.n < 150, "{value:?} is far from a quarter of 400");
        }
    }
}
