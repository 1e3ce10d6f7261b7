//! Several threads on one position: helpers search the same tree in a slightly different order and
//! share the table. The score is that of the main thread, so it does not depend on their number.

use std::sync::atomic::{AtomicBool, Ordering};

use othello::Board;

use crate::engine::FULL;
use crate::solver::{Search, Stopped};

/// The score, and the nodes of the helpers. `helper` runs one until its stop function says so.
pub(crate) fn score(
    threads: usize,
    main: &mut Search<'_>,
    board: &Board,
    helper: impl Fn(&(dyn Fn() -> bool + Sync), u64) -> u64 + Sync,
) -> Result<(i32, u64), Stopped> {
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let helpers: Vec<_> = (1..threads as u64)
            .map(|number| {
                let (helper, done) = (&helper, &done);
                scope.spawn(move || helper(&|| done.load(Ordering::Relaxed), number))
            })
            .collect();
        let result = main.exact(board.own(), board.opp(), FULL, board.empties());
        done.store(true, Ordering::Relaxed);
        let mut nodes = 0;
        for helper in helpers {
            nodes += helper.join().expect("a helper thread of the solver panicked");
        }
        result.map(|(score, _)| (score, nodes))
    })
}
