//! Games of Othello in the forms of other programs: transcripts and GGF.

use arena::{GameRecord, Replay, replay};
use gamecore::{Ending, Notation, Outcome, Seat, Turn};
use othello::formats::{ggf, transcript};
use othello::{Board, Move, Othello, bits};

use registry::{GameText, SpecError, TextFormat};

/// Those that Othello reads and writes.
pub(crate) const TEXTS: &[TextFormat] = &[
    TextFormat {
        name: "ggf",
        ending: "ggf",
        resembles: |text| text.starts_with('('),
        read: read_ggf,
        write: write_ggf,
    },
    TextFormat {
        name: "transcript",
        ending: "txt",
        // A board has letters too, but none beyond those of its cells; moves name columns and rows.
        resembles: |text| {
            text.bytes().any(|byte| matches!(byte, b'1'..=b'8')) || read_transcript(text).is_ok()
        },
        read: read_transcript,
        write: write_transcript,
    },
];

/// Reads a transcript from the usual start, `f5d6c3…`.
fn read_transcript(text: &str) -> Result<GameText, SpecError> {
    let (own, opp) = (bits::START_OWN, bits::START_OPP);
    let actions = transcript::read(text, own, opp).map_err(SpecError::plain)?;
    let start = Board::new(own, opp, Seat::Zero);
    played(start, actions.into_iter(), [String::new(), String::new()])
}

/// Reads the first game of a text in GGF.
fn read_ggf(text: &str) -> Result<GameText, SpecError> {
    let games = ggf::read_ggf(text).map_err(SpecError::plain)?;
    let game = games.into_iter().next();
    let game = game.ok_or_else(|| SpecError::plain("GGF: there is no game in the text"))?;
    let mover = if game.black_first { Seat::Zero } else { Seat::One };
    let (own, opp) = game.start();
    let actions = game.moves.iter().map(|made| made.action);
    played(Board::new(own, opp, mover), actions, [game.black.clone(), game.white.clone()])
}

fn played(
    start: Board,
    actions: impl Iterator<Item = u8>,
    players: [String; 2],
) -> Result<GameText, SpecError> {
    let mut board = start;
    let mut texts = Vec::new();
    for number in actions {
        let wrong = || SpecError::new(&number.to_string(), "not a legal action of Othello");
        let action = Move::new(number).ok_or_else(wrong)?;
        texts.push(Othello.action_text(&board, action));
        gamecore::play(&Othello, &mut board, action).map_err(|_| wrong())?;
    }
    Ok(GameText { start: Othello.position_text(&start), actions: texts, players })
}

/// A recorded game as a transcript; passes are left out, as most programs do.
fn write_transcript(record: &GameRecord) -> Result<String, SpecError> {
    let game = read(record)?;
    let start = Board::new(bits::START_OWN, bits::START_OPP, Seat::Zero);
    if game.states[0] != start {
        let reason =
            "a transcript starts from the usual start position, and this game does not; use ggf";
        return Err(SpecError::plain(reason));
    }
    let actions: Vec<u8> = game.steps.iter().map(|step| step.action().number()).collect();
    Ok(transcript::write(&actions, transcript::Passes::LeftOut))
}

/// A recorded game in GGF.
fn write_ggf(record: &GameRecord) -> Result<String, SpecError> {
    let game = read(record)?;
    let start = game.states[0];
    let lead = |board: &Board| {
        let count = |seat| i64::from(board.discs(seat).count_ones());
        count(Seat::Zero) - count(Seat::One)
    };
    let result = match record.outcome {
        Outcome::Unfinished | Outcome::Void => String::new(),
        _ => {
            let note = match record.reason {
                Ending::Resigned => ":r",
                Ending::Time => ":t",
                _ => "",
            };
            let lead = lead(game.final_state()) as f64;
            // Who gave up or ran out of time has lost, whatever stands on the board.
            let lead = match (note, record.outcome.winner()) {
                ("", _) | (_, None) => lead,
                (_, Some(Seat::Zero)) => lead.abs(),
                (_, Some(Seat::One)) => -lead.abs(),
            };
            format!("{lead:+.3}{note}")
        }
    };
    let made = |action: u8| ggf::Move { action, evaluation: None, seconds: None };
    use gamecore::Game as _;
    Ok(ggf::write_ggf(&ggf::Game {
        black: record.agents[0].clone(),
        white: record.agents[1].clone(),
        result,
        kind: "8".to_owned(),
        start_black: start.discs(Seat::Zero),
        start_white: start.discs(Seat::One),
        black_first: Othello.turn(&start) != Turn::Player(Seat::One),
        moves: game.steps.iter().map(|step| made(step.action().number())).collect(),
        ..ggf::Game::default()
    }))
}

fn read(record: &GameRecord) -> Result<Replay<Othello>, SpecError> {
    replay(&Othello, record).map_err(SpecError::plain)
}
