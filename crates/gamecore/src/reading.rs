//! How the value of a decision is to be read: agents speak in different units.

use crate::math::exp;

/// What the values of a [`crate::Decision`] mean.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Reading {
    /// A chance to win, 0 to 1; a draw counts half.
    Chance,
    /// Points of an evaluation.
    Points {
        /// The advantage in points that makes winning e times as likely as losing.
        per_e: f64,
        /// Only a won game is worth so much, and only a lost one as little.
        won_from: f64,
    },
    /// The exact final margin; its sign decides.
    Margin,
    /// Units of the agent's own, which tell nothing of the chance to win.
    Own,
    /// There are no values.
    #[default]
    None,
}

impl Reading {
    /// The chance to win that a value stands for, if it tells that.
    #[must_use]
    pub fn chance(&self, value: f64) -> Option<f64> {
        match *self {
            Self::Chance => Some(value.clamp(0.0, 1.0)),
            Self::Points { won_from, .. } if value >= won_from => Some(1.0),
            Self::Points { won_from, .. } if value <= -won_from => Some(0.0),
            Self::Points { per_e, .. } => Some((1.0 + exp(-value / per_e)).recip()),
            Self::Margin if value > 0.0 => Some(1.0),
            Self::Margin if value < 0.0 => Some(0.0),
            Self::Margin => Some(0.5),
            Self::Own | Self::None => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_become_chances() {
        let points = Reading::Points { per_e: 1000.0, won_from: 1_000_000.0 };
        assert_eq!(points.chance(0.0), Some(0.5));
        // 1 / (1 + e⁻¹).
        assert!((points.chance(1000.0).unwrap() - 0.731_058_578_630_004_9).abs() < 1e-12);
        for value in [1.0, 812.0, 40_000.0, 2_000_000.0] {
            let both = points.chance(value).unwrap() + points.chance(-value).unwrap();
            assert!((both - 1.0).abs() < 1e-12, "{value}");
        }
        assert_eq!(points.chance(1_000_000.0), Some(1.0));
        assert_eq!(points.chance(-1_000_000.0), Some(0.0));
        assert_eq!(
            [2.0, 0.0, -64.0].map(|discs| Reading::Margin.chance(discs)),
            [Some(1.0), Some(0.5), Some(0.0)]
        );
        assert_eq!(Reading::Chance.chance(0.62), Some(0.62));
        assert_eq!((Reading::Own.chance(1.3), Reading::None.chance(0.0)), (None, None));
    }
}
