//! Games as a row of squares: `f5d6c3d3c4…`.
//!
//! Letters may be of either case. White space, commas and semicolons between moves mean nothing,
//! nor do move numbers such as `12`, `12.` or `12)`. A pass is `pa`, `pass`, `ps` or `--`, or is
//! not written at all: where the side to move has no legal square but the other side has, a pass
//! is put in before the next square.

use super::{Illegal, Replay, TextPlace};
use crate::square::{self, COUNT, PASS};
use thiserror::Error;

/// What is wrong with a transcript.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TranscriptError {
    /// Something that is neither a move nor a pass nor a move number.
    #[error(
        "{at}, after {moves_before} moves: found {found:?}, expected a square from a1 \
         to h8 or a pass (pa, pass, ps, --)"
    )]
    Unreadable {
        /// Where it begins.
        at: TextPlace,
        /// How many moves were read before it.
        moves_before: usize,
        /// Its first characters.
        found: String,
    },
    /// A move against the rules.
    #[error("move {number} ({text:?}, {at}) is illegal: {why}")]
    Illegal {
        /// Which of the written moves and passes it is, counted from 1.
        number: usize,
        /// The move as written.
        text: String,
        /// Where it begins.
        at: TextPlace,
        /// The rule it breaks.
        why: Illegal,
    },
}

/// Whether a transcript shows passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passes {
    /// As `pa`.
    Written,
    /// Not at all, as most transcripts do.
    LeftOut,
}

/// The actions of a transcript that begins at the given position, passes included.
///
/// # Errors
///
/// If a part of the text is not a move, or a move is illegal.
pub fn read(text: &str, own: u64, opp: u64) -> Result<Vec<u8>, TranscriptError> {
    let mut replay = Replay::new(own, opp);
    let mut number = 0;
    let mut offset = 0;
    while offset < text.len() {
        let rest = &text.as_bytes()[offset..];
        if let Some(length) = meaningless_length(rest) {
            offset += length;
            continue;
        }
        let Some((action, length)) = action_at(rest) else {
            let found = text[offset..].chars().take(8).collect();
            return Err(TranscriptError::Unreadable {
                at: TextPlace::of(text, offset),
                moves_before: number,
                found,
            });
        };
        number += 1;
        replay.play_over_passes(action).map_err(|why| TranscriptError::Illegal {
            number,
            text: text[offset..offset + length].to_owned(),
            at: TextPlace::of(text, offset),
            why,
        })?;
        offset += length;
    }
    Ok(replay.into_actions())
}

/// The length of a separator or of a move number with its mark, if one begins here.
fn meaningless_length(rest: &[u8]) -> Option<usize> {
    if rest[0].is_ascii_whitespace() || matches!(rest[0], b',' | b';') {
        return Some(1);
    }
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let marks = rest[digits..].iter().take_while(|byte| matches!(byte, b'.' | b')' | b':')).count();
    (digits > 0).then_some(digits + marks)
}

/// The square or pass that begins here and its length. Only ASCII is accepted, so that the text
/// may be cut at its end.
fn action_at(rest: &[u8]) -> Option<(u8, usize)> {
    let starts_with =
        |word: &[u8]| rest.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    for word in ["pass", "pa", "ps", "--"] {
        if starts_with(word.as_bytes()) {
            return Some((PASS, word.len()));
        }
    }
    let square = square::from_characters(*rest.first()?, *rest.get(1)?)?;
    Some((square, 2))
}

/// The transcript of some actions, squares in lower case without separators.
#[must_use]
pub fn write(actions: &[u8], passes: Passes) -> String {
    actions
        .iter()
        .filter_map(|&action| match (action < COUNT, passes) {
            (true, _) => Some(square::name(action)),
            (false, Passes::Written) => Some("pa"),
            (false, Passes::LeftOut) => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::{START_OPP, START_OWN};

    fn from_start(text: &str) -> Result<Vec<u8>, TranscriptError> {
        read(text, START_OWN, START_OPP)
    }

    #[test]
    fn spellings_of_one_game_are_equal() {
        let plain = from_start("f5d6c3d3c4").unwrap();
        assert_eq!(plain, [37, 43, 18, 19, 26]);
        for text in [
            "F5D6C3D3C4",
            " f5 d6\nc3\td3 c4 ",
            "1. f5 d6 2. c3 d3 3. c4",
            "1.f5 2.d6 3.c3 4.d3 5.c4",
            "1 f5 2 d6 3 c3 4 d3 5 c4",
            "1) F5, d6; 2) C3, d3; 3) C4",
        ] {
            assert_eq!(from_start(text), Ok(plain.clone()), "{text:?}");
        }
        assert_eq!(from_start(""), Ok(vec![]));
        assert_eq!(write(&plain, Passes::LeftOut), "f5d6c3d3c4");
    }

    #[test]
    fn passes_may_be_written_or_left_out() {
        // Own b1 against a1: the side to move must pass, then the other side takes c1.
        for text in ["pa c1", "PASSc1", "--c1", "PS C1", "1. pa c1", "c1"] {
            assert_eq!(read(text, 2, 1), Ok(vec![PASS, 2]), "{text:?}");
        }
        assert_eq!(write(&[PASS, 2], Passes::Written), "pac1");
        assert_eq!(write(&[PASS, 2], Passes::LeftOut), "c1");
    }

    #[test]
    fn errors_name_the_place() {
        let message = |text| from_start(text).unwrap_err().to_string();
        assert_eq!(
            message("f5 d7"),
            "move 2 (\"d7\", character 4) is illegal: no disc would turn over"
        );
        assert_eq!(
            message("f5pa"),
            "move 2 (\"pa\", character 3) is illegal: the side to move has a legal square and may not \
             pass"
        );
        assert_eq!(message("d4"), "move 1 (\"d4\", character 1) is illegal: the square is taken");
        assert!(message("f5 x9 é").starts_with("character 4, after 1 moves: found \"x9 é\""));
        assert!(message("f").contains("expected a square"));
        assert!(message("f5é").contains("character 3"));
        assert!(
            message("f5\nd6 ée4").starts_with("line 2, character 4, after 2 moves: found \"ée4\"")
        );
    }
}
