//! The printed pseudo-code, letter by letter, against a second transcription of it; and that it is
//! a negative control.

use std::sync::Arc;

use crate::common::{after, decide, decide_and_trace, legal, mover, positions};
use gamecore::{Evaluator, Game, Seat};
use othello::{Board, Othello};
use search::{Algorithm, Config};
use testkit::HashEvaluator;
use testkit::minimax::reference_decision;

/// The two procedures as printed, with nothing shared with the search under test.
struct AsPrinted {
    evaluator: HashEvaluator,
    machine: Seat,
    max: bool,
}

impl AsPrinted {
    fn moves(board: &Board) -> Vec<othello::Move> {
        let mut moves = legal(&Othello, board);
        moves.retain(|action| !Othello.is_pass(*action));
        moves
    }

    fn evaluate_node(&self, board: &Board) -> i32 {
        if board.is_over() {
            self.evaluator.terminal(&Othello, board, self.machine).0
        } else {
            self.evaluator.evaluate(&Othello, board, self.machine).0
        }
    }

    fn test(&self, board: &Board, score: i32) -> bool {
        let moves = Self::moves(board);
        if moves.is_empty() {
            return self.evaluate_node(board) > score;
        }
        for action in moves {
            let above = self.test(&after(&Othello, board, action), score);
            if self.max && above {
                return true;
            }
            if !self.max && !above {
                return false;
            }
        }
        self.max
    }

    fn eval(&self, board: &Board, depth: u32) -> (i32, Option<othello::Move>) {
        let moves = Self::moves(board);
        if moves.is_empty() || depth == 0 {
            return (self.evaluate_node(board), None);
        }
        let mut best_move = None;
        let mut score = self.eval(&after(&Othello, board, moves[0]), depth - 1).0;
        for &action in &moves[1..] {
            let child = after(&Othello, board, action);
            if self.test(&child, score) {
                score = self.eval(&child, depth - 1).0;
                best_move = Some(action);
            }
        }
        (score, best_move)
    }
}

fn config(depth: u32, max: bool) -> Config {
    Config { printed_max: max, ..Config::plain(Algorithm::ScoutAsPrinted, depth) }
}

/// Late positions, because Test runs to the end of the game.
#[test]
fn both_players_are_as_printed() {
    let evaluator = Arc::new(HashEvaluator::new(5));
    let late: Vec<Board> = positions(&Othello, 600, 3, 62)
        .into_iter()
        .filter(|board| board.empties() <= 7 && !AsPrinted::moves(board).is_empty())
        .take(40)
        .collect();
    assert_eq!(late.len(), 40);
    let mut other_than_first = 0;
    for board in &late {
        for max in [false, true] {
            for depth in 1..=4 {
                let machine = mover(&Othello, board);
                let printed = AsPrinted { evaluator: *evaluator, machine, max };
                let (value, best) = printed.eval(board, depth);
                let decision = decide(&config(depth, max), &evaluator, &Othello, board);
                let expected = best.unwrap_or(AsPrinted::moves(board)[0]);
                assert_eq!((decision.action, decision.value), (expected, Some(f64::from(value))));
                other_than_first += u32::from(best.is_some());
            }
        }
    }
    assert!(other_than_first > 20, "positions in which only the first move counts prove little");
}

/// Test is false for MIN wherever the game goes on, so Eval follows the first move alone.
#[test]
fn min_follows_the_first_move() {
    let evaluator = Arc::new(HashEvaluator::new(6));
    let early = positions(&Othello, 60, 4, 24);
    for board in early.iter().filter(|board| !AsPrinted::moves(board).is_empty()) {
        for depth in [1, 2, 4, 8] {
            let decision =
                decide_and_trace(&config(depth, false), &evaluator, &Othello, board, 10_000);
            let seat = mover(&Othello, board);
            let (mut end, mut length) = (*board, 0);
            while length < depth && !AsPrinted::moves(&end).is_empty() {
                end = after(&Othello, &end, AsPrinted::moves(&end)[0]);
                length += 1;
            }
            assert_eq!(decision.action, AsPrinted::moves(board)[0]);
            let value = evaluator.evaluate(&Othello, &end, seat).0;
            assert_eq!(decision.value, Some(f64::from(value)), "{board:?} depth {depth}");
            assert_eq!(decision.tree.len() as u32, length + 1, "Eval nodes at depth {depth}");
            assert_eq!(decision.principal_variation, [decision.action]);
        }
    }
}

/// It would be no negative control if its answers were right.
#[test]
fn its_values_are_not_minimax_values() {
    let evaluator = Arc::new(HashEvaluator::new(7));
    let boards = positions(&Othello, 60, 5, 30);
    let right = boards.iter().filter(|board| {
        let (_, value) = reference_decision(&Othello, &*evaluator, board, 3);
        let decision = decide(&config(3, false), &evaluator, &Othello, board);
        decision.value == Some(f64::from(value.0))
    });
    assert!(right.count() < 15);
}
