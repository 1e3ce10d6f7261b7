//! Soft pruning: what the selection value of an edge loses because heuristics did not choose it,
//!
//! ```text
//! W·d·√(hpl / (hpl + n)),   d = 1 if none chose it, ½ if one of several did, else 0
//! ```
//!
//! with n visits of the node. It is whole at first and halved by n = 3·hpl: the survivors are looked
//! at for a while as if there were nothing else. The paper (Sephton et al., 2014) names soft pruning
//! of what only one heuristic chose as future work and gives no formula.

use super::super::prune::Cut;

/// What the edges of one node lose, by position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Handicap {
    /// Edges from here on lose half.
    doubtful: usize,
    /// Edges from here on lose the whole.
    pruned: usize,
    whole: f64,
}

impl Handicap {
    pub(crate) const NONE: Self = Self { doubtful: usize::MAX, pruned: usize::MAX, whole: 0.0 };

    pub(crate) fn at(weight: f64, limit: usize, visits: u32, count: usize, cut: Cut) -> Self {
        let pruned = count - usize::from(cut.pruned);
        let limit = limit as f64;
        let fade = (limit / (limit + f64::from(visits))).sqrt();
        Self { doubtful: pruned - usize::from(cut.doubtful), pruned, whole: weight * fade }
    }

    /// What the edge at this position loses.
    #[inline]
    pub(crate) fn of(self, position: usize) -> f64 {
        if position < self.doubtful {
            0.0
        } else if position < self.pruned {
            self.whole / 2.0
        } else {
            self.whole
        }
    }

    /// Where the edges end that lose as much as the one at this position.
    pub(crate) fn group_end(self, position: usize, count: usize) -> usize {
        let ends = [self.doubtful, self.pruned, count];
        ends.into_iter().find(|&end| position < end).unwrap_or(count).min(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn follows_the_formula() {
        let cut = Cut { doubtful: 2, pruned: 3 };
        let first = Handicap::at(2.0, 5, 0, 9, cut);
        let lost: Vec<f64> = (0..9).map(|position| first.of(position)).collect();
        assert_eq!(lost, [0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 2.0, 2.0, 2.0]);
        assert_eq!(Handicap::at(2.0, 5, 15, 9, cut).of(8), 1.0, "halved by 3·hpl visits");
        assert_eq!(Handicap::NONE.of(100), 0.0);
        let ends: Vec<usize> = (0..9).map(|position| first.group_end(position, 9)).collect();
        assert_eq!(ends, [4, 4, 4, 4, 6, 6, 9, 9, 9]);
        assert_eq!(Handicap::NONE.group_end(3, 9), 9);
    }
}
