//! Exact scores: null-window and principal variation search above the kernel.
//!
//! Many empty squares, few nodes: here order is everything. Moves are sorted by a shallow search
//! of a simple heuristic and by the replies they leave; positions are remembered; children that
//! the table already answers are tried first (enhanced transposition cut-offs); stable discs bound
//! the score.

use arrayvec::ArrayVec;
use othello::bits::{self, InstructionSet};

use crate::isa;
use crate::kernel::{
    KERNEL_EMPTIES, NONE, Squares, Worker, final_score, odd_quadrants, stability_cut,
};
use crate::order::{CORNERS, X_SQUARES};
use crate::table::{Bounds, Table};

/// The search was told to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stopped;

/// A score, unless the search was stopped.
type Value = Result<i32, Stopped>;

/// One thread of an exact search.
pub(crate) struct Search<'a> {
    pub(crate) table: &'a Table,
    pub(crate) set: InstructionSet,
    pub(crate) worker: Worker,
    pub(crate) stop: &'a (dyn Fn() -> bool + Sync),
    /// Helper threads add a little noise to the order, so that they do different work.
    pub(crate) noise: u64,
}

/// A move and the position after it.
#[derive(Clone, Copy)]
struct Child {
    square: u8,
    own: u64,
    opp: u64,
    /// The lower, the sooner.
    rank: i32,
}

/// Room for any set of moves: constructed positions offer 35, and nobody has proved a bound below
/// the number of squares.
type Children = ArrayVec<Child, 64>;

impl Search<'_> {
    /// Is the score above `alpha`? Fail-soft.
    pub(crate) fn null_window(&mut self, own: u64, opp: u64, alpha: i32, empties: u32) -> Value {
        self.worker.nodes += 1;
        if empties <= KERNEL_EMPTIES {
            return Ok(isa::null_window(self.set, &mut self.worker, own, opp, alpha, empties));
        }
        if (self.stop)() {
            return Err(Stopped);
        }
        if let Some(bound) = stability_cut(own, opp, alpha, empties) {
            return Ok(bound);
        }
        let known = self.table.get(own, opp);
        if let Some(score) = known.and_then(|known| answer(known, alpha)) {
            return Ok(score);
        }
        let movable = bits::moves(own, opp);
        if movable == 0 {
            if bits::moves(opp, own) == 0 {
                return Ok(final_score(own, opp));
            }
            return Ok(-self.null_window(opp, own, -alpha - 1, empties)?);
        }
        let mut children = Children::new();
        self.children(own, opp, movable, known, empties, &mut children)?;
        if let Some(score) = self.enhanced_cut(&children, alpha) {
            return Ok(score);
        }
        let (mut best, mut best_square) = (NONE, 64);
        for child in &children {
            let score = -self.null_window(child.own, child.opp, -alpha - 1, empties - 1)?;
            if score > best {
                (best, best_square) = (score, child.square);
                if score > alpha {
                    break;
                }
            }
        }
        self.table.put(own, opp, empties, (alpha, alpha + 1), best, best_square);
        Ok(best)
    }

    /// The score inside the window (alpha, beta), fail-soft, and the best move.
    pub(crate) fn exact(
        &mut self,
        own: u64,
        opp: u64,
        (mut alpha, beta): (i32, i32),
        empties: u32,
    ) -> Result<(i32, u8), Stopped> {
        self.worker.nodes += 1;
        let window = (alpha, beta);
        let movable = bits::moves(own, opp);
        if movable == 0 {
            if bits::moves(opp, own) == 0 {
                return Ok((final_score(own, opp), 64));
            }
            let (score, _) = self.exact(opp, own, (-beta, -alpha), empties)?;
            return Ok((-score, 64));
        }
        let known = self.table.get(own, opp);
        let mut children = Children::new();
        self.children(own, opp, movable, known, empties, &mut children)?;
        let (mut best, mut best_square) = (NONE, 64);
        for child in &children {
            let mut score = NONE;
            if best != NONE {
                score = -self.null_window(child.own, child.opp, -alpha - 1, empties - 1)?;
            }
            if best == NONE || (alpha < score && score < beta) {
                let floor = if best == NONE { alpha } else { score - 1 };
                let (value, _) = self.exact(child.own, child.opp, (-beta, -floor), empties - 1)?;
                score = -value;
            }
            if score > best {
                (best, best_square) = (score, child.square);
                alpha = alpha.max(score);
                if score >= beta {
                    break;
                }
            }
        }
        self.table.put(own, opp, empties, window, best, best_square);
        Ok((best, best_square))
    }

    /// A child that is already known to be good enough closes the window without a search.
    fn enhanced_cut(&self, children: &[Child], alpha: i32) -> Option<i32> {
        children
            .iter()
            .filter_map(|child| self.table.get(child.own, child.opp))
            .map(|known| -i32::from(known.upper))
            .find(|&score| score > alpha)
    }

    /// All moves, the promising ones first. Looking far ahead takes long enough to be stopped.
    fn children(
        &mut self,
        own: u64,
        opp: u64,
        movable: u64,
        known: Option<Bounds>,
        empties: u32,
        out: &mut Children,
    ) -> Result<(), Stopped> {
        let odd = odd_quadrants(!(own | opp));
        let depth = sort_depth(empties);
        for square in Squares(movable) {
            if depth >= LONG_SORT && (self.stop)() {
                return Err(Stopped);
            }
            let flipped = bits::flips(square, own, opp);
            let (next_own, next_opp) = (opp ^ flipped, own ^ flipped | 1 << square);
            let rank = match known {
                Some(known) if known.best == square => i32::MIN,
                Some(known) if known.second == square => i32::MIN + 1,
                _ if next_own == 0 => i32::MIN + 2,
                _ => self.rank(next_own, next_opp, square, odd, depth),
            };
            out.push(Child { square, own: next_own, opp: next_opp, rank });
        }
        out.sort_unstable_by_key(|child| (child.rank, child.square));
        Ok(())
    }

    fn rank(&mut self, own: u64, opp: u64, square: u8, odd: u64, depth: u32) -> i32 {
        let bit = 1u64 << square;
        let replies = bits::moves(own, opp);
        let mobility = (replies.count_ones() + (replies & CORNERS).count_ones()) as i32;
        let parity = i32::from(odd & bit != 0);
        let place = 2 * i32::from(X_SQUARES & bit != 0) - 3 * i32::from(CORNERS & bit != 0);
        let noise = if self.noise == 0 {
            0
        } else {
            (gamecore::key::mix(self.noise ^ own ^ opp.rotate_left(17)) % 24) as i32
        };
        16 * mobility - 8 * parity
            + 8 * place
            + isa::opinion(self.set, &mut self.worker, own, opp, depth)
            + noise
    }
}

/// What the table says to "above alpha?", if it decides.
fn answer(known: Bounds, alpha: i32) -> Option<i32> {
    let (lower, upper) = (i32::from(known.lower), i32::from(known.upper));
    if lower > alpha {
        Some(lower)
    } else if upper <= alpha {
        Some(upper)
    } else {
        None
    }
}

/// From this depth on, one look ahead takes long compared with asking whether to stop.
const LONG_SORT: u32 = 5;
/// No look goes deeper, so that the time between two questions whether to stop stays short.
const DEEPEST_SORT: u32 = 8;

/// How deep the order looks ahead. Measured on FFO #40–#44: a ply more saves nodes below and costs
/// more than it saves.
fn sort_depth(empties: u32) -> u32 {
    (empties.saturating_sub(12) / 2).min(DEEPEST_SORT)
}

#[cfg(test)]
mod tests {
    use gamecore::Notation;
    use othello::Othello;

    use super::*;

    /// More moves than any game offers, fewer than there is room for.
    #[test]
    fn a_constructed_position_with_35_moves_has_35_children() {
        let text = "-----XX--OO-OXO--OX-XX---XX------OXO--OX--XX-XXX-OOOX-OX-------- X";
        let board = Othello.parse_position(text).expect("a position");
        let table = Table::new(1);
        let mut search = Search {
            table: &table,
            set: InstructionSet::Portable,
            worker: Worker::new(),
            stop: &|| false,
            noise: 0,
        };
        let mut children = Children::new();
        // As if near the end, so that the order does not look ahead for long.
        search
            .children(board.own(), board.opp(), board.moves(), None, 13, &mut children)
            .expect("nobody stops it");
        assert_eq!(children.len(), 35);
    }
}
