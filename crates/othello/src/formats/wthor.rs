//! The WTHOR data base of tournament games: `.wtb` files of games, `.JOU` files of player names
//! and `.TRN` files of tournament names.
//!
//! All begin with a header of 16 bytes; numbers are little-endian. A game takes 68 bytes: the
//! numbers of tournament, black player and white player (two bytes each, indices into the name
//! files), the black discs at the end with the empty squares given to the winner, the same under
//! best play from [`Header::depth`] empty squares on, and 60 moves of one byte,
//! `10 * row + column` from 1, filled up with 0. Passes are not stored and are put in here.

use super::{Illegal, Replay};
use crate::square;
use thiserror::Error;

const HEADER_LENGTH: usize = 16;
const GAME_LENGTH: usize = 68;
const FIRST_MOVE: usize = 8;

/// What is wrong with a WTHOR file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WthorError {
    /// The file ends within the header.
    #[error("the file has {found} bytes, expected a header of 16 bytes")]
    NoHeader {
        /// The length of the file.
        found: usize,
    },
    /// The length of the file does not match the number of records in the header.
    #[error(
        "the header (byte {count_offset}) promises {count} records of {record_length} bytes, so \
         the file should have {expected} bytes; it has {found}"
    )]
    WrongLength {
        /// Where in the file the number of records is.
        count_offset: usize,
        /// The number of records.
        count: u32,
        /// The length of one record.
        record_length: usize,
        /// The length that the file should have.
        expected: u64,
        /// The length that it has.
        found: usize,
    },
    /// The games are on another board.
    #[error("byte 12: the board size is {found}, expected 8 (or 0, which means 8)")]
    BoardSize {
        /// The board size found.
        found: u8,
    },
    /// A number of discs that no board has.
    #[error("game {game} (from 0), byte {offset}: {found} black discs, expected 0 to 64")]
    Discs {
        /// Which game, counted from 0.
        game: usize,
        /// Where in the file.
        offset: usize,
        /// The number found.
        found: u8,
    },
    /// A byte that is not the number of a square.
    #[error(
        "game {game} (from 0), move {number}, byte {offset}: found {found}, expected \
         10 * row + column, both 1 to 8"
    )]
    NoSquare {
        /// Which game, counted from 0.
        game: usize,
        /// Which of its stored moves, counted from 1.
        number: usize,
        /// Where in the file.
        offset: usize,
        /// The byte found.
        found: u8,
    },
    /// A move against the rules.
    #[error("game {game} (from 0), move {number} ({square}), byte {offset} is illegal: {why}")]
    Illegal {
        /// Which game, counted from 0.
        game: usize,
        /// Which of its stored moves, counted from 1.
        number: usize,
        /// Where in the file.
        offset: usize,
        /// The move.
        square: &'static str,
        /// The rule it breaks.
        why: Illegal,
    },
}

/// The first 16 bytes of every WTHOR file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// When the file was made: century (20), year of the century, month, day.
    pub created: [u8; 4],
    /// The number of games; 0 in a name file.
    pub games: u32,
    /// The number of names; 0 in a file of games.
    pub names: u16,
    /// The year in which the games were played.
    pub year: u16,
    /// The side of the board; 0 means 8.
    pub board_size: u8,
    /// The kind of file: 1 for problems, else 0.
    pub kind: u8,
    /// Empty squares from which the theoretical score was computed.
    pub depth: u8,
}

/// One game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Index into the tournament names.
    pub tournament: u16,
    /// Index of the black player into the player names.
    pub black: u16,
    /// Index of the white player into the player names.
    pub white: u16,
    /// Black discs at the end, the empty squares given to the winner. Not always those of the
    /// final board: a game may have ended on time or by resignation.
    pub black_discs: u8,
    /// The same under best play from [`Header::depth`] empty squares on.
    pub theoretical_black_discs: u8,
    /// Squares and passes from the usual start position, black first.
    pub actions: Vec<u8>,
}

/// The contents of a `.wtb` file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameFile {
    /// The header.
    pub header: Header,
    /// The games in the order of the file.
    pub games: Vec<Game>,
}

/// Reads a `.wtb` file and replays every game.
///
/// # Errors
///
/// If the length does not match the header, the board is not 8 by 8, or a game breaks the rules.
pub fn read_games(bytes: &[u8]) -> Result<GameFile, WthorError> {
    let header = read_header(bytes)?;
    if !matches!(header.board_size, 0 | 8) {
        return Err(WthorError::BoardSize { found: header.board_size });
    }
    let games = records(bytes, 4, header.games, GAME_LENGTH)?
        .enumerate()
        .map(|(index, record)| read_game(index, record))
        .collect::<Result<_, _>>()?;
    Ok(GameFile { header, games })
}

fn read_header(bytes: &[u8]) -> Result<Header, WthorError> {
    let Some(header) = bytes.first_chunk::<HEADER_LENGTH>() else {
        return Err(WthorError::NoHeader { found: bytes.len() });
    };
    let [c, y, m, d, g0, g1, g2, g3, n0, n1, y0, y1, board_size, kind, depth, _] = *header;
    Ok(Header {
        created: [c, y, m, d],
        games: u32::from_le_bytes([g0, g1, g2, g3]),
        names: u16::from_le_bytes([n0, n1]),
        year: u16::from_le_bytes([y0, y1]),
        board_size,
        kind,
        depth,
    })
}

/// The records after the header, once their number is known to be right.
fn records(
    bytes: &[u8],
    count_offset: usize,
    count: u32,
    record_length: usize,
) -> Result<std::slice::ChunksExact<'_, u8>, WthorError> {
    let expected = HEADER_LENGTH as u64 + u64::from(count) * record_length as u64;
    let found = bytes.len();
    if found as u64 != expected {
        return Err(WthorError::WrongLength {
            count_offset,
            count,
            record_length,
            expected,
            found,
        });
    }
    Ok(bytes[HEADER_LENGTH..].chunks_exact(record_length))
}

fn read_game(game: usize, record: &[u8]) -> Result<Game, WthorError> {
    let start = HEADER_LENGTH + game * GAME_LENGTH;
    let number_at = |place: usize| u16::from_le_bytes([record[place], record[place + 1]]);
    for place in [6, 7] {
        if record[place] > 64 {
            return Err(WthorError::Discs { game, offset: start + place, found: record[place] });
        }
    }
    let stored = &record[FIRST_MOVE..];
    // Zeros fill up the end only; one between moves is not a square.
    let length = stored.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    let mut replay = Replay::from_start();
    for (index, &byte) in stored[..length].iter().enumerate() {
        let (number, offset) = (index + 1, start + FIRST_MOVE + index);
        let place = square::at((byte / 10).wrapping_sub(1), (byte % 10).wrapping_sub(1));
        let Some(place) = place else {
            return Err(WthorError::NoSquare { game, number, offset, found: byte });
        };
        replay.play_over_passes(place).map_err(|why| {
            let square = square::name(place);
            WthorError::Illegal { game, number, offset, square, why }
        })?;
    }
    Ok(Game {
        tournament: number_at(0),
        black: number_at(2),
        white: number_at(4),
        black_discs: record[6],
        theoretical_black_discs: record[7],
        actions: replay.into_actions(),
    })
}
