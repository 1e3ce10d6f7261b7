//! The pseudo-code of *The Study of the Impact of the Search Algorithms in Board Games*
//! (Hernandez, Daza and Florez, 2020), Algorithms 1 and 2, letter by letter. A negative control:
//! it is not SCOUT and its answers are not minimax values. Kept as printed:
//!
//! 1. Test has no depth limit; it runs to the end of the game.
//! 2. Test and Eval hand `player` on unchanged, so MAX and MIN never alternate.
//! 3. When no child decides, Test returns true for MAX and false for MIN: both inverted.
//! 4. Eval's MIN branch re-evaluates on "greater", as the MAX branch does.
//! 5. A side without a move is a leaf, although Othello says pass.
//! 6. `bestMove` stays unset while the first move is best; we then play the first move.
//!
//! With `player = min` (default) Test is false for every position with a legal move, so Eval follows
//! the first legal move, depth + 1 Eval nodes, unless another move ends the game or leaves the
//! opponent without a reply. That fits the published node counts, which lie below the smallest tree
//! that can prove a depth-8 value.

use gamecore::{Buf, Game, Score, Seat, Turn};

use crate::searcher::Searcher;
use crate::window::{Stopped, Value, Window};

impl<G: Game> Searcher<'_, G> {
    /// Algorithm 2: the "value" of a position and the index of its `bestMove`.
    pub(crate) fn printed_eval(
        &mut self,
        state: &G::State,
        depth: u32,
        machine: Seat,
    ) -> Result<(Score, usize), Stopped> {
        self.count_node()?;
        let mut moves = Buf::new();
        self.printed_moves(state, &mut moves);
        if moves.is_empty() || depth == 0 {
            return Ok((self.printed_leaf(state, machine), 0));
        }
        let mut best = 0;
        let mut score = self.printed_child(state, moves[0], depth, machine)?;
        for (index, &action) in moves.iter().enumerate().skip(1) {
            let mut board = state.clone();
            self.game.apply(&mut board, action);
            if self.printed_test(&board, score, machine)? {
                self.counters.researches += 1;
                score = self.printed_child(state, action, depth, machine)?;
                best = index;
            }
        }
        Ok((score, best))
    }

    fn printed_child(
        &mut self,
        state: &G::State,
        action: G::Action,
        depth: u32,
        machine: Seat,
    ) -> Value {
        self.step(state, action, depth - 1, Window::FULL, machine, |me, child| {
            Ok(me.printed_eval(child, depth - 1, machine)?.0)
        })
    }

    /// Algorithm 1.
    fn printed_test(
        &mut self,
        state: &G::State,
        score: Score,
        machine: Seat,
    ) -> Result<bool, Stopped> {
        self.count_node()?;
        let mut moves = Buf::new();
        self.printed_moves(state, &mut moves);
        if moves.is_empty() {
            return Ok(self.printed_leaf(state, machine) > score);
        }
        let max = self.config.printed_max;
        for &action in &moves {
            let mut board = state.clone();
            self.game.apply(&mut board, action);
            // MAX leaves with the first true child, MIN with the first false one.
            if self.printed_test(&board, score, machine)? == max {
                return Ok(max);
            }
        }
        Ok(max)
    }

    /// `getLegalMoves`: nothing where the rules ask for a pass.
    fn printed_moves(&self, state: &G::State, moves: &mut Buf<G::Action>) {
        if self.game.turn(state) != Turn::Over {
            self.game.actions(state, moves);
            moves.retain(|action| !self.game.is_pass(*action));
        }
    }

    /// `evaluateNode`, always for the machine.
    fn printed_leaf(&mut self, state: &G::State, machine: Seat) -> Score {
        if self.game.turn(state) == Turn::Over {
            self.finished(state, machine)
        } else {
            self.static_value(state, machine)
        }
    }
}
