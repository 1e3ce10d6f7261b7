//! Everything at once, for any field.

use crate::common::{Truth, field, simulate};
use gamecore::Rng;
use proptest::prelude::*;
use stats::{AnalysisOptions, NullOptions, RatingError, Tally, analyse};

fn few() -> AnalysisOptions {
    let null = NullOptions { resamples: 20, ..NullOptions::default() };
    AnalysisOptions { null, ..AnalysisOptions::default() }
}

/// No number of a report may be missing because it is not finite: JSON has none but finite ones.
fn all_finite(value: &serde_json::Value, allowed: &[&str]) -> Result<(), String> {
    match value {
        serde_json::Value::Object(map) => map.iter().try_for_each(|(key, value)| {
            if value.is_null() && !allowed.contains(&key.as_str()) {
                return Err(format!("{key} is null"));
            }
            all_finite(value, allowed)
        }),
        serde_json::Value::Array(items) => items.iter().try_for_each(|item| {
            if item.is_null() { Err("null in a list".into()) } else { all_finite(item, allowed) }
        }),
        _ => Ok(()),
    }
}

/// Where "none" is an answer.
const OPTIONAL: [&str; 3] = ["unbounded", "p", "seat_advantage"];

#[test]
fn the_same_input_gives_the_same_text() {
    let mut rng = Rng::new(1);
    let truth = Truth::random(10, 100.0, 40.0, &mut rng);
    let matrix = simulate(&truth, 50, &mut rng);
    let text = |options: &AnalysisOptions| {
        serde_json::to_string(&analyse(&matrix, options).unwrap()).unwrap()
    };
    assert_eq!(text(&few()), text(&few()));
    let mut other = few();
    other.null.seed = 2;
    assert_ne!(text(&few()), text(&other), "the seed is used");
}

#[test]
fn a_report_says_what_was_played() {
    let mut rng = Rng::new(4);
    let truth = Truth::random(8, 150.0, 40.0, &mut rng);
    let matrix = simulate(&truth, 100, &mut rng);
    let found = analyse(&matrix, &few()).unwrap();
    assert_eq!(found.unbounded, None);
    assert!(found.players.iter().all(|player| player.games.games() == 700));
    assert!((found.seat_advantage.unwrap().elo - 40.0).abs() < 30.0);
    // 28 pairings less 7 ratings.
    assert_eq!(found.fit.freedom, 21);
    assert!(found.fit.p.unwrap() > 1e-3);
    let ratings: Vec<f64> =
        found.ranking.iter().map(|&player| found.players[player].rating.elo).collect();
    assert!(ratings.is_sorted_by(|a, b| a >= b));
    let nash: f64 = found.players.iter().map(|player| player.nash_weight).sum();
    assert!((nash - 1.0).abs() < 1e-9);
}

/// Rock, paper, scissors: a third each, known as well as there are games.
#[test]
fn nash_weights_have_intervals_that_shrink() {
    let width = |games: u64| {
        let mut matrix = field(3);
        for player in 0..3 {
            let tally = Tally { wins: games * 7 / 10, draws: 0, losses: games - games * 7 / 10 };
            matrix.add_tally(player, (player + 1) % 3, tally);
        }
        let found = analyse(&matrix, &AnalysisOptions::default()).unwrap();
        for player in &found.players {
            let [low, high] = player.nash_interval;
            assert!(low <= player.nash_weight && player.nash_weight <= high, "{player:?}");
        }
        let [low, high] = found.players[0].nash_interval;
        high - low
    };
    let (few, some, many) = (width(20), width(1000), width(100_000));
    assert!(few > 0.2 && some < 0.1 && many < 0.02, "{few} {some} {many}");
}

/// A player who lost everything: the report says that ratings are held by virtual draws.
#[test]
fn unbounded_fields_are_reported() {
    let mut matrix = field(3);
    matrix.add_tally(0, 1, Tally { wins: 10, draws: 0, losses: 10 });
    matrix.add_tally(1, 0, Tally { wins: 10, draws: 0, losses: 10 });
    matrix.add_tally(2, 0, Tally { wins: 0, draws: 0, losses: 20 });
    matrix.add_tally(1, 2, Tally { wins: 20, draws: 0, losses: 0 });
    let found = analyse(&matrix, &few()).unwrap();
    assert_eq!(found.unbounded, Some(RatingError::Unbounded { above: vec![0, 1] }));
    assert_eq!(found.ranking[2], 2);
    let text = serde_json::to_value(&found).unwrap();
    assert_eq!(text["unbounded"]["reason"], "unbounded");
    all_finite(&text, &OPTIONAL).unwrap();
}

/// 31 players, 50 games a pair, 200 resamples, in bounded time even in a test build.
#[test]
fn a_large_field_is_quick_enough() {
    let mut rng = Rng::new(8);
    let truth = Truth::random(31, 80.0, 0.0, &mut rng);
    let matrix = simulate(&truth, 50, &mut rng);
    let found = analyse(&matrix, &AnalysisOptions::default()).unwrap();
    assert!(found.null.cycles[0].three.p > 0.005);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    /// Any field at all: nobody, one, no games, one game, all lost, cells left out.
    #[test]
    fn any_field_has_a_finite_report(
        players in 0usize..6,
        games in prop::collection::vec((0usize..6, 0usize..6, 0u8..3, 1u64..60), 0..25),
        seat in any::<bool>(),
    ) {
        let mut matrix = field(players);
        for (first, second, result, times) in games {
            if first < players && second < players && first != second {
                let tally = match result {
                    0 => Tally { wins: times, ..Tally::default() },
                    1 => Tally { draws: times, ..Tally::default() },
                    _ => Tally { losses: times, ..Tally::default() },
                };
                matrix.add_tally(first, second, tally);
            }
        }
        let options = AnalysisOptions { seat, ..few() };
        let found = analyse(&matrix, &options).unwrap();
        let text = serde_json::to_value(&found).unwrap();
        prop_assert_eq!(all_finite(&text, &OPTIONAL), Ok(()));
        prop_assert_eq!(found.players.len(), players);
    }
}
