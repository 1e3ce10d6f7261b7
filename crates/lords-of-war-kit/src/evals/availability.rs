//! Availability of squares, which the paper names as future work (section VII): where could the
//! cards in hand go?

use gamecore::{Evaluator, Score, Seat};
use lords_of_war::{COLS, LordsOfWar, ROWS, Square, State};

/// Squares where a side could place a card of its hand, against the opponent's; all of them, or
/// only some.
#[derive(Clone, Copy, Debug)]
pub struct Availability {
    /// Which squares count.
    pub squares: u64,
}

/// The squares along the edge of the board.
pub const RIM: u64 = {
    let mut rim = 0;
    let mut row = 0;
    while row < ROWS {
        let mut col = 0;
        while col < COLS {
            if row == 0 || row == ROWS - 1 || col == 0 || col == COLS - 1 {
                match Square::new(col, row) {
                    Some(square) => rim |= square.bit(),
                    None => panic!("on the board"),
                }
            }
            col += 1;
        }
        row += 1;
    }
    rim
};

impl Evaluator<LordsOfWar> for Availability {
    fn evaluate(&self, game: &LordsOfWar, state: &State, seat: Seat) -> Score {
        let count = |seat| (game.deployable(state, seat) & self.squares).count_ones() as i32;
        Score(1_000 * (count(seat) - count(seat.other())))
    }

    fn points_per_e(&self) -> f64 {
        10_000.0
    }
}
