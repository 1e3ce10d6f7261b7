//! The Othello engine: exact endgames.

mod heuristic;
mod isa;
mod kernel;
mod lines;
mod local;
mod order;
mod solver;
mod table;

use std::sync::atomic::AtomicBool;

use othello::Board;
use othello::bits::InstructionSet;

use crate::kernel::Worker;
use crate::solver::Search;
use crate::table::Table;

/// An exact result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solved {
    /// Final disc difference for the side to move, empty squares to the winner.
    pub score: i32,
    /// A best move; 64 if there is none.
    pub best: u8,
    /// Positions entered.
    pub nodes: u64,
}

/// Solves a position.
#[must_use]
pub fn solve(board: &Board, set: InstructionSet, table_mb: usize) -> Solved {
    let table = Table::new(table_mb);
    let stop = AtomicBool::new(false);
    let mut search = Search { table: &table, set, worker: Worker::new(), stop: &stop, noise: 0 };
    let (score, best) =
        search.exact(board.own(), board.opp(), (-64, 64), board.empties()).expect("never stopped");
    Solved { score, best, nodes: search.worker.nodes }
}
