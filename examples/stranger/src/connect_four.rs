//! Connect Four: discs fall down seven columns of six, and whoever has four in a row first wins.

use warroom::gamecore::{Buf, Game, Notation, NotationError, Rng, Seat, Traits, Turn, key};
use warroom::protocol::Event;
use warroom::protocol::scene::{
    Choice, Detail, Geometry, Piece, Placed, Scene, SceneForms, square,
};
use warroom::registry::{Appearance, Viewer, actions_for};

const COLUMNS: u8 = 7;
const ROWS: u8 = 6;
/// Bits of a column: its rows from below, and one that stays empty so that lines end there.
const STEP: u8 = ROWS + 1;

/// The rules; there are no options.
#[derive(Clone, Copy, Debug)]
pub struct ConnectFour;

/// The discs of both seats, a bit each, and who acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    discs: [u64; 2],
    mover: Seat,
}

/// A column, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Column(u8);

impl Board {
    fn occupied(&self) -> u64 {
        self.discs[0] | self.discs[1]
    }

    /// How many discs lie in a column.
    fn height(&self, column: u8) -> u8 {
        (self.occupied() >> (column * STEP) & ((1 << ROWS) - 1)).count_ones() as u8
    }

    fn has_four(&self, seat: Seat) -> bool {
        let discs = self.discs[seat.index()];
        // Upwards, to the right, and along both diagonals.
        [1, STEP, STEP - 1, STEP + 1].into_iter().any(|step| {
            let pairs = discs & discs >> step;
            pairs & pairs >> (2 * step) != 0
        })
    }

    /// Whose disc lies there.
    fn at(&self, column: u8, row: u8) -> Option<Seat> {
        let bit = 1 << (column * STEP + row);
        Seat::BOTH.into_iter().find(|seat| self.discs[seat.index()] & bit != 0)
    }
}

impl Game for ConnectFour {
    type State = Board;
    type Action = Column;
    type View = Board;
    type Setup = ();

    const NAME: &'static str = "connect-four";
    const MAX_ACTIONS: usize = COLUMNS as usize;

    fn traits(&self) -> Traits {
        Traits { hidden: false, chance: false }
    }

    fn start(&self, (): &(), _rng: &mut Rng) -> Board {
        Board { discs: [0; 2], mover: Seat::Zero }
    }

    fn turn(&self, board: &Board) -> Turn {
        let full = board.occupied().count_ones() == u32::from(COLUMNS * ROWS);
        if full || board.has_four(board.mover.other()) {
            Turn::Over
        } else {
            Turn::Player(board.mover)
        }
    }

    fn actions(&self, board: &Board, out: &mut Buf<Column>) {
        out.extend((0..COLUMNS).filter(|&column| board.height(column) < ROWS).map(Column));
    }

    fn apply(&self, board: &mut Board, Column(column): Column) {
        board.discs[board.mover.index()] |= 1 << (column * STEP + board.height(column));
        board.mover = board.mover.other();
    }

    fn payoff(&self, board: &Board, seat: Seat) -> f32 {
        match board.has_four(board.mover.other()) {
            false => 0.5,
            true if seat == board.mover => 0.0,
            true => 1.0,
        }
    }

    fn key(&self, board: &Board) -> u64 {
        key::fold(key::fold(board.mover.index() as u64, board.discs[0]), board.discs[1])
    }

    fn view(&self, board: &Board, _seat: Seat) -> Board {
        *board
    }

    fn sample(&self, view: &Board, _rng: &mut Rng) -> Board {
        *view
    }
}

/// The letters of the seats, as rows of the board hold them.
const LETTERS: [char; 2] = ['b', 'o'];
const COLOURS: [&str; 2] = ["blue", "orange"];

/// The board from above, a line a row.
fn rows(board: &Board) -> Vec<String> {
    let letter = |column, row| board.at(column, row).map_or('.', |seat| LETTERS[seat.index()]);
    (0..ROWS).rev().map(|row| (0..COLUMNS).map(|column| letter(column, row)).collect()).collect()
}

impl Notation for ConnectFour {
    fn action_text(&self, _board: &Board, Column(column): Column) -> String {
        char::from(b'a' + column).to_string()
    }

    fn seat_name(&self, seat: Seat) -> String {
        COLOURS[seat.index()].to_owned()
    }

    fn position_text(&self, board: &Board) -> String {
        format!("{} {}", rows(board).join("/"), LETTERS[board.mover.index()])
    }

    fn parse_position(&self, text: &str) -> Result<Board, NotationError> {
        let expected =
            "expected six rows of seven of b, o and ., joined by /, and who is to move: b or o";
        let wrong = |reason: &str| NotationError::new("position", text, reason);
        let (rows, mover) = text.trim().split_once(' ').ok_or_else(|| wrong(expected))?;
        let seat_of = |letter: char| LETTERS.iter().position(|&known| known == letter);
        let mover = mover.chars().next().and_then(seat_of).filter(|_| mover.len() == 1);
        let mover = Seat::from_index(mover.ok_or_else(|| wrong(expected))?);
        let mut board = Board { discs: [0; 2], mover };
        let rows: Vec<&str> = rows.split('/').collect();
        if rows.len() != usize::from(ROWS) {
            return Err(wrong(expected));
        }
        for (row, line) in (0..ROWS).zip(rows.iter().rev()) {
            if line.chars().count() != usize::from(COLUMNS) {
                return Err(wrong(expected));
            }
            for (column, letter) in (0..COLUMNS).zip(line.chars()) {
                match seat_of(letter) {
                    None if letter == '.' => {}
                    None => return Err(wrong(expected)),
                    Some(_) if board.height(column) < row => {
                        return Err(wrong("a disc has nothing below it"));
                    }
                    Some(seat) => board.discs[seat] |= 1 << (column * STEP + row),
                }
            }
        }
        let [blue, orange] = board.discs.map(u64::count_ones);
        // Blue begins.
        if blue != orange + mover.index() as u32 {
            return Err(wrong("the discs do not fit who is to move; blue begins"));
        }
        if board.has_four(mover) {
            return Err(wrong("the side to move has four in a row already"));
        }
        Ok(board)
    }

    fn picture(&self, board: &Board) -> String {
        format!("{}\nabcdefg", rows(board).join("\n"))
    }

    fn ending(&self, board: &Board) -> String {
        match (self.turn(board), board.has_four(board.mover.other())) {
            (Turn::Over, true) => {
                format!("{} has four in a row", self.seat_name(board.mover.other()))
            }
            (Turn::Over, false) => "the board is full".to_owned(),
            _ => String::new(),
        }
    }
}

/// A square of the drawn board: rows are counted from above.
fn drawn(column: u8, row: u8) -> u16 {
    u16::from((ROWS - 1 - row) * COLUMNS + column)
}

/// How the game is drawn, in words that every page knows.
pub fn appearance() -> Appearance<ConnectFour> {
    Appearance {
        geometry: |_| Geometry {
            columns: COLUMNS,
            rows: ROWS,
            names: (0..ROWS)
                .rev()
                .flat_map(|row| (0..COLUMNS).map(move |column| (column, row)))
                .map(|(column, row)| format!("{}{}", char::from(b'a' + column), row + 1))
                .collect(),
            row_zero_below: false,
            turned_for_seat_one: false,
        },
        scene,
        touched: |_, board, Column(column)| vec![drawn(column, board.height(column))],
        words: |game, board, action| game.action_text(board, action),
        events: |_, board, Column(column), _| {
            let to = Some(drawn(column, board.height(column)));
            vec![Event { to, ..Event::new("dropped", board.mover.index() as u8) }]
        },
        forms: || SceneForms::default().plain_piece("disc", "A disc of Connect Four."),
    }
}

fn scene(game: &ConnectFour, board: &Board, viewer: &Viewer<'_, ConnectFour>) -> Scene {
    let squares = (0..COLUMNS).flat_map(|column| (0..ROWS).map(move |row| (column, row)));
    let pieces = squares.filter_map(|(column, row)| {
        let seat = board.at(column, row)?;
        Some(Placed {
            square: drawn(column, row),
            seat: seat.index() as u8,
            label: format!("{} disc", COLOURS[seat.index()]),
            piece: Piece::plain("disc"),
        })
    });
    let choices = actions_for(game, board, viewer.eyes);
    let choices = choices.iter().map(|&action| {
        let text = game.action_text(board, action);
        let falls_to = drawn(action.0, board.height(action.0));
        Choice::new(text.clone(), vec![square(falls_to)], text)
    });
    Scene {
        status: match game.turn(board) {
            Turn::Player(seat) => format!("{} to move", COLOURS[seat.index()]),
            _ => game.ending_words(board),
        },
        pieces: pieces.collect(),
        obstacles: Vec::new(),
        choices: choices.collect(),
        overlays: Vec::new(),
        detail: Detail::plain(ConnectFour::NAME),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_in_a_row_win_in_every_direction() {
        for moves in ["aabbccd", "abababa", "abbccdcddgd", "dccbbabaaga"] {
            let mut board = ConnectFour.start(&(), &mut Rng::new(1));
            for letter in moves.bytes() {
                assert_ne!(ConnectFour.turn(&board), Turn::Over, "{moves}");
                ConnectFour.apply(&mut board, Column(letter - b'a'));
            }
            assert_eq!(ConnectFour.turn(&board), Turn::Over, "{moves}");
            assert_eq!(ConnectFour.payoff(&board, Seat::Zero), 1.0, "{moves}");
            let text = ConnectFour.position_text(&board);
            assert_eq!(ConnectFour.parse_position(&text).unwrap(), board, "{text}");
        }
    }

    #[test]
    fn a_board_that_no_game_leads_to_is_refused() {
        let empty = "......./......./......./......./......./";
        for (rows, mover) in [("...b...", "b"), ("b.o.b..", "b"), ("b.o.b..", "x")] {
            let text = format!("{empty}{rows} {mover}");
            assert!(ConnectFour.parse_position(&text).is_err(), "{text}");
        }
        let floating = "......./......./......./......./...b.../....... o";
        let error = ConnectFour.parse_position(floating).unwrap_err().to_string();
        assert!(error.contains("nothing below"), "{error}");
    }
}
