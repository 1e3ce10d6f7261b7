//! Files of endgame problems: our table form and OBF.
//!
//! The table form has a header line `id,board,side_to_move,…`; the columns `best_moves` (separated
//! by spaces) and `exact_score_side_to_move` are read where present, others are ignored, and lines
//! that begin with `#` are comments. OBF is one problem a line: board and side to move, then
//! `; MOVE:SCORE` for any number of moves, `%` beginning a comment.

use std::fmt::Display;

use gamecore::Notation;
use othello::{Board, Othello, square};

/// One position to solve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Its number or name.
    pub id: String,
    /// The position.
    pub board: Board,
    /// The known score for the side to move, if the file says.
    pub expected: Option<i32>,
    /// The known best moves, if the file says.
    pub best: Vec<u8>,
}

/// What is wrong with a problem file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct ProblemError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong and what was expected.
    pub reason: String,
}

/// Reads a problem file of either form.
pub fn read_problems(text: &str) -> Result<Vec<Problem>, ProblemError> {
    let mut lines = (1..)
        .zip(text.lines().map(str::trim))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with(['#', '%']))
        .peekable();
    let columns = match lines.peek() {
        Some((number, header)) if header.contains("board") => {
            Some(Columns::read(header, Line(*number))?)
        }
        _ => None,
    };
    let problems = lines
        .skip(usize::from(columns.is_some()))
        .enumerate()
        .map(|(index, (number, line))| match &columns {
            Some(columns) => columns.problem(line, Line(number)),
            None => obf_problem(line, index + 1, Line(number)),
        })
        .collect::<Result<Vec<Problem>, ProblemError>>()?;
    if problems.is_empty() {
        return Err(Line(1).wrong("expected at least one problem"));
    }
    Ok(problems)
}

/// The number of a line while it is read.
#[derive(Clone, Copy)]
struct Line(usize);

impl Line {
    fn wrong(self, reason: impl Display) -> ProblemError {
        ProblemError { line: self.0, reason: reason.to_string() }
    }

    fn board(self, text: &str) -> Result<Board, ProblemError> {
        Othello.parse_position(text).map_err(|error| self.wrong(error))
    }

    fn action(self, text: &str) -> Result<u8, ProblemError> {
        let expected = || self.wrong(format!("'{text}': expected a square or pass"));
        match text.to_ascii_lowercase().as_str() {
            "pass" | "pa" | "ps" | "--" => Ok(square::PASS),
            word => square::parse(word).ok_or_else(expected),
        }
    }

    fn score(self, text: &str) -> Result<i32, ProblemError> {
        match text.parse() {
            Ok(score) if (-64..=64).contains(&score) => Ok(score),
            _ => Err(self.wrong(format!("'{text}': expected a score from -64 to 64"))),
        }
    }
}

/// Where the columns of the table form are.
struct Columns {
    id: usize,
    board: usize,
    side: usize,
    best: Option<usize>,
    score: Option<usize>,
}

impl Columns {
    fn read(header: &str, at: Line) -> Result<Self, ProblemError> {
        let names: Vec<&str> = header.split(',').map(str::trim).collect();
        let find = |name: &str| names.iter().position(|known| *known == name);
        let need = |name: &str| {
            find(name).ok_or_else(|| at.wrong(format!("the header has no column '{name}'")))
        };
        Ok(Self {
            id: need("id")?,
            board: need("board")?,
            side: need("side_to_move")?,
            best: find("best_moves"),
            score: find("exact_score_side_to_move"),
        })
    }

    fn problem(&self, line: &str, at: Line) -> Result<Problem, ProblemError> {
        let fields: Vec<&str> = line.split(',').map(str::trim).collect();
        let field = |index: usize| {
            fields.get(index).copied().ok_or_else(|| {
                let (least, found) = (index + 1, fields.len());
                at.wrong(format!("expected at least {least} fields, found {found}"))
            })
        };
        let board = at.board(&format!("{} {}", field(self.board)?, field(self.side)?))?;
        let best = self.best.map(&field).transpose()?.unwrap_or("");
        let score = self.score.map(field).transpose()?.filter(|text| !text.is_empty());
        Ok(Problem {
            id: field(self.id)?.to_owned(),
            board,
            expected: score.map(|text| at.score(text)).transpose()?,
            best: best.split_whitespace().map(|text| at.action(text)).collect::<Result<_, _>>()?,
        })
    }
}

fn obf_problem(line: &str, number: usize, at: Line) -> Result<Problem, ProblemError> {
    let line = line.split('%').next().unwrap_or("");
    let mut parts = line.split(';').map(str::trim);
    let board = at.board(parts.next().unwrap_or(""))?;
    let mut scored = Vec::new();
    for part in parts.filter(|part| !part.is_empty()) {
        let (action, score) = part
            .split_once(':')
            .ok_or_else(|| at.wrong(format!("'{part}': expected MOVE:SCORE")))?;
        scored.push((at.action(action.trim())?, at.score(score.trim())?));
    }
    let expected = scored.iter().map(|(_, score)| *score).max();
    let best = scored.iter().filter(|(_, score)| Some(*score) == expected);
    let best = best.map(|(action, _)| *action).collect();
    Ok(Problem { id: number.to_string(), board, expected, best })
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: &str = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO--";

    #[test]
    fn both_forms_say_the_same() {
        let table = format!(
            "# source: test\nid,board,side_to_move,empties,best_moves,exact_score_side_to_move\n\
             1,{BOARD},X,14,g8,18\n"
        );
        let obf = format!("{BOARD} X; G8:+18; H1:+12; % a comment\n\n");
        let problems = read_problems(&table).unwrap();
        assert_eq!(problems, read_problems(&obf).unwrap());
        assert_eq!((problems[0].expected, problems[0].best.len()), (Some(18), 1));
        let bare = read_problems(&format!("{BOARD} O")).unwrap();
        assert_eq!((bare[0].expected, bare[0].best.len()), (None, 0));
    }

    #[test]
    fn errors_name_the_line_and_what_was_expected() {
        let cases = [
            ("", "line 1: expected at least one problem"),
            ("\n\nabc", "line 3: position"),
            ("id,board\n1,x", "line 1: the header has no column 'side_to_move'"),
            ("id,board,side_to_move\n1", "line 2: expected at least 2 fields, found 1"),
        ];
        for (text, expected) in cases {
            let message = read_problems(text).unwrap_err().to_string();
            assert!(message.starts_with(expected), "{text:?}: {message}");
        }
        for (wrong, expected) in
            [("G9:+18", "a square or pass"), ("G8", "MOVE:SCORE"), ("G8:x", "from -64 to 64")]
        {
            let message = read_problems(&format!("{BOARD} X; {wrong}")).unwrap_err().to_string();
            assert!(message.contains(expected), "{wrong}: {message}");
        }
    }
}
