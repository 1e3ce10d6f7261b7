//! Weight files: what is read, and what is said about wrong ones.

use crate::common::{factor_names, parse, shipped};
use registry::factors::WeightError;

fn file(lines: &str) -> String {
    format!("game = \"othello\"\n[weights]\n{lines}")
}

#[test]
fn shipped_files_are_what_their_names_say() {
    let weights = shipped();
    let names: Vec<&str> = weights.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["paper", "paper-quick", "discs"], "the first is the default");
    let (paper, quick, discs) = (&weights[0].1, &weights[1].1, &weights[2].1);
    for name in factor_names() {
        assert_ne!(paper.get(name), 0, "paper counts {name}");
    }
    for name in ["stability", "intermediate-discs"] {
        assert_eq!(quick.get(name), 0, "paper-quick leaves out {name}");
    }
    assert_eq!((discs.get("pieces"), discs.get("mobility"), discs.get("terminal")), (1, 0, 0));
}

#[test]
fn factors_left_out_weigh_nothing() {
    let weights = parse(&file("mobility = -7\nterminal = 9")).expect("a weight file");
    for name in factor_names() {
        let expected = match name {
            "mobility" => -7,
            "terminal" => 9,
            _ => 0,
        };
        assert_eq!(weights.get(name), expected, "{name}");
    }
    assert_eq!(weights.get("no such factor"), 0);
}

#[test]
fn wrong_files_are_refused_with_the_reason() {
    let cases = [
        (file("mobilty = 1"), "unknown factor 'mobilty'; the factors of othello: terminal, pieces"),
        (file("\"\" = 1"), "unknown factor ''"),
        (file("pieces = 1001"), "weight of pieces is 1001: expected -1000 to 1000"),
        (file("pieces = -1001"), "weight of pieces is -1001"),
        (file("terminal = -1"), "weight of terminal is -1: expected 0 to 100000000"),
        (file("terminal = 100000001"), "weight of terminal is 100000001"),
        (file("pieces = 3000000000"), "not a weight file"),
        (file("pieces = 1.5"), "not a weight file"),
        (file("pieces = \"1\""), "not a weight file"),
        (file("pieces = 1\npieces = 2"), "not a weight file"),
        (file("pieces = "), "not a weight file"),
        ("game = \"chess\"\n[weights]\npieces = 1".into(), "weights for chess, expected weights"),
        ("[weights]\npieces = 1".into(), "game"),
        ("game = \"othello\"".into(), "weights"),
        ("game = \"othello\"\nweights = 3".into(), "not a weight file"),
        ("game = \"othello\"\ncolour = 1\n[weights]".into(), "colour"),
        (String::new(), "not a weight file"),
        ("\u{0}\u{1}".into(), "not a weight file"),
        ("{\"game\": \"othello\"}".into(), "not a weight file"),
    ];
    for (text, expected) in cases {
        let error = parse(&text).expect_err(&text).to_string();
        assert!(error.contains(expected), "{text:?}: {error}");
    }
}

/// The game is looked at before the factors: foreign factors would only confuse.
#[test]
fn another_game_is_told_first() {
    let text = "game = \"chess\"\n[weights]\nbishops = 3";
    assert!(matches!(parse(text), Err(WeightError::Game { .. })));
}

#[test]
fn the_ends_of_the_ranges_are_allowed() {
    for line in ["pieces = 1000", "pieces = -1000", "terminal = 0", "terminal = 100000000"] {
        assert!(parse(&file(line)).is_ok(), "{line}");
    }
}
