//! Sequential halving: rounds of equal shares, after each the better half goes on.
//!
//! Z. Karnin, T. Koren and O. Somekh, *Almost Optimal Exploration in Multi-Armed Bandits*, ICML 2013.
//! ⌈log₂ n⌉ rounds for n points; in each the survivors get equally many evaluations of an equal share
//! of the budget. It knows nothing of dimensions, and is therefore the honest baseline for those
//! that do.
//!
//! Where we differ: a point is judged by all its rewards, not by those of the last round alone; what a
//! round cannot share out equally goes to the later ones; and if the budget is too small to evaluate
//! every point once in the first round, as many points as it allows are drawn at random.

use std::collections::{BTreeSet, VecDeque};

use gamecore::Rng;
use serde::{Deserialize, Serialize};

use crate::evidence::Evidence;
use crate::space::{Point, Space};
use crate::tuner::{Recommendation, SettingsError, TellError, Tuner, check_budget, check_results};

/// How to halve.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HalvingSettings {
    /// Budget.
    pub evaluations: u64,
    /// Evaluations asked for at a time; it changes nothing in the result.
    pub batch: usize,
    /// Of the draw of points, where not all are tried.
    pub seed: u64,
}

impl Default for HalvingSettings {
    fn default() -> Self {
        Self { evaluations: 1000, batch: 1, seed: 1 }
    }
}

/// The method, between two questions.
pub struct SequentialHalving {
    settings: HalvingSettings,
    evidence: Evidence,
    survivors: Vec<Point>,
    rounds_left: u32,
    /// Evaluations of this round that are not asked for yet.
    queue: VecDeque<Point>,
    pending: Vec<Point>,
    spent: u64,
}

impl SequentialHalving {
    /// A run at its beginning.
    ///
    /// # Errors
    /// If a setting has no sense.
    pub fn new(space: Space, settings: HalvingSettings) -> Result<Self, SettingsError> {
        check_budget(settings.evaluations, settings.batch)?;
        let count = space.size().min(most_points(settings.evaluations));
        let survivors = sample(&space, count, &mut Rng::new(settings.seed));
        let mut halving = Self {
            rounds_left: rounds(count),
            settings,
            evidence: Evidence::new(space),
            survivors,
            queue: VecDeque::new(),
            pending: Vec::new(),
            spent: 0,
        };
        halving.begin_round();
        Ok(halving)
    }

    /// The points still in the race.
    #[must_use]
    pub fn survivors(&self) -> &[Point] {
        &self.survivors
    }

    /// Every survivor in turn, as often as an equal share of what is left allows.
    fn begin_round(&mut self) {
        let left = self.settings.evaluations - self.spent;
        let each = left / (u64::from(self.rounds_left) * self.survivors.len() as u64);
        for _ in 0..each {
            self.queue.extend(self.survivors.iter().cloned());
        }
        // The last round spends what is left over: the budget is part of a schedule.
        if self.rounds_left == 1 {
            let over = left - each * self.survivors.len() as u64;
            self.queue.extend(self.survivors.iter().take(over as usize).cloned());
        }
    }

    /// The better half by mean reward, the larger one of an odd number. Among equals the earlier
    /// stays; points without a reward are worst.
    fn halve(&mut self) {
        let keep = self.survivors.len().div_ceil(2);
        let mean = |point: &Point| {
            let tally = self.evidence.at(point);
            if tally.n == 0 { -1.0 } else { tally.mean }
        };
        // The sort is stable.
        self.survivors.sort_by(|first, second| mean(second).total_cmp(&mean(first)));
        self.survivors.truncate(keep);
    }
}

/// ⌈log₂ n⌉, but 1 for a single point.
fn rounds(points: u64) -> u32 {
    points.next_power_of_two().trailing_zeros().max(1)
}

/// With how many points the first round can evaluate each of them.
fn most_points(evaluations: u64) -> u64 {
    // n · rounds(n) grows with n, so the largest n that fits is found by halving an interval.
    let (mut fits, mut too_many) = (1, evaluations + 1);
    while too_many - fits > 1 {
        let middle = fits + (too_many - fits) / 2;
        let needed = u128::from(middle) * u128::from(rounds(middle));
        if needed <= u128::from(evaluations) {
            fits = middle;
        } else {
            too_many = middle;
        }
    }
    fits
}

/// `count` different points: all in their order, or random ones in the order drawn.
fn sample(space: &Space, count: u64, rng: &mut Rng) -> Vec<Point> {
    if count == space.size() {
        return (0..count).map(|index| space.point(index)).collect();
    }
    let mut points = Vec::new();
    if count > space.size() / 2 {
        // Too full for trying until a new one is found.
        let mut all: Vec<u64> = (0..space.size()).collect();
        rng.shuffle(&mut all);
        points.extend(all.iter().take(count as usize).map(|&index| space.point(index)));
        return points;
    }
    let mut seen = BTreeSet::new();
    while (points.len() as u64) < count {
        let point = space.random(rng);
        if seen.insert(space.index(&point)) {
            points.push(point);
        }
    }
    points
}

impl Tuner for SequentialHalving {
    fn ask(&mut self) -> Vec<Point> {
        if self.pending.is_empty() {
            let count = self.queue.len().min(self.settings.batch);
            self.pending = self.queue.drain(..count).collect();
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
        if !results.is_empty() && self.queue.is_empty() {
            self.halve();
            self.rounds_left -= 1;
            if self.rounds_left > 0 {
                self.begin_round();
            }
        }
        Ok(())
    }

    /// The best mean among the survivors; the one survivor in the end.
    fn recommendation(&self) -> Option<Recommendation> {
        let mut best: Option<Recommendation> = None;
        for point in &self.survivors {
            let observed = self.evidence.at(point);
            let better = best.as_ref().is_none_or(|best| observed.mean > best.estimate);
            if observed.n > 0 && better {
                best = Some(Recommendation {
                    point: point.clone(),
                    estimate: observed.mean,
                    observed,
                });
            }
        }
        best
    }

    fn evidence(&self) -> &Evidence {
        &self.evidence
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::Dimension;

    fn eight() -> Space {
        let bit = |name: &str| Dimension::new(name, ["0", "1"]);
        Space::new(vec![bit("a"), bit("b"), bit("c")]).unwrap()
    }

    /// Eight points and 24 evaluations: 8 × 1, 4 × 2, 2 × 4. Point i gets i/8, so the last wins.
    #[test]
    fn eight_points_by_hand() {
        for batch in [1, 3, 100] {
            let settings = HalvingSettings { evaluations: 24, batch, seed: 1 };
            let space = eight();
            let mut halving = SequentialHalving::new(space.clone(), settings).unwrap();
            let mut asked = Vec::new();
            loop {
                let batch = halving.ask();
                if batch.is_empty() {
                    break;
                }
                let reward = |point: &Point| space.index(point) as f64 / 8.0;
                asked.extend(batch.iter().map(|point| space.index(point)));
                let results: Vec<_> =
                    batch.into_iter().map(|point| (point.clone(), Some(reward(&point)))).collect();
                halving.tell(&results).unwrap();
            }
            let expected: [&[u64]; 3] =
                [&[0, 1, 2, 3, 4, 5, 6, 7], &[7, 6, 5, 4, 7, 6, 5, 4], &[7, 6, 7, 6, 7, 6, 7, 6]];
            assert_eq!(asked, expected.concat());
            assert_eq!(halving.recommendation().unwrap().point, [1, 1, 1]);
            assert_eq!(halving.recommendation().unwrap().observed.n, 7);
        }
    }

    /// Equal rewards keep the order, and void evaluations are worse than none won.
    #[test]
    fn ties_by_order_and_void_last() {
        let settings = HalvingSettings { evaluations: 24, batch: 8, seed: 1 };
        let mut halving = SequentialHalving::new(eight(), settings).unwrap();
        let results: Vec<_> = halving
            .ask()
            .into_iter()
            .map(|point| (point.clone(), (point != [0, 0, 1]).then_some(0.0)))
            .collect();
        halving.tell(&results).unwrap();
        assert_eq!(halving.survivors(), [[0, 0, 0], [0, 1, 0], [0, 1, 1], [1, 0, 0]]);
    }

    #[test]
    fn budgets_too_small_for_the_grid_try_a_sample() {
        assert_eq!([1, 2, 3, 8, 16, 1024].map(rounds), [1, 1, 2, 3, 4, 10]);
        assert_eq!([1, 5, 6, 24, 100, 300].map(most_points), [1, 2, 3, 8, 20, 50]);
        for evaluations in 1..40 {
            let settings = HalvingSettings { evaluations, batch: 7, seed: evaluations };
            let mut halving = SequentialHalving::new(eight(), settings).unwrap();
            let mut spent = 0;
            loop {
                let batch = halving.ask();
                if batch.is_empty() {
                    break;
                }
                spent += batch.len() as u64;
                let results: Vec<_> = batch.into_iter().map(|point| (point, Some(0.5))).collect();
                halving.tell(&results).unwrap();
            }
            assert!(spent <= evaluations && 2 * spent > evaluations, "{spent} of {evaluations}");
            assert_eq!(halving.survivors().len(), 1);
        }
    }
}
