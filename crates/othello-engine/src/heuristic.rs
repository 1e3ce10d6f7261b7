//! A quick opinion about midgame positions, used only to decide what to try first. Written once,
//! compiled once per instruction set.

const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// Above every opinion.
pub(crate) const CERTAIN: i32 = 1_000_000;

#[inline(always)]
pub(crate) fn around(discs: u64) -> u64 {
    let wide = discs | (discs & NOT_H) << 1 | (discs & NOT_A) >> 1;
    wide | wide << 8 | wide >> 8
}

#[inline(always)]
pub(crate) fn count(board: u64) -> i32 {
    board.count_ones() as i32
}

/// Mobility and potential mobility as the order counts them, for the side to move.
#[must_use]
pub fn order_features(own: u64, opp: u64) -> [i32; 2] {
    use crate::order::CORNERS;
    let (movable, replies) = (othello::bits::moves(own, opp), othello::bits::moves(opp, own));
    let empty = !(own | opp);
    let mobility =
        count(movable) + count(movable & CORNERS) - count(replies) - count(replies & CORNERS);
    [mobility, count(around(opp) & empty) - count(around(own) & empty)]
}

/// Defines `opinion` in the calling module, which must provide `moves`, `flips` and `pattern_sum` under the same
/// attributes.
macro_rules! define_opinion {
    ($(#[$attribute:meta])*) => {
        /// What alpha-beta of `depth` plies thinks, for the side to move, inside (alpha, beta).
        $(#[$attribute])*
        fn opinion(
            worker: &mut Worker, own: u64, opp: u64, depth: u32, mut alpha: i32, beta: i32,
        ) -> i32 {
            worker.nodes += 1;
            let movable = moves(own, opp);
            // A search that is about to stop will not use the answer.
            if depth == 0 || worker.is_spent() {
                return at_once(own, opp, movable);
            }
            if movable == 0 {
                if moves(opp, own) == 0 {
                    return 1000 * $crate::kernel::final_score(own, opp);
                }
                return -opinion(worker, opp, own, depth, -beta, -alpha);
            }
            let mut best = -$crate::heuristic::CERTAIN;
            let corners = movable & CORNERS;
            let late = movable & X_SQUARES;
            let middle = movable & !corners & !late;
            for square in Squares(corners).chain(Squares(middle)).chain(Squares(late)) {
                let flipped = flips(square, own, opp);
                let own_next = own ^ flipped | 1 << square;
                let score = -opinion(worker, opp ^ flipped, own_next, depth - 1, -beta, -alpha);
                best = best.max(score);
                alpha = alpha.max(score);
                if alpha >= beta {
                    break;
                }
            }
            best
        }

        /// Mobility, potential mobility, edges and corners; a disc is worth about 9. The fit gives
        /// mobility 1.7 discs and potential mobility 1.0.
        $(#[$attribute])*
        #[inline]
        fn at_once(own: u64, opp: u64, movable: u64) -> i32 {
            use $crate::heuristic::{around, count};
            let empty = !(own | opp);
            let replies = moves(opp, own);
            let mobility = count(movable) + count(movable & CORNERS)
                - count(replies) - count(replies & CORNERS);
            let potential = count(around(opp) & empty) - count(around(own) & empty);
            16 * mobility + 10 * potential + 2 * pattern_sum(own, opp)
        }
    };
}

pub(crate) use define_opinion;
