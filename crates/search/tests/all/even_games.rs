//! Agents of equal depth choose equal actions, so their games are the same move for move and
//! their matches exactly even.

use std::sync::Arc;

use crate::common::HashOrder;
use crate::common::equality::{check_even, every_variant, opening, play};
use gamecore::{ActionScore, Evaluator};
use othello::Othello;
use search::{Algorithm, Config};
use testkit::HashEvaluator;
use testkit::toys::{DiceRace, StagedNim};

#[test]
fn othello_games_are_equal_move_for_move() {
    // Many ties: the choice among equal actions must be the same too.
    let ties: Arc<dyn Evaluator<Othello>> = Arc::new(HashEvaluator::with_range(1, 2));
    check_even(&Othello, &ties, &every_variant(3), 2, 12);
}

#[test]
fn games_with_repeated_turns_and_chance_are_equal() {
    let evaluator: Arc<dyn Evaluator<StagedNim>> = Arc::new(HashEvaluator::with_range(2, 3));
    check_even(&StagedNim::new(&[4, 5, 6]), &evaluator, &every_variant(3), 6, 2);
    let evaluator: Arc<dyn Evaluator<DiceRace>> = Arc::new(HashEvaluator::with_range(3, 3));
    check_even(&DiceRace, &evaluator, &every_variant(2), 4, 3);
}

/// Unequal depths must be able to give unequal games, or the equality above means nothing.
#[test]
fn other_depths_play_other_games() {
    let evaluator: Arc<dyn Evaluator<Othello>> = Arc::new(HashEvaluator::new(5));
    let order: Arc<dyn ActionScore<Othello>> = Arc::new(HashOrder);
    let start = opening(&Othello, 1, 8);
    let [two, three] = [2, 3].map(|depth| Config::plain(Algorithm::AlphaBeta, depth));
    let orders = [&order, &order];
    let first = play(&Othello, &start, [&two, &two], &evaluator, orders);
    let second = play(&Othello, &start, [&two, &three], &evaluator, orders);
    assert_ne!(first.actions, second.actions);
}
