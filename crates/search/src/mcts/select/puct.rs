//! PUCT (Rosin, 2011) as AlphaZero uses it (Silver et al., 2017):
//!
//! ```text
//! mean + C·P·√n / (nᵢ + 1),   P = score / Σ scores of the node's actions
//! ```
//!
//! AlphaZero takes P from a network; here it is the action heuristic's share, or 1 / actions if
//! there is none or all scores are 0. Under a finite first-play urgency, that stands for the mean
//! of an untried action and the exploration term is added.

use super::alphago::AlphaGo;

/// Shares are stored in this many parts.
pub(crate) const FULL_SHARE: u16 = u16::MAX;

/// The exploration term of an edge with this share, given the term without it.
#[inline]
pub(crate) fn exploration(at: AlphaGo, visits: u32, share: u16) -> f64 {
    at.exploration(visits) * (f64::from(share) * (1.0 / FULL_SHARE as f64))
}

/// Turns scores of the unit interval into shares of one; none of them becomes 0.
pub(crate) fn shares(scores: &mut [u16]) {
    let total: u32 = scores.iter().map(|&score| u32::from(score)).sum();
    for score in scores.iter_mut() {
        if total == 0 {
            *score = 1;
        }
    }
    let total = if total == 0 { scores.len() as u32 } else { total };
    for score in scores {
        let share = u32::from(*score) * u32::from(FULL_SHARE) / total;
        *score = (share as u16).max(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn follows_the_formula() {
        let mut scores = [1000, 500, 500, 0];
        shares(&mut scores);
        assert_eq!(scores, [32767, 16383, 16383, 1]);
        let at = AlphaGo::at(2.0, 100);
        let found = exploration(at, 4, scores[0]);
        assert!((found - 2.0 * 0.5 * 10.0 / 5.0).abs() < 1e-3, "{found}");
    }

    #[test]
    fn scores_of_zero_share_evenly() {
        let mut scores = [0; 5];
        shares(&mut scores);
        assert_eq!(scores, [13107; 5]);
    }
}
