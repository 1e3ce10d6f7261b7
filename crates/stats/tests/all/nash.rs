//! Nash averages by their properties, and planes of rotation.

use crate::common::{Truth, field, simulate};
use gamecore::Rng;
use proptest::prelude::*;
use stats::{Intransitivity, RatingOptions, Ratings, Tally, nash_average};

fn close(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() < 1e-8, "{found:?} instead of {expected:?}");
    }
}

/// An antisymmetric matrix from its upper half.
fn game(players: usize, mut upper: impl FnMut(usize, usize) -> f64) -> Vec<Vec<f64>> {
    let mut rows = vec![vec![0.0; players]; players];
    for (i, j) in (0..players).flat_map(|i| (i + 1..players).map(move |j| (i, j))) {
        let payoff = upper(i, j);
        rows[i][j] = payoff;
        rows[j][i] = -payoff;
    }
    rows
}

/// The field with player `copied` entered once more.
fn with_copy(rows: &[Vec<f64>], copied: usize) -> Vec<Vec<f64>> {
    let of: Vec<usize> = (0..rows.len()).chain([copied]).collect();
    of.iter().map(|&i| of.iter().map(|&j| rows[i][j]).collect()).collect()
}

#[test]
fn known_equilibria() {
    // Rock, paper, scissors; and with unequal stakes a, b, c: weights b, c, a turned by one.
    let found = nash_average(&game(3, |i, j| if (i, j) == (0, 2) { -1.0 } else { 1.0 })).unwrap();
    close(&found.weights, &[1.0 / 3.0; 3]);
    close(&found.payoffs, &[0.0; 3]);
    let stakes = game(3, |i, j| match (i, j) {
        (0, 1) => 1.0,
        (1, 2) => 2.0,
        _ => -3.0,
    });
    close(&nash_average(&stakes).unwrap().weights, &[2.0 / 6.0, 3.0 / 6.0, 1.0 / 6.0]);
    // Who beats everybody gets everything.
    let dominant = nash_average(&game(5, |i, _| if i == 0 { 0.3 } else { 1.0 })).unwrap();
    close(&dominant.weights, &[1.0, 0.0, 0.0, 0.0, 0.0]);
    close(&dominant.payoffs, &[0.0, -0.3, -0.3, -0.3, -0.3]);
    // All equal: the greatest entropy.
    close(&nash_average(&game(4, |_, _| 0.0)).unwrap().weights, &[0.25; 4]);
    // Two equal players who beat a third: he gets nothing.
    let two = nash_average(&game(3, |_, j| if j == 2 { 1.0 } else { 0.0 })).unwrap();
    close(&two.weights, &[0.5, 0.5, 0.0]);
    close(&nash_average(&[]).unwrap().weights, &[]);
    close(&nash_average(&[vec![0.0]]).unwrap().weights, &[1.0]);
    assert_eq!(nash_average(&[vec![0.0, f64::NAN], vec![0.0, 0.0]]), None);
    assert_eq!(nash_average(&[vec![0.0], vec![0.0]]), None);
}

/// Two independent cycles that draw with each other: every mixture of both is an equilibrium, and the
/// even one has the greatest entropy. A fourth player who beats one of the first cycle only, and loses
/// to the second, must not upset it.
#[test]
fn greatest_entropy_is_chosen() {
    let cycle = |i: usize, j: usize| if (j + 3 - i) % 3 == 1 { 1.0 } else { -1.0 };
    let rows = game(6, |i, j| if i / 3 == j / 3 { cycle(i % 3, j % 3) } else { 0.0 });
    close(&nash_average(&rows).unwrap().weights, &[1.0 / 6.0; 6]);
    // A constraint binds: player 6 beats each of the first three by 1 and loses to the others by ½, so
    // the first three may have a third of the weight in all, at most.
    let rows = game(7, |i, j| match (i, j) {
        (0..=2, 6) => -1.0,
        (3..=5, 6) => 0.5,
        _ if i / 3 == j / 3 => cycle(i % 3, j % 3),
        _ => 0.0,
    });
    let found = nash_average(&rows).unwrap();
    let (few, many) = (1.0 / 9.0, 2.0 / 9.0);
    for (weight, expected) in found.weights.iter().zip([few, few, few, many, many, many, 0.0]) {
        assert!((weight - expected).abs() < 1e-5, "{found:?}");
    }
}

#[test]
fn copies_share_the_weight() {
    let rows = game(5, |i, j| (((i * 7 + j * 13) % 11) as f64 - 5.0) / 3.0);
    let before = nash_average(&rows).unwrap();
    for copied in 0..5 {
        let after = nash_average(&with_copy(&rows, copied)).unwrap();
        for player in (0..5).filter(|&player| player != copied) {
            assert!((after.weights[player] - before.weights[player]).abs() < 1e-8, "{after:?}");
        }
        let both = after.weights[copied] + after.weights[5];
        assert!((both - before.weights[copied]).abs() < 1e-8);
        assert!((after.weights[copied] - after.weights[5]).abs() < 1e-8, "evenly");
        close(&after.payoffs[..5], &before.payoffs);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    /// An equilibrium: nobody gains against it. Weights do not depend on the order of players or on
    /// the unit, and copies change nothing for others.
    #[test]
    fn nobody_gains_against_the_equilibrium(players in 1usize..12, seed in any::<u64>(), coarse in any::<bool>()) {
        let mut rng = Rng::new(seed);
        // Coarse numbers make ties, and so many equilibria.
        let rows = game(players, |_, _| {
            if coarse { f64::from(rng.below(3)) - 1.0 } else { rng.unit() * 4.0 - 2.0 }
        });
        let found = nash_average(&rows).unwrap();
        prop_assert!((found.weights.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        prop_assert!(found.weights.iter().all(|&weight| weight >= 0.0));
        prop_assert!(found.payoffs.iter().all(|&payoff| payoff <= 1e-8), "{:?}", found);

        let turned: Vec<Vec<f64>> = rows
            .iter()
            .rev()
            .map(|row| row.iter().rev().map(|number| number * 7.5).collect())
            .collect();
        let mut mirrored = nash_average(&turned).unwrap().weights;
        mirrored.reverse();
        for (a, b) in found.weights.iter().zip(&mirrored) {
            prop_assert!((a - b).abs() < 1e-4, "{:?} {:?}", found.weights, mirrored);
        }
        if !coarse {
            let copied = players / 2;
            let after = nash_average(&with_copy(&rows, copied)).unwrap();
            for player in (0..players).filter(|&player| player != copied) {
                prop_assert!((after.weights[player] - found.weights[player]).abs() < 1e-6);
            }
        }
    }
}

/// Rock, paper, scissors is one plane with its players a third of a turn apart; a transitive field has
/// next to no cyclic part, and the parts add up to the logits.
#[test]
fn planes_of_rotation() {
    let mut matrix = field(3);
    for (i, j) in [(0, 1), (1, 2), (2, 0)] {
        matrix.add_tally(i, j, Tally { wins: 40, draws: 0, losses: 10 });
    }
    let ratings = Ratings::fit(&matrix, RatingOptions::default()).unwrap();
    let found = Intransitivity::of(&matrix, &ratings, 3);
    assert!((found.cyclic_share - 1.0).abs() < 1e-12);
    assert_eq!(found.planes.len(), 1);
    let plane = &found.planes[0];
    assert!((plane.share - 1.0).abs() < 1e-12);
    let radius = plane.coordinates[0][0];
    for (player, [x, y]) in plane.coordinates.iter().enumerate() {
        assert!((x.hypot(*y) - radius).abs() < 1e-9);
        for (other, [other_x, other_y]) in plane.coordinates.iter().enumerate() {
            let logit = y * other_x - x * other_y;
            assert!((logit - found.logits[player][other]).abs() < 1e-9);
        }
    }
    // Half a point more on either side: (40 + ½) / (10 + ½).
    assert!((found.logits[0][1] - (40.5f64 / 10.5).ln()).abs() < 1e-12);
}

#[test]
fn parts_add_up() {
    let mut rng = Rng::new(2);
    let truth = Truth::random(9, 150.0, 0.0, &mut rng);
    let matrix = simulate(&truth, 2_000, &mut rng);
    let ratings = Ratings::fit(&matrix, RatingOptions::default()).unwrap();
    let found = Intransitivity::of(&matrix, &ratings, 9);
    assert!(found.cyclic_share < 0.02, "{}", found.cyclic_share);
    let share: f64 = found.planes.iter().map(|plane| plane.share).sum();
    assert!((share - 1.0).abs() < 1e-9, "{share}");
    assert!(found.planes.is_sorted_by(|a, b| a.share >= b.share - 1e-12));
    for i in 0..9 {
        for j in 0..9 {
            let turns = found.planes.iter().map(|plane| {
                let ([x, y], [other_x, other_y]) = (plane.coordinates[i], plane.coordinates[j]);
                y * other_x - x * other_y
            });
            let sum = found.transitive[i] - found.transitive[j] + turns.sum::<f64>();
            assert!((sum - found.logits[i][j]).abs() < 1e-9);
        }
    }
}
