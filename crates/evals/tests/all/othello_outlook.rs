//! The fitted evaluation of Othello.

use crate::common::positions;
use evals::othello::outlook::Outlook;
use gamecore::{Evaluator, Seat};
use othello::symmetry::Symmetry;
use othello::{Board, Othello};
use testkit::conformance::{Conformance, check_antisymmetric};

#[test]
fn what_is_good_for_one_is_bad_for_the_other() {
    check_antisymmetric(&Othello, &*Outlook::built_in(), &Conformance::default());
}

#[test]
fn turned_and_mirrored_boards_are_worth_the_same() {
    let outlook = Outlook::built_in();
    for board in positions(20) {
        let value = outlook.evaluate(&Othello, &board, Seat::Zero);
        for symmetry in Symmetry::ALL {
            let (own, opp) = (symmetry.board(board.own()), symmetry.board(board.opp()));
            let turned = Board::new(own, opp, board.mover());
            assert_eq!(outlook.evaluate(&Othello, &turned, Seat::Zero), value, "{board:?}");
        }
    }
}

#[test]
fn terms_add_up_to_the_value() {
    let outlook = Outlook::built_in();
    for board in positions(20) {
        for seat in Seat::BOTH {
            let terms = outlook.explain(&Othello, &board, seat);
            let sum: i32 = terms.iter().map(|term| term.value * term.weight).sum();
            assert_eq!(sum, outlook.evaluate(&Othello, &board, seat).0, "{board:?}");
        }
    }
}

/// A corner is worth something to who holds it, whatever else stands there.
#[test]
fn corners_count() {
    let outlook = Outlook::built_in();
    let mut gains = (0, 0);
    for board in positions(40) {
        let empty = !(board.own() | board.opp());
        for corner in [0, 7, 56, 63].map(|square: u32| 1_u64 << square) {
            if empty & corner != 0 && board.empties() > 10 {
                let value = |own, opp| {
                    let board = Board::new(own, opp, board.mover());
                    outlook.evaluate(&Othello, &board, board.mover())
                };
                let ours = value(board.own() | corner, board.opp());
                let theirs = value(board.own(), board.opp() | corner);
                gains = (gains.0 + i32::from(ours > theirs), gains.1 + 1);
            }
        }
    }
    assert!(gains.0 * 100 > gains.1 * 98, "{gains:?}");
}
