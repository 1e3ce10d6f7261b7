//! Statistics for whatever a match may come to.

use proptest::prelude::*;
use stats::{PairCounts, elo, elo_interval, sign_test, wilson};

/// Half points of `games` games, as a score may be.
fn result() -> impl Strategy<Value = (f64, u64)> {
    (prop_oneof![0u64..200, 0u64..10_000_000, Just(u64::MAX >> 12)], 0.0..=1.0f64)
        .prop_map(|(games, share)| ((games as f64 * 2.0 * share).round() / 2.0, games))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 5_000, ..ProptestConfig::default() })]

    #[test]
    fn intervals_hold_their_score((points, games) in result()) {
        let [low, high] = wilson(points, games);
        prop_assert!((0.0..=1.0).contains(&low) && (0.0..=1.0).contains(&high));
        prop_assert!(low <= high);
        if games > 0 {
            let score = points / games as f64;
            prop_assert!(low <= score && score <= high, "{low} {score} {high}");
            let [mirror_low, mirror_high] = wilson(games as f64 - points, games);
            prop_assert!((mirror_low - (1.0 - high)).abs() < 1e-9);
            prop_assert!((mirror_high - (1.0 - low)).abs() < 1e-9);
        }
    }

    #[test]
    fn more_games_narrow_the_interval(points in 1u64..1000, more in 2u64..50) {
        let [low, high] = wilson(points as f64, 1000);
        let [narrow_low, narrow_high] = wilson((points * more) as f64, 1000 * more);
        prop_assert!(narrow_high - narrow_low < high - low);
    }

    #[test]
    fn elo_is_ordered_and_never_nan((points, games) in result()) {
        let score = if games == 0 { 0.5 } else { points / games as f64 };
        let found = elo_interval(score, wilson(points, games));
        prop_assert!(found.iter().flatten().all(|elo| elo.is_finite()));
        if let [Some(low), Some(middle), Some(high)] = found {
            prop_assert!(low <= middle && middle <= high);
        }
        prop_assert_eq!(found[1].is_none(), score == 0.0 || score == 1.0);
        if let (Some(elo), Some(mirrored)) = (elo(score), elo(1.0 - score)) {
            prop_assert!((elo + mirrored).abs() < 1e-6);
            prop_assert_eq!(elo > 0.0, score > 0.5);
        }
    }

    #[test]
    fn the_sign_test_is_a_probability(won in 0u64..3_000, lost in 0u64..3_000) {
        let p = sign_test(won, lost);
        prop_assert!((0.0..=1.0).contains(&p), "{p}");
        prop_assert_eq!(p, sign_test(lost, won));
        if won > lost {
            prop_assert!(sign_test(won + 1, lost) <= p + 1e-9, "more one-sided, less likely");
            prop_assert!(sign_test(won, lost + 1) >= p - 1e-9);
        }
    }

    #[test]
    fn classes_of_pairs_add_up(pairs in prop::collection::vec(0u8..=4, 0..200)) {
        let mut counts = PairCounts::default();
        for halves in &pairs {
            counts.add(f64::from(*halves) / 2.0);
        }
        prop_assert_eq!(counts.0.iter().sum::<u64>(), pairs.len() as u64);
        let of = |wanted: fn(&&u8) -> bool| pairs.iter().filter(wanted).count() as u64;
        prop_assert_eq!(counts.won(), of(|halves| **halves > 2));
        prop_assert_eq!(counts.lost(), of(|halves| **halves < 2));
    }
}

/// Far more pairs than anybody plays: no overflow, no nonsense.
#[test]
fn the_sign_test_bears_large_numbers() {
    assert!(sign_test(1_000_000, 1_000_000) > 0.99);
    assert!(sign_test(1_010_000, 990_000) < 1e-20);
    assert_eq!(sign_test(2_000_000, 0), 0.0);
}
