//! Work that is begun in order: the one way in which threads are used here.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};
use std::thread;

use gamecore::StopToken;

/// Does the work of all items on so many threads; each begins with the first item that nobody has
/// begun. Ends early when `stop` says so, or with the first error, after what was begun is done.
pub(crate) fn in_order<I: Sync, E: Send>(
    threads: usize,
    items: &[I],
    stop: &StopToken,
    work: &(dyn Fn(&I) -> Result<(), E> + Sync),
) -> Result<(), E> {
    let next = AtomicUsize::new(0);
    let failed: Mutex<Option<E>> = Mutex::new(None);
    let begin = || {
        while !stop.is_stopped()
            && let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed))
        {
            if let Err(error) = work(item) {
                // Nobody begins anything more.
                next.store(items.len(), Ordering::Relaxed);
                failed.lock().expect("nobody panics while holding it").get_or_insert(error);
            }
        }
    };
    thread::scope(|scope| {
        // Fewer threads do the same work.
        let others: Vec<_> = (1..threads.min(items.len()))
            .map_while(|_| thread::Builder::new().spawn_scoped(scope, begin).ok())
            .collect();
        begin();
        for other in others {
            // With what it was about, as on this thread: a fault of the machine stays one.
            other.join().unwrap_or_else(|panic| resume_unwind(panic));
        }
    });
    failed.into_inner().expect("nobody panics while holding it").map_or(Ok(()), Err)
}

/// What `work` makes of all items, in their order, on so many threads; or the first error. Work that
/// can be stopped must end at once when it is.
pub fn map_in_order<I: Sync, T: Send + Sync, E: Send>(
    threads: usize,
    items: &[I],
    work: &(dyn Fn(&I) -> Result<T, E> + Sync),
) -> Result<Vec<T>, E> {
    let slots: Vec<(&I, OnceLock<T>)> = items.iter().map(|item| (item, OnceLock::new())).collect();
    in_order(threads, &slots, &StopToken::default(), &|(item, slot)| {
        let done = slot.set(work(item)?);
        assert!(done.is_ok(), "an item is begun once");
        Ok(())
    })?;
    Ok(slots.into_iter().map(|(_, slot)| slot.into_inner().expect("all is done")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_done_once_whatever_the_threads() {
        let items: Vec<u64> = (0..100).collect();
        for threads in [1, 3, 200] {
            let done = Mutex::new(Vec::new());
            in_order::<_, ()>(threads, &items, &StopToken::default(), &|&item| {
                done.lock().unwrap().push(item);
                Ok(())
            })
            .unwrap();
            let mut done = done.into_inner().unwrap();
            if threads == 1 {
                assert_eq!(done, items, "one thread keeps the order");
            }
            done.sort_unstable();
            assert_eq!(done, items);
            let squares = map_in_order::<_, _, ()>(threads, &items, &|item| Ok(item * item));
            assert!(squares.unwrap().iter().copied().eq((0..100).map(|item| item * item)));
            let odd =
                map_in_order(threads, &items, &|&item| if item < 5 { Ok(()) } else { Err(item) });
            assert!(odd.is_err_and(|item| item >= 5));
        }
    }

    #[test]
    fn an_error_or_a_stop_ends_it() {
        let items: Vec<u64> = (0..1000).collect();
        let begun = AtomicUsize::new(0);
        let failed = in_order(2, &items, &StopToken::default(), &|&item| {
            begun.fetch_add(1, Ordering::Relaxed);
            if item == 5 { Err(item) } else { Ok(()) }
        });
        assert_eq!(failed, Err(5));
        assert!(begun.load(Ordering::Relaxed) < 1000);
        let stop = StopToken::default();
        let begun = AtomicUsize::new(0);
        in_order::<_, ()>(1, &items, &stop, &|item| {
            begun.fetch_add(1, Ordering::Relaxed);
            if *item == 7 {
                stop.stop();
            }
            Ok(())
        })
        .unwrap();
        assert_eq!(begun.load(Ordering::Relaxed), 8);
    }
}
