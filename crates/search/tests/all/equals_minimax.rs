//! Every algorithm with every switch returns plain minimax's value and its first best action.

use std::sync::Arc;

use crate::common::equality::check_game;
use crate::common::{decide, positions};
use gamecore::{Game, ResultOnly};
use othello::Othello;
use search::{Algorithm, Config, DepthFirst, TableUse};
use testkit::HashEvaluator;
use testkit::minimax::reference_decision;
use testkit::toys::{DiceRace, RandomTree, StagedNim, TicTacToe};

#[test]
fn on_othello_with_many_ties() {
    check_game(&Othello, HashEvaluator::with_range(3, 4), 240, 60, 1..=4, 0);
}

#[test]
fn on_turns_of_several_decisions() {
    check_game(&StagedNim::default(), HashEvaluator::new(5), 300, 8, 1..=6, 0);
    check_game(&StagedNim::default(), HashEvaluator::new(6).noisy(), 150, 8, 1..=4, 4);
    check_game(&StagedNim::new(&[1, 2, 2]), ResultOnly, 60, 4, 1..=12, 0);
}

#[test]
fn on_random_trees_with_transpositions() {
    for seed in 0..40 {
        let tree = RandomTree::new(seed, 12);
        check_game(&tree, HashEvaluator::with_range(seed, 6), 12, 8, 1..=6, 0);
        check_game(&tree, HashEvaluator::with_range(seed, 6).noisy(), 6, 8, 1..=3, 3);
    }
}

#[test]
fn with_chance_nodes() {
    for seed in 0..20 {
        let tree = RandomTree::with_chance(seed, 12);
        check_game(&tree, HashEvaluator::with_range(seed, 9), 8, 8, 1..=4, 0);
        check_game(&tree, HashEvaluator::with_range(seed, 9).noisy(), 4, 8, 1..=2, 2);
    }
    check_game(&DiceRace, HashEvaluator::new(2), 60, 12, 1..=3, 0);
}

#[test]
fn solves_tic_tac_toe() {
    check_game(&TicTacToe, ResultOnly, 40, 7, 6..=9, 0);
}

/// One agent for a whole game, so that its table carries over from decision to decision.
#[test]
fn with_a_table_kept_through_the_game() {
    let evaluator = Arc::new(HashEvaluator::with_range(8, 5));
    for algorithm in [Algorithm::AlphaBeta, Algorithm::Scout, Algorithm::Pvs, Algorithm::Mtdf] {
        for seed in 0..6 {
            let config = Config {
                table: TableUse::Exact,
                table_mb: 1,
                deepening: seed % 2 == 0,
                ..Config::plain(algorithm, 3)
            };
            let mut agent = DepthFirst::<Othello>::new(config, evaluator.clone(), None);
            let mut state = positions(&Othello, 1, seed, 30).remove(0);
            while !state.is_over() {
                let expected = reference_decision(&Othello, &*evaluator, &state, 3);
                let decision = crate::common::decide_with(&mut agent, &Othello, &state);
                let found = (decision.action, decision.value);
                assert_eq!(found, (expected.0, Some(f64::from(expected.1.0))), "{algorithm:?}");
                Othello.apply(&mut state, decision.action);
            }
        }
    }
}

/// Helpers share the table; the answer stays that of one thread.
#[test]
fn with_several_threads() {
    let evaluator = Arc::new(HashEvaluator::with_range(4, 5));
    for state in positions(&Othello, 60, 5, 50) {
        let expected = reference_decision(&Othello, &*evaluator, &state, 4);
        for algorithm in [Algorithm::AlphaBeta, Algorithm::Scout, Algorithm::Pvs, Algorithm::Mtdf] {
            let config = Config {
                table: TableUse::Exact,
                table_mb: 1,
                deepening: true,
                threads: 3,
                ..Config::plain(algorithm, 4)
            };
            let decision = decide(&config, &evaluator, &Othello, &state);
            let found = (decision.action, decision.value);
            assert_eq!(found, (expected.0, Some(f64::from(expected.1.0))), "{algorithm:?}");
        }
    }
}
