//! The last empties, where nearly all nodes are: written once, compiled once per instruction set.
//!
//! Scores are final disc differences for the side to move, empty squares to the winner. All
//! functions ask one question, "is the score above alpha?", and answer fail-soft: a result above
//! alpha is a lower bound, any other an upper bound.

use arrayvec::ArrayVec;

use crate::local::LocalTable;

/// Below every score.
pub(crate) const NONE: i32 = -65;

/// Up to this many empty squares the kernel is responsible.
pub(crate) const KERNEL_EMPTIES: u32 = 12;
/// From this many empty squares on, moves are ordered by mobility.
pub(crate) const FIRST_SORTED: u32 = 7;
/// From this many empty squares on, positions are remembered; below, a look costs too much.
pub(crate) const FIRST_REMEMBERED: u32 = 8;

/// What one thread carries through the kernel.
pub(crate) struct Worker {
    /// Positions entered.
    pub(crate) nodes: u64,
    /// The search stops itself after so many.
    pub(crate) most_nodes: u64,
    pub(crate) local: LocalTable,
}

impl Worker {
    pub(crate) fn new() -> Self {
        Self { nodes: 0, most_nodes: u64::MAX, local: LocalTable::new() }
    }

    #[inline]
    pub(crate) fn is_spent(&self) -> bool {
        self.nodes >= self.most_nodes
    }
}

/// The four quadrants of the board.
pub(crate) const QUADRANTS: [u64; 4] =
    [0x0000_0000_0f0f_0f0f, 0x0000_0000_f0f0_f0f0, 0x0f0f_0f0f_0000_0000, 0xf0f0_f0f0_0000_0000];

/// Quadrants with an odd number of empty squares: who moves there first will also move there last.
#[inline(always)]
pub(crate) fn odd_quadrants(empty: u64) -> u64 {
    let mut odd = 0;
    for quadrant in QUADRANTS {
        odd |= quadrant & u64::from(((empty & quadrant).count_ones() & 1) as u8).wrapping_neg();
    }
    odd
}

/// The squares next to each square.
pub(crate) static NEIGHBOURS: [u64; 64] = neighbours();

const fn neighbours() -> [u64; 64] {
    let mut all = [0; 64];
    let mut square = 0;
    while square < 64 {
        let disc = 1u64 << square;
        let wide = disc | (disc & 0x7f7f_7f7f_7f7f_7f7f) << 1 | (disc & 0xfefe_fefe_fefe_fefe) >> 1;
        all[square] = (wide | wide << 8 | wide >> 8) & !disc;
        square += 1;
    }
    all
}

/// The score when neither side can move.
#[inline]
pub(crate) fn final_score(own: u64, opp: u64) -> i32 {
    let (own, opp) = (own.count_ones() as i32, opp.count_ones() as i32);
    match own.cmp(&opp) {
        std::cmp::Ordering::Greater => 64 - 2 * opp,
        std::cmp::Ordering::Equal => 0,
        std::cmp::Ordering::Less => 2 * own - 64,
    }
}

/// Squares of a set, lowest first.
#[derive(Clone, Copy)]
pub(crate) struct Squares(pub(crate) u64);

impl Iterator for Squares {
    type Item = u8;
    #[inline(always)]
    fn next(&mut self) -> Option<u8> {
        if self.0 == 0 {
            return None;
        }
        let square = self.0.trailing_zeros() as u8;
        self.0 &= self.0 - 1;
        Some(square)
    }
}

/// A move and the position after it.
#[derive(Clone, Copy)]
pub(crate) struct Child {
    /// The lower, the sooner.
    pub(crate) rank: i32,
    pub(crate) square: u8,
    pub(crate) own: u64,
    pub(crate) opp: u64,
    /// Legal moves there.
    pub(crate) replies: u64,
}

/// Removes the child of lowest rank. Most lists are left after one or two, so sorting them whole
/// would be wasted.
#[inline(always)]
pub(crate) fn take_first(children: &mut ArrayVec<Child, 32>) -> Option<Child> {
    let mut first = 0;
    for (index, child) in children.iter().enumerate() {
        if child.rank < children[first].rank {
            first = index;
        }
    }
    children.swap_pop(first)
}

/// Defines the search of a given number of empty squares in the calling module by that of one less.
/// Each order names the square to fill and then those that are left.
macro_rules! define_solve_next {
    (
        $(#[$attribute:meta])*
        $name:ident: $squares:ty = $orders:expr, then $next:ident
    ) => {
        $(#[$attribute])*
        fn $name(
            worker: &mut Worker, own: u64, opp: u64, alpha: i32, squares: $squares, passed: bool,
        ) -> i32 {
            let mut best = NONE;
            for [square, rest @ ..] in $orders.map(|order| order.map(|place: usize| squares[place])) {
                if NEIGHBOURS[square as usize & 63] & opp != 0 {
                    let flipped = flips(square, own, opp);
                    if flipped != 0 {
                        worker.nodes += 1;
                        let own_next = own ^ flipped | 1 << square;
                        let score =
                            -$next(worker, opp ^ flipped, own_next, -alpha - 1, rest, false);
                        if score > alpha {
                            return score;
                        }
                        best = best.max(score);
                    }
                }
            }
            if best != NONE {
                best
            } else if passed {
                // Both sides are stuck.
                final_score(own, opp)
            } else {
                worker.nodes += 1;
                -$name(worker, opp, own, -alpha - 1, squares, true)
            }
        }
    };
}

/// Defines the kernel in the calling module, which must provide `moves`, `flips`, `stable` and
/// `last_flips` under the same attributes.
macro_rules! define_kernel {
    ($(#[$attribute:meta])*) => {
        use crate::kernel::{
            Child, FIRST_REMEMBERED, FIRST_SORTED, NEIGHBOURS, NONE, Squares, Worker,
            define_solve_next, final_score, odd_quadrants, take_first,
        };
        use arrayvec::ArrayVec;

        use crate::order::{CORNERS, X_SQUARES};

        /// The bound that the opponent's stable discs put on the score, if it answers "above alpha?"
        /// with no. Asked only where alpha is high, and where it could answer if all those discs
        /// were stable.
        $(#[$attribute])*
        #[inline]
        fn stability_cut(own: u64, opp: u64, alpha: i32, empties: u32) -> Option<i32> {
            if alpha < 2 * empties as i32 - 2 || 64 - 2 * opp.count_ones() as i32 > alpha {
                return None;
            }
            let bound = 64 - 2 * stable(opp, own).count_ones() as i32;
            (bound <= alpha).then_some(bound)
        }

        /// One empty square. `opp` is everything else on the board.
        $(#[$attribute])*
        #[inline]
        fn solve_1(own: u64, square: u8) -> i32 {
            let discs = own.count_ones() as i32;
            let flipped = last_flips(square, own);
            if flipped != 0 {
                return 2 * (discs + flipped) - 62;
            }
            let opp = !(own | 1 << square);
            let flipped = last_flips(square, opp);
            if flipped != 0 {
                return 2 * (discs - flipped) - 64;
            }
            if 2 * discs > 63 { 2 * discs - 62 } else { 2 * discs - 64 }
        }

        /// Two empty squares.
        $(#[$attribute])*
        fn solve_2(
            worker: &mut Worker, own: u64, opp: u64, alpha: i32, squares: [u8; 2], passed: bool,
        ) -> i32 {
            let mut best = NONE;
            let [a, b] = squares;
            for [square, other] in [[a, b], [b, a]] {
                if NEIGHBOURS[square as usize & 63] & opp != 0 {
                    let flipped = flips(square, own, opp);
                    if flipped != 0 {
                        worker.nodes += 1;
                        let score = -solve_1(opp ^ flipped, other);
                        if score > alpha {
                            return score;
                        }
                        best = best.max(score);
                    }
                }
            }
            if best != NONE {
                best
            } else if passed {
                final_score(own, opp)
            } else {
                worker.nodes += 1;
                -solve_2(worker, opp, own, -alpha - 1, squares, true)
            }
        }

        define_solve_next! {
            $(#[$attribute])*
            /// Three empty squares, in the order to try them.
            solve_3: [u8; 3] = [[0, 1, 2], [1, 0, 2], [2, 0, 1]], then solve_2
        }
        define_solve_next! {
            $(#[$attribute])*
            /// Four empty squares, in the order to try them.
            solve_4: [u8; 4] = [[0, 1, 2, 3], [1, 0, 2, 3], [2, 0, 1, 3], [3, 0, 1, 2]], then solve_3
        }

        /// Up to four empty squares of any number.
        $(#[$attribute])*
        #[inline]
        fn solve_few(worker: &mut Worker, own: u64, opp: u64, alpha: i32) -> i32 {
            let empty = !(own | opp);
            let odd = empty & odd_quadrants(empty);
            let mut ordered = Squares(odd).chain(Squares(empty & !odd));
            let mut next = || ordered.next().unwrap_or(0);
            match empty.count_ones() {
                0 => final_score(own, opp),
                1 => solve_1(own, next()),
                2 => solve_2(worker, own, opp, alpha, [next(), next()], false),
                3 => solve_3(worker, own, opp, alpha, [next(), next(), next()], false),
                _ => solve_4(worker, own, opp, alpha, [next(), next(), next(), next()], false),
            }
        }

        /// The answer for a position with at most [`crate::kernel::KERNEL_EMPTIES`] empty squares,
        /// already counted as a node.
        $(#[$attribute])*
        #[inline]
        fn late(worker: &mut Worker, own: u64, opp: u64, alpha: i32, empties: u32) -> i32 {
            if empties <= 4 {
                return solve_few(worker, own, opp, alpha);
            }
            let movable = moves(own, opp);
            with_moves(worker, own, opp, alpha, empties, movable)
        }

        /// The same with five empty squares or more, the legal moves being known.
        $(#[$attribute])*
        fn with_moves(
            worker: &mut Worker, own: u64, opp: u64, alpha: i32, empties: u32, movable: u64,
        ) -> i32 {
            if let Some(bound) = stability_cut(own, opp, alpha, empties) {
                return bound;
            }
            if movable == 0 {
                if moves(opp, own) == 0 {
                    return final_score(own, opp);
                }
                worker.nodes += 1;
                return -late(worker, opp, own, -alpha - 1, empties);
            }
            if empties < FIRST_SORTED {
                by_parity(worker, own, opp, alpha, empties, movable)
            } else {
                by_mobility(worker, own, opp, alpha, empties, movable)
            }
        }

        /// Moves in odd quadrants first; nothing is remembered.
        $(#[$attribute])*
        #[inline]
        fn by_parity(
            worker: &mut Worker, own: u64, opp: u64, alpha: i32, empties: u32, movable: u64,
        ) -> i32 {
            let odd = movable & odd_quadrants(!(own | opp));
            let mut best = NONE;
            for square in Squares(odd).chain(Squares(movable & !odd)) {
                let flipped = flips(square, own, opp);
                worker.nodes += 1;
                let own_next = own ^ flipped | 1 << square;
                let score = -late(worker, opp ^ flipped, own_next, -alpha - 1, empties - 1);
                if score > alpha {
                    return score;
                }
                best = best.max(score);
            }
            best
        }

        /// Moves that leave the opponent the fewest replies first; results are remembered.
        $(#[$attribute])*
        #[inline]
        fn by_mobility(
            worker: &mut Worker, own: u64, opp: u64, alpha: i32, empties: u32, movable: u64,
        ) -> i32 {
            let remembered = empties >= FIRST_REMEMBERED;
            let slot = if remembered { worker.local.slot(own, opp) } else { 0 };
            let known = if remembered { worker.local.get(slot, own, opp) } else { None };
            if let Some(known) = known {
                if i32::from(known.lower) > alpha {
                    return i32::from(known.lower);
                }
                if i32::from(known.upper) <= alpha {
                    return i32::from(known.upper);
                }
            }
            let first = known.map_or(64, |known| known.best);
            let odd = odd_quadrants(!(own | opp));
            let mut children: ArrayVec<Child, 32> = ArrayVec::new();
            for square in Squares(movable) {
                let flipped = flips(square, own, opp);
                let (next_own, next_opp) = (opp ^ flipped, own ^ flipped | 1 << square);
                let replies = moves(next_own, next_opp);
                let bit = 1u64 << square;
                let mut rank = 8 * replies.count_ones() as i32
                    + 8 * (replies & CORNERS).count_ones() as i32;
                rank -= 3 * i32::from(odd & bit != 0);
                rank += 4 * i32::from(X_SQUARES & bit != 0) - 6 * i32::from(CORNERS & bit != 0);
                if square == first {
                    rank = -1000;
                }
                children.push(Child { rank, square, own: next_own, opp: next_opp, replies });
            }
            let mut best = NONE;
            let mut best_square = 64;
            while let Some(child) = take_first(&mut children) {
                worker.nodes += 1;
                let Child { own, opp, replies, .. } = child;
                let score = -with_moves(worker, own, opp, -alpha - 1, empties - 1, replies);
                if score > best {
                    (best, best_square) = (score, child.square);
                    if score > alpha {
                        break;
                    }
                }
            }
            if remembered {
                worker.local.put(slot, own, opp, alpha, best, best_square);
            }
            best
        }
    };
}

pub(crate) use {define_kernel, define_solve_next};
