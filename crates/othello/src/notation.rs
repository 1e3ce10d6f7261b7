//! Text of moves and positions.
//!
//! A position is 64 characters, a1 to h8 row by row, a space, and the side to move: `X` black,
//! `O` white, `-` empty. Read, but never written: `.` for empty, `x * b B` for black, `o w W` for
//! white, white space anywhere (the eight-row form), a list of moves from the start, and GGF.

use gamecore::{Game, Notation, NotationError, Seat, Told, Turn};

use crate::formats::{ggf, transcript};
use crate::rules::{Board, Move, Othello};
use crate::{bits, square};

const POSITION: &str = "position";

/// What a character of a board text stands for.
enum Cell {
    Black,
    White,
    Empty,
}

fn cell(character: char) -> Option<Cell> {
    match character {
        'X' | 'x' | '*' | 'b' | 'B' => Some(Cell::Black),
        'O' | 'o' | 'w' | 'W' => Some(Cell::White),
        '-' | '.' => Some(Cell::Empty),
        _ => None,
    }
}

/// A board of 64 cells and the side to move, with white space anywhere.
fn parse_board(text: &str) -> Result<Board, NotationError> {
    let wrong = |reason: String| NotationError::new(POSITION, text, reason);
    let mut discs = [0u64; 2];
    let mut characters = text.chars().filter(|character| !character.is_whitespace());
    for number in 0..square::COUNT {
        let character = characters.next().ok_or_else(|| {
            wrong(format!("64 squares and the side to move are needed, found {number} squares"))
        })?;
        match cell(character) {
            Some(Cell::Black) => discs[0] |= 1 << number,
            Some(Cell::White) => discs[1] |= 1 << number,
            Some(Cell::Empty) => {}
            None => {
                return Err(wrong(format!(
                    "'{character}' on {} is none of - . (empty), X x * b B (black), O o w W \
                     (white)",
                    square::name(number)
                )));
            }
        }
    }
    let side = characters.next().and_then(cell);
    let rest: String = characters.collect();
    let mover = match side {
        Some(Cell::Black) if rest.is_empty() => Seat::Zero,
        Some(Cell::White) if rest.is_empty() => Seat::One,
        _ => return Err(wrong("after the 64 squares comes the side to move, X or O".into())),
    };
    Ok(Board::new(discs[mover.index()], discs[mover.other().index()], mover))
}

/// The position at the end of the first game of a GGF text.
fn parse_ggf(text: &str) -> Result<Board, NotationError> {
    let wrong = |reason: String| NotationError::new(POSITION, text, reason);
    let games = ggf::read_ggf(text).map_err(|error| wrong(error.to_string()))?;
    let game = games.first().ok_or_else(|| wrong("no game in it".into()))?;
    let (own, opp) = game.start();
    let mover = if game.black_first { Seat::Zero } else { Seat::One };
    let moves = game.moves.iter().map(|made| made.action);
    Ok(after(Board::new(own, opp, mover), moves))
}

/// The position after moves that a reader has checked.
fn after(mut board: Board, moves: impl IntoIterator<Item = u8>) -> Board {
    for number in moves {
        let action = Move::new(number).expect("readers give squares and passes only");
        Othello.apply(&mut board, action);
    }
    board
}

/// The position after a list of moves from the start.
fn parse_moves(text: &str) -> Result<Board, NotationError> {
    let wrong = |reason: &dyn std::fmt::Display| {
        let expected = "expected 64 squares and the side to move, or moves from the start";
        NotationError::new(POSITION, text, format!("{expected}; {reason}"))
    };
    let moves =
        transcript::read(text, bits::START_OWN, bits::START_OPP).map_err(|error| wrong(&error))?;
    if moves.is_empty() {
        // Move numbers alone: a slip, hardly meant as the start.
        return Err(wrong(&"there are no moves in it"));
    }
    Ok(after(Board::START, moves))
}

impl Notation for Othello {
    fn action_text(&self, _board: &Board, action: Move) -> String {
        square::name(action.number()).to_owned()
    }

    fn parse_action(&self, board: &Board, text: &str) -> Result<Move, NotationError> {
        let wrong = |reason: String| Err(NotationError::new("move", text, reason));
        let word = text.trim().to_ascii_lowercase();
        let must_pass = board.moves() == 0;
        if board.is_over() {
            return wrong("the game is over".into());
        }
        if matches!(word.as_str(), "pass" | "pa" | "ps" | "--") {
            return if must_pass {
                Ok(Move::PASS)
            } else {
                wrong("passing is only allowed without a legal move".into())
            };
        }
        match square::parse(&word) {
            None => wrong("expected a square from a1 to h8, or pass".into()),
            Some(number) if board.moves() >> number & 1 == 1 => {
                Ok(Move::new(number).expect("a square"))
            }
            Some(_) if must_pass => wrong("no disc can be placed: the only move is pass".into()),
            Some(number) if (board.own() | board.opp()) >> number & 1 == 1 => {
                wrong("the square is occupied".into())
            }
            Some(_) => wrong("a disc there would flip nothing".into()),
        }
    }

    fn position_text(&self, board: &Board) -> String {
        let (black, white) = (board.discs(Seat::Zero), board.discs(Seat::One));
        let mut text: String = (0..square::COUNT)
            .map(|number| match (black >> number & 1, white >> number & 1) {
                (1, _) => 'X',
                (_, 1) => 'O',
                _ => '-',
            })
            .collect();
        text.push_str(if board.mover() == Seat::Zero { " X" } else { " O" });
        text
    }

    fn parse_position(&self, text: &str) -> Result<Board, NotationError> {
        let text = text.trim();
        // A list of moves begins with a column and a row (or a move number); a board text cannot,
        // because digits are none of its characters.
        let digit = |character: char| character.is_ascii_digit();
        if text.is_empty() {
            return Err(NotationError::new(
                POSITION,
                text,
                "expected 64 squares and the side to move, or moves from the start",
            ));
        }
        if text.contains("(;") {
            return parse_ggf(text);
        }
        if text.chars().take(6).any(digit) { parse_moves(text) } else { parse_board(text) }
    }

    fn picture(&self, board: &Board) -> String {
        let (black, white) = (board.discs(Seat::Zero), board.discs(Seat::One));
        let mut lines = vec!["    a b c d e f g h".to_owned()];
        for row in 0..8u8 {
            let cells: Vec<&str> = (row * 8..row * 8 + 8)
                .map(|number| {
                    let on = |discs: u64| discs >> number & 1 == 1;
                    if on(black) {
                        "X"
                    } else if on(white) {
                        "O"
                    } else if on(board.moves()) {
                        "+"
                    } else {
                        "·"
                    }
                })
                .collect();
            lines.push(format!("  {} {}", row + 1, cells.join(" ")));
        }
        let count = format!("  X {}   O {}", black.count_ones(), white.count_ones());
        lines.push(count);
        lines.join("\n")
    }

    fn ending(&self, board: &Board) -> String {
        if self.turn(board) != Turn::Over {
            return String::new();
        }
        let count = |seat| board.discs(seat).count_ones();
        format!("discs {}:{}", count(Seat::Zero), count(Seat::One))
    }

    fn ending_tail(&self, told: &Told<'_>, reason: &str) -> String {
        let counts = reason.strip_prefix("discs ").and_then(|counts| counts.split_once(':'));
        match (counts, told.winner) {
            (None, _) => format!(": {reason}"),
            (Some((each, _)), None) => format!(": {each} discs each"),
            (Some((black, white)), Some(winner)) => {
                // The reader's own discs first, otherwise the winner's.
                let first = told.you.unwrap_or(winner);
                let (own, other) =
                    if first == Seat::Zero { (black, white) } else { (white, black) };
                format!(" {own} to {other}")
            }
        }
    }

    fn seat_name(&self, seat: Seat) -> String {
        match seat {
            Seat::Zero => "black (X)".into(),
            Seat::One => "white (O)".into(),
        }
    }
}
