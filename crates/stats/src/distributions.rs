//! Tails and quantiles of the usual distributions, finite for every input that can come up.

use statrs::distribution::{ContinuousCDF, Normal, StudentsT};
use statrs::function::{beta::beta_reg, gamma::gamma_ur};

/// The quantile of the standard normal distribution; `part` in (0, 1).
pub(crate) fn normal_quantile(part: f64) -> f64 {
    Normal::standard().inverse_cdf(part)
}

/// The quantile of Student's t distribution; `part` in [½, 1).
pub(crate) fn t_quantile(freedom: f64, part: f64) -> f64 {
    // A normal distribution from here on, to all digits that matter.
    if freedom > 1e7 {
        return normal_quantile(part);
    }
    let Ok(t) = StudentsT::new(0.0, 1.0, freedom) else { return normal_quantile(part) };
    let mut high = 1.0;
    while t.cdf(high) < part && high < 1e12 {
        high *= 2.0;
    }
    bisect(0.0, high, |x| t.cdf(x) < part)
}

/// P(|T| ≥ |`value`|) for Student's t distribution.
pub(crate) fn t_two_sided(freedom: f64, value: f64) -> f64 {
    let lower = match StudentsT::new(0.0, 1.0, freedom.min(1e7)) {
        Ok(t) => t.cdf(-value.abs()),
        Err(_) => Normal::standard().cdf(-value.abs()),
    };
    (2.0 * lower).min(1.0)
}

/// The quantile of the beta distribution.
pub(crate) fn beta_quantile(a: f64, b: f64, part: f64) -> f64 {
    bisect(0.0, 1.0, |x| beta_reg(a, b, x) < part)
}

/// P(X ≥ `value`) for χ² with `freedom` degrees.
pub(crate) fn chi_squared_tail(freedom: u64, value: f64) -> f64 {
    if value <= 0.0 {
        return 1.0;
    }
    gamma_ur(freedom as f64 / 2.0, value / 2.0).clamp(0.0, 1.0)
}

/// P(X ≥ k) for X ~ Binomial(n, p), by the incomplete beta function.
pub(crate) fn binomial_tail(n: u64, p: f64, k: u64) -> f64 {
    if k == 0 || p >= 1.0 {
        return if k <= n { 1.0 } else { 0.0 };
    }
    if k > n || p <= 0.0 {
        return 0.0;
    }
    beta_reg(k as f64, (n - k + 1) as f64, p)
}

/// The point between `low` and `high` where `below` turns false, to the last bit that halving
/// reaches; bounded in steps, so it cannot hang on any function.
pub(crate) fn bisect(mut low: f64, mut high: f64, below: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if below(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// 1 / (1 + e^−x), by the portable exponential: last bits are the same on every system.
pub(crate) fn logistic(x: f64) -> f64 {
    let small = gamecore::math::exp(-x.abs());
    let below = small / (1.0 + small);
    if x < 0.0 { below } else { 1.0 - below }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tails_agree_with_sums() {
        for (n, p) in [(10u64, 0.5f64), (50, 0.3), (200, 0.9)] {
            let term = |k: u64| {
                let choose: f64 = (0..k).map(|i| (n - i) as f64 / (i + 1) as f64).product();
                choose * p.powi(k as i32) * (1.0 - p).powi((n - k) as i32)
            };
            for k in 0..=n {
                let sum: f64 = (k..=n).map(term).sum();
                assert!((binomial_tail(n, p, k) - sum).abs() < 1e-9, "{n} {p} {k}");
            }
            assert_eq!(binomial_tail(n, p, n + 1), 0.0);
        }
        assert_eq!((binomial_tail(5, 0.0, 1), binomial_tail(5, 1.0, 5)), (0.0, 1.0));
    }

    /// Quantiles printed in every textbook.
    #[test]
    fn known_quantiles() {
        let close = |found: f64, expected: f64| assert!((found - expected).abs() < 5e-4, "{found}");
        close(normal_quantile(0.975), 1.9600);
        close(t_quantile(1.0, 0.975), 12.7062);
        close(t_quantile(10.0, 0.975), 2.2281);
        close(t_quantile(1e9, 0.975), 1.9600);
        close(chi_squared_tail(1, 3.8415), 0.05);
        close(chi_squared_tail(10, 18.307), 0.05);
        close(beta_quantile(1.0, 1.0, 0.3), 0.3);
        close(logistic(0.0), 0.5);
        assert_eq!((logistic(1e9), logistic(-1e9)), (1.0, 0.0));
    }
}
