//! Whether two series of pairs differ: what would come of it if chance alone had sorted the pairs
//! of both into two series of these lengths.

use statrs::function::factorial::ln_binomial;

use crate::distributions::t_two_sided;
use crate::interval::moments;
use crate::pairs::{PairCounts, SCORES};

/// The shorter series has at most so many pairs where all cases are counted. The work grows with
/// its cube; of longer ones the sum is close enough to a normal one.
const MOST_COUNTED: u64 = 100;
/// Means are computed in floating point, so equal ones may differ a little.
const SLACK: f64 = 1e-9;

impl PairCounts {
    /// How likely the scores of two independent series would differ at least so much if both were
    /// of one kind: a permutation test over pairs. `None` if one is empty.
    #[must_use]
    pub fn differs_from(&self, other: &Self) -> Option<f64> {
        permutation_test(self, other)
    }
}

/// How likely the mean scores of two series would differ at least so much if the pairs had fallen
/// into them by chance (Fisher's permutation test, two-sided); `None` if one is empty.
fn permutation_test(one: &PairCounts, other: &PairCounts) -> Option<f64> {
    let apart = (one.mean()? - other.mean()?).abs();
    if apart < SLACK {
        return Some(1.0);
    }
    let pooled = PairCounts(std::array::from_fn(|class| one.0[class] + other.0[class]));
    let (n, m) = (one.pairs().min(other.pairs()), one.pairs().max(other.pairs()));
    if n > MOST_COUNTED {
        return Some(by_variance(&pooled, n, m, apart));
    }
    let total = pooled.mean()? * (n + m) as f64;
    let differs = |quarters: usize| {
        let points = quarters as f64 / 4.0;
        let difference = points / n as f64 - (total - points) / m as f64;
        difference.abs() >= apart - SLACK
    };
    let chances = sums_by_chance(&pooled, n as usize);
    let p: f64 = (chances.iter().enumerate())
        .filter_map(|(quarters, chance)| differs(quarters).then_some(*chance))
        .sum();
    Some(p.min(1.0))
}

/// The chance of every sum of `n` pairs drawn from these, in quarters of a point.
fn sums_by_chance(pooled: &PairCounts, n: usize) -> Vec<f64> {
    let most = 4 * n;
    // By pairs drawn so far, then their sum.
    let mut chances = vec![vec![0.0; most + 1]; n + 1];
    chances[0][0] = 1.0;
    let mut left = pooled.pairs();
    for (class, &here) in pooled.0.iter().enumerate() {
        let mut next = vec![vec![0.0; most + 1]; n + 1];
        for (drawn, sums) in chances.iter().enumerate() {
            let missing = (n - drawn) as u64;
            for more in 0..=missing.min(here) {
                let Some(chance) = hypergeometric(left, here, missing, more) else { continue };
                let target = &mut next[drawn + more as usize];
                let step = class * more as usize;
                for (sum, known) in sums[..=most - step].iter().enumerate() {
                    target[sum + step] += known * chance;
                }
            }
        }
        chances = next;
        left -= here;
    }
    chances.pop().unwrap_or_default()
}

/// The chance that `drawn` of `all` are `found` of the `marked` ones; `None` if that cannot be.
fn hypergeometric(all: u64, marked: u64, drawn: u64, found: u64) -> Option<f64> {
    let rest = drawn.checked_sub(found)?;
    if found > marked || rest > all - marked || drawn > all {
        return None;
    }
    let ways = ln_binomial(marked, found) + ln_binomial(all - marked, rest);
    Some((ways - ln_binomial(all, drawn)).exp())
}

/// The same for long series, by the variance of all pairs together.
fn by_variance(pooled: &PairCounts, n: u64, m: u64, apart: f64) -> f64 {
    let weighted: [(f64, u64); 5] = std::array::from_fn(|class| (SCORES[class], pooled.0[class]));
    let variance = moments(&weighted).map_or(0.0, |(_, variance, _)| variance);
    let (n, m) = (n as f64, m as f64);
    let error = (variance * (n + m) / (n + m - 1.0) * (n + m) / (n * m)).sqrt();
    t_two_sided(n + m - 2.0, apart / error)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn p(one: [u64; 5], other: [u64; 5]) -> f64 {
        let (one, other) = (PairCounts(one), PairCounts(other));
        let p = permutation_test(&one, &other).unwrap();
        assert!((p - permutation_test(&other, &one).unwrap()).abs() < 1e-9, "either way round");
        p
    }

    /// Every way to choose the pairs of the first series, one by one.
    fn counted(one: [u64; 5], other: [u64; 5]) -> f64 {
        let pairs = |counts: [u64; 5]| -> Vec<f64> {
            let of = |class: usize| vec![SCORES[class]; counts[class] as usize];
            (0..5).flat_map(of).collect()
        };
        let (one, other) = (pairs(one), pairs(other));
        let all: Vec<f64> = one.iter().chain(&other).copied().collect();
        let apart = |chosen: u32| {
            let sum = |inside: bool| -> f64 {
                (0..all.len())
                    .filter(|at| (chosen >> at & 1 == 1) == inside)
                    .map(|at| all[at])
                    .sum()
            };
            (sum(true) / one.len() as f64 - sum(false) / other.len() as f64).abs()
        };
        let seen = apart((1 << one.len()) - 1);
        let sets = (0..1u32 << all.len()).filter(|set| set.count_ones() as usize == one.len());
        let (hits, all) = sets.fold((0, 0), |(hits, all), set| {
            (hits + u32::from(apart(set) >= seen - SLACK), all + 1)
        });
        f64::from(hits) / f64::from(all)
    }

    #[test]
    fn all_cases_are_counted() {
        for (one, other) in [
            ([0, 0, 5, 0, 0], [0, 0, 0, 0, 5]),
            ([0, 0, 3, 0, 0], [0, 0, 0, 0, 4]),
            ([1, 2, 1, 0, 2], [0, 1, 3, 2, 3]),
            ([0, 0, 0, 0, 2], [1, 0, 5, 0, 7]),
            ([3, 0, 0, 1, 0], [0, 0, 2, 0, 9]),
        ] {
            let (told, true_one) = (p(one, other), counted(one, other));
            assert!((told - true_one).abs() < 1e-9, "{one:?} {other:?}: {told} {true_one}");
        }
        // 2 of the C(10, 5) = 252 ways.
        assert!((p([0, 0, 5, 0, 0], [0, 0, 0, 0, 5]) - 2.0 / 252.0).abs() < 1e-12);
        assert_eq!(p([3, 0, 4, 0, 3], [3, 0, 4, 0, 3]), 1.0);
        assert_eq!(permutation_test(&PairCounts::default(), &PairCounts([1; 5])), None);
    }

    #[test]
    fn a_short_series_that_ended_alike_proves_little() {
        let two = p([0, 0, 0, 0, 2], [0, 0, 40, 0, 160]);
        assert!(two > 0.5, "{two}");
    }

    #[test]
    fn both_ways_to_count_agree_where_they_meet() {
        let scaled = |by: u64| {
            p([10, 5, 50, 15, 20].map(|c| c * by / 100), [2, 2, 10, 3, 8].map(|c| c * by / 5))
        };
        let (exact, close) = (scaled(100), {
            let pooled = PairCounts([10 + 40, 5 + 40, 50 + 200, 15 + 60, 20 + 160]);
            let apart = (PairCounts([10, 5, 50, 15, 20]).mean().unwrap()
                - PairCounts([40, 40, 200, 60, 160]).mean().unwrap())
            .abs();
            by_variance(&pooled, 100, 500, apart)
        });
        assert!((exact - close).abs() < 0.01, "{exact} {close}");
    }

    /// Where nothing changed, 5 of 100 comparisons and no more are below 0.05, however uneven.
    #[test]
    fn nothing_is_found_where_nothing_is() {
        let mut state = 1_u64;
        let mut random = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let mut series = |pairs: u32| {
            let mut counts = PairCounts::default();
            for _ in 0..pairs {
                let drawn = random();
                counts.add(if drawn < 0.01 {
                    0.0
                } else if drawn < 0.19 {
                    1.0
                } else {
                    2.0
                });
            }
            counts
        };
        for (n, m) in [(2, 40), (3, 200), (20, 400), (150, 150)] {
            let found =
                (0..2_000).filter(|_| permutation_test(&series(n), &series(m)).unwrap() < 0.05);
            let found = found.count();
            assert!(found <= 130, "{n} and {m}: {found} of 2000");
        }
    }
}
