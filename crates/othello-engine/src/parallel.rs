//! Several threads on one position: helpers search the same tree in a slightly different order and
//! share the table. The score is that of the main thread, so it does not depend on their number.

use std::sync::atomic::{AtomicBool, Ordering};

/// Says that the helpers are no longer needed, at the latest when it is dropped: a panic of the
/// main thread must not leave them at work and itself waiting for them.
struct Done<'a>(&'a AtomicBool);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Runs `main` on this thread and a number of helpers beside it, and adds up their nodes. Helpers
/// run until their stop function says so: when `main` calls what it is given, or ends. Those that
/// the system has no thread for are left out.
pub(crate) fn with_helpers<R>(
    threads: usize,
    main: impl FnOnce(&dyn Fn()) -> R,
    helper: impl Fn(&(dyn Fn() -> bool + Sync), u64) -> u64 + Sync,
) -> (R, u64) {
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let guard = Done(&done);
        let spawn = |number: u64| {
            let (helper, done) = (&helper, &done);
            let run = move || helper(&|| done.load(Ordering::Relaxed), number);
            std::thread::Builder::new().spawn_scoped(scope, run).ok()
        };
        let helpers: Vec<_> = (1..threads as u64).map_while(spawn).collect();
        let result = main(&|| done.store(true, Ordering::Relaxed));
        drop(guard);
        let nodes = helpers
            .into_iter()
            .map(|helper| helper.join().expect("a helper thread of the solver panicked"))
            .sum();
        (result, nodes)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without the guard this test would never end.
    #[test]
    fn a_panic_in_the_main_thread_sends_the_helpers_home() {
        let waiting = |stop: &(dyn Fn() -> bool + Sync), _: u64| {
            while !stop() {
                std::thread::yield_now();
            }
            1
        };
        let quiet = |panics: bool| {
            std::panic::catch_unwind(|| {
                with_helpers(
                    3,
                    // Not through the hook, which would print.
                    |_| if panics { std::panic::resume_unwind(Box::new("on purpose")) } else { 7 },
                    waiting,
                )
            })
        };
        assert!(quiet(true).is_err());
        assert_eq!(quiet(false).ok(), Some((7, 2)));
    }
}
