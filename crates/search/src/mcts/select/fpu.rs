//! First-play urgency (Gelly and Wang, 2006): how an action that was never tried compares with
//! those that were. Infinite: every action once before any twice. Absolute: the given score, so
//! that a good action is followed before all were tried. Relative: the mean of the node plus the
//! given number, as in Leela Chess Zero, where it is below 0 ("reduction").
//!
//! With PUCT the urgency stands for the mean, and the exploration term is added; elsewhere it is
//! the whole score, since the exploration term of zero visits has no bound. `at-least` is the form
//! of the thesis's framework, `max(urgency, K·√n)`, which in effect is infinite.

use super::super::config::Fpu;

/// The score of an untried action, the exploration term of PUCT aside. `mean` is that of the node
/// for the seat that decides, `exploration` AlphaGo's term for zero visits.
#[inline]
pub(crate) fn urgency(fpu: Fpu, mean: f64, exploration: f64) -> f64 {
    match fpu {
        Fpu::Infinite => f64::INFINITY,
        Fpu::Absolute(score) => score,
        Fpu::Relative(more) => mean + more,
        Fpu::AtLeast(least) => exploration.max(least),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn has_four_forms() {
        assert_eq!(urgency(Fpu::Infinite, 0.4, 2.0), f64::INFINITY);
        assert_eq!(urgency(Fpu::Absolute(0.6), 0.4, 2.0), 0.6);
        assert_eq!(urgency(Fpu::Relative(-0.25), 0.5, 2.0), 0.25);
        assert_eq!(urgency(Fpu::AtLeast(10.0), 0.5, 2.0), 10.0);
        assert_eq!(urgency(Fpu::AtLeast(10.0), 0.5, 12.0), 12.0);
    }
}
