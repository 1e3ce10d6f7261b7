//! What Othello moves promise: good squares, and few replies for the opponent.

use gamecore::{ActionScore, Buf, FULL_SCORE, Game};
use othello::{Board, Move, Othello};

use super::SQUARE_VALUES;

/// The order of depth-first search: square values, and with enough depth below, the opponent's
/// mobility after the move. Its scores are not spread over the unit interval, so it is of little
/// use where their size matters.
#[derive(Clone, Copy, Debug, Default)]
pub struct OthelloOrder;

/// The value of the square alone, spread over the unit interval: corners 1, squares beside them 0.
#[derive(Clone, Copy, Debug, Default)]
pub struct OthelloSquares;

/// The score of each action of [`OthelloSquares`]; the last one is the pass.
const SQUARE_SCORES: [i16; 65] = {
    let (lowest, highest) = (-24, 99);
    let mut scores = [FULL_SCORE as i16; 65];
    let mut square = 0;
    while square < 64 {
        let above = SQUARE_VALUES[square] as i32 - lowest;
        scores[square] = (above * FULL_SCORE / (highest - lowest)) as i16;
        square += 1;
    }
    scores
};

impl ActionScore<Othello> for OthelloSquares {
    #[inline]
    fn score(
        &self,
        _game: &Othello,
        _board: &Board,
        actions: &[Move],
        _depth: u32,
        out: &mut Buf<i32>,
    ) {
        out.extend(actions.iter().map(|a| i32::from(SQUARE_SCORES[usize::from(a.number())])));
    }
}

/// Below this many decisions the look at the replies costs more than it saves.
const DEPTH_FOR_REPLIES: u32 = 3;
const PER_REPLY: i32 = 24;
const PER_CORNER_REPLY: i32 = 120;
const CORNERS: u64 = 0x8100_0000_0000_0081;

impl ActionScore<Othello> for OthelloOrder {
    fn score(
        &self,
        game: &Othello,
        board: &Board,
        actions: &[Move],
        depth: u32,
        out: &mut Buf<i32>,
    ) {
        for &action in actions {
            if action == Move::PASS {
                out.push(0);
                continue;
            }
            let mut score = i32::from(SQUARE_VALUES[usize::from(action.number())]);
            if depth >= DEPTH_FOR_REPLIES {
                let mut next = *board;
                game.apply(&mut next, action);
                score -= PER_REPLY * next.moves().count_ones() as i32
                    + PER_CORNER_REPLY * (next.moves() & CORNERS).count_ones() as i32;
            }
            out.push(score);
        }
    }
}
