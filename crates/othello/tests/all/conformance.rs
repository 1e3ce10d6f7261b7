//! Othello has the properties that every game must have, also where random games rarely go.

use gamecore::{Buf, Game, Notation, Seat, Turn};
use othello::{Board, Move, Othello};
use testkit::conformance::{Conformance, check};

/// The most moves found in any constructed position; random games rarely offer more than 20.
const MANY_MOVES: &str = "-----XX--OO-OXO--OX-XX---XX------OXO--OX--XX-XXX-OOOX-OX-------- X";
const ONE_OF_34: &str = "--OX-----OXO-XO--OX--OXX-O--O-OO--OX-----XXO-----OXO--OX--X--XXX X";

/// Black has b1, white a1 and c1 follows: black must pass, then white wipes black out.
fn pass_then_wipe_out() -> String {
    format!("OX{} X", "-".repeat(62))
}

/// One move is left, and it turns the last enemy disc.
fn wipe_out_in_one() -> String {
    format!("XO{} X", "-".repeat(62))
}

fn full(black: usize, side: char) -> String {
    format!("{}{} {side}", "X".repeat(black), "O".repeat(64 - black))
}

fn one_side_empty(disc: char, side: char) -> String {
    format!("{}{} {side}", "-".repeat(63), disc)
}

/// One empty square, h8, which only `mover` or only the other side can fill.
fn last_square(own: &str, side: char) -> String {
    format!("{}{own}- {side}", "X".repeat(56))
}

fn rare_positions() -> Vec<String> {
    vec![
        MANY_MOVES.to_owned(),
        ONE_OF_34.to_owned(),
        pass_then_wipe_out(),
        wipe_out_in_one(),
        full(64, 'X'),
        full(0, 'X'),
        full(32, 'O'),
        full(33, 'X'),
        one_side_empty('X', 'X'),
        one_side_empty('X', 'O'),
        one_side_empty('O', 'X'),
        one_side_empty('-', 'O'),
        last_square("XXXXXXO", 'X'),
        last_square("XXXXXXO", 'O'),
        last_square("OOOOOOO", 'O'),
    ]
}

fn read(text: &str) -> Board {
    Othello.parse_position(text).unwrap_or_else(|error| panic!("{error}"))
}

fn actions(board: &Board) -> Vec<Move> {
    let mut actions = Buf::new();
    Othello.actions(board, &mut actions);
    actions.to_vec()
}

#[test]
fn othello_conforms() {
    let options = Conformance {
        games: 40,
        max_plies: 120,
        positions: rare_positions(),
        ..Conformance::default()
    };
    check(&Othello, &options);
}

/// Without this the positions above might be harmless ones.
#[test]
fn the_rare_positions_are_what_they_claim() {
    assert_eq!(actions(&read(MANY_MOVES)).len(), 35);
    assert_eq!(actions(&read(ONE_OF_34)).len(), 34);
    assert_eq!(actions(&read(&pass_then_wipe_out())), [Move::PASS]);
    assert_eq!(actions(&read(&last_square("XXXXXXO", 'O'))), [Move::PASS]);
    assert_eq!(actions(&read(&last_square("XXXXXXO", 'X'))).len(), 1);
    for text in [full(64, 'X'), full(32, 'O'), one_side_empty('X', 'O'), one_side_empty('-', 'O')] {
        assert_eq!(Othello.turn(&read(&text)), Turn::Over, "{text}");
    }
}

/// Rule 7: the game is over when one side has no discs left, and the other has won.
#[test]
fn a_wiped_out_side_has_lost() {
    let mut board = read(&wipe_out_in_one());
    let only = actions(&board)[0];
    Othello.apply(&mut board, only);
    assert_eq!(Othello.turn(&board), Turn::Over);
    assert_eq!((Othello.payoff(&board, Seat::Zero), Othello.payoff(&board, Seat::One)), (1.0, 0.0));
    assert_eq!(Othello.ending(&board), "discs 3:0");
}

/// Rule 6: a pass changes nothing but the side to move.
#[test]
fn a_pass_hands_over_the_turn_only() {
    let before = read(&pass_then_wipe_out());
    let mut after = before;
    Othello.apply(&mut after, Move::PASS);
    assert_eq!(after.mover(), Seat::One);
    for seat in Seat::BOTH {
        assert_eq!(after.discs(seat), before.discs(seat));
    }
    assert!(Othello.is_pass(Move::PASS));
}

/// Rule 8: equal numbers are a draw.
#[test]
fn equal_discs_are_a_draw() {
    let board = read(&full(32, 'X'));
    assert_eq!(Othello.payoff(&board, Seat::Zero), 0.5);
    assert_eq!(Othello.ending(&board), "discs 32:32");
}
