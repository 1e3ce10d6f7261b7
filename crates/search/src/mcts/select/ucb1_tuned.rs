//! UCB1-Tuned (Auer, Cesa-Bianchi and Fischer, 2002, section 4):
//!
//! ```text
//! mean + C·√( ln n / nᵢ · min(¼, Vᵢ) ),   Vᵢ = (Σ reward²)/nᵢ − mean² + √(2 ln n / nᵢ)
//! ```
//!
//! C = 1 is the paper's. ¼ is the largest variance of rewards in 0…1; under normalisation the
//! variance is scaled like the rewards.

use gamecore::math::ln;

const LARGEST_VARIANCE: f64 = 0.25;

/// The exploration term at one node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ucb1Tuned {
    c: f64,
    ln_n: f64,
}

impl Ucb1Tuned {
    pub(crate) fn at(c: f64, visits: u32) -> Self {
        Self { c, ln_n: ln(f64::from(visits.max(1))) }
    }

    #[inline]
    pub(crate) fn exploration(self, visits: u32, variance: f64) -> f64 {
        let share = self.ln_n / f64::from(visits);
        let bound = variance.max(0.0) + (2.0 * share).sqrt();
        self.c * (share * bound.min(LARGEST_VARIANCE)).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn follows_the_formula() {
        // ln 100 / 400 = 0.0115129; V = 0.01 + √0.0230259 = 0.1617428; √(0.0115129·0.1617428).
        let found = Ucb1Tuned::at(1.0, 100).exploration(400, 0.01);
        assert!((found - 0.043_152).abs() < 1e-5, "{found}");
        // With few visits the bound on the variance holds: √(ln 100 / 4 · ¼).
        let found = Ucb1Tuned::at(1.0, 100).exploration(4, 0.2);
        assert!((found - 0.536_491).abs() < 1e-5, "{found}");
    }
}
