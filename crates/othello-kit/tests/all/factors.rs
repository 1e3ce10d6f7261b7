//! The evaluation of Othello: what must hold whatever the weights are.

use crate::common::{factor_names, positions, shipped, with};
use gamecore::{Evaluator, Game, Notation, Score, Seat};
use othello::symmetry::Symmetry;
use othello::{Board, Othello};
use othello_kit::evals::{OthelloEvaluator, OthelloFactors};
use registry::factors::{Factors, MAX_TERMINAL, MAX_WEIGHT, Weights};
use testkit::conformance::{Conformance, check_antisymmetric};
use testkit::minimax::reference_decision;

fn values(evaluator: &OthelloEvaluator, board: &Board) -> [Score; 4] {
    let [zero, one] = Seat::BOTH.map(|seat| {
        [evaluator.evaluate(&Othello, board, seat), evaluator.terminal(&Othello, board, seat)]
    });
    [zero[0], zero[1], one[0], one[1]]
}

/// Each factor alone, so that none hides behind another.
fn single_factors() -> Vec<(&'static str, OthelloEvaluator)> {
    let none = Weights::zero::<Othello, OthelloFactors>();
    let alone = |name| (name, OthelloEvaluator::new(&with(&none, name, 3)));
    factor_names().into_iter().map(alone).collect()
}

#[test]
fn every_shipped_evaluation_is_antisymmetric() {
    let options = Conformance { games: 40, max_plies: 130, ..Conformance::default() };
    for (_, weights) in shipped() {
        check_antisymmetric(&Othello, &OthelloEvaluator::new(&weights), &options);
    }
    for (_, evaluator) in single_factors() {
        check_antisymmetric(&Othello, &evaluator, &options);
    }
}

/// Turning or mirroring the board changes no factor.
#[test]
fn the_eight_symmetries_change_nothing() {
    let evaluators = single_factors();
    for board in positions(20) {
        for symmetry in Symmetry::ALL {
            let turned =
                Board::new(symmetry.board(board.own()), symmetry.board(board.opp()), board.mover());
            for (name, evaluator) in &evaluators {
                let pair = (values(evaluator, &board), values(evaluator, &turned));
                assert_eq!(pair.0, pair.1, "{name}, {symmetry:?}, {board:?}");
            }
        }
    }
}

/// Exchanging the colours of all discs and the side to move exchanges the values.
#[test]
fn exchanged_colours_exchange_the_values() {
    for board in positions(20) {
        let exchanged = Board::new(board.own(), board.opp(), board.mover().other());
        for (name, evaluator) in single_factors() {
            let mine = evaluator.evaluate(&Othello, &board, Seat::Zero);
            let theirs = evaluator.evaluate(&Othello, &exchanged, Seat::One);
            assert_eq!(mine, theirs, "{name} in {board:?}");
        }
    }
}

/// Equation 1 of the paper is a constant: as a difference between the seats it is 0.
#[test]
fn the_quadratic_mean_changes_no_value_and_no_decision() {
    let (_, paper) = shipped().remove(0);
    let variants: Vec<OthelloEvaluator> = [0, 1, -MAX_WEIGHT, MAX_WEIGHT]
        .map(|weight| OthelloEvaluator::new(&with(&paper, "quadratic-mean", weight)))
        .into();
    let boards = positions(12);
    for board in &boards {
        for variant in &variants[1..] {
            assert_eq!(values(&variants[0], board), values(variant, board), "{board:?}");
        }
    }
    for board in boards.iter().step_by(23).filter(|board| !board.is_over()) {
        let [first, rest @ ..] = &variants[..] else { unreachable!("there are four") };
        let expected = reference_decision(&Othello, first, board, 2);
        for variant in rest {
            assert_eq!(reference_decision(&Othello, variant, board, 2), expected, "{board:?}");
        }
    }
}

/// A weight of 0 is the same as leaving the line out of the file, for every factor.
#[test]
fn a_weight_of_zero_removes_the_factor() {
    let content = "game = \"othello\"\n[weights]\nterminal = 5000\n";
    let ordinary: Vec<&str> =
        factor_names().into_iter().filter(|name| *name != "terminal").collect();
    for removed in &ordinary {
        let file = |zero: bool| {
            let line = |name: &&str| match (name == removed, zero) {
                (false, _) => format!("{name} = 7\n"),
                (true, true) => format!("{name} = 0\n"),
                (true, false) => String::new(),
            };
            content.to_owned() + &ordinary.iter().map(line).collect::<String>()
        };
        let [zero, absent] = [true, false].map(|zero| {
            crate::common::parse(&file(zero)).unwrap_or_else(|error| panic!("{error}"))
        });
        assert_eq!(zero, absent, "{removed}");
        let evaluator = OthelloEvaluator::new(&zero);
        let all = OthelloEvaluator::new(&with(&zero, removed, 7));
        let alone =
            OthelloEvaluator::new(&with(&Weights::zero::<Othello, OthelloFactors>(), removed, 7));
        for board in positions(4) {
            let value =
                |evaluator: &OthelloEvaluator| evaluator.evaluate(&Othello, &board, Seat::Zero).0;
            assert_eq!(value(&evaluator) + value(&alone), value(&all), "{removed} in {board:?}");
        }
    }
}

/// Every factor but the constant one must be able to tell positions apart.
#[test]
fn every_factor_measures_something() {
    for (name, evaluator) in single_factors() {
        let measured = positions(5).iter().any(|board| {
            let value = if board.is_over() {
                evaluator.terminal(&Othello, board, Seat::Zero)
            } else {
                evaluator.evaluate(&Othello, board, Seat::Zero)
            };
            value != Score(0)
        });
        assert_eq!(measured, name != "quadratic-mean", "{name}");
    }
}

#[test]
fn terms_add_up_to_the_value() {
    for (name, weights) in shipped() {
        let evaluator = OthelloEvaluator::new(&weights);
        for board in positions(10) {
            for seat in Seat::BOTH {
                let terms = evaluator.explain(&Othello, &board, seat);
                let sum: i32 = terms.iter().map(|term| term.value * term.weight).sum();
                let value = if board.is_over() {
                    evaluator.terminal(&Othello, &board, seat)
                } else {
                    evaluator.evaluate(&Othello, &board, seat)
                };
                assert_eq!(Score(sum), value, "{name} in {board:?}");
                let names: Vec<&str> = terms.iter().map(|term| term.name).collect();
                assert_eq!(names, factor_names());
            }
        }
    }
}

/// Scores from `won_from` on are those of won games: all of them where the result outweighs the rest.
#[test]
fn won_games_are_known_by_their_scores() {
    for (name, weights) in shipped() {
        let evaluator = OthelloEvaluator::new(&weights);
        let won_from = evaluator.won_from();
        assert_eq!(won_from < Score::INFINITE, name != "discs", "{name}");
        for board in positions(10) {
            for seat in Seat::BOTH {
                if !board.is_over() {
                    let value = evaluator.evaluate(&Othello, &board, seat);
                    assert!(value < won_from && -value < won_from, "{name}: {value} in {board:?}");
                } else if name != "discs" {
                    let value = evaluator.terminal(&Othello, &board, seat);
                    let chance = evaluator.reading().chance(f64::from(value.0)).unwrap();
                    let payoff = f64::from(Othello.payoff(&board, seat));
                    let known =
                        if payoff == 0.5 { (chance - 0.5).abs() < 0.5 } else { chance == payoff };
                    assert!(known, "{name}: {value} in {board:?}");
                }
            }
        }
    }
}

/// No factor measures more than it says.
#[test]
fn factors_stay_within_what_they_declare() {
    let mut boards = positions(20);
    boards.push(Board::new(u64::MAX, 0, Seat::Zero));
    for (name, evaluator) in single_factors() {
        for board in &boards {
            let value = evaluator.evaluate(&Othello, board, Seat::Zero);
            assert!(value.0.abs() <= 3 * OthelloFactors::LARGEST, "{name}: {value} in {board:?}");
        }
    }
}

/// The largest weights on the most lopsided boards stay inside the range of scores.
#[test]
fn extreme_weights_stay_finite() {
    let mut weights = Weights::zero::<Othello, OthelloFactors>();
    for name in factor_names() {
        let most = if name == "terminal" { MAX_TERMINAL } else { MAX_WEIGHT };
        weights = with(&weights, name, most);
    }
    let evaluator = OthelloEvaluator::new(&weights);
    let many_moves = "-----XX--OO-OXO--OX-XX---XX------OXO--OX--XX-XXX-OOOX-OX-------- X";
    let mut boards = positions(5);
    boards.push(Othello.parse_position(many_moves).expect("a position"));
    boards.push(Board::new(u64::MAX, 0, Seat::Zero));
    boards.push(Board::new(0, u64::MAX, Seat::One));
    for board in boards {
        for value in values(&evaluator, &board) {
            assert!(value.0.abs() < Score::INFINITE.0, "{value} in {board:?}");
        }
    }
    let won = evaluator.terminal(&Othello, &Board::new(u64::MAX, 0, Seat::Zero), Seat::Zero);
    assert!(won.0 >= MAX_TERMINAL);
}

/// Only corners are noisy, so that quiescence search ends.
#[test]
fn only_corners_are_noisy() {
    let evaluator = OthelloEvaluator::new(&shipped()[0].1);
    assert!(Evaluator::<Othello>::has_noisy_actions(&evaluator));
    for number in 0..=64 {
        let action = othello::Move::new(number).expect("a square or the pass");
        let noisy = evaluator.is_noisy(&Othello, &Board::START, action);
        assert_eq!(noisy, matches!(number, 0 | 7 | 56 | 63), "{number}");
    }
}
