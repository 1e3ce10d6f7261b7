//! Parallel search for play.
//!
//! Depth first ("lazy SMP"): helpers run the same search in other root orders and
//! share only the table. With `table=exact` and a depth budget the chosen action and value stay
//! those of one thread; only effort and counters differ.
//!
//! Trees (root parallelisation, Cazenave and Jouandeau, 2007): every thread grows a tree of its own
//! from its own random stream, and the statistics of their roots are added up. Nothing is shared,
//! so under budgets of iterations or calls the decision repeats exactly.

use std::thread;

use gamecore::{Game, Limits, StopToken};

use crate::agent::{DepthFirst, Outcome, Question};
use crate::mcts;
use crate::searcher::Searcher;

/// Runs `main` on this thread and helpers beside it until `main` has its answer.
pub(crate) fn run<G: Game>(
    agent: &DepthFirst<G>,
    main: &mut Searcher<'_, G>,
    question: &Question<'_, G>,
    limits: &Limits<'_, G::Action>,
) -> Outcome<G::Action> {
    let enough = StopToken::default();
    thread::scope(|scope| {
        let helpers: Vec<_> = (1..agent.threads())
            // A helper that cannot be had is done without.
            .map_while(|number| {
                let mut helper = agent.searcher(question, limits, &enough, number as u64);
                let time_left = limits.time_left;
                let help = move || {
                    helper.deepen(question, time_left, None, number);
                    helper.counters
                };
                thread::Builder::new().spawn_scoped(scope, help).ok()
            })
            .collect();
        let outcome = main.deepen(question, limits.time_left, limits.progress, 0);
        enough.stop();
        for helper in helpers {
            main.counters += helper.join().expect("a helper thread of the search panicked");
        }
        outcome
    })
}

/// Searches in trees on a thread each, as many as there are threads to be had; says how many. The trees
/// share the budget.
pub(crate) fn run_trees<G: Game>(
    question: &mcts::Question<'_, G>,
    trees: &mut [mcts::Tree<G::Action>],
    limits: &Limits<'_, G::Action>,
) -> (mcts::Outcome, usize) {
    let count = trees.len() as u64;
    thread::scope(|scope| {
        let workers: Vec<_> = trees
            .iter_mut()
            .zip(0..)
            .map_while(|(tree, number)| {
                // One tree is enough for news.
                let progress = limits.progress.filter(|_| number == 0);
                let grow = move || mcts::run_tree(question, tree, limits, number, count, progress);
                thread::Builder::new().spawn_scoped(scope, grow).ok()
            })
            .collect();
        let (mut all, grown) = (mcts::Outcome::default(), workers.len());
        for worker in workers {
            all.add(&worker.join().expect("a thread of the search panicked"));
        }
        (all, grown)
    })
}
