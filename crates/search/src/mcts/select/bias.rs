//! Progressive bias (Chaslot et al., 2008): adds `W·H / (nᵢ + 1)` to the score of an edge, where H
//! is the action heuristic in 0…1. It guides while little is known and fades with visits.

use gamecore::FULL_SCORE;

/// The addition for an edge with this prior, in thousandths.
#[inline]
pub(crate) fn bias(weight: f64, prior: u16, visits: u32) -> f64 {
    weight * (f64::from(prior) / f64::from(FULL_SCORE)) / f64::from(visits + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fades_with_visits() {
        assert_eq!(bias(2.0, 500, 0), 1.0);
        assert_eq!(bias(2.0, 500, 3), 0.25);
        assert_eq!(bias(2.0, 0, 0), 0.0);
    }
}
