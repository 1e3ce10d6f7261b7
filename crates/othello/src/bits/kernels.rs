//! The long loops, written once and compiled once per instruction set.

/// Defines `playout` and `perft` in the calling module, each function under the given attributes.
///
/// The module must define, under the same attributes so that all of it is inlined: the type
/// `Board`, and the functions `board(own, opp) -> Board`, `discs(Board) -> (own, opp)`,
/// `board_moves(Board) -> u64`, `after_move(Board, square) -> Board` (turn handed over),
/// `after_pass(Board) -> Board` and `nth_square(set, n) -> u32`.
macro_rules! define_kernels {
    ($(#[$attribute:meta])*) => {
        /// See [`playout`](super::playout).
        $(#[$attribute])*
        pub(super) fn playout(
            own: u64,
            opp: u64,
            rng: &mut gamecore::Rng,
            limit: u32,
        ) -> super::Playout {
            // A local copy lets the generator live in registers during the loop.
            let mut local_rng = rng.clone();
            let mut at = board(own, opp);
            let mut actions = 0;
            let over = loop {
                let set = board_moves(at);
                if set == 0 {
                    if board_moves(after_pass(at)) == 0 {
                        break true;
                    }
                    if actions == limit {
                        break false;
                    }
                    at = after_pass(at);
                } else {
                    if actions == limit {
                        break false;
                    }
                    let square = if set & (set - 1) == 0 {
                        set.trailing_zeros()
                    } else {
                        nth_square(set, local_rng.below(set.count_ones()))
                    };
                    at = after_move(at, square);
                }
                actions += 1;
            };
            *rng = local_rng;
            let (own, opp) = discs(at);
            super::Playout { own, opp, actions, over }
        }

        /// See [`perft`](super::perft).
        $(#[$attribute])*
        pub(super) fn perft(own: u64, opp: u64, depth: u32) -> u64 {
            match depth {
                0 => 1,
                1 => leaves_one_ply_deep(board(own, opp)),
                _ => leaves(board(own, opp), depth),
            }
        }

        /// One leaf per move. A position without moves has one leaf as well: its pass, or itself
        /// if the game is over.
        $(#[$attribute])*
        #[inline]
        fn leaves_one_ply_deep(at: Board) -> u64 {
            u64::from(board_moves(at).count_ones().max(1))
        }

        /// Leaves at `depth`, which is 2 or more.
        $(#[$attribute])*
        fn leaves(at: Board, depth: u32) -> u64 {
            let mut set = board_moves(at);
            if set == 0 {
                let passed = after_pass(at);
                return if depth == 2 {
                    leaves_one_ply_deep(passed)
                } else if board_moves(passed) == 0 {
                    1
                } else {
                    leaves(passed, depth - 1)
                };
            }
            let mut total = 0;
            while set != 0 {
                let child = after_move(at, set.trailing_zeros());
                set &= set - 1;
                total += if depth == 2 {
                    leaves_one_ply_deep(child)
                } else {
                    leaves(child, depth - 1)
                };
            }
            total
        }
    };
}

pub(super) use define_kernels;
