//! The fitted evaluation of Othello.

use crate::common::positions;
use gamecore::{Evaluator, Seat};
use othello::symmetry::Symmetry;
use othello::{Board, Othello};
use othello_kit::evals::outlook::{
    Outlook, OutlookText, PATTERNS, PHASES, PLACES, PhaseText, pattern_weights, seen, weight_of,
};
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

/// The numbers by rows are the digits of the squares, and mirror images share their weights.
#[test]
fn numbers_are_the_digits_of_the_squares() {
    let mut rng = gamecore::Rng::new(1);
    for _ in 0..200 {
        let own = rng.next_u64();
        let opp = rng.next_u64() & !own;
        let digit = |square: u8| match (own >> square & 1, opp >> square & 1) {
            (1, _) => 1,
            (_, 1) => 2,
            _ => 0,
        };
        let seen = seen(own, opp).patterns;
        let mut place = 0;
        let places = [4, 4, 8, 4, 4, 4, 2, 4, 4, 4, 4];
        for ((at, pattern), places) in PATTERNS.iter().enumerate().zip(places) {
            let mut expected: Vec<u32> = Symmetry::ALL
                .map(|symmetry| {
                    let squares = pattern.squares.iter().rev();
                    let number = squares
                        .fold(0, |number, &square| 3 * number + digit(symmetry.square(square)));
                    weight_of(at, number)
                })
                .into();
            // Where a pattern can be laid onto itself, every place comes up twice or more.
            let mut found: Vec<u32> = seen[place..place + places]
                .iter()
                .flat_map(|&stored| std::iter::repeat_n(stored, 8 / places))
                .collect();
            expected.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, expected, "{:?}", pattern.squares);
            place += places;
        }
        assert_eq!(place, PLACES);
    }
}

#[test]
fn weights_that_are_no_weights_are_refused() {
    let phase = |patterns: String| PhaseText { mobility: 0, potential_mobility: 0, patterns };
    let whole = || phase(PhaseText::letters((0..pattern_weights()).map(|_| 0)));
    let refused = |phase: Vec<PhaseText>| match Outlook::new(&OutlookText { phase }) {
        Ok(_) => String::new(),
        Err(error) => error.to_string(),
    };
    assert_eq!(refused((0..PHASES).map(|_| whole()).collect()), "");
    assert_eq!(refused(vec![whole()]), "1 phases: expected 6");
    assert_eq!(refused(vec![phase("SS".into())]), "2 pattern weights: expected 113877");
    // The last one is as long as two letters, and ends like one of them.
    for (letters, strange) in [("S", "!"), ("S", "\u{7f}"), ("SS", "\u{153}")] {
        let damaged = phase(whole().patterns.replacen(letters, strange, 1));
        let expected = format!("'{strange}' is no weight: expected letters from '(' to '~'");
        assert_eq!(refused(vec![damaged]), expected);
    }
}
