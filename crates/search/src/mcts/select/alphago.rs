//! The exploration term of AlphaGo (Silver et al., 2016), without a network's prior:
//!
//! ```text
//! mean + K·√n / (nᵢ + 1)
//! ```
//!
//! This is what the framework of the Conquest thesis calls AlphaGo. It decays faster in nᵢ than
//! UCB1, so it settles sooner.

/// The exploration term at one node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AlphaGo {
    scale: f64,
}

impl AlphaGo {
    pub(crate) fn at(k: f64, visits: u32) -> Self {
        Self { scale: k * f64::from(visits).sqrt() }
    }

    #[inline]
    pub(crate) fn exploration(self, visits: u32) -> f64 {
        self.scale / f64::from(visits + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn follows_the_formula() {
        let at = AlphaGo::at(0.5, 144);
        assert_eq!((at.exploration(0), at.exploration(2)), (6.0, 2.0));
    }
}
