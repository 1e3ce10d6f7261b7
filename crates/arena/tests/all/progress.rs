//! A game step by step, taken back and played again.

use arena::{GameInProgress, Replay, Seeds, replay};
use gamecore::{Buf, Ending, Notation, Outcome, Rng, Seat};
use testkit::toys::{DiceRace, StagedNim, TicTacToe};

fn begin<G: Notation>(game: G) -> GameInProgress<G> {
    let start = game.start(&G::Setup::default(), &mut Rng::new(1));
    let history = Replay { states: vec![start], steps: Vec::new() };
    GameInProgress::new(game, history, Seeds { chance: 9, ..Seeds::default() })
}

fn names() -> [String; 2] {
    ["one".to_owned(), "two".to_owned()]
}

/// Plays first or last legal actions until the game is over; says how many.
fn play_out<G: Notation>(game: &mut GameInProgress<G>) -> usize {
    let mut played = 0;
    while game.ending().is_none() {
        let mut actions = Buf::new();
        game.game().actions(game.state(), &mut actions);
        let action = if played % 3 == 0 { actions[0] } else { actions[actions.len() - 1] };
        game.play(action).expect("a legal action");
        played += 1;
    }
    played
}

fn check_back_and_forth<G: Notation>(game: G) {
    let mut progress = begin(game);
    let start = progress.state().clone();
    let played = play_out(&mut progress);
    let (end, record) = (progress.state().clone(), progress.record(names()));
    assert!(replay(progress.game(), &record).is_ok());
    for left in [played, 1, played] {
        for _ in 0..left {
            assert!(progress.undo());
        }
        if left == played {
            assert!(!progress.undo(), "nothing before the start");
            assert_eq!(*progress.state(), start);
        }
        for _ in 0..left {
            assert!(progress.redo());
        }
        assert!(!progress.redo(), "nothing after the end");
        assert_eq!(*progress.state(), end);
        assert_eq!(progress.record(names()), record, "chance repeats too");
    }
}

#[test]
fn games_go_back_and_forth() {
    check_back_and_forth(TicTacToe);
    check_back_and_forth(StagedNim::default());
    check_back_and_forth(DiceRace);
}

#[test]
fn another_action_forgets_what_was_taken_back() {
    let mut game = begin(TicTacToe);
    for cell in [0, 1, 2] {
        game.play(cell).expect("free");
    }
    assert!(game.undo() && game.undo());
    game.play(5).expect("free");
    assert!(!game.redo());
    assert_eq!(game.record(names()).actions, ["a1", "c2"]);
}

#[test]
fn illegal_actions_change_nothing() {
    let mut game = begin(TicTacToe);
    game.play(4).expect("free");
    assert!(game.play(4).is_err() && game.play(200).is_err());
    assert_eq!(game.record(names()).actions, ["b2"]);
}

#[test]
fn a_resignation_ends_the_game_and_can_be_taken_back() {
    let mut game = begin(TicTacToe);
    game.play(4).expect("free");
    game.resign(Seat::One);
    assert_eq!(game.ending(), Some((Outcome::SeatZero, Ending::Resigned)));
    game.resign(Seat::Zero);
    assert_eq!(game.ending().expect("over").0, Outcome::SeatZero, "the first one counts");
    assert!(game.play(0).is_err(), "nobody acts after the end");
    assert!(game.undo());
    assert_eq!(game.ending(), None);
    assert_eq!(game.record(names()).actions, ["b2"], "only the resignation is taken back");
}

#[test]
fn whose_time_is_up_loses_and_the_record_says_so() {
    let mut game = begin(TicTacToe);
    game.play(4).expect("free");
    game.lose_on_time();
    assert_eq!(game.ending(), Some((Outcome::SeatZero, Ending::Time)));
    game.resign(Seat::Zero);
    let record = game.record(names());
    assert_eq!((record.outcome, &record.reason), (Outcome::SeatZero, &Ending::Time));
    assert!(replay(&TicTacToe, &record).is_ok(), "the record can be played again");
}

/// What was taken back before a resignation is still there when the resignation is taken back.
#[test]
fn a_resignation_does_not_eat_actions_to_play_again() {
    let mut game = begin(TicTacToe);
    for cell in [0, 1, 2] {
        game.play(cell).expect("free");
    }
    assert!(game.undo() && game.undo());
    game.resign(Seat::One);
    assert!(!game.redo(), "nothing is played in a game that was given up");
    assert!(game.undo());
    assert!(game.redo() && game.redo());
    assert_eq!(game.record(names()).actions, ["a1", "b1", "c1"]);
}
