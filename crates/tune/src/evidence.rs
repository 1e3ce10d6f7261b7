//! What was seen: rewards by point, and what they say about single values and pairs of values.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::space::{Point, Space};

/// Count, mean and spread of rewards (Welford 1962; merged as by Chan, Golub and LeVeque 1979).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Tally {
    /// How many rewards.
    pub n: u64,
    /// Their mean; 0 if there are none.
    pub mean: f64,
    /// Sum of squared distances from the mean.
    #[serde(skip)]
    squares: f64,
}

impl Tally {
    /// Counts one reward.
    pub fn add(&mut self, reward: f64) {
        self.merge(&Self { n: 1, mean: reward, squares: 0.0 });
    }

    /// Counts all that another tally has counted.
    pub fn merge(&mut self, other: &Self) {
        if other.n == 0 {
            return;
        }
        let n = self.n + other.n;
        let apart = other.mean - self.mean;
        self.squares += other.squares + apart * apart * (self.n as f64 * other.n as f64 / n as f64);
        self.mean += apart * (other.n as f64 / n as f64);
        self.n = n;
    }

    /// Standard deviation of one reward; `None` for fewer than two.
    #[must_use]
    pub fn sd(&self) -> Option<f64> {
        (self.n > 1).then(|| (self.squares / (self.n - 1) as f64).sqrt())
    }
}

/// All rewards of a tuning run so far. Void evaluations are not in it.
#[derive(Clone, Debug)]
pub struct Evidence {
    space: Space,
    points: BTreeMap<u64, Tally>,
    /// Numbers of the points in the order in which they got their first reward.
    order: Vec<u64>,
}

impl Evidence {
    pub(crate) fn new(space: Space) -> Self {
        Self { space, points: BTreeMap::new(), order: Vec::new() }
    }

    pub(crate) fn add(&mut self, point: &[usize], reward: f64) {
        let index = self.space.index(point);
        let tally = self.points.entry(index).or_default();
        if tally.n == 0 {
            self.order.push(index);
        }
        tally.add(reward);
    }

    /// The space searched.
    #[must_use]
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// Rewards of this very point.
    #[must_use]
    pub fn at(&self, point: &[usize]) -> Tally {
        self.points.get(&self.space.index(point)).copied().unwrap_or_default()
    }

    /// Every point with a reward, in the order of their first one.
    pub fn visited(&self) -> impl Iterator<Item = (Point, Tally)> {
        self.order.iter().map(|&index| (self.space.point(index), self.points[&index]))
    }

    /// All rewards together.
    #[must_use]
    pub fn overall(&self) -> Tally {
        let mut all = Tally::default();
        for tally in self.points.values() {
            all.merge(tally);
        }
        all
    }

    /// Rewards by value of each dimension: `[dimension][value]`.
    #[must_use]
    pub fn marginals(&self) -> Vec<Vec<Tally>> {
        let empty = |dimension| vec![Tally::default(); self.space.values(dimension)];
        let mut marginals: Vec<_> = (0..self.space.dimensions().len()).map(empty).collect();
        for (&index, tally) in &self.points {
            for (of_dimension, value) in marginals.iter_mut().zip(self.space.point(index)) {
                of_dimension[value].merge(tally);
            }
        }
        marginals
    }

    /// Rewards by pair of values of two dimensions: `[value of first][value of second]`.
    #[must_use]
    pub fn pair_marginals(&self, first: usize, second: usize) -> Vec<Vec<Tally>> {
        let row = vec![Tally::default(); self.space.values(second)];
        let mut marginals = vec![row; self.space.values(first)];
        for (&index, tally) in &self.points {
            let point = self.space.point(index);
            marginals[point[first]][point[second]].merge(tally);
        }
        marginals
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::Dimension;

    #[test]
    fn marginals_by_hand() {
        let space =
            Space::new(vec![Dimension::new("a", ["x", "y"]), Dimension::new("b", ["p", "q", "r"])])
                .unwrap();
        let mut evidence = Evidence::new(space);
        for (point, reward) in [([1, 0], 1.0), ([1, 0], 0.0), ([0, 0], 0.0), ([1, 2], 1.0)] {
            evidence.add(&point, reward);
        }
        let [of_a, of_b] = &evidence.marginals()[..] else { panic!("two dimensions") };
        assert_eq!((of_a[0].n, of_a[0].mean, of_a[0].sd()), (1, 0.0, None));
        assert_eq!(of_a[1].n, 3);
        assert!((of_a[1].mean - 2.0 / 3.0).abs() < 1e-15);
        assert!((of_a[1].sd().unwrap() - (1.0f64 / 3.0).sqrt()).abs() < 1e-15);
        assert_eq!(of_b.iter().map(|tally| tally.n).collect::<Vec<_>>(), [3, 0, 1]);
        let pairs = evidence.pair_marginals(0, 1);
        assert_eq!((pairs[1][0].n, pairs[1][0].mean), (2, 0.5));
        assert_eq!((pairs[0][2].n, evidence.overall().n), (0, 4));
        let visited: Vec<Point> = evidence.visited().map(|(point, _)| point).collect();
        assert_eq!(visited, [[1, 0], [0, 0], [1, 2]].map(Vec::from));
    }
}
