//! Cycles against enumeration by brute force, and against what fields without cycles show.

use crate::common::{Truth, expected_three_cycles, field, simulate};
use gamecore::Rng;
use proptest::prelude::*;
use stats::{
    CycleCap, CycleCount, Dominance, NullOptions, NullTest, RatingOptions, Ratings, Tally,
};

const ALL: CycleCap = CycleCap { cycles: u64::MAX, work: u64::MAX };
const PLAIN: RatingOptions = RatingOptions { seat: false, prior: false };

/// All simple cycles by walking every path from every start; each cycle is found once, from its
/// smallest player.
fn brute_force(graph: &Dominance, players: usize, length: Option<usize>) -> u64 {
    fn walk(
        graph: &Dominance,
        players: usize,
        path: &mut Vec<usize>,
        found: &mut dyn FnMut(&[usize]),
    ) {
        let (start, at) = (path[0], path[path.len() - 1]);
        for next in start..players {
            if graph.dominates(at, next) {
                if next == start {
                    found(path);
                } else if !path.contains(&next) {
                    path.push(next);
                    walk(graph, players, path, found);
                    path.pop();
                }
            }
        }
    }
    let mut count = 0;
    for start in 0..players {
        walk(graph, players, &mut vec![start], &mut |path| {
            count += u64::from(length.is_none_or(|length| path.len() == length));
        });
    }
    count
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, ..ProptestConfig::default() })]

    #[test]
    fn cycles_are_counted_as_by_brute_force(
        players in 0usize..8,
        density in 0.1..1.0f64,
        seed in any::<u64>(),
    ) {
        let mut rng = Rng::new(seed);
        let mut matrix = field(players);
        for from in 0..players {
            for to in 0..from {
                if rng.unit() < density {
                    let (wins, losses) = if rng.below(2) == 0 { (1, 0) } else { (0, 1) };
                    matrix.add_tally(from, to, Tally { wins, draws: 0, losses });
                }
            }
        }
        let graph = Dominance::of(&matrix, 0.56);
        let expected = brute_force(&graph, players, None);
        let found = graph.count_cycles(ALL);
        prop_assert_eq!(found, CycleCount { count: expected, at_least: false });
        let three: Vec<[usize; 3]> = graph.three_cycles().collect();
        prop_assert_eq!(three.len() as u64, brute_force(&graph, players, Some(3)));
        for [a, b, c] in three {
            prop_assert!(a < b && a < c);
            prop_assert!(graph.dominates(a, b) && graph.dominates(b, c) && graph.dominates(c, a));
        }
        // With a cap: never more, and said so.
        let capped = graph.count_cycles(CycleCap { cycles: 5, ..ALL });
        prop_assert_eq!(capped.count, expected.min(5));
        prop_assert_eq!(capped.at_least, expected >= 5);
    }
}

/// 41 players in a ring, each beats the next 20: more cycles than could ever be counted.
#[test]
fn work_is_bounded() {
    let mut matrix = field(41);
    for (from, ahead) in (0..41).flat_map(|from| (1..=20).map(move |ahead| (from, ahead))) {
        matrix.add_tally(from, (from + ahead) % 41, Tally { wins: 1, draws: 0, losses: 0 });
    }
    let graph = Dominance::of(&matrix, 0.56);
    let found = graph.count_cycles(CycleCap { cycles: u64::MAX, work: 100_000 });
    assert!(found.at_least && found.count > 1_000);
    assert_eq!(graph.count_cycles(CycleCap { cycles: 3_000, ..ALL }).count, 3_000);
    assert_eq!(graph.arrows(), 41 * 20);
}

/// 28 of 50 is dominance at 0.56, and 27 is not; draws are half points.
#[test]
fn thresholds_are_exact() {
    let mut matrix = field(3);
    matrix.add_tally(0, 1, Tally { wins: 27, draws: 2, losses: 21 });
    matrix.add_tally(1, 2, Tally { wins: 10, draws: 0, losses: 15 });
    matrix.add_tally(2, 1, Tally { wins: 12, draws: 0, losses: 13 });
    let graph = Dominance::of(&matrix, 0.56);
    assert!(graph.dominates(0, 1) && !graph.dominates(1, 0));
    assert!(!graph.dominates(2, 1) && !graph.dominates(1, 2), "27 of 50");
    assert!(Dominance::of(&matrix, 0.54).dominates(2, 1));
    assert!(!graph.dominates(0, 2) && !graph.dominates(2, 0), "never met");
}

/// Mean number of cycles of three in simulated tournaments of 31 players, 50 games a pair.
fn simulated(deviation: f64, tournaments: usize, seed: u64) -> [f64; 4] {
    let mut rng = Rng::new(seed);
    let mut sums = [0.0; 4];
    for _ in 0..tournaments {
        let truth = Truth::random(31, deviation, 0.0, &mut rng);
        let matrix = simulate(&truth, 50, &mut rng);
        for (sum, threshold) in sums.iter_mut().zip([0.56, 0.58, 0.60, 0.62]) {
            *sum += Dominance::of(&matrix, threshold).three_cycles().count() as f64;
        }
    }
    sums.map(|sum| sum / tournaments as f64)
}

/// 124, 38, 9.4 and 1.9 by the closed form; by simulation within noise. Cycles share arrows, so the
/// number of a tournament has a deviation of about 20, 8, 3.5 and 1.4: four errors of 40 tournaments.
#[test]
fn equal_players_show_cycles() {
    let found = simulated(0.0, 40, 3);
    for ((found, wins), deviation) in found.into_iter().zip(28..).zip([24.0, 10.0, 4.0, 1.6]) {
        let expected = expected_three_cycles(31, 50, wins);
        let room = 4.0 * deviation / 40f64.sqrt();
        assert!((found - expected).abs() < room, "{wins}: {found} {expected}");
    }
}

/// Fields that are perfectly transitive: means of 30 tournaments by an independent simulation, with
/// room for its noise and ours (the fields differ a good deal among themselves).
#[test]
fn transitive_fields_show_cycles() {
    for (deviation, expected) in [
        (30.0, [69.0, 22.0, 5.7, 0.9]),
        (60.0, [31.0, 8.8, 2.2, 0.5]),
        (100.0, [14.0, 4.8, 1.4, 0.3]),
    ] {
        let found = simulated(deviation, 30, 17);
        for (found, expected) in found.into_iter().zip(expected) {
            let room = 0.4 * expected + 0.4;
            assert!((found - expected).abs() < room, "{deviation}: {found} {expected}");
        }
    }
}

/// All simple cycles of transitive fields: the median over some tournaments lies between the printed
/// 10 % and 90 % quantiles, and falls with threshold and spread.
#[test]
fn transitive_fields_show_long_cycles() {
    let mut medians = Vec::new();
    for (deviation, ranges) in [
        (100.0, [[13.0, 3000.0], [0.0, 159.0], [0.0, 5.0]]),
        (150.0, [[2.0, 567.0], [0.0, 9.0], [0.0, 2.0]]),
    ] {
        let mut rng = Rng::new(23);
        let mut counts = [const { Vec::new() }; 3];
        for _ in 0..15 {
            let truth = Truth::random(31, deviation, 0.0, &mut rng);
            let matrix = simulate(&truth, 50, &mut rng);
            for (counts, threshold) in counts.iter_mut().zip([0.56, 0.58, 0.60]) {
                counts.push(
                    Dominance::of(&matrix, threshold).count_cycles(CycleCap::default()).count,
                );
            }
        }
        for (mut counts, [low, high]) in counts.into_iter().zip(ranges) {
            counts.sort_unstable();
            let median = counts[7] as f64;
            assert!((low..=high).contains(&median), "{deviation}: {median} not in {low}–{high}");
            medians.push(median);
        }
    }
    assert!(medians[0] > medians[1] && medians[1] >= medians[2]);
    assert!(medians[0] > medians[3]);
}

fn options(resamples: usize) -> NullOptions {
    NullOptions { resamples, seed: 9, thresholds: vec![0.56, 0.6, 0.66], ..NullOptions::default() }
}

/// Cycles of a transitive field are not called evidence, whether its players are equal or not: of 60
/// fields, p is below 10 % in about 6 (deviation 2.3) and below 50 % in about 30 (deviation 3.9).
/// Numbers of cycles have ties, which make p larger.
#[test]
fn noise_does_not_stand_out() {
    for deviation in [0.0, 30.0, 100.0] {
        let mut rng = Rng::new(31);
        let (mut shares, mut cycles) = (Vec::new(), Vec::new());
        for _ in 0..60 {
            let truth = Truth::random(12, deviation, 0.0, &mut rng);
            let matrix = simulate(&truth, 50, &mut rng);
            let ratings = Ratings::fit(&matrix, PLAIN).unwrap();
            let found = NullTest::new(&matrix, &ratings, &options(60));
            shares.push(found.cyclic_share.p);
            cycles.push(found.cycles[0].three.p);
            let three = found.cycles[0].three;
            assert!(three.quantiles.is_sorted() && three.p > 0.0 && three.p <= 1.0);
            assert!(three.observed <= found.cycles[0].all.observed);
        }
        let below = |p: &[f64], limit: f64| p.iter().filter(|&&p| p < limit).count();
        assert!(below(&shares, 0.1) <= 13, "{deviation}: {shares:?}");
        assert!((18..=42).contains(&below(&shares, 0.5)), "{deviation}: {shares:?}");
        assert!(below(&cycles, 0.1) <= 13, "{deviation}: {cycles:?}");
        assert!((9..=42).contains(&below(&cycles, 0.5)), "{deviation}: {cycles:?}");
    }
}

/// The cycles of a true rotation are evidence, at every threshold that they reach.
#[test]
fn true_cycles_stand_out() {
    // Nine players on a circle, each ahead of the four after him: 70 %.
    let mut matrix = field(9);
    for i in 0..9 {
        for step in 1..=4 {
            matrix.add_tally(i, (i + step) % 9, Tally { wins: 35, draws: 0, losses: 15 });
        }
    }
    let ratings = Ratings::fit(&matrix, PLAIN).unwrap();
    let found = NullTest::new(&matrix, &ratings, &options(99));
    assert_eq!(found.cyclic_share.p, 0.01);
    assert!(found.cyclic_share.observed > 0.999 && found.cyclic_share.mean > 0.5);
    for test in &found.cycles {
        assert_eq!(test.three.p, 0.01, "{test:?}");
        // Circular tournament of nine: C(9,3) − 9·C(4,2) = 30.
        assert_eq!((test.three.observed, test.arrows.observed), (30.0, 36.0));
        assert_eq!((test.listed.len(), test.listed[0]), (20, [0, 1, 5]));
    }
    assert!(found.cycles[2].all.mean < 10.0);
}

/// The mean of the null agrees with the closed form where all ratings are equal.
#[test]
fn null_agrees_with_the_closed_form() {
    let mut matrix = field(31);
    for i in 0..31 {
        for j in i + 1..31 {
            matrix.add_tally(i, j, Tally { wins: 25, draws: 0, losses: 25 });
        }
    }
    let ratings = Ratings::fit(&matrix, PLAIN).unwrap();
    let thresholds = vec![0.56, 0.58, 0.6, 0.62, 0.66];
    let cap = CycleCap { cycles: 10, work: 1_000 };
    let options = NullOptions { thresholds, resamples: 100, seed: 2, cap, listed: 0 };
    let found = NullTest::new(&matrix, &ratings, &options);
    let wins = [28, 29, 30, 31, 33];
    for ((test, wins), room) in found.cycles.iter().zip(wins).zip([10.0, 4.0, 1.6, 0.7, 0.12]) {
        let expected = expected_three_cycles(31, 50, wins);
        assert!(
            (test.three.mean - expected).abs() < room,
            "{wins}: {} {expected}",
            test.three.mean
        );
        assert_eq!((test.three.observed, test.three.p), (0.0, 1.0));
    }
    assert!(found.cycles[0].null_at_least > 0.9);
    assert_eq!(NullTest::new(&matrix, &ratings, &options), found, "the seed decides");
}
