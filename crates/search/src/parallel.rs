//! Parallel search for play ("lazy SMP"): helpers run the same search in other root orders and
//! share only the table. With `table=exact` and a depth budget the chosen action and value stay
//! those of one thread; only effort and counters differ.

use gamecore::{Game, Limits, StopToken};

use crate::agent::{DepthFirst, Outcome, Question};
use crate::searcher::Searcher;

/// Runs `main` on this thread and helpers beside it until `main` has its answer.
pub(crate) fn run<G: Game>(
    agent: &DepthFirst<G>,
    main: &mut Searcher<'_, G>,
    question: &Question<'_, G>,
    limits: &Limits<'_, G::Action>,
) -> Outcome<G::Action> {
    let enough = StopToken::default();
    std::thread::scope(|scope| {
        let helpers: Vec<_> = (1..agent.threads())
            .map(|number| {
                let mut helper = agent.searcher(question, limits, &enough, number as u64);
                let time_left = limits.time_left;
                scope.spawn(move || {
                    helper.deepen(question, time_left, None, number);
                    helper.counters
                })
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
