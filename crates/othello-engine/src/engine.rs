//! The solver as others see it.

use gamecore::Game;
use othello::bits::InstructionSet;
use othello::{Board, Move, Othello};

use crate::kernel::Worker;
use crate::solver::{Search, Stopped};
use crate::table::Table;

/// How a solver works. None of it changes a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolverOptions {
    /// Size of the table in MiB.
    pub table_mb: usize,
    /// Threads that share the table.
    pub threads: usize,
    /// Instructions of the kernel.
    pub set: InstructionSet,
}

impl Default for SolverOptions {
    fn default() -> Self {
        Self { table_mb: 64, threads: 1, set: InstructionSet::detect() }
    }
}

/// An exact result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solved {
    /// Final disc difference for the side to move, empty squares to the winner.
    pub score: i32,
    /// Best play to the end, passes included; empty if the game is over.
    pub line: Vec<Move>,
    /// Positions entered by all threads.
    pub nodes: u64,
}

/// Finds exact scores. Its table stays warm from position to position.
pub struct Solver {
    options: SolverOptions,
    table: Table,
}

/// The whole range of scores.
pub(crate) const FULL: (i32, i32) = (-65, 65);

impl Solver {
    /// A solver with an empty table.
    #[must_use]
    pub fn new(options: SolverOptions) -> Self {
        Self { options, table: Table::new(options.table_mb) }
    }

    /// Solves a position, unless `stop` says so first. `stop` is asked often and must be quick.
    pub fn solve(&self, board: &Board, stop: &(dyn Fn() -> bool + Sync)) -> Option<Solved> {
        let mut search = self.search(stop, 0);
        let (score, helper_nodes) = self.score(&mut search, board).ok()?;
        let line = self.line(&mut search, board, score).ok()?;
        Some(Solved { score, line, nodes: search.worker.nodes + helper_nodes })
    }

    fn search<'s>(&'s self, stop: &'s (dyn Fn() -> bool + Sync), noise: u64) -> Search<'s> {
        let SolverOptions { set, .. } = self.options;
        Search { table: &self.table, set, worker: Worker::new(), stop, noise }
    }

    #[cfg(feature = "threads")]
    fn score(&self, main: &mut Search<'_>, board: &Board) -> Result<(i32, u64), Stopped> {
        crate::parallel::score(self.options.threads, main, board, |stop, noise| {
            let mut helper = self.search(stop, noise);
            // A helper fills the table; its answer, if it has one, is the same as the main one's.
            let _ = helper.exact(board.own(), board.opp(), FULL, board.empties());
            helper.worker.nodes
        })
    }

    #[cfg(not(feature = "threads"))]
    fn score(&self, main: &mut Search<'_>, board: &Board) -> Result<(i32, u64), Stopped> {
        let (score, _) = main.exact(board.own(), board.opp(), FULL, board.empties())?;
        Ok((score, 0))
    }

    /// Best play: at every step the move that keeps the score, which the table knows or a narrow
    /// window finds quickly.
    fn line(
        &self,
        search: &mut Search<'_>,
        board: &Board,
        mut score: i32,
    ) -> Result<Vec<Move>, Stopped> {
        let mut board = *board;
        let mut line = Vec::new();
        while !board.is_over() {
            let window = (score - 1, score + 1);
            let (_, best) = search.exact(board.own(), board.opp(), window, board.empties())?;
            let action = Move::new(best).expect("a square or the pass");
            Othello.apply(&mut board, action);
            line.push(action);
            score = -score;
        }
        Ok(line)
    }
}
