//! Every way to write a move or a position, and what is said about wrong ones.

use gamecore::{Game, Notation};
use othello::{Board, Move, Othello};

const START: &str = "---------------------------OX------XO--------------------------- X";
/// After f5.
const AFTER_F5: &str = "---------------------------OX------XXX-------------------------- O";

fn read(text: &str) -> Board {
    Othello.parse_position(text).unwrap_or_else(|error| panic!("{error}"))
}

fn refusal(text: &str) -> String {
    let error = Othello.parse_position(text).expect_err(text).to_string();
    assert!(error.starts_with("position '"), "{error}");
    error
}

/// The text with every letter of one kind replaced.
fn respelled(text: &str, from: char, to: char) -> String {
    text.replace(from, &to.to_string())
}

#[test]
fn every_alphabet_means_the_same() {
    let expected = read(AFTER_F5);
    assert_ne!(expected, Board::START);
    for empty in ['-', '.'] {
        for black in ['X', 'x', '*', 'b', 'B'] {
            for white in ['O', 'o', 'w', 'W'] {
                let text = respelled(AFTER_F5, '-', empty);
                let text = respelled(&respelled(&text, 'X', black), 'O', white);
                assert_eq!(read(&text), expected, "{text}");
                assert_eq!(Othello.position_text(&read(&text)), AFTER_F5);
            }
        }
    }
    assert_eq!(read(START), Board::START);
}

#[test]
fn eight_rows_and_spaces_anywhere_are_read() {
    let rows = "
        --------
        --------
        --------
        ---OX---
        ---XXX--
        --------
        --------
        --------
        O";
    assert_eq!(read(rows), read(AFTER_F5));
    let spaced: String = AFTER_F5.chars().flat_map(|letter| [letter, ' ']).collect();
    assert_eq!(read(&spaced), read(AFTER_F5));
    assert_eq!(read(&AFTER_F5.replace(' ', "")), read(AFTER_F5));
}

#[test]
fn moves_from_the_start_are_a_position() {
    for text in ["f5", "F5", " f5 ", "1. f5", "1 f5", "1)f5"] {
        assert_eq!(read(text), read(AFTER_F5), "{text:?}");
    }
    let mut board = read("f5d6c3");
    assert_eq!(read("f5 d6, c3"), board);
    let next = Othello.parse_action(&board, "d3").expect("a legal move");
    Othello.apply(&mut board, next);
    assert_eq!(read("1. f5 d6 2. c3 d3"), board);
}

#[test]
fn a_ggf_game_means_its_last_position() {
    let board = "BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]";
    let game = |moves: &str| format!("(;GM[Othello]PB[a]PW[b]{board}{moves};)");
    assert_eq!(read(&game("")), Board::START);
    assert_eq!(read(&game("B[f5//1.0]")), read(AFTER_F5));
    assert_eq!(read(&format!("1 {}", game("B[f5]W[d6]B[c3]"))), read("f5d6c3"));
    let white_first = game("").replace(" *]", " O]");
    assert_eq!(read(&white_first), read(&START.replace(" X", " O")));
    assert!(refusal(&game("B[a1]")).contains("no disc would turn over"));
    assert!(refusal("(;GM[Go];)").contains("expected Othello"));
    assert!(refusal("3 (;").contains("(;"));
}

#[test]
fn wrong_positions_are_named() {
    let long = format!("{START}X");
    let cut = &START[..40];
    let cases = [
        ("", "expected 64 squares and the side to move, or moves from the start"),
        ("   ", "expected 64 squares"),
        (cut, "found 40 squares"),
        (&START[..64], "after the 64 squares comes the side to move, X or O"),
        (&long, "after the 64 squares comes the side to move"),
        (&START.replace(" X", " -"), "the side to move, X or O"),
        (&START.replace("OX", "O?"), "'?' on e4 is none of - . (empty), X x * b B (black)"),
        (&START.replacen('-', "é", 1), "'é' on a1 is none of"),
        ("f5x9", "found \"x9\""),
        ("f5d7", "move 2 (\"d7\", character 3) is illegal"),
        ("f5pa", "may not pass"),
        ("a1", "no disc would turn over"),
        ("hello", "'h' on a1"),
    ];
    for (text, expected) in cases {
        let error = refusal(text);
        assert!(error.contains(expected), "{text:?}: {error}");
    }
    let huge = refusal(&"-".repeat(5_000));
    assert!(huge.len() < 600, "the input is shortened: {huge}");
}

/// Numbers alone are move numbers: a slip, not the start position.
#[test]
fn move_numbers_without_moves_are_no_position() {
    for text in ["1", "12.", "7)", "1 2 3", "0"] {
        let error = refusal(text);
        assert!(error.contains("no moves"), "{text:?}: {error}");
    }
}

#[test]
fn moves_are_read_in_every_spelling() {
    for text in ["f5", "F5", " f5 "] {
        let read = Othello.parse_action(&Board::START, text).expect(text);
        assert_eq!(Othello.action_text(&Board::START, read), "f5");
    }
    let must_pass = read(&format!("OX{} X", "-".repeat(62)));
    for text in ["pass", "pa", "ps", "--", "PASS", "Pa"] {
        assert_eq!(Othello.parse_action(&must_pass, text), Ok(Move::PASS), "{text}");
    }
    assert_eq!(Othello.action_text(&must_pass, Move::PASS), "pass");
}

#[test]
fn wrong_moves_are_named() {
    let must_pass = read(&format!("OX{} X", "-".repeat(62)));
    let over = read(&format!("{} X", "X".repeat(64)));
    let cases = [
        (Board::START, "pass", "passing is only allowed without a legal move"),
        (Board::START, "a1", "a disc there would flip nothing"),
        (Board::START, "d4", "the square is occupied"),
        (Board::START, "i1", "expected a square from a1 to h8, or pass"),
        (Board::START, "f9", "expected a square"),
        (Board::START, "f5 ?", "expected a square"),
        (must_pass, "c1", "the only move is pass"),
        (over, "pass", "the game is over"),
        (over, "a1", "the game is over"),
    ];
    for (board, text, expected) in cases {
        let error = Othello.parse_action(&board, text).expect_err(text).to_string();
        assert!(error.starts_with(&format!("move '{text}'")), "{error}");
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn the_picture_shows_discs_moves_and_counts() {
    let picture = Othello.picture(&read(AFTER_F5));
    let lines: Vec<&str> = picture.lines().collect();
    assert_eq!(lines[0], "    a b c d e f g h");
    assert_eq!(lines[4], "  4 · · · O X + · ·");
    assert_eq!(lines[5], "  5 · · · X X X · ·");
    assert_eq!(lines[9], "  X 4   O 1");
    assert_eq!(picture.matches('+').count(), 3);
}
