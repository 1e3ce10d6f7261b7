//! Ratings in closed form, by recovery of what was simulated, and on fields that have none.

use crate::common::{Truth, field, simulate};
use gamecore::Rng;
use proptest::prelude::*;
use stats::{GameResult, Matrix, RatingError, RatingOptions, Ratings, Tally};

const ELO: f64 = 400.0 / std::f64::consts::LN_10;
const PLAIN: RatingOptions = RatingOptions { seat: false, prior: false };
const SEAT: RatingOptions = RatingOptions { seat: true, prior: false };
const PRIOR: RatingOptions = RatingOptions { seat: true, prior: true };

fn tally(wins: u64, draws: u64, losses: u64) -> Tally {
    Tally { wins, draws, losses }
}

fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-8 * (1.0 + expected.abs()), "{found}, not {expected}");
}

/// The difference is the logit of the score, its variance 1/(npq); each rating is half of it.
#[test]
fn two_players_in_closed_form() {
    for counts in [tally(30, 0, 20), tally(1, 0, 99), tally(3, 10, 4), tally(0, 2, 0)] {
        let mut matrix = field(2);
        matrix.add_tally(0, 1, counts);
        let ratings = Ratings::fit(&matrix, PLAIN).unwrap();
        let (p, n) = (counts.points() / counts.games() as f64, counts.games() as f64);
        let (logit, variance) = ((p / (1.0 - p)).ln(), 1.0 / (n * p * (1.0 - p)));
        let difference = ratings.difference(0, 1);
        close(difference.elo, ELO * logit);
        close(difference.error, ELO * variance.sqrt());
        close(difference.interval[1] - difference.elo, 1.959_963_985 * difference.error);
        close(ratings.rating(0).elo, ELO * logit / 2.0);
        close(ratings.rating(1).error, ELO * variance.sqrt() / 2.0);
        close(ratings.expected_score(0, 1), p);
        assert!(ratings.goodness().deviance < 1e-9);
        assert_eq!((ratings.goodness().freedom, ratings.goodness().p), (0, None));
        assert_eq!(ratings.seat_advantage(), None);
    }
}

/// Two players, both seats: rating and seat are half sum and half difference of the two logits.
#[test]
fn seat_term_in_closed_form() {
    let mut matrix = field(2);
    matrix.add_tally(0, 1, tally(40, 0, 10));
    matrix.add_tally(1, 0, tally(27, 0, 23));
    let ratings = Ratings::fit(&matrix, SEAT).unwrap();
    let (home, away) = (4f64.ln(), (23f64 / 27.0).ln());
    close(ratings.difference(0, 1).elo, ELO * (home + away) / 2.0);
    close(ratings.seat_advantage().unwrap().elo, ELO * (home - away) / 2.0);
    let variance = (1.0 / 40.0 + 1.0 / 10.0 + 1.0 / 27.0 + 1.0 / 23.0) / 4.0;
    close(ratings.difference(0, 1).error, ELO * f64::sqrt(variance));
    close(ratings.seat_advantage().unwrap().error, ELO * f64::sqrt(variance));
    close(ratings.expected_score(0, 1), 0.8);
    close(ratings.expected_score(1, 0), 0.54);
}

/// Three players against Hunter's minorisation (2004), run to the end: γᵢ ← Wᵢ / Σⱼ nᵢⱼ/(γᵢ+γⱼ).
#[test]
fn three_players_by_another_method() {
    let mut matrix = field(3);
    for (i, j, counts) in
        [(0, 1, tally(30, 4, 16)), (1, 2, tally(25, 0, 15)), (2, 0, tally(12, 2, 30))]
    {
        matrix.add_tally(i, j, counts);
    }
    let ratings = Ratings::fit(&matrix, PLAIN).unwrap();
    let mut strength = [1.0f64; 3];
    for _ in 0..100_000 {
        let next: [f64; 3] = std::array::from_fn(|i| {
            let others = || (0..3).filter(|&j| j != i);
            let points: f64 = others().map(|j| matrix.both_seats(i, j).points()).sum();
            let weight =
                |j: usize| matrix.both_seats(i, j).games() as f64 / (strength[i] + strength[j]);
            points / others().map(weight).sum::<f64>()
        });
        strength = next;
    }
    let mean = strength.iter().map(|g| g.ln()).sum::<f64>() / 3.0;
    for (player, strength) in strength.iter().enumerate() {
        close(ratings.rating(player).elo, ELO * (strength.ln() - mean));
    }
    // Deviance by its definition; 3 cells less 2 ratings.
    let mut deviance = 0.0;
    for (i, j) in [(0, 1), (0, 2), (1, 2)] {
        let both = matrix.both_seats(i, j);
        let (n, k) = (both.games() as f64, both.points());
        let p = strength[i] / (strength[i] + strength[j]);
        deviance += 2.0 * (k * (k / (n * p)).ln() + (n - k) * ((n - k) / (n * (1.0 - p))).ln());
    }
    close(ratings.goodness().deviance, deviance);
    assert_eq!(ratings.goodness().freedom, 1);
    // χ² with one degree is the square of a normal variable: compare with the tail at 1.96² and here.
    let p = ratings.goodness().p.unwrap();
    assert_eq!(p < 0.05, deviance > 3.841_459, "{p} {deviance}");
}

/// The test of transitivity: rock, paper, scissors is rejected, a transitive field is not (about 5 %).
#[test]
fn deviance_tells_cycles_from_noise() {
    let mut matrix = field(3);
    for (i, j) in [(0, 1), (1, 2), (2, 0)] {
        matrix.add_tally(i, j, tally(35, 0, 15));
    }
    let cyclic = Ratings::fit(&matrix, PLAIN).unwrap();
    assert!(cyclic.goodness().p.unwrap() < 1e-5);
    close(cyclic.rating(1).elo, 0.0);
    let mut rng = Rng::new(5);
    let rejected = (0..200)
        .filter(|_| {
            let truth = Truth::random(8, 80.0, 0.0, &mut rng);
            let matrix = simulate(&truth, 50, &mut rng);
            Ratings::fit(&matrix, PLAIN).unwrap().goodness().p.unwrap() < 0.05
        })
        .count();
    assert!((1..=24).contains(&rejected), "{rejected} of 200");
}

/// Every true rating, difference and seat term lies within three standard errors, nearly always; and
/// the errors are not too large either: about 68 % within one.
#[test]
fn simulated_ratings_are_recovered() {
    let mut rng = Rng::new(7);
    for (seat, options) in [(0.0, PLAIN), (0.0, SEAT), (60.0, SEAT), (60.0, PRIOR)] {
        let (mut all, mut within_one, mut within_three) = (0, 0, 0);
        for _ in 0..20 {
            let truth = Truth::random(12, 120.0, seat, &mut rng);
            let matrix = simulate(&truth, 50, &mut rng);
            let ratings = Ratings::fit(&matrix, options).unwrap();
            let mut count = |found: stats::Estimate, truth: f64| {
                let away = (found.elo - truth).abs() / found.error;
                all += 1;
                within_one += u32::from(away < 1.0);
                within_three += u32::from(away < 3.0);
            };
            for player in 0..12 {
                count(ratings.rating(player), truth.elo[player]);
                let other = (player + 1) % 12;
                count(ratings.difference(player, other), truth.elo[player] - truth.elo[other]);
            }
            if options.seat {
                count(ratings.seat_advantage().unwrap(), seat);
            }
            let sum: f64 = (0..12).map(|player| ratings.rating(player).elo).sum();
            assert!(sum.abs() < 1e-6, "{sum}");
        }
        let share = |count: u32| f64::from(count) / f64::from(all);
        assert!(share(within_three) > 0.985, "{within_three} of {all}");
        assert!((0.60..0.76).contains(&share(within_one)), "{within_one} of {all}");
    }
}

/// Without its term, a seat advantage hurts whoever moved second more often.
#[test]
fn the_seat_term_matters() {
    let mut matrix = field(2);
    matrix.add_tally(0, 1, tally(60, 0, 40));
    matrix.add_tally(1, 0, tally(6, 0, 4));
    let with = Ratings::fit(&matrix, SEAT).unwrap();
    let without = Ratings::fit(&matrix, PLAIN).unwrap();
    close(with.difference(0, 1).elo, 0.0);
    assert!(without.difference(0, 1).elo > 40.0);
}

#[test]
fn fields_without_ratings_say_so() {
    let mut matrix = field(4);
    matrix.add_tally(0, 1, tally(3, 0, 3));
    matrix.add_tally(2, 3, tally(3, 0, 3));
    let groups = vec![vec![0, 1], vec![2, 3]];
    assert_eq!(Ratings::fit(&matrix, PLAIN), Err(RatingError::Disconnected { groups }));
    // 2 and 3 never lost to 0 and 1.
    matrix.add_tally(0, 2, tally(0, 0, 9));
    assert_eq!(Ratings::fit(&matrix, PLAIN), Err(RatingError::Unbounded { above: vec![2, 3] }));
    // Half a point joins them.
    matrix.add_tally(1, 3, tally(0, 1, 9));
    assert!(Ratings::fit(&matrix, PLAIN).is_ok());

    // The first to move always wins; or seat and strength cannot be told apart.
    let mut always = field(2);
    always.add_tally(0, 1, tally(5, 0, 0));
    always.add_tally(1, 0, tally(5, 0, 0));
    assert!(Ratings::fit(&always, PLAIN).is_ok());
    assert_eq!(Ratings::fit(&always, SEAT), Err(RatingError::SeatUnbounded));
    let mut one_seat = field(2);
    one_seat.add_tally(0, 1, tally(5, 0, 5));
    assert_eq!(Ratings::fit(&one_seat, SEAT), Err(RatingError::SeatUnbounded));
    for unrated in [matrix, always, one_seat] {
        let ratings = Ratings::fit(&unrated, PRIOR).unwrap();
        assert!((0..unrated.players()).all(|player| ratings.rating(player).error.is_finite()));
        assert!(ratings.seat_advantage().unwrap().elo.is_finite());
    }
}

#[test]
fn nobody_and_one_player() {
    for options in [PLAIN, PRIOR] {
        let none = Ratings::fit(&field(0), options).unwrap();
        assert_eq!(none.players(), 0);
        let one = Ratings::fit(&field(1), options).unwrap();
        assert_eq!((one.rating(0).elo, one.rating(0).error), (0.0, 0.0));
    }
    let groups = vec![vec![0], vec![1]];
    assert_eq!(Ratings::fit(&field(2), PLAIN), Err(RatingError::Disconnected { groups }));
    let mut lost = field(2);
    lost.add(1, 0, GameResult::Win);
    assert_eq!(Ratings::fit(&lost, PLAIN), Err(RatingError::Unbounded { above: vec![1] }));
    let held = Ratings::fit(&lost, RatingOptions { seat: false, prior: true }).unwrap();
    assert!(held.rating(1).elo > 0.0 && held.rating(1).elo < 400.0);
    close(held.rating(0).elo, -held.rating(1).elo);
}

/// A long chain of great differences is legitimate: logits far beyond what one cell could show.
#[test]
fn chains_of_great_differences_converge() {
    let mut matrix = field(31);
    for player in 0..30 {
        matrix.add_tally(player, player + 1, tally(999, 0, 1));
    }
    let ratings = Ratings::fit(&matrix, PLAIN).unwrap();
    close(ratings.difference(0, 30).elo, 30.0 * ELO * 999f64.ln());
}

#[test]
#[should_panic(expected = "players 1 and 1 of 2")]
fn nobody_plays_himself() {
    field(2).add(1, 1, GameResult::Draw);
}

fn any_matrix() -> impl Strategy<Value = Matrix> {
    (0usize..7).prop_flat_map(|players| {
        let count =
            prop_oneof![3 => Just(0u64), 2 => 0u64..4, 1 => 0u64..200, 1 => Just(1_000_000)];
        let cell = (count.clone(), count.clone(), count);
        prop::collection::vec(cell, players * players).prop_map(move |cells| {
            let mut matrix = field(players);
            for (index, (wins, draws, losses)) in cells.into_iter().enumerate() {
                let (i, j) = (index / players, index % players);
                if i != j {
                    matrix.add_tally(i, j, tally(wins, draws, losses));
                }
            }
            matrix
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, ..ProptestConfig::default() })]

    /// The checks are exact: what they let through converges, and the slope is 0 there: every player's
    /// points are what his ratings expect. With a prior there are always ratings.
    #[test]
    fn ratings_are_finite_or_refused(matrix in any_matrix(), seat in any::<bool>()) {
        let held = Ratings::fit(&matrix, RatingOptions { seat, prior: true });
        prop_assert!(held.is_ok(), "{:?}", held);
        let plain = Ratings::fit(&matrix, RatingOptions { seat, prior: false });
        prop_assert!(plain != Err(RatingError::NoConvergence));
        for ratings in [held, plain].into_iter().flatten() {
            for player in 0..matrix.players() {
                let rating = ratings.rating(player);
                prop_assert!(rating.elo.is_finite() && rating.error.is_finite());
                if ratings.options().prior {
                    continue;
                }
                let (mut points, mut expected, mut games) = (0.0, 0.0, 0.0);
                for other in (0..matrix.players()).filter(|&other| other != player) {
                    let (first, second) = (matrix.by_seat(player, other), matrix.by_seat(other, player));
                    points += first.points() + second.reversed().points();
                    games += (first.games() + second.games()) as f64;
                    expected += first.games() as f64 * ratings.expected_score(player, other);
                    expected += second.games() as f64 * (1.0 - ratings.expected_score(other, player));
                }
                prop_assert!((points - expected).abs() <= 1e-6 * (1.0 + games), "{} {}", points, expected);
            }
            prop_assert!(ratings.goodness().deviance.is_finite());
            prop_assert!(ratings.goodness().p.is_none_or(|p| (0.0..=1.0).contains(&p)));
        }
    }
}
