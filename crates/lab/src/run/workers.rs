//! Work that is begun in order.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use gamecore::StopToken;

/// Does the work of all items on so many threads; each begins with the first item that nobody has
/// begun. Ends early when `stop` says so, or with the first error, after what was begun is done.
pub(crate) fn in_order<E: Send>(
    threads: usize,
    items: &[u64],
    stop: &StopToken,
    work: &(dyn Fn(u64) -> Result<(), E> + Sync),
) -> Result<(), E> {
    let next = AtomicUsize::new(0);
    let failed: Mutex<Option<E>> = Mutex::new(None);
    let begin = || {
        while !stop.is_stopped()
            && let Some(&item) = items.get(next.fetch_add(1, Ordering::Relaxed))
        {
            if let Err(error) = work(item) {
                // Nobody begins anything more.
                next.store(items.len(), Ordering::Relaxed);
                failed.lock().expect("nobody panics while holding it").get_or_insert(error);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.min(items.len()) {
            scope.spawn(begin);
        }
        begin();
    });
    failed.into_inner().expect("nobody panics while holding it").map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_done_once_whatever_the_threads() {
        let items: Vec<u64> = (0..100).collect();
        for threads in [1, 3, 200] {
            let done = Mutex::new(Vec::new());
            in_order::<()>(threads, &items, &StopToken::default(), &|item| {
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
        }
    }

    #[test]
    fn an_error_or_a_stop_ends_it() {
        let items: Vec<u64> = (0..1000).collect();
        let begun = AtomicUsize::new(0);
        let failed = in_order(2, &items, &StopToken::default(), &|item| {
            begun.fetch_add(1, Ordering::Relaxed);
            if item == 5 { Err(item) } else { Ok(()) }
        });
        assert_eq!(failed, Err(5));
        assert!(begun.load(Ordering::Relaxed) < 1000);
        let stop = StopToken::default();
        let begun = AtomicUsize::new(0);
        in_order::<()>(1, &items, &stop, &|item| {
            begun.fetch_add(1, Ordering::Relaxed);
            if item == 7 {
                stop.stop();
            }
            Ok(())
        })
        .unwrap();
        assert_eq!(begun.load(Ordering::Relaxed), 8);
    }
}
