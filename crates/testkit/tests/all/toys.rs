//! Every toy has the properties of a game, and known values where there are some.

use gamecore::{Agent, Game, ResultOnly, Rng, Score, Seat, Turn, perft_by_listing};
use gamecore::{RandomAgent, weighted_mean};
use testkit::HashEvaluator;
use testkit::conformance::{Conformance, check, check_antisymmetric, check_equal_views};
use testkit::minimax::{Horizon, reference_decision, reference_value};
use testkit::toys::{DiceRace, MiniPoker, RandomTree, StagedNim, TicTacToe};

#[test]
fn tic_tac_toe_conforms() {
    let positions = vec!["xo.......".to_owned(), "xxxoo....".to_owned()];
    check(&TicTacToe, &Conformance { positions, ..Conformance::default() });
}

#[test]
fn staged_nim_conforms() {
    for heaps in [&[1][..], &[2, 3, 4], &[9, 9, 9, 9]] {
        check(&StagedNim::new(heaps), &Conformance::default());
    }
}

#[test]
fn dice_race_conforms() {
    check(&DiceRace, &Conformance { max_plies: 30, ..Conformance::default() });
}

#[test]
fn mini_poker_conforms() {
    check(&MiniPoker, &Conformance { max_plies: 9, ..Conformance::default() });
}

#[test]
fn random_trees_conform() {
    for seed in 0..5 {
        let options = Conformance { games: 20, ..Conformance::default() };
        check(&RandomTree::new(seed, 12), &options);
        check(&RandomTree::with_chance(seed, 12), &options);
    }
}

#[test]
fn hash_evaluations_are_antisymmetric() {
    let evaluator = HashEvaluator::new(3);
    check_antisymmetric(&TicTacToe, &evaluator, &Conformance::default());
    check_antisymmetric(&DiceRace, &evaluator, &Conformance::default());
    check_antisymmetric(&MiniPoker, &ResultOnly, &Conformance::default());
}

#[test]
fn random_agents_decide_by_their_view() {
    let make_agent = || -> Box<dyn Agent<MiniPoker>> { Box::new(RandomAgent::new(7)) };
    check_equal_views(&MiniPoker, &make_agent, &Conformance::default());
}

#[test]
fn tic_tac_toe_counts_and_value_are_known() {
    let start = TicTacToe.start(&(), &mut Rng::new(0));
    assert_eq!(perft_by_listing(&TicTacToe, &start, 9), 255_168);
    assert_eq!(reference_value(&TicTacToe, &ResultOnly, &start, 9, Seat::Zero), Score(0));
    assert_eq!(reference_decision(&TicTacToe, &ResultOnly, &start, 9), (0, Score(0)));
}

/// Emptying the only heap wins; with two heaps of one, so does whoever begins, by moving twice.
#[test]
fn staged_nim_values_are_known() {
    for (heaps, value) in [(&[1][..], 1), (&[3], 1), (&[4], -1), (&[1, 1], 1), (&[8], -1)] {
        let game = StagedNim::new(heaps);
        let start = game.start(&(), &mut Rng::new(0));
        let found = reference_value(&game, &ResultOnly, &start, 40, Seat::Zero);
        assert_eq!(found, Score(value * Score::WIN.0), "{heaps:?}");
    }
}

#[test]
fn the_mean_is_rounded_away_from_zero_on_both_sides() {
    for (sum, total, mean) in [(0, 3, 0), (1, 2, 1), (1, 3, 0), (2, 3, 1), (7, 2, 4), (10, 5, 2)] {
        assert_eq!(weighted_mean(sum, total), mean, "{sum}/{total}");
        assert_eq!(weighted_mean(-sum, total), -mean, "-{sum}/{total}");
    }
}

/// With chance, repeated seats and quiescence, the value of one seat is minus that of the other.
#[test]
fn reference_values_are_antisymmetric() {
    for seed in 0..50 {
        let game = RandomTree::with_chance(seed, 12);
        let evaluator = HashEvaluator::new(seed).noisy();
        let start = game.start(&(), &mut Rng::new(0));
        for depth in 0..5 {
            for quiescence in 0..3 {
                let horizon = Horizon { depth, quiescence };
                let [zero, one] = Seat::BOTH
                    .map(|seat| reference_value(&game, &evaluator, &start, horizon, seat));
                assert_eq!(zero, -one, "seed {seed} {horizon:?}");
                if depth > 0
                    && let Turn::Player(seat) = game.turn(&start)
                {
                    let (_, value) = reference_decision(&game, &evaluator, &start, horizon);
                    assert_eq!(value, if seat == Seat::Zero { zero } else { one });
                }
            }
        }
    }
}

/// Quiescence must be able to change a value, or tests that use it test nothing.
#[test]
fn quiescence_changes_some_values() {
    let changed = (0..50).filter(|&seed| {
        let game = RandomTree::new(seed, 12);
        let evaluator = HashEvaluator::new(seed).noisy();
        let start = game.start(&(), &mut Rng::new(0));
        let value = |quiescence| {
            reference_value(&game, &evaluator, &start, Horizon { depth: 2, quiescence }, Seat::Zero)
        };
        value(0) != value(3)
    });
    assert!(changed.count() > 10);
}
