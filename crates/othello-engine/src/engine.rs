//! The solver as others see it.

use gamecore::MachineFault;
use othello::bits::InstructionSet;
use othello::{Board, Move};

use crate::isa;
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

/// A search that was told to stop before it knew the score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unfinished {
    /// Positions entered by all threads until then.
    pub nodes: u64,
}

/// Finds exact scores. Its table stays warm from position to position.
pub struct Solver {
    options: SolverOptions,
    table: Table,
}

impl Solver {
    /// A solver with an empty table.
    ///
    /// # Panics
    /// With a [`MachineFault`] if there is not enough memory.
    #[must_use]
    pub fn new(options: SolverOptions) -> Self {
        let SolverOptions { table_mb, .. } = options;
        let refused =
            || format!("{table_mb} MiB for the solver's table: more memory than the system gives");
        let table = Table::new(table_mb).unwrap_or_else(|| MachineFault(refused()).raise());
        Self { options, table }
    }

    /// Solves a position, unless `stop` says so first. `stop` is asked often and must be quick.
    pub fn solve(&self, board: &Board, stop: &(dyn Fn() -> bool + Sync)) -> Option<Solved> {
        self.attempt(board, None, stop).ok()
    }

    /// The same with a limit on the nodes of this thread; a search that was stopped tells what it
    /// cost. The last twelve empty squares are always searched to the end, so the limit may be
    /// passed by the nodes of one such search.
    pub fn attempt(
        &self,
        board: &Board,
        most_nodes: Option<u64>,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Solved, Unfinished> {
        let SolverOptions { set, .. } = self.options;
        let (own, opp) = (board.own(), board.opp());
        let mut search = self.search(stop, 0);
        search.worker.most_nodes = most_nodes.unwrap_or(u64::MAX);
        let (found, helper_nodes) =
            self.beside_helpers(board, |scored| isa::solve(set, &mut search, own, opp, scored));
        let nodes = search.worker.nodes + helper_nodes;
        let (score, squares) = found.map_err(|Stopped| Unfinished { nodes })?;
        let action = |square: u8| Move::new(square).expect("a square or the pass");
        Ok(Solved { score, line: squares.into_iter().map(action).collect(), nodes })
    }

    fn search<'s>(&'s self, stop: &'s (dyn Fn() -> bool + Sync), noise: u64) -> Search<'s> {
        Search { table: &self.table, worker: Worker::new(), stop, noise }
    }

    /// Runs `main` while the other threads fill the table; the nodes are theirs.
    #[cfg(feature = "threads")]
    fn beside_helpers<R>(&self, board: &Board, main: impl FnOnce(&dyn Fn()) -> R) -> (R, u64) {
        let SolverOptions { threads, set, .. } = self.options;
        crate::parallel::with_helpers(threads, main, |stop, noise| {
            let mut helper = self.search(stop, noise);
            isa::help(set, &mut helper, board.own(), board.opp());
            helper.worker.nodes
        })
    }

    #[cfg(not(feature = "threads"))]
    fn beside_helpers<R>(&self, _: &Board, main: impl FnOnce(&dyn Fn()) -> R) -> (R, u64) {
        (main(&|| {}), 0)
    }
}
