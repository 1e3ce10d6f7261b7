//! Everything that reads Othello from outside, with input that may be anything: no panic, and what
//! is accepted comes back from its own text.

use crate::common::random_game;
use gamecore::{Buf, Game, Horizon, Notation, Rng};
use othello::bits::{START_OPP, START_OWN};
use othello::formats::compressed;
use othello::formats::ggf::{self, read_ggf, write_ggf};
use othello::formats::transcript::{self, Passes};
use othello::formats::wthor::read_games;
use othello::{Board, Othello};
use proptest::prelude::*;
use testkit::fuzz::{Edit, cases, damaged};

/// As many cases as were asked for; failures are found again by their input, not by a file.
fn config() -> ProptestConfig {
    ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() }
}

/// A few changes with letters that occur in such texts, and some that never do.
fn edits(letters: &'static str) -> impl Strategy<Value = Vec<Edit>> {
    let letters: Vec<char> = letters.chars().chain("\u{0}é💥 \n".chars()).collect();
    prop::collection::vec((any::<u16>(), any::<u8>(), prop::sample::select(letters)), 0..5)
}

fn check_position(text: &str) {
    let Ok(board) = Othello.parse_position(text) else { return };
    let written = Othello.position_text(&board);
    assert_eq!(Othello.parse_position(&written), Ok(board), "{text:?}");
    Othello.playout(&mut board.clone(), &mut Rng::new(1), Horizon::actions(5));
}

fn check_action(board: &Board, text: &str) {
    let Ok(action) = Othello.parse_action(board, text) else { return };
    let mut legal = Buf::new();
    Othello.actions(board, &mut legal);
    assert!(legal.contains(&action), "{text:?} in {board:?}");
    let written = Othello.action_text(board, action);
    assert_eq!(Othello.parse_action(board, &written), Ok(action));
}

fn check_transcript(text: &str) {
    let Ok(actions) = transcript::read(text, START_OWN, START_OPP) else { return };
    let written = transcript::write(&actions, Passes::Written);
    assert_eq!(transcript::read(&written, START_OWN, START_OPP), Ok(actions), "{text:?}");
}

fn check_ggf(text: &str) {
    for game in read_ggf(text).into_iter().flatten() {
        let alone = ggf::Game { group: 0, ..game };
        assert_eq!(read_ggf(&write_ggf(&alone)), Ok(vec![alone]), "{text:?}");
    }
}

fn check_compressed(text: &str) {
    let Ok((black, white)) = compressed::read(text) else { return };
    assert_eq!(compressed::read(&compressed::write(black, white)), Ok((black, white)), "{text:?}");
}

fn check_wthor(bytes: &[u8]) {
    for game in read_games(bytes).into_iter().flat_map(|file| file.games) {
        let moves = transcript::write(&game.actions, Passes::LeftOut);
        let mut replayed = transcript::read(&moves, START_OWN, START_OPP).expect("legal moves");
        // A pass at the very end is not written, and none is read.
        replayed.truncate(game.actions.len());
        assert_eq!(replayed, game.actions);
    }
}

/// The transcript, the last position and the GGF text of some random game.
fn texts_of_game(seed: u64) -> [String; 4] {
    let mut rng = Rng::new(seed);
    let length = rng.below(70) as usize;
    let actions = random_game(&mut rng, length);
    let moves = transcript::write(&actions, Passes::Written);
    let mut board = Board::START;
    for &number in &actions {
        Othello.apply(&mut board, othello::Move::new(number).expect("an action"));
    }
    let note = |number: u8| Some(f64::from(number) / 8.0).filter(|_| !number.is_multiple_of(3));
    let game = ggf::Game {
        black: "one".into(),
        result: "+2.0:t".into(),
        start_black: START_OWN,
        start_white: START_OPP,
        black_first: true,
        moves: actions
            .iter()
            .map(|&action| ggf::Move {
                action,
                evaluation: note(action),
                seconds: note(action + 1),
            })
            .collect(),
        ..ggf::Game::default()
    };
    let discs = [gamecore::Seat::Zero, gamecore::Seat::One].map(|seat| board.discs(seat));
    let cells = compressed::write(discs[0], discs[1]);
    [moves, Othello.position_text(&board), write_ggf(&game), cells]
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_text(text in any::<String>()) {
        check_position(&text);
        check_action(&Board::START, &text);
        check_transcript(&text);
        check_ggf(&text);
        check_compressed(&text);
    }

    #[test]
    fn damaged_positions(seed in 0u64..50, edits in edits("XO-.xo*bBwW135acf")) {
        check_position(&damaged(&texts_of_game(seed)[1], &edits));
    }

    #[test]
    fn damaged_transcripts(seed in 0u64..50, edits in edits("abcdefghi0123456789pas-.,;):")) {
        let text = damaged(&texts_of_game(seed)[0], &edits);
        check_transcript(&text);
        check_position(&text);
    }

    #[test]
    fn damaged_games(seed in 0u64..50, edits in edits("[](;)*O-BW/8:.e19")) {
        let text = damaged(&texts_of_game(seed)[2], &edits);
        check_ggf(&text);
        check_position(&text);
    }

    #[test]
    fn damaged_cells(seed in 0u64..50, edits in edits("012345678-, ")) {
        check_compressed(&damaged(&texts_of_game(seed)[3], &edits));
    }

    /// In the start, where a disc must be placed, and where only a pass is possible.
    #[test]
    fn words_like_moves(text in "[ ]{0,2}([a-iA-I][0-9]|pa|PASS|ps|--|[a-h]|[1-8]){0,2}[ ]?") {
        let must_pass = Board::new(2, 1, gamecore::Seat::Zero);
        check_action(&Board::START, &text);
        check_action(&must_pass, &text);
    }

    #[test]
    fn pieces_of_games(pieces in prop::collection::vec(prop::sample::select(vec![
        "(;", ";)", "GM[Othello]", "BO[", "8 ", "--------", "---O*---", "*", "O", "]", "B[", "W[",
        "d3", "PA", "/", "1.5", "9e307:9e307", "2 ", " ", "RE[+1]",
        "BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]", "B[d3]",
        "W[c5]", "B[d3//9e307:9e307]",
    ]), 0..24)) {
        let pieces = pieces.concat();
        check_ggf(&pieces);
        check_ggf(&format!("(;BO[8 {}---O*------*O---{} *]{pieces};)", "-".repeat(24), "-".repeat(24)));
    }

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        check_wthor(&bytes);
    }

    /// A header that fits, records of random games, and some bytes changed.
    #[test]
    fn damaged_bases(
        seed in 0u64..50,
        length in prop::sample::select(vec![68usize, 26, 20]),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
    ) {
        let actions = random_game(&mut Rng::new(seed), 64);
        let mut bytes = vec![20, 26, 2, 16, 1, 0, 0, 0, 1, 0, 0, 0, 8, 0, 24, 0];
        bytes.extend([1, 0, 2, 0, 3, 0, 40, 33]);
        let squares = actions.iter().filter(|action| **action < 64);
        bytes.extend(squares.map(|action| 10 * (action / 8 + 1) + action % 8 + 1));
        bytes.resize(16 + length, 0);
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        check_wthor(&bytes);
    }
}

/// Too large for a number of seconds, though each part is a number.
#[test]
fn clocks_of_games_stay_finite() {
    let game = "(;GM[Othello]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- \
                -------- *]B[d3//9e307:9e307];)";
    let error = read_ggf(game).expect_err("an infinite time").to_string();
    assert!(error.contains("seconds, or [hours:]minutes:seconds"), "{error}");
}
