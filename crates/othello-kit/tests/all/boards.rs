//! What the evaluations read off boards: values of squares, neighbours, unstable discs.

use gamecore::Seat;
use othello::{Board, Othello};
use othello_kit::evals::{OthelloFactors, SQUARE_VALUES, neighbours, unstable};
use registry::factors::{Factors, MAX_FACTORS, Wanted};

/// The sum of the values of these squares.
fn square_sum(discs: u64) -> i32 {
    let factor = OthelloFactors::LIST.iter().position(|info| info.name == "positions").unwrap();
    let mut out = [0; MAX_FACTORS];
    OthelloFactors::measure(&Othello, &Board::new(discs, 0, Seat::Zero), Wanted::ALL, &mut out);
    out[factor]
}

#[test]
fn values_of_squares_are_the_printed_table() {
    for (square, printed) in SQUARE_VALUES.iter().enumerate() {
        assert_eq!(square_sum(1 << square), i32::from(*printed), "square {square}");
    }
    assert_eq!(square_sum(u64::MAX), 280);
}

#[test]
fn neighbours_do_not_wrap_round_the_edge() {
    assert_eq!(neighbours(1 << 7) & !(1 << 7), 1 << 6 | 1 << 14 | 1 << 15);
    assert_eq!(neighbours(1 << 8) & !(1 << 8), 1 | 2 | 1 << 9 | 1 << 16 | 1 << 17);
}

#[test]
fn both_discs_are_threatened_at_the_start() {
    let start = Board::START;
    assert_eq!(unstable(start.opp(), start.own()), start.opp());
}
