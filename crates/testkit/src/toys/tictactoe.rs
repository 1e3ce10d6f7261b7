//! Tic-tac-toe: the smallest game that people know by heart.

use gamecore::{Buf, Game, Notation, NotationError, Rng, Seat, Traits, Turn, key};

use super::{ending_of_winner, payoff_of_winner};

const FULL: u16 = 0b1_1111_1111;
const LINES: [u16; 8] = [
    0b000_000_111,
    0b000_111_000,
    0b111_000_000,
    0b001_001_001,
    0b010_010_010,
    0b100_100_100,
    0b100_010_001,
    0b001_010_100,
];

/// Three in a row on nine cells; an action is the index of a cell.
#[derive(Clone, Copy, Debug, Default)]
pub struct TicTacToe;

/// The cells taken by each seat; who moves follows from their number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TicTacToeState {
    taken: [u16; 2],
}

impl TicTacToeState {
    fn occupied(self) -> u16 {
        self.taken[0] | self.taken[1]
    }

    fn mover(self) -> Seat {
        Seat::from_index(self.occupied().count_ones() as usize)
    }

    fn has_line(self, seat: Seat) -> bool {
        LINES.iter().any(|&line| self.taken[seat.index()] & line == line)
    }

    fn winner(self) -> Option<Seat> {
        Seat::BOTH.into_iter().find(|&seat| self.has_line(seat))
    }

    fn letters(self) -> impl Iterator<Item = char> {
        (0..9).map(move |cell| match (self.taken[0] >> cell & 1, self.taken[1] >> cell & 1) {
            (0, 0) => '.',
            (0, _) => 'o',
            _ => 'x',
        })
    }
}

impl Game for TicTacToe {
    type State = TicTacToeState;
    type Action = u8;
    type View = TicTacToeState;
    type Setup = ();

    const NAME: &'static str = "tic-tac-toe";
    const MAX_ACTIONS: usize = 9;

    fn traits(&self) -> Traits {
        Traits::default()
    }

    fn start(&self, (): &(), _rng: &mut Rng) -> TicTacToeState {
        TicTacToeState::default()
    }

    fn turn(&self, state: &TicTacToeState) -> Turn {
        if state.winner().is_some() || state.occupied() == FULL {
            Turn::Over
        } else {
            Turn::Player(state.mover())
        }
    }

    fn actions(&self, state: &TicTacToeState, out: &mut Buf<u8>) {
        out.extend((0..9).filter(|cell| state.occupied() >> cell & 1 == 0));
    }

    fn apply(&self, state: &mut TicTacToeState, action: u8) {
        state.taken[state.mover().index()] |= 1 << action;
    }

    fn payoff(&self, state: &TicTacToeState, seat: Seat) -> f32 {
        payoff_of_winner(state.winner(), seat)
    }

    fn key(&self, state: &TicTacToeState) -> u64 {
        key::fold(u64::from(state.taken[0]), u64::from(state.taken[1]))
    }

    fn view(&self, state: &TicTacToeState, _seat: Seat) -> TicTacToeState {
        *state
    }

    fn sample(&self, view: &TicTacToeState, _rng: &mut Rng) -> TicTacToeState {
        *view
    }
}

impl Notation for TicTacToe {
    fn action_text(&self, _state: &TicTacToeState, action: u8) -> String {
        format!("{}{}", char::from(b'a' + action % 3), action / 3 + 1)
    }

    fn position_text(&self, state: &TicTacToeState) -> String {
        state.letters().collect()
    }

    fn parse_position(&self, text: &str) -> Result<TicTacToeState, NotationError> {
        let fail = |reason: &str| Err(NotationError::new("position", text, reason));
        if text.chars().count() != 9 {
            return fail("expected nine cells of 'x', 'o' and '.', from a1 to c3");
        }
        let mut state = TicTacToeState::default();
        for (cell, letter) in text.chars().enumerate() {
            match letter {
                'x' => state.taken[0] |= 1 << cell,
                'o' => state.taken[1] |= 1 << cell,
                '.' => {}
                _ => return fail("a cell is 'x', 'o' or '.'"),
            }
        }
        let [crosses, noughts] = state.taken.map(u16::count_ones);
        if crosses != noughts && crosses != noughts + 1 {
            return fail("x begins and the sides alternate");
        }
        // Whoever has a line made it with the last move.
        if state.has_line(state.mover()) {
            return fail("the game would have ended earlier");
        }
        Ok(state)
    }

    fn picture(&self, state: &TicTacToeState) -> String {
        let letters: Vec<char> = state.letters().collect();
        letters.chunks(3).map(|row| row.iter().collect::<String>() + "\n").collect()
    }

    fn ending(&self, state: &TicTacToeState) -> String {
        match self.turn(state) {
            Turn::Over => ending_of_winner(state.winner()),
            _ => String::new(),
        }
    }
}
