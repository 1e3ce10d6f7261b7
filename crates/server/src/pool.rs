//! The only place where agents think. As many threads as cores do all work, games in turn; some more do
//! short thoughts only, so that nobody with a quick opponent waits behind those who think for long.
//! Thinking ahead runs only where nobody waits, and makes room at once when somebody comes.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use gamecore::StopToken;

use crate::turns::Turns;

/// Work for a worker. It must not wait for other work.
type Job = Box<dyn FnOnce() + Send>;

/// For so many threads that do all work, there is one more for short thoughts.
const PER_QUICK: usize = 4;

/// Where work waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lane {
    /// What takes a moment, by what it may use: first come, first served.
    Short,
    /// Everything else: games in turn.
    Long,
}

/// Thinking ahead: the work, and what ends it early.
struct Ahead {
    job: Job,
    cancel: StopToken,
}

#[derive(Default)]
struct Queues {
    short: VecDeque<Job>,
    long: Turns<Job>,
    ahead: VecDeque<Ahead>,
    /// Tokens of the thinking ahead that runs now.
    running_ahead: Vec<StopToken>,
    /// Workers for everything that do work now.
    working: usize,
    /// Workers for short thoughts that have one now.
    quick_working: usize,
    closed: bool,
}

struct Shared {
    queues: Mutex<Queues>,
    news: Condvar,
    threads: usize,
    quick: usize,
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

    fn wait<'a>(&self, queues: MutexGuard<'a, Queues>) -> MutexGuard<'a, Queues> {
        self.news.wait(queues).unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells one that thinks ahead to stop if somebody would wait otherwise.
    fn make_room(&self, queues: &Queues) {
        let short = queues.short.len().saturating_sub(self.quick - queues.quick_working);
        let idle = self.threads - queues.working - queues.running_ahead.len();
        let leaving = queues.running_ahead.iter().filter(|token| token.is_stopped()).count();
        if queues.long.len() + short > idle + leaving
            && let Some(token) = queues.running_ahead.iter().find(|token| !token.is_stopped())
        {
            token.stop();
        }
    }
}

impl Pool {
    /// Starts the workers.
    pub(crate) fn new(threads: usize) -> Self {
        let threads = threads.max(1);
        let quick = threads.div_ceil(PER_QUICK);
        let (queues, news) = (Mutex::default(), Condvar::new());
        let shared = Arc::new(Shared { queues, news, threads, quick });
        let workers = (0..threads + quick).map(|number| {
            let shared = shared.clone();
            let work = if number < threads { work } else { work_quickly };
            std::thread::spawn(move || work(&shared))
        });
        Self { workers: Mutex::new(workers.collect()), shared }
    }

    /// How many workers there are for everything.
    pub(crate) fn threads(&self) -> usize {
        self.shared.threads
    }

    /// Real work, for a game. If nobody has time for it, one that thinks ahead is told to stop.
    pub(crate) fn submit(&self, lane: Lane, game: &str, job: impl FnOnce() + Send + 'static) {
        let mut queues = self.shared.queues();
        if queues.closed {
            return;
        }
        match lane {
            Lane::Short => queues.short.push_back(Box::new(job)),
            Lane::Long => queues.long.push(game, Box::new(job)),
        }
        self.shared.make_room(&queues);
        // One who is told alone might be the one that does no such work.
        self.shared.news.notify_all();
    }

    /// Thinking ahead, which `cancel` ends early: for the pool if there is other work, or for
    /// whoever asked.
    pub(crate) fn submit_ahead(&self, cancel: StopToken, job: impl FnOnce() + Send + 'static) {
        let mut queues = self.shared.queues();
        if !queues.closed {
            queues.ahead.retain(|waiting| !waiting.cancel.is_stopped());
            queues.ahead.push_back(Ahead { job: Box::new(job), cancel });
            self.shared.news.notify_all();
        }
    }

    /// Work that runs now, and work that waits.
    pub(crate) fn load(&self) -> (usize, usize) {
        let queues = self.shared.queues();
        let working = queues.working + queues.quick_working;
        (working, queues.short.len() + queues.long.len())
    }

    /// Takes no more work, forgets what waits, and waits for what runs. Whoever asked for running
    /// work must have told it to stop.
    pub(crate) fn close(&self) {
        let mut queues = self.shared.queues();
        queues.closed = true;
        let waiting = (std::mem::take(&mut queues.short), std::mem::take(&mut queues.long));
        queues.ahead.clear();
        queues.running_ahead.iter().for_each(StopToken::stop);
        drop(queues);
        drop(waiting);
        self.shared.news.notify_all();
        let workers: Vec<_> =
            self.workers.lock().unwrap_or_else(PoisonError::into_inner).drain(..).collect();
        for worker in workers {
            // A worker catches the panics of its jobs; there is nothing to learn here.
            drop(worker.join());
        }
    }
}

/// Does everything: long and short work by turns where both wait, so that neither starves the other.
fn work(shared: &Shared) {
    let mut queues = shared.queues();
    let mut was_long = false;
    loop {
        let short_first = was_long || queues.long.len() == 0;
        let short = if short_first { queues.short.pop_front() } else { None };
        if let Some(job) = short {
            was_long = false;
            queues.working += 1;
            drop(queues);
            run(job);
            queues = shared.queues();
            queues.working -= 1;
        } else if let Some((game, job)) = queues.long.pop() {
            was_long = true;
            queues.working += 1;
            drop(queues);
            run(job);
            queues = shared.queues();
            queues.working -= 1;
            queues.long.ended(&game);
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
            queues = shared.wait(queues);
        }
    }
}

/// Does short work only.
fn work_quickly(shared: &Shared) {
    let mut queues = shared.queues();
    loop {
        if let Some(job) = queues.short.pop_front() {
            queues.quick_working += 1;
            drop(queues);
            run(job);
            queues = shared.queues();
            queues.quick_working -= 1;
        } else if queues.closed {
            return;
        } else {
            queues = shared.wait(queues);
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
    use std::collections::BTreeSet;
    use std::sync::mpsc::{self, Sender};

    use super::*;

    #[test]
    fn work_is_done_in_order_even_after_a_panic() {
        let pool = Pool::new(1);
        let (told, heard) = mpsc::channel();
        pool.submit(Lane::Long, "a game", || panic!("a job may fail"));
        for number in 0..20 {
            let told = told.clone();
            pool.submit(Lane::Long, "a game", move || told.send(number).unwrap());
        }
        assert_eq!(heard.iter().take(20).collect::<Vec<_>>(), (0..20).collect::<Vec<_>>());
        pool.close();
    }

    /// Work that says that it began, and ends when it is told to.
    fn held(pool: &Pool, lane: Lane, game: &str, told: &Sender<String>) -> Sender<()> {
        let (open, gate) = mpsc::channel::<()>();
        let (told, name) = (told.clone(), game.to_owned());
        pool.submit(lane, game, move || {
            told.send(name).unwrap();
            // A gate that is gone is open.
            let _ = gate.recv();
        });
        open
    }

    #[test]
    fn short_thoughts_do_not_wait_for_long_ones() {
        let pool = Pool::new(2);
        let (told, heard) = mpsc::channel();
        let thinkers: Vec<Sender<()>> =
            (0..50).map(|game| held(&pool, Lane::Long, &game.to_string(), &told)).collect();
        let begun: BTreeSet<String> = heard.iter().take(2).collect();
        assert_eq!(begun.len(), 2, "both workers think for long");
        for _ in 0..100 {
            let told = told.clone();
            pool.submit(Lane::Short, "quick", move || told.send("quick".to_owned()).unwrap());
            assert_eq!(heard.recv().as_deref(), Ok("quick"), "it would wait forever otherwise");
        }
        assert_eq!(pool.load().1, 48, "the others wait as before");
        thinkers.iter().for_each(|thinker| thinker.send(()).unwrap());
        pool.close();
    }

    #[test]
    fn short_thoughts_do_not_keep_long_ones_waiting() {
        let pool = Pool::new(1);
        let (told, heard) = mpsc::channel();
        let gates = [Lane::Long, Lane::Short].map(|lane| held(&pool, lane, "first", &told));
        assert_eq!(heard.iter().take(2).count(), 2, "both workers are busy");
        let short: Vec<_> = (0..9).map(|_| held(&pool, Lane::Short, "short", &told)).collect();
        let long = held(&pool, Lane::Long, "long", &told);
        gates[0].send(()).unwrap();
        assert_eq!(heard.recv().as_deref(), Ok("short"), "after a long one comes a short one");
        short[0].send(()).unwrap();
        assert_eq!(heard.recv().as_deref(), Ok("long"), "and then the other way round");
        drop((gates, short, long));
        pool.close();
    }

    #[test]
    fn a_game_that_wants_much_waits_for_the_others() {
        let pool = Pool::new(2);
        let (told, heard) = mpsc::channel();
        let first = ["x", "y"].map(|game| held(&pool, Lane::Long, game, &told));
        assert_eq!(heard.iter().take(2).count(), 2, "both workers are busy");
        let greedy: Vec<_> = (0..3).map(|_| held(&pool, Lane::Long, "greedy", &told)).collect();
        let modest = held(&pool, Lane::Long, "modest", &told);
        first[0].send(()).unwrap();
        assert_eq!(heard.recv().as_deref(), Ok("greedy"));
        first[1].send(()).unwrap();
        assert_eq!(heard.recv().as_deref(), Ok("modest"), "the greedy one has a worker already");
        modest.send(()).unwrap();
        assert_eq!(heard.recv().as_deref(), Ok("greedy"), "nobody else waits");
        drop(greedy);
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
        pool.submit(Lane::Long, "a game", move || work.send("work").unwrap());
        assert_eq!(heard.recv(), Ok("work"), "the work would wait forever otherwise");
        pool.close();
    }

    #[test]
    fn thinking_ahead_waits_for_work() {
        let pool = Pool::new(1);
        let (told, heard) = mpsc::channel();
        let (open, gate) = mpsc::channel::<()>();
        pool.submit(Lane::Long, "a game", move || gate.recv().unwrap());
        let ahead = told.clone();
        pool.submit_ahead(StopToken::default(), move || ahead.send("ahead").unwrap());
        pool.submit(Lane::Long, "a game", move || told.send("work").unwrap());
        open.send(()).unwrap();
        assert_eq!(heard.iter().collect::<Vec<_>>(), ["work", "ahead"]);
        pool.close();
    }
}
