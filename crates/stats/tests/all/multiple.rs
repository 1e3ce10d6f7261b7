//! Adjusted p-values against worked examples and against the procedures as their papers state them.

use proptest::prelude::*;
use stats::{benjamini_hochberg, holm};

fn close(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() < 1e-12, "{found:?} instead of {expected:?}");
    }
}

/// p = .01, .04, .03, .005: the example of most textbooks.
#[test]
fn worked_examples() {
    close(&holm(&[0.01, 0.04, 0.03, 0.005]), &[0.03, 0.06, 0.06, 0.02]);
    close(&benjamini_hochberg(&[0.01, 0.04, 0.03, 0.005]), &[0.02, 0.04, 0.04, 0.02]);
    close(&holm(&[]), &[]);
    close(&benjamini_hochberg(&[]), &[]);
    close(&holm(&[0.9, 0.8]), &[1.0, 1.0]);
    close(&benjamini_hochberg(&[0.3]), &[0.3]);
}

/// The fifteen p-values of Benjamini and Hochberg (1995), section 3.2: at 5 %, Bonferroni and Holm
/// reject three, their method rejects four.
#[test]
fn the_example_of_the_paper() {
    let p = [
        0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262,
        0.5719, 0.6528, 0.7590, 1.0,
    ];
    let rejected = |adjusted: Vec<f64>| adjusted.iter().filter(|&&p| p <= 0.05).count();
    assert_eq!(rejected(holm(&p)), 3);
    assert_eq!(rejected(benjamini_hochberg(&p)), 4);
}

/// What Holm (1979) rejects at level α: from the smallest on, while p ≤ α / (those left).
fn holm_rejects(p: &[f64], alpha: f64) -> Vec<bool> {
    let mut rejected = vec![false; p.len()];
    for left in (1..=p.len()).rev() {
        let open = (0..p.len()).filter(|&index| !rejected[index]);
        let next = open.min_by(|&a, &b| p[a].total_cmp(&p[b])).unwrap();
        if p[next] > alpha / left as f64 {
            break;
        }
        rejected[next] = true;
    }
    rejected
}

/// What Benjamini and Hochberg (1995) reject: all up to the largest k with p₍ₖ₎ ≤ kα/m.
fn discoveries(p: &[f64], alpha: f64) -> Vec<bool> {
    let below = |limit: f64| p.iter().filter(|&&p| p <= limit).count();
    let passes = |k: &usize| below(*k as f64 * alpha / p.len() as f64) >= *k;
    let limit =
        (1..=p.len()).rev().find(passes).map_or(-1.0, |k| k as f64 * alpha / p.len() as f64);
    p.iter().map(|&p| p <= limit).collect()
}

proptest! {
    #[test]
    fn adjusted_values_reject_what_the_procedures_do(
        p in prop::collection::vec(0.0..=1.0f64, 1..30),
        small in prop::collection::vec(0.0..0.01f64, 0..10),
        alpha in 0.001..0.5f64,
    ) {
        let p: Vec<f64> = p.into_iter().chain(small).collect();
        let rejected = |adjusted: Vec<f64>| -> Vec<bool> {
            adjusted.into_iter().map(|p| p <= alpha).collect()
        };
        prop_assert_eq!(rejected(holm(&p)), holm_rejects(&p, alpha));
        prop_assert_eq!(rejected(benjamini_hochberg(&p)), discoveries(&p, alpha));
        for ((holm, rate), p) in holm(&p).iter().zip(benjamini_hochberg(&p)).zip(&p) {
            prop_assert!(*p <= rate + 1e-15 && rate <= *holm + 1e-15 && *holm <= 1.0);
        }
    }
}
