//! UCB1 (Auer, Cesa-Bianchi and Fischer, 2002), in trees UCT (Kocsis and Szepesvári, 2006):
//!
//! ```text
//! mean + C·√(2 ln n / nᵢ)
//! ```
//!
//! with n visits of the node and nᵢ of the edge. C = 1 is the form of the proof for rewards in
//! 0…1; smaller constants play better. The framework of the Conquest thesis explores by
//! √(ln n / nᵢ) whatever its constant says, which is C = √½ here. `ucb-plus` is the form of the
//! thesis's full-turn agent, `mean + C·√(ln(n + 1) / nᵢ)`.

use gamecore::math::ln;

/// The exploration term at one node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ucb1 {
    c: f64,
    numerator: f64,
}

impl Ucb1 {
    pub(crate) fn at(c: f64, visits: u32) -> Self {
        Self { c, numerator: 2.0 * ln(f64::from(visits.max(1))) }
    }

    pub(crate) fn plus_at(c: f64, visits: u32) -> Self {
        Self { c, numerator: ln(f64::from(visits) + 1.0) }
    }

    #[inline]
    pub(crate) fn exploration(self, visits: u32) -> f64 {
        self.c * (self.numerator / f64::from(visits)).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn follows_the_formula() {
        // √(2 ln 100 / 4) = 1.5174271, ln 100 = 4.6051702.
        assert!((Ucb1::at(0.5, 100).exploration(4) - 0.758_713_6).abs() < 1e-7);
        assert!((Ucb1::plus_at(1.4, 99).exploration(4) - 1.4 * 1.072_983).abs() < 1e-5);
        assert_eq!(Ucb1::at(0.5, 0).exploration(1), 0.0);
    }
}
