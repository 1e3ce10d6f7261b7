//! The GGF reader and writer on texts made here.

use crate::common::random_game;
use gamecore::Rng;
use othello::bits::{START_OPP, START_OWN};
use othello::formats::ggf::{Game, GgfError, Move, read_ggf, write_ggf};
use othello::square::PASS;
use proptest::prelude::*;

const START_BOARD: &str =
    "BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]";

fn game_with(moves: &str) -> String {
    format!(
        "(;GM[Othello]PC[a server]DT[2003.12.15 13:24:03]PB[one]PW[two]RE[-2.000:t]TI[15:00//02:00]\
         TY[8]{START_BOARD}{moves};)"
    )
}

fn plain(action: u8) -> Move {
    Move { action, evaluation: None, seconds: None }
}

#[test]
fn a_game_with_notes() {
    let text = game_with("B[d3//0.01]W[c5/-1.50/1:02]\nB[F6/2]W[f5]");
    let games = read_ggf(&text).unwrap();
    let [game] = games.as_slice() else { panic!("{} games", games.len()) };
    assert_eq!((game.place.as_str(), game.date.as_str()), ("a server", "2003.12.15 13:24:03"));
    assert_eq!((game.black.as_str(), game.white.as_str()), ("one", "two"));
    assert_eq!((game.time.as_str(), game.kind.as_str()), ("15:00//02:00", "8"));
    assert_eq!(game.result, "-2.000:t");
    assert_eq!((game.start(), game.black_first), ((START_OWN, START_OPP), true));
    assert_eq!(
        game.moves,
        [
            Move { seconds: Some(0.01), ..plain(19) },
            Move { action: 34, evaluation: Some(-1.5), seconds: Some(62.0) },
            Move { evaluation: Some(2.0), ..plain(45) },
            plain(37),
        ]
    );
    assert_eq!(read_ggf(&write_ggf(game)).unwrap(), games);
}

#[test]
fn counts_make_groups() {
    let game = game_with("B[d3]");
    let text = format!("1 {game}\n2 {game}{game}\n\n{game} 2 {game}\n{game}\n");
    let groups: Vec<usize> = read_ggf(&text).unwrap().iter().map(|game| game.group).collect();
    assert_eq!(groups, [0, 1, 1, 2, 3, 3]);
    assert_eq!(read_ggf(" \n").unwrap(), []);
    let error = read_ggf(&format!("3 {game}{game}")).unwrap_err();
    assert!(matches!(error, GgfError::MissingGames { game: 3, missing: 1, .. }));
}

#[test]
fn passes_are_read_and_put_in() {
    let board = "BO[8 O*------ -------- -------- -------- -------- -------- -------- -------- *]";
    for moves in ["B[PA]W[c1]", "B[pass//1]W[C1]", "W[c1]"] {
        let games = read_ggf(&format!("(;GM[Othello]{board}{moves};)")).unwrap();
        let actions: Vec<u8> = games[0].moves.iter().map(|played| played.action).collect();
        assert_eq!(actions, [PASS, 2], "{moves}");
        assert_eq!(read_ggf(&write_ggf(&games[0])).unwrap(), games);
    }
    let white_first = format!("(;GM[Othello]{}W[c1];)", board.replace(" *]", " O]"));
    let games = read_ggf(&white_first).unwrap();
    assert_eq!((games[0].start(), games[0].black_first), ((1, 2), false));
    assert_eq!(read_ggf(&write_ggf(&games[0])).unwrap(), games);
}

#[test]
fn errors_name_the_place() {
    let message = |text: &str| read_ggf(text).unwrap_err().to_string();
    let moves = |moves: &str| message(&game_with(moves));
    assert!(moves("B[d3]W[a1]").contains("move 2 (\"a1\"), character"));
    assert!(moves("B[d3]W[a1]").contains("no disc would turn over"));
    assert!(moves("W[d3]").contains("a move of white out of turn"));
    assert!(moves("B[PA]").contains("may not pass"));
    assert!(moves("B[i9]").contains("field B is \"i9\", expected a square from a1 to h8"));
    assert!(moves("B[d3/x]").contains("a number after the first `/`"));
    assert!(moves("B[d3/nan]").contains("a number after the first `/`"));
    assert!(moves("B[d3//1:2:3:4]").contains("[hours:]minutes:seconds"));
    assert!(moves(START_BOARD).contains("no second board"));
    assert!(message("(;GM[Go];)").contains("field GM is \"Go\", expected Othello"));
    assert!(message("(;GM[Othello];)").contains("expected a field BO"));
    assert!(message("(;GM[Othello]B[d3];)").contains("game 1, character 16: expected a field BO"));
    assert!(message("(;BO[10 ---];)").contains("a board of size 8"));
    assert!(message("(;BO[];)").contains("a board of size 8"));
    assert!(message("(;BO[8 ---* *];)").contains("64 cells and the side to move"));
    assert!(message("(;BO[8 x];)").contains("only `*`, `O` and `-`"));
    assert!(message(&game_with("").replace(" *]", " -]")).contains("only `*`"));
    assert!(message(&game_with("").replace(" *]", " **]")).contains("64 cells"));
    assert!(message("hello").contains("character 1: found \"hello\", expected the beginning"));
    assert!(message("0 (;;)").contains("a number of games from 1"));
    assert!(message("99999999999 (;;)").contains("a number of games from 1"));
    assert!(message("(;GM").contains("`[` after the field name"));
    assert!(message("(;GM[Othello").contains("`]` after the value"));
    assert!(message("(;é").contains("a field name or the end"));
    let second = format!("{}\n(;GM[Go];)", game_with(""));
    assert!(message(&second).starts_with("game 2, line 2, character "));
}

#[test]
fn brackets_in_names_do_not_break_the_text() {
    let game = Game {
        black: "a]b".to_owned(),
        start_black: START_OWN,
        start_white: START_OPP,
        black_first: true,
        ..Game::default()
    };
    assert_eq!(read_ggf(&write_ggf(&game)).unwrap()[0].black, "a)b");
}

proptest! {
    #[test]
    fn games_survive_the_round_trip(seed in any::<u64>(), limit in 0usize..70) {
        let mut rng = Rng::new(seed);
        let actions = random_game(&mut rng, limit);
        let mut note = || (rng.below(2) == 0).then(|| f64::from(rng.below(9999)) / 100.0);
        let moves = actions
            .into_iter()
            .map(|action| Move { action, evaluation: note(), seconds: note() })
            .collect();
        let game = Game {
            white: "someone".to_owned(),
            start_black: START_OWN,
            start_white: START_OPP,
            black_first: true,
            moves,
            ..Game::default()
        };
        prop_assert_eq!(read_ggf(&write_ggf(&game)), Ok(vec![game]));
    }

    #[test]
    fn any_text_is_read_or_refused(text in any::<String>()) {
        let _ = read_ggf(&text);
    }

    #[test]
    fn pieces_of_games_are_read_or_refused(
        pieces in prop::collection::vec(prop::sample::select(vec![
            "(;", ";)", "GM[Othello]", "BO[", "8 ", "--------", "---O*---", "*", "O", "]", "B[",
            "W[", "d3", "PA", "/", "1.5", "2 ", " ", "é", START_BOARD, "B[d3]", "W[c5]",
        ]), 0..40)
    ) {
        let _ = read_ggf(&pieces.concat());
    }

    #[test]
    fn damaged_games_are_read_or_refused(place in 0usize..300, character in any::<char>()) {
        let mut characters: Vec<char> = game_with("B[d3//0.01]W[c5/-1.5]").chars().collect();
        if let Some(old) = characters.get_mut(place) {
            *old = character;
        }
        let _ = read_ggf(&characters.into_iter().collect::<String>());
    }
}
