//! The sequential test against maximisation by other means, and on input that breaks others.

use gamecore::Rng;
use proptest::prelude::*;
use stats::{EloKind, PairCounts, Sprt, SprtError, SprtVerdict, score_of_elo};

const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

fn test(elo0: f64, elo1: f64, kind: EloKind) -> Sprt {
    Sprt::new([elo0, elo1], [0.05, 0.05], kind).unwrap()
}

#[test]
fn bounds_are_those_of_wald() {
    let [low, high] = test(0.0, 5.0, EloKind::Logistic).bounds();
    assert!((high - 2.944).abs() < 5e-4 && (low + 2.944).abs() < 5e-4);
    let [low, high] = Sprt::new([0.0, 5.0], [0.1, 0.2], EloKind::Logistic).unwrap().bounds();
    assert!((high - 8f64.ln()).abs() < 1e-12 && (low - (0.2f64 / 0.9).ln()).abs() < 1e-12);
}

/// The regularised observation, as the specification of the test has it.
fn seen(counts: [u64; 5]) -> [f64; 5] {
    counts.map(|count| (count as f64).max(1e-3))
}

/// max Σ cᵢ ln pᵢ over distributions with Σ pᵢ·(column) = target for each column, by Newton's method on
/// the primal with its equations (an independent route: no multiplier is solved for by itself).
fn constrained_maximum(counts: [f64; 5], mean: f64) -> f64 {
    // p = base + a·d1 + b·d2 + c·d3 with d spanning the kernel of (1, score).
    let kernel =
        [[1.0, -2.0, 1.0, 0.0, 0.0], [0.0, 1.0, -2.0, 1.0, 0.0], [0.0, 0.0, 1.0, -2.0, 1.0]];
    // An inner point: half uniform about the mean by a binomial of four.
    let choose = [1.0, 4.0, 6.0, 4.0, 1.0];
    let mut p: [f64; 5] =
        std::array::from_fn(|k| choose[k] * mean.powi(k as i32) * (1.0 - mean).powi(4 - k as i32));
    let value = |p: &[f64; 5]| -> f64 {
        if p.iter().any(|&p| p <= 0.0) {
            return f64::NEG_INFINITY;
        }
        counts.iter().zip(p).map(|(count, p)| count * p.ln()).sum()
    };
    for _ in 0..300 {
        let slope: [f64; 3] =
            std::array::from_fn(|d| (0..5).map(|k| counts[k] / p[k] * kernel[d][k]).sum());
        let mut system = [[0.0; 4]; 3];
        for (row, line) in system.iter_mut().enumerate() {
            for (column, entry) in line.iter_mut().take(3).enumerate() {
                *entry = (0..5)
                    .map(|k| counts[k] / (p[k] * p[k]) * kernel[row][k] * kernel[column][k])
                    .sum();
            }
            line[3] = slope[row];
        }
        let step = solve(system);
        let direction: [f64; 5] =
            std::array::from_fn(|k| (0..3).map(|d| step[d] * kernel[d][k]).sum());
        let mut share = 1.0;
        while share > 1e-14 {
            let next: [f64; 5] = std::array::from_fn(|k| p[k] + share * direction[k]);
            if value(&next) > value(&p) {
                p = next;
                break;
            }
            share *= 0.5;
        }
        if share <= 1e-14 {
            break;
        }
    }
    value(&p)
}

fn solve(mut system: [[f64; 4]; 3]) -> [f64; 3] {
    for column in 0..3 {
        let pivot = (column..3)
            .max_by(|&a, &b| system[a][column].abs().total_cmp(&system[b][column].abs()))
            .unwrap();
        system.swap(column, pivot);
        for row in 0..3 {
            if row != column {
                let factor = system[row][column] / system[column][column];
                let pivot_row = system[column];
                for (entry, above) in system[row].iter_mut().zip(pivot_row) {
                    *entry -= factor * above;
                }
            }
        }
    }
    std::array::from_fn(|row| system[row][3] / system[row][row])
}

#[test]
fn ratio_agrees_with_direct_maximisation() {
    let cases = [
        ([10, 20, 40, 25, 15], 0.0, 5.0),
        ([100, 0, 900, 0, 130], 0.0, 10.0),
        ([3, 1, 4, 1, 5], -20.0, 20.0),
        ([1, 0, 0, 0, 0], 0.0, 5.0),
        ([0, 0, 0, 0, 50], 0.0, 50.0),
        ([40, 0, 0, 0, 0], -10.0, 10.0),
        ([0, 0, 77, 0, 0], 0.0, 3.0),
        ([500, 1500, 4000, 1600, 520], -1.75, 0.25),
    ];
    for (counts, elo0, elo1) in cases {
        let llr = test(elo0, elo1, EloKind::Logistic).status(&PairCounts(counts), None).llr;
        let expected = constrained_maximum(seen(counts), score_of_elo(elo1))
            - constrained_maximum(seen(counts), score_of_elo(elo0));
        let scale = 1.0f64.max(counts.iter().sum::<u64>() as f64 / 1000.0);
        assert!((llr - expected).abs() < 1e-9 * scale, "{counts:?}: {llr} {expected}");
    }
}

/// For normalised bounds: the best over all (mean, σ) on the line mean − ½ = tσ, found by climbing from
/// many sides with ever smaller steps along the curve.
#[test]
fn normalised_ratio_agrees_with_direct_maximisation() {
    for counts in [[10, 20, 40, 25, 15], [50, 3, 400, 2, 80], [30, 100, 160, 110, 35]] {
        for (elo0, elo1) in [(0.0, 5.0), (0.0, 30.0), (-10.0, 20.0)] {
            let status = test(elo0, elo1, EloKind::Normalised).status(&PairCounts(counts), None);
            let maximum = |nelo: f64| {
                let effect = nelo * std::f64::consts::LN_10 / 800.0 * 2f64.sqrt();
                effect_maximum(seen(counts), effect)
            };
            let expected = maximum(elo1) - maximum(elo0);
            assert!(status.exact);
            assert!((status.llr - expected).abs() < 1e-7, "{counts:?} {} {expected}", status.llr);
        }
    }
}

/// max Σ cᵢ ln pᵢ with (mean − ½)/σ = effect: three weights are free, the mass of the ends follows from
/// the condition; coordinate search over log weights with a projection onto the condition by halving.
fn effect_maximum(counts: [f64; 5], effect: f64) -> f64 {
    // For a free shape w, tilting by e^(λ·score) moves (mean − ½)/σ through all values: λ is the
    // projection. The shape has three degrees left: w₁, w₂, w₃ (ends 1).
    let project = |shape: [f64; 3]| -> [f64; 5] {
        let weights = [0.0, shape[0], shape[1], shape[2], 0.0];
        let tilt = |lambda: f64| -> [f64; 5] {
            let raw: [f64; 5] = std::array::from_fn(|k| (weights[k] + lambda * SCORES[k]).exp());
            let total: f64 = raw.iter().sum();
            raw.map(|p| p / total)
        };
        let (mut low, mut high) = (-20.0, 20.0);
        for _ in 0..100 {
            let middle = 0.5 * (low + high);
            let p = tilt(middle);
            let mean: f64 = (0..5).map(|k| p[k] * SCORES[k]).sum();
            let variance: f64 = (0..5).map(|k| p[k] * (SCORES[k] - mean).powi(2)).sum();
            if (mean - 0.5) / variance.sqrt() < effect {
                low = middle;
            } else {
                high = middle;
            }
        }
        tilt(0.5 * (low + high))
    };
    let value = |shape: [f64; 3]| -> f64 {
        project(shape).iter().zip(counts).map(|(p, count)| count * p.ln()).sum()
    };
    let mut shape = [0.0; 3];
    let mut best = value(shape);
    let mut step = 2.0;
    while step > 1e-8 {
        let mut improved = false;
        // Coordinates and their pairwise sums, to follow ridges.
        for direction in [
            [1.0, 0.0, 0.0],
            [0.0, 1.0, 0.0],
            [0.0, 0.0, 1.0],
            [1.0, 1.0, 0.0],
            [0.0, 1.0, 1.0],
            [1.0, 0.0, 1.0],
            [1.0, -1.0, 0.0],
            [0.0, 1.0, -1.0],
            [1.0, 0.0, -1.0],
            [1.0, 1.0, 1.0],
        ] {
            for sign in [step, -step] {
                let tried = std::array::from_fn(|d| shape[d] + sign * direction[d]);
                let found = value(tried);
                if found > best {
                    (best, shape, improved) = (found, tried, true);
                }
            }
        }
        if !improved {
            step *= 0.5;
        }
    }
    best
}

/// N·(μ1−μ0)(2μ̂−μ0−μ1)/2σ̂² for close hypotheses.
#[test]
fn ratio_is_near_the_quick_approximation() {
    let counts = PairCounts([500, 1500, 4000, 1600, 520]);
    let llr = test(0.0, 3.0, EloKind::Logistic).status(&counts, None).llr;
    let (mean, deviation) = (counts.mean().unwrap(), counts.deviation().unwrap());
    let (mean0, mean1) = (0.5, score_of_elo(3.0));
    let quick = counts.pairs() as f64 * (mean1 - mean0) * (2.0 * mean - mean0 - mean1)
        / (2.0 * deviation * deviation);
    assert!((llr - quick).abs() < 0.01 * quick.abs(), "{llr} {quick}");
}

#[test]
fn extreme_results_have_finite_ratios() {
    for kind in [EloKind::Logistic, EloKind::Normalised] {
        for (elo0, elo1) in [(0.0, 5.0), (-800.0, 800.0), (-4000.0, 4000.0), (0.0, 1e-6)] {
            let test = test(elo0, elo1, kind);
            for class in 0..5 {
                for pairs in [1, 2, 1_000, 1_000_000_000] {
                    let mut counts = [0; 5];
                    counts[class] = pairs;
                    let status = test.status(&PairCounts(counts), Some(1));
                    assert!(status.llr.is_finite(), "{counts:?} {elo0} {elo1}: {status:?}");
                    assert_ne!(status.verdict, SprtVerdict::Continue);
                }
            }
            let none = test.status(&PairCounts::default(), None);
            assert_eq!((none.llr, none.verdict), (0.0, SprtVerdict::Continue));
            let cap = test.status(&PairCounts::default(), Some(0));
            assert_eq!(cap.verdict, SprtVerdict::UndecidedAtCap);
        }
    }
    let test = test(0.0, 5.0, EloKind::Logistic);
    let verdict = |counts| test.status(&PairCounts(counts), None).verdict;
    assert_eq!(verdict([1000, 0, 0, 0, 0]), SprtVerdict::AcceptH0);
    assert_eq!(verdict([0, 0, 0, 0, 1000]), SprtVerdict::AcceptH1);
    assert_eq!(verdict([1, 0, 5, 0, 1]), SprtVerdict::Continue);
}

#[test]
fn senseless_tests_are_refused() {
    let new = |bounds, errors| Sprt::new(bounds, errors, EloKind::Logistic);
    assert!(matches!(new([5.0, 0.0], [0.05; 2]), Err(SprtError::Bounds(..))));
    assert!(matches!(new([1.0, 1.0], [0.05; 2]), Err(SprtError::Bounds(..))));
    assert!(matches!(new([f64::NAN, 1.0], [0.05; 2]), Err(SprtError::Bounds(..))));
    assert!(matches!(new([0.0, 1e5], [0.05; 2]), Err(SprtError::Bounds(..))));
    assert!(matches!(new([0.0, 5.0], [0.0, 0.05]), Err(SprtError::Errors(..))));
    assert!(matches!(new([0.0, 5.0], [0.6, 0.6]), Err(SprtError::Errors(..))));
    assert!(matches!(new([0.0, 5.0], [f64::NAN, 0.1]), Err(SprtError::Errors(..))));
}

/// Plays the test itself: errors near α and β, length near what is foretold.
#[test]
fn errors_and_length_are_as_promised() {
    let test = test(-10.0, 10.0, EloKind::Logistic);
    let mut rng = Rng::new(11);
    for (elo, wrong) in [(-10.0, SprtVerdict::AcceptH1), (10.0, SprtVerdict::AcceptH0)] {
        let (mut mistakes, mut pairs, runs) = (0, 0, 150);
        for _ in 0..runs {
            let mut counts = PairCounts::default();
            let verdict = loop {
                let win = |rng: &mut Rng| f64::from(rng.unit() < score_of_elo(elo));
                counts.add(win(&mut rng) + win(&mut rng));
                let verdict = test.status(&counts, None).verdict;
                if verdict != SprtVerdict::Continue {
                    break verdict;
                }
            };
            mistakes += u64::from(verdict == wrong);
            pairs += counts.pairs();
        }
        // 5 % of 150 is 7.5 with deviation 2.7.
        assert!(mistakes <= 16, "{mistakes}");
        let expected = test.expected_pairs(0.125f64.sqrt()).if_h1;
        let mean = pairs as f64 / f64::from(runs);
        assert!((mean / expected - 1.0).abs() < 0.25, "{mean} {expected}");
    }
}

/// (1−2α)·ln((1−α)/α)·2σ²/(μ1−μ0)², and more in the middle.
#[test]
fn expected_length() {
    let found = test(0.0, 5.0, EloKind::Logistic).expected_pairs(0.3);
    let apart = score_of_elo(5.0) - 0.5;
    let formula = 0.9 * 19f64.ln() * 2.0 * 0.09 / (apart * apart);
    assert!((found.if_h0 / formula - 1.0).abs() < 1e-12);
    assert!((found.if_h1 / formula - 1.0).abs() < 1e-12);
    assert!(found.at_worst > found.if_h0);
    let normalised = test(0.0, 5.0, EloKind::Normalised);
    assert_eq!(normalised.expected_pairs(0.1), normalised.expected_pairs(0.4));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn ratios_are_finite_and_mirror(
        counts in prop::array::uniform5(prop_oneof![Just(0u64), 0u64..50, 0u64..1_000_000]),
        elo in 0.1..300.0f64,
        normalised in any::<bool>(),
    ) {
        let kind = if normalised { EloKind::Normalised } else { EloKind::Logistic };
        let test = test(-elo, elo, kind);
        let llr = |counts| test.status(&PairCounts(counts), None).llr;
        let mut mirrored = counts;
        mirrored.reverse();
        let (found, other) = (llr(counts), llr(mirrored));
        prop_assert!(found.is_finite());
        let rounding = 1e-6 * (1.0 + found.abs()) + 1e-10 * counts.iter().sum::<u64>() as f64;
        prop_assert!((found + other).abs() <= rounding, "{} {}", found, other);
    }

    #[test]
    fn a_pair_won_never_speaks_for_the_weaker(
        counts in prop::array::uniform5(1u64..1_000),
        elo in 0.1..100.0f64,
    ) {
        let test = test(0.0, elo, EloKind::Logistic);
        let llr = |counts| test.status(&PairCounts(counts), None).llr;
        let mut more = counts;
        more[4] += 1;
        more[0] -= 1;
        if counts[0] > 1 {
            prop_assert!(llr(more) > llr(counts));
        }
    }
}
