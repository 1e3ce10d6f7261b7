//! `warroom solve` as a person meets it.

use crate::common::{Scratch, json, keys, run};

/// FFO #1, 14 empty squares: g8 wins by 18.
const BOARD: &str = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";

#[test]
fn right_and_wrong_are_told_apart() {
    let files = Scratch::new("solve-right-and-wrong");
    for (expectation, code, word) in [
        ("; G8:+18; H1:+12;", 0, "right"),
        ("", 0, "1 solved, 0 disagree"),
        ("; G8:+20;", 1, "WRONG"),
        ("; H1:+18;", 1, "1 solved, 1 disagree"),
    ] {
        let file = files.write("problems.obf", &format!("{BOARD}{expectation}\n"));
        let ran = run(&format!("solve othello {file} --quiet"));
        assert_eq!(ran.code, code, "{expectation}: {}{}", ran.out, ran.err);
        assert!(ran.out.contains(word), "{expectation}: {}", ran.out);
    }
    let table = "id,board,side_to_move,best_moves\n7,BOARD,X,h1\n".replace("BOARD", &BOARD[..64]);
    let ran = run(&format!("solve othello {} --quiet", files.write("moves.csv", &table)));
    assert_eq!(ran.code, 1, "a move is checked without a score: {}", ran.out);
}

#[test]
fn one_object_with_times_apart() {
    let file = "../../data/othello/ffo.csv";
    let answer = json(&format!("solve othello {file} --only 1-2 --json"));
    assert_eq!(keys(&answer), ["schema", "game", "repeatable", "results"]);
    let results = answer["results"].as_array().expect("a list");
    assert_eq!(results.len(), 2);
    let expected = ["id", "score", "expected", "agrees", "move", "pv", "nodes", "seconds"];
    assert_eq!(keys(&results[0]), expected);
    assert_eq!((&results[0]["id"], &results[0]["score"]), (&"1".into(), &18.into()));
    let two = json(&format!("solve othello {file} --only 1 --threads 2 --json"));
    assert_eq!((&two["repeatable"], &two["results"][0]["score"]), (&false.into(), &18.into()));
}

#[test]
fn bad_input_is_refused_clearly() {
    let file = "../../data/othello/ffo.csv";
    for (words, expected) in [
        (format!("solve othello {file} --only 100"), "no such problem"),
        (format!("solve othello {file} --only 44-40"), "FROM-TO"),
        ("solve othello no/such/file".to_owned(), "no/such/file"),
        ("solve othello Cargo.toml".to_owned(), "line 1"),
    ] {
        let ran = run(&words);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{words}");
        assert!(ran.err.contains(expected), "{words}: {}", ran.err);
    }
}
