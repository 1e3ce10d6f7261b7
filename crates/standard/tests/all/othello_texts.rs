//! Games of Othello come back from the texts of other programs.

use arena::{GameInProgress, GameRecord, Replay, Seeds};
use gamecore::{Notation, Outcome};
use othello::Othello;
use standard::{
    OthelloText, othello_ggf, othello_transcript, read_othello_ggf, read_othello_transcript,
};

fn record_of(text: &OthelloText) -> GameRecord {
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
    let read = read_othello_transcript("F5 d6 c3 d3 c4").unwrap();
    assert_eq!(read.actions, ["f5", "d6", "c3", "d3", "c4"]);
    let record = record_of(&read);
    assert_eq!(othello_transcript(&record).unwrap(), "f5d6c3d3c4");
    let ggf = othello_ggf(&record).unwrap();
    assert_eq!(read_othello_ggf(&ggf).unwrap(), read);
    assert!(read_othello_transcript("f5f5").is_err());
    assert!(read_othello_ggf("(;GM[Othello]").is_err());
}

#[test]
fn who_gives_up_has_lost_whatever_stands_on_the_board() {
    let read = read_othello_transcript("f5").unwrap();
    let ahead =
        GameRecord { outcome: Outcome::SeatOne, reason: "resigned".into(), ..record_of(&read) };
    let ggf = othello_ggf(&ahead).unwrap();
    assert!(ggf.contains("RE[-3.000:r]"), "black leads 4 to 1 and gives up: {ggf}");
}

#[test]
fn a_transcript_cannot_tell_another_start() {
    let start = "-".repeat(27) + "XX------XO" + &"-".repeat(27) + " O";
    let text = OthelloText { start, actions: Vec::new(), players: Default::default() };
    let record = record_of(&text);
    assert!(othello_transcript(&record).unwrap_err().to_string().contains("ggf"));
    assert_eq!(read_othello_ggf(&othello_ggf(&record).unwrap()).unwrap(), text);
}
