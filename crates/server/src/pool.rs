//! The only place where agents think: as many threads as cores, first come, first served. Thinking
//! ahead runs only where nobody waits, and makes room at once when somebody comes.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use gamecore::StopToken;

/// Work for a worker. It must not wait for other work.
type Job = Box<dyn FnOnce() + Send>;

/// Thinking ahead: the work, and what ends it early.
struct Ahead {
    job: Job,
    cancel: StopToken,
}

#[derive(Default)]
struct Queues {
    work: VecDeque<Job>,
    ahead: VecDeque<Ahead>,
    /// Tokens of the thinking ahead that runs now.
    running_ahead: Vec<StopToken>,
    working: usize,
    closed: bool,
}

struct Shared {
    queues: Mutex<Queues>,
    news: Condvar,
    threads: usize,
}

/// The workers.
pub(crate) struct Pool {
    shared: Arc<Shared>,
    workers: Mutex<Vec<JoinHandle<()>>>,
}

impl Shared {
    /// Jobs run outside of the lock, so a panic of one leaves the queues whole.
    fn queues(&self) -> MutexGuard<'_, Queues> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Pool {
    /// Starts the workers.
    pub(crate) fn new(threads: usize) -> Self {
        let threads = threads.max(1);
        let shared = Arc::new(Shared { queues: Mutex::default(), news: Condvar::new(), threads });
        let workers = (0..threads)
            .map(|_| {
                let shared = shared.clone();
                std::thread::spawn(move || work(&shared))
            })
            .collect();
        Self { shared, workers: Mutex::new(workers) }
    }

    /// How many workers there are.
    pub(crate) fn threads(&self) -> usize {
        self.shared.threads
    }

    /// Real work. If all workers are taken, one that thinks ahead is told to stop.
    pub(crate) fn submit(&self, job: impl FnOnce() + Send + 'static) {
        let mut queues = self.shared.queues();
        if queues.closed {
            return;
        }
        queues.work.push_back(Box::new(job));
        let idle = self.shared.threads - queues.working - queues.running_ahead.len();
        let leaving = queues.running_ahead.iter().filter(|token| token.is_stopped()).count();
        if queues.work.len() > idle + leaving
            && let Some(token) = queues.running_ahead.iter().find(|token| !token.is_stopped())
        {
            token.stop();
        }
        self.shared.news.notify_one();
    }

    /// Thinking ahead, which `cancel` ends early: for the pool if there is other work, or for
    /// whoever asked.
    pub(crate) fn submit_ahead(&self, cancel: StopToken, job: impl FnOnce() + Send + 'static) {
        let mut queues = self.shared.queues();
        if !queues.closed {
            queues.ahead.retain(|waiting| !waiting.cancel.is_stopped());
            queues.ahead.push_back(Ahead { job: Box::new(job), cancel });
            self.shared.news.notify_one();
        }
    }

    /// Work that runs now, and work that waits.
    pub(crate) fn load(&self) -> (usize, usize) {
        let queues = self.shared.queues();
        (queues.working, queues.work.len())
    }

    /// Takes no more work, forgets what waits, and waits for what runs. Whoever asked for running
    /// work must have told it to stop.
    pub(crate) fn close(&self) {
        let mut queues = self.shared.queues();
        queues.closed = true;
        queues.work.clear();
        queues.ahead.clear();
        queues.running_ahead.iter().for_each(StopToken::stop);
        drop(queues);
        self.shared.news.notify_all();
        let workers: Vec<_> =
            self.workers.lock().unwrap_or_else(PoisonError::into_inner).drain(..).collect();
        for worker in workers {
            // A worker catches the panics of its jobs; there is nothing to learn here.
            drop(worker.join());
        }
    }
}

fn work(shared: &Shared) {
    let mut queues = shared.queues();
    loop {
        if let Some(job) = queues.work.pop_front() {
            queues.working += 1;
            drop(queues);
            run(job);
            queues = shared.queues();
            queues.working -= 1;
        } else if let Some(Ahead { job, cancel }) = queues.ahead.pop_front() {
            queues.running_ahead.push(cancel.clone());
            drop(queues);
            run(job);
            queues = shared.queues();
            let mine = queues.running_ahead.iter().position(|token| token.is_same(&cancel));
            if let Some(mine) = mine {
                queues.running_ahead.swap_remove(mine);
            }
        } else if queues.closed {
            return;
        } else {
            queues = shared.news.wait(queues).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// A job that panics must not take the worker with it; whoever waits for its answer sees that the
/// channel is closed.
fn run(job: Job) {
    drop(catch_unwind(AssertUnwindSafe(job)));
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn work_is_done_in_order_even_after_a_panic() {
        let pool = Pool::new(1);
        let (told, heard) = mpsc::channel();
        pool.submit(|| panic!("a job may fail"));
        for number in 0..20 {
            let told = told.clone();
            pool.submit(move || told.send(number).unwrap());
        }
        assert_eq!(heard.iter().take(20).collect::<Vec<_>>(), (0..20).collect::<Vec<_>>());
        pool.close();
    }

    #[test]
    fn thinking_ahead_makes_room_for_work() {
        let pool = Pool::new(1);
        let (told, heard) = mpsc::channel();
        let cancel = StopToken::default();
        let (token, ahead) = (cancel.clone(), told.clone());
        pool.submit_ahead(cancel, move || {
            ahead.send("ahead").unwrap();
            while !token.is_stopped() {
                std::thread::yield_now();
            }
        });
        assert_eq!(heard.recv(), Ok("ahead"));
        let work = told.clone();
        pool.submit(move || work.send("work").unwrap());
        assert_eq!(heard.recv(), Ok("work"), "the work would wait forever otherwise");
        pool.close();
    }

    #[test]
    fn thinking_ahead_waits_for_work() {
        let pool = Pool::new(1);
        let (told, heard) = mpsc::channel();
        let (open, gate) = mpsc::channel::<()>();
        pool.submit(move || gate.recv().unwrap());
        let ahead = told.clone();
        pool.submit_ahead(StopToken::default(), move || ahead.send("ahead").unwrap());
        pool.submit(move || told.send("work").unwrap());
        open.send(()).unwrap();
        assert_eq!(heard.iter().collect::<Vec<_>>(), ["work", "ahead"]);
        pool.close();
    }
}
