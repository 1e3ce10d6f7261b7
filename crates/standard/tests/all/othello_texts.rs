//! Games of Othello come back from the texts of other programs.

use arena::{GameInProgress, GameRecord, Replay, Seeds};
use gamecore::{Game as _, Notation, Outcome};
use othello::Othello;
use registry::{GameText, TextFormat};

/// The text of other programs of this name.
fn format(name: &str) -> &'static TextFormat {
    let texts = standard::registry().open(Othello::NAME, "").unwrap().texts();
    texts.iter().find(|format| format.name == name).unwrap()
}

fn record_of(text: &GameText) -> GameRecord {
    let start = Othello.parse_position(&text.start).unwrap();
    let history = Replay { states: vec![start], steps: Vec::new() };
    let mut game = GameInProgress::new(Othello, history, Seeds::default());
    for action in &text.actions {
        let action = Othello.parse_action(game.state(), action).unwrap();
        game.play(action).unwrap();
    }
    game.record(text.players.clone())
}

#[test]
fn games_come_back_from_their_texts() {
    let (transcript, ggf) = (format("transcript"), format("ggf"));
    let read = (transcript.read)("F5 d6 c3 d3 c4").unwrap();
    assert_eq!(read.actions, ["f5", "d6", "c3", "d3", "c4"]);
    let record = record_of(&read);
    assert_eq!((transcript.write)(&record).unwrap(), "f5d6c3d3c4");
    let text = (ggf.write)(&record).unwrap();
    assert!((ggf.resembles)(&text) && (transcript.resembles)("f5"));
    assert_eq!((ggf.read)(&text).unwrap(), read);
    assert!((transcript.read)("f5f5").is_err());
    assert!((ggf.read)("(;GM[Othello]").is_err());
}

#[test]
fn who_gives_up_has_lost_whatever_stands_on_the_board() {
    let read = (format("transcript").read)("f5").unwrap();
    let ahead =
        GameRecord { outcome: Outcome::SeatOne, reason: "resigned".into(), ..record_of(&read) };
    let ggf = (format("ggf").write)(&ahead).unwrap();
    assert!(ggf.contains("RE[-3.000:r]"), "black leads 4 to 1 and gives up: {ggf}");
}

#[test]
fn a_transcript_cannot_tell_another_start() {
    let start = "-".repeat(27) + "XX------XO" + &"-".repeat(27) + " O";
    let text = GameText { start, actions: Vec::new(), players: Default::default() };
    let record = record_of(&text);
    assert!((format("transcript").write)(&record).unwrap_err().to_string().contains("ggf"));
    let ggf = format("ggf");
    assert_eq!((ggf.read)(&(ggf.write)(&record).unwrap()).unwrap(), text);
}
