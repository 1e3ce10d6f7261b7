//! The text form of a board in the Othello application of Hernandez et al. (2020, section 5.2).
//!
//! A board is a list of cells `player-i-j` joined by a comma and a space: `player` is 0 for white
//! and 1 for black, `i` is the column and `j` the row, both from 0. The paper gives no symbol for
//! an empty cell. The decision here: empty cells are left out, so an empty board is an empty text.
//! Cells are written row by row and read in any order.

use crate::square;
use thiserror::Error;

/// What is wrong with a compressed board.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CompressedError {
    /// A cell that is not three numbers joined by `-`.
    #[error("cell {number}: found {found:?}, expected player-column-row such as 1-4-3")]
    Unreadable {
        /// Which cell, counted from 1.
        number: usize,
        /// The beginning of the cell.
        found: String,
    },
    /// A number of a cell that is too large.
    #[error("cell {number} ({cell:?}): {part} is {value}, expected 0 to {largest}")]
    OutOfRange {
        /// Which cell, counted from 1.
        number: usize,
        /// The cell as written.
        cell: String,
        /// The part of the cell: player, column or row.
        part: &'static str,
        /// The number found.
        value: u8,
        /// The largest number allowed.
        largest: u8,
    },
    /// A cell that was given before.
    #[error("cell {number} ({cell:?}): {square} has a disc from an earlier cell")]
    Duplicate {
        /// Which cell, counted from 1.
        number: usize,
        /// The cell as written.
        cell: String,
        /// The square's usual name.
        square: &'static str,
    },
}

/// The text of a board. A square in both sets counts as black.
#[must_use]
pub fn write(black: u64, white: u64) -> String {
    let cells: Vec<String> = (0..64)
        .filter(|square| (black | white) >> square & 1 == 1)
        .map(|square| format!("{}-{}-{}", black >> square & 1, square % 8, square / 8))
        .collect();
    cells.join(", ")
}

/// The board `(black, white)` of a text.
///
/// # Errors
///
/// If a cell is not readable, lies outside the board or is given twice.
pub fn read(text: &str) -> Result<(u64, u64), CompressedError> {
    let (mut black, mut white) = (0u64, 0u64);
    if text.trim().is_empty() {
        return Ok((black, white));
    }
    for (index, cell) in text.split(',').enumerate() {
        let (number, cell) = (index + 1, cell.trim());
        let Some([player, column, row]) = numbers(cell) else {
            return Err(CompressedError::Unreadable { number, found: beginning(cell) });
        };
        for (part, value, largest) in
            [("player", player, 1), ("column", column, 7), ("row", row, 7)]
        {
            if value > largest {
                let cell = beginning(cell);
                return Err(CompressedError::OutOfRange { number, cell, part, value, largest });
            }
        }
        let place = row * 8 + column;
        if (black | white) >> place & 1 == 1 {
            let square = square::name(place);
            return Err(CompressedError::Duplicate { number, cell: beginning(cell), square });
        }
        if player == 1 {
            black |= 1 << place;
        } else {
            white |= 1 << place;
        }
    }
    Ok((black, white))
}

/// Three plain decimal numbers joined by `-`.
fn numbers(cell: &str) -> Option<[u8; 3]> {
    // `u8::from_str` would also take a plus sign.
    if !cell.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') {
        return None;
    }
    let mut parts = cell.split('-').map(|part| part.parse().ok());
    let found = [parts.next()??, parts.next()??, parts.next()??];
    parts.next().is_none().then_some(found)
}

/// Enough of a cell to recognise it in a message.
fn beginning(cell: &str) -> String {
    cell.chars().take(16).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::{START_OPP, START_OWN, playout};
    use gamecore::Rng;

    #[test]
    fn the_start_position() {
        let text = "0-3-3, 1-4-3, 1-3-4, 0-4-4";
        assert_eq!(write(START_OWN, START_OPP), text);
        assert_eq!(read(text), Ok((START_OWN, START_OPP)));
        assert_eq!(read(" 1-4-3,0-4-4 ,1-3-4,0-3-3"), Ok((START_OWN, START_OPP)));
        assert_eq!((write(0, 0).as_str(), read(" ")), ("", Ok((0, 0))));
    }

    #[test]
    fn boards_survive_the_round_trip() {
        let mut rng = Rng::new(41);
        for game in 0..500 {
            let at = playout(START_OWN, START_OPP, &mut rng, game % 61);
            assert_eq!(read(&write(at.own, at.opp)), Ok((at.own, at.opp)));
        }
    }

    #[test]
    fn errors_name_the_cell() {
        let message = |text| read(text).unwrap_err().to_string();
        assert_eq!(message("0-3-3, 1-8-3"), "cell 2 (\"1-8-3\"): column is 8, expected 0 to 7");
        assert!(message("2-0-0").contains("player is 2, expected 0 to 1"));
        assert!(message("1-0-9").contains("row is 9"));
        assert_eq!(
            message("0-3-3, 1-3-3"),
            "cell 2 (\"1-3-3\"): d4 has a disc from an earlier cell"
        );
        for text in ["1-2", "1-2-3-4", "x", "1-2-3,", "1-+2-3", "1--3", "1-2-300", "é"] {
            assert!(message(text).contains("expected player-column-row"), "{text:?}");
        }
    }
}
