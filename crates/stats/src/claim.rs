//! When something is shown: the one rule behind every "stronger", star and verdict.

use serde::Serialize;

use crate::pairs::PairCounts;

/// How often a family of tests may claim something that is not so.
const LEVEL: f64 = 0.05;

/// One of the two players of a pairing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The one named first.
    A,
    /// The other.
    B,
}

/// Whether a test shows something, by its p-value corrected for all tests made together
/// ([`crate::holm`]).
#[must_use]
pub fn is_shown(p: f64) -> bool {
    p < LEVEL
}

impl PairCounts {
    /// Who is shown to be stronger: the sign test over all pairings together is clear, and the side
    /// that won more pairs also scored more points. The two differ where one side wins narrowly
    /// and often and the other rarely and by both games.
    #[must_use]
    pub fn stronger(&self, p: f64) -> Option<Side> {
        let mean = self.mean().filter(|_| is_shown(p))?;
        if self.won() > self.lost() && mean > 0.5 {
            Some(Side::A)
        } else if self.lost() > self.won() && mean < 0.5 {
            Some(Side::B)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_and_points_must_agree() {
        let clear = PairCounts([1, 0, 3, 0, 16]);
        assert_eq!(clear.stronger(0.049), Some(Side::A));
        assert_eq!(clear.stronger(0.05), None);
        let mut turned = clear;
        turned.0.reverse();
        assert_eq!(turned.stronger(0.001), Some(Side::B));
        // 30 pairs won by half a point, 20 lost by a whole one: B has more points.
        assert_eq!(PairCounts([20, 0, 0, 30, 0]).stronger(0.001), None);
        assert_eq!(PairCounts::default().stronger(0.0), None);
    }
}
