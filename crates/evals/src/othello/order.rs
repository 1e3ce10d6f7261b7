//! Which Othello moves to try first: good squares, and few replies for the opponent.

use gamecore::{ActionScore, Buf, Game};
use othello::{Board, Move, Othello};

use super::SQUARE_VALUES;

/// Square values, and with enough depth below, the opponent's mobility after the move.
#[derive(Clone, Copy, Debug, Default)]
pub struct OthelloOrder;

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
