//! Threads for play, where there are any; what cannot be had is done without.
//!
//! Depth first ("lazy SMP"): helpers run the same search in other root orders and
//! share only the table. With `table=exact` and a depth budget the chosen action and value stay
//! those of one thread; only effort and counters differ.
//!
//! Trees (root parallelisation, Cazenave and Jouandeau, 2007): every thread grows a tree of its own
//! from its own random stream, and the statistics of their roots are added up. Nothing is shared,
//! so under budgets of iterations or calls the decision repeats exactly.

/// Does `main` on this thread, and the others beside it: what `main` found, and what the others did, as many of
/// the first as there were threads to be had.
#[cfg(feature = "threads")]
pub(crate) fn beside<'env, T, H: Send + 'env>(
    helpers: impl Iterator<Item: FnOnce() -> H + Send + 'env>,
    main: impl FnOnce() -> T,
) -> (T, Vec<H>) {
    std::thread::scope(|scope| {
        let helpers: Vec<_> = helpers
            .map_while(|help| std::thread::Builder::new().spawn_scoped(scope, help).ok())
            .collect();
        let found = main();
        let join = |helper: std::thread::ScopedJoinHandle<'_, H>| {
            helper.join().expect("a thread of the search panicked")
        };
        (found, helpers.into_iter().map(join).collect())
    })
}

#[cfg(not(feature = "threads"))]
pub(crate) fn beside<'env, T, H: Send + 'env>(
    _helpers: impl Iterator<Item: FnOnce() -> H + Send + 'env>,
    main: impl FnOnce() -> T,
) -> (T, Vec<H>) {
    (main(), Vec::new())
}
