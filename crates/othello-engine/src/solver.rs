//! Exact scores: null-window and principal variation search above the kernel, written once and
//! compiled once per instruction set together with it.
//!
//! Many empty squares, few nodes: here order is everything. Moves are sorted by a shallow search
//! of a simple heuristic and by the replies they leave; positions are remembered; children that
//! the table already answers are tried first (enhanced transposition cut-offs); stable discs bound
//! the score.

use arrayvec::ArrayVec;

use crate::kernel::{Child, Worker};
use crate::table::{Bounds, Table};

/// The search was told to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stopped;

/// A score, unless the search was stopped.
pub(crate) type Value = Result<i32, Stopped>;

/// The whole range of scores.
pub(crate) const FULL: (i32, i32) = (-65, 65);

/// One thread of an exact search.
pub(crate) struct Search<'a> {
    pub(crate) table: &'a Table,
    pub(crate) worker: Worker,
    pub(crate) stop: &'a (dyn Fn() -> bool + Sync),
    /// Helper threads add a little noise to the order, so that they do different work.
    pub(crate) noise: u64,
}

/// Room for any set of moves: constructed positions offer 35, and nobody has proved a bound below
/// the number of squares.
pub(crate) type Children = ArrayVec<Child, 64>;

impl Search<'_> {
    #[inline]
    pub(crate) fn is_stopped(&self) -> bool {
        self.worker.is_spent() || (self.stop)()
    }

    /// A child that is already known to be good enough closes the window without a search.
    #[inline]
    pub(crate) fn enhanced_cut(&self, children: &[Child], alpha: i32) -> Option<i32> {
        children
            .iter()
            .filter_map(|child| self.table.get(child.own, child.opp))
            .map(|known| -i32::from(known.upper))
            .find(|&score| score > alpha)
    }

    /// Where the order of a helper differs.
    #[inline]
    pub(crate) fn noise_of(&self, own: u64, opp: u64) -> i32 {
        if self.noise == 0 {
            return 0;
        }
        (gamecore::key::mix(self.noise ^ own ^ opp.rotate_left(17)) % 24) as i32
    }
}

/// What the table says to "above alpha?", if it decides.
#[inline]
pub(crate) fn answer(known: Bounds, alpha: i32) -> Option<i32> {
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
pub(crate) const LONG_SORT: u32 = 5;
/// No look goes deeper, so that the time between two questions whether to stop stays short.
const DEEPEST_SORT: u32 = 8;

/// How deep the order looks ahead. Measured on FFO #40–#44: a ply more saves nodes below and costs
/// more than it saves.
#[inline]
pub(crate) fn sort_depth(empties: u32) -> u32 {
    (empties.saturating_sub(12) / 2).min(DEEPEST_SORT)
}

/// Defines `solve` and `help` in the calling module, which must provide `moves` and `flips` under
/// the same attributes, and the kernel and the opinion.
macro_rules! define_solver {
    ($(#[$attribute:meta])*) => {
        use crate::kernel::KERNEL_EMPTIES;
        use crate::solver::{
            Children, FULL, LONG_SORT, Search, Stopped, Value, answer, sort_depth,
        };
        use crate::table::Bounds;

        /// The score and the squares of best play, 64 for a pass. `scored` is called between them.
        $(#[$attribute])*
        pub(super) fn solve(
            search: &mut Search<'_>, own: u64, opp: u64, scored: &dyn Fn(),
        ) -> Result<(i32, Vec<u8>), Stopped> {
            let found = exact(search, own, opp, FULL, (own | opp).count_zeros());
            scored();
            let (score, _) = found?;
            Ok((score, line(search, own, opp, score)?))
        }

        /// Fills the table for another thread until told to stop.
        #[cfg(feature = "threads")]
        $(#[$attribute])*
        pub(super) fn help(search: &mut Search<'_>, own: u64, opp: u64) {
            // An answer, if there is one, is the same as that of the other thread.
            let _ = exact(search, own, opp, FULL, (own | opp).count_zeros());
        }

        /// Best play: at every step the move that keeps the score, which the table knows or a
        /// narrow window finds quickly.
        $(#[$attribute])*
        fn line(
            search: &mut Search<'_>, mut own: u64, mut opp: u64, mut score: i32,
        ) -> Result<Vec<u8>, Stopped> {
            let mut line = Vec::new();
            while moves(own, opp) != 0 || moves(opp, own) != 0 {
                let window = (score - 1, score + 1);
                let (_, best) = exact(search, own, opp, window, (own | opp).count_zeros())?;
                line.push(best);
                (own, opp) = if best == 64 {
                    (opp, own)
                } else {
                    let flipped = flips(best, own, opp);
                    (opp ^ flipped, own ^ flipped | 1 << best)
                };
                score = -score;
            }
            Ok(line)
        }

        /// Is the score above `alpha`? Fail-soft.
        $(#[$attribute])*
        fn null_window(
            search: &mut Search<'_>, own: u64, opp: u64, alpha: i32, empties: u32, movable: u64,
        ) -> Value {
            search.worker.nodes += 1;
            if empties <= 4 {
                return Ok(solve_few(&mut search.worker, own, opp, alpha));
            }
            if empties <= KERNEL_EMPTIES {
                return Ok(with_moves(&mut search.worker, own, opp, alpha, empties, movable));
            }
            if search.is_stopped() {
                return Err(Stopped);
            }
            if let Some(bound) = stability_cut(own, opp, alpha, empties) {
                return Ok(bound);
            }
            let known = search.table.get(own, opp);
            if let Some(score) = known.and_then(|known| answer(known, alpha)) {
                return Ok(score);
            }
            if movable == 0 {
                let replies = moves(opp, own);
                if replies == 0 {
                    return Ok(final_score(own, opp));
                }
                return Ok(-null_window(search, opp, own, -alpha - 1, empties, replies)?);
            }
            let mut children = Children::new();
            list_children(search, (own, opp), movable, known, empties, &mut children)?;
            if let Some(score) = search.enhanced_cut(&children, alpha) {
                return Ok(score);
            }
            let (mut best, mut best_square) = (NONE, 64);
            for &Child { own, opp, replies, square, .. } in &children {
                let score = -null_window(search, own, opp, -alpha - 1, empties - 1, replies)?;
                if score > best {
                    (best, best_square) = (score, square);
                    if score > alpha {
                        break;
                    }
                }
            }
            search.table.put(own, opp, empties, (alpha, alpha + 1), best, best_square);
            Ok(best)
        }

        /// The score inside the window (alpha, beta), fail-soft, and the best move.
        $(#[$attribute])*
        fn exact(
            search: &mut Search<'_>, own: u64, opp: u64, window: (i32, i32), empties: u32,
        ) -> Result<(i32, u8), Stopped> {
            search.worker.nodes += 1;
            let (mut alpha, beta) = window;
            let movable = moves(own, opp);
            if movable == 0 {
                if moves(opp, own) == 0 {
                    return Ok((final_score(own, opp), 64));
                }
                let (score, _) = exact(search, opp, own, (-beta, -alpha), empties)?;
                return Ok((-score, 64));
            }
            let known = search.table.get(own, opp);
            let mut children = Children::new();
            list_children(search, (own, opp), movable, known, empties, &mut children)?;
            let (mut best, mut best_square) = (NONE, 64);
            for &Child { own, opp, replies, square, .. } in &children {
                let mut score = NONE;
                if best != NONE {
                    score = -null_window(search, own, opp, -alpha - 1, empties - 1, replies)?;
                }
                if best == NONE || (alpha < score && score < beta) {
                    let floor = if best == NONE { alpha } else { score - 1 };
                    let (value, _) = exact(search, own, opp, (-beta, -floor), empties - 1)?;
                    score = -value;
                }
                if score > best {
                    (best, best_square) = (score, square);
                    alpha = alpha.max(score);
                    if score >= beta {
                        break;
                    }
                }
            }
            search.table.put(own, opp, empties, window, best, best_square);
            Ok((best, best_square))
        }

        /// All moves, the promising ones first. Looking far ahead takes long enough to be stopped.
        $(#[$attribute])*
        pub(super) fn list_children(
            search: &mut Search<'_>,
            (own, opp): (u64, u64),
            movable: u64,
            known: Option<Bounds>,
            empties: u32,
            out: &mut Children,
        ) -> Result<(), Stopped> {
            let odd = odd_quadrants(!(own | opp));
            let depth = sort_depth(empties);
            for square in Squares(movable) {
                if depth >= LONG_SORT && search.is_stopped() {
                    return Err(Stopped);
                }
                let flipped = flips(square, own, opp);
                let (next_own, next_opp) = (opp ^ flipped, own ^ flipped | 1 << square);
                let replies = moves(next_own, next_opp);
                let mut child = Child { rank: 0, square, own: next_own, opp: next_opp, replies };
                child.rank = match known {
                    Some(known) if known.best == square => i32::MIN,
                    Some(known) if known.second == square => i32::MIN + 1,
                    _ if next_own == 0 => i32::MIN + 2,
                    _ => rank(search, &child, odd, depth),
                };
                out.push(child);
            }
            out.sort_unstable_by_key(|child| (child.rank, child.square));
            Ok(())
        }

        $(#[$attribute])*
        fn rank(search: &mut Search<'_>, child: &Child, odd: u64, depth: u32) -> i32 {
            let &Child { square, own, opp, replies, .. } = child;
            let bit = 1u64 << square;
            let mobility = (replies.count_ones() + (replies & CORNERS).count_ones()) as i32;
            let parity = i32::from(odd & bit != 0);
            let place = 2 * i32::from(X_SQUARES & bit != 0) - 3 * i32::from(CORNERS & bit != 0);
            let opinion = opinion(&mut search.worker, own, opp, depth, -CERTAIN, CERTAIN);
            16 * mobility - 8 * parity + 8 * place + opinion + search.noise_of(own, opp)
        }
    };
}

pub(crate) use define_solver;
