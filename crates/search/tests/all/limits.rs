//! Budgets, clocks and stops: a search ends when it must, with a legal action.

use std::sync::Arc;
use std::time::Duration;

use crate::common::{ALGORITHMS, decide, legal, positions};
use gamecore::{
    ActionScore, Agent, Budget, Decision, Evaluator, Game, Limits, Progress, ResultOnly, StopToken,
    TimeLeft,
};
use othello::Othello;
use search::{Algorithm, Config, DepthFirst, Order, TableUse};
use testkit::toys::{DiceRace, StagedNim, TicTacToe};
use testkit::{CountingClock, HashEvaluator};

/// How many nodes pass between two looks at clock and stop.
const NODES_PER_LOOK: u64 = 1024;

/// All switches on, no limit but the budget.
fn with_budget(algorithm: Algorithm, budget: Budget) -> Config {
    let plain = Config { budget, deepening: true, table_mb: 1, ..Config::plain(algorithm, 1) };
    if algorithm == Algorithm::Minimax {
        return plain;
    }
    Config { order: Order::Good, table: TableUse::Exact, ..plain }
}

fn nodes(nodes: u64) -> Budget {
    Budget { nodes: Some(nodes), ..Budget::default() }
}

fn check_nodes<G: Game, E: Evaluator<G> + 'static>(game: &G, evaluator: E, spread: u32) {
    let evaluator = Arc::new(evaluator);
    for state in positions(game, 8, 3, spread) {
        for algorithm in ALGORITHMS {
            for budget in [1, 2, 3, 7, 50, 1_000, 3_000] {
                let config = with_budget(algorithm, nodes(budget));
                let decision = decide(&config, &evaluator, game, &state);
                let found = decision.counters.nodes;
                assert!(found <= budget, "{algorithm:?}: {found} of {budget} nodes");
                assert!(legal(game, &state).contains(&decision.action), "{algorithm:?} {budget}");
                assert_eq!(decision, decide(&config, &evaluator, game, &state), "{algorithm:?}");
            }
        }
    }
}

#[test]
fn a_node_budget_holds_and_repeats() {
    check_nodes(&Othello, HashEvaluator::new(1), 58);
    check_nodes(&StagedNim::default(), HashEvaluator::new(2), 8);
    check_nodes(&DiceRace, HashEvaluator::new(3), 12);
}

/// Several threads share the budget; they do not each get it.
#[test]
fn a_node_budget_holds_for_all_threads_together() {
    let evaluator = Arc::new(HashEvaluator::new(4));
    for state in positions(&Othello, 6, 8, 40) {
        for (threads, budget) in [(2, 1), (2, 5_000), (3, 1_000), (4, 3)] {
            let config = Config { threads, ..with_budget(Algorithm::Pvs, nodes(budget)) };
            let decision = decide(&config, &evaluator, &Othello, &state);
            let found = decision.counters.nodes;
            assert!(found <= budget, "{threads} threads: {found} of {budget} nodes");
            assert!(legal(&Othello, &state).contains(&decision.action));
        }
    }
}

/// More nodes, more depth: the budget is used, not merely kept.
#[test]
fn a_greater_budget_looks_deeper() {
    let evaluator = Arc::new(HashEvaluator::new(5));
    for algorithm in ALGORITHMS {
        let depth = |budget| {
            let config = with_budget(algorithm, nodes(budget));
            decide(&config, &evaluator, &Othello, &othello::Board::START).depth
        };
        assert_eq!(depth(1), 0, "{algorithm:?}");
        assert!(depth(30) >= 1, "{algorithm:?}");
        assert!(depth(20_000) > depth(300), "{algorithm:?}");
    }
}

/// One decision under these circumstances, by a clock on which every look takes 10 ms.
fn decide_under<G: Game, E: Evaluator<G> + 'static>(
    config: Config,
    evaluator: E,
    game: &G,
    state: &G::State,
    circumstances: (&StopToken, Option<TimeLeft>),
    listen: &(dyn Fn(&Progress<G::Action>) + Sync),
) -> Decision<G::Action> {
    let order: Arc<dyn ActionScore<G>> = Arc::new(crate::common::HashOrder);
    let mut agent = DepthFirst::<G>::new(config, Arc::new(evaluator), Some(order));
    let clock = CountingClock::new(Duration::from_millis(10));
    let (stop, time_left) = circumstances;
    let limits = Limits { clock: &clock, stop, time_left, progress: Some(listen), tree_nodes: 0 };
    agent.decide(game, &game.view(state, crate::common::mover(game, state)), &limits)
}

#[test]
fn a_stop_given_before_ends_the_search_at_once() {
    let stop = StopToken::default();
    stop.stop();
    for algorithm in ALGORITHMS {
        for state in positions(&Othello, 5, 7, 30) {
            let config = with_budget(algorithm, Budget { depth: Some(60), ..Budget::default() });
            let evaluator = HashEvaluator::new(1);
            let decision =
                decide_under(config, evaluator, &Othello, &state, (&stop, None), &|_| {});
            assert!(decision.counters.nodes <= NODES_PER_LOOK, "{algorithm:?}");
            assert!(legal(&Othello, &state).contains(&decision.action), "{algorithm:?}");
            assert!(!decision.complete, "{algorithm:?}");
        }
    }
}

/// Without deepening there is no result of a smaller depth to fall back to.
#[test]
fn a_stop_before_any_result_gives_a_legal_action_without_opinion() {
    let stop = StopToken::default();
    stop.stop();
    for algorithm in ALGORITHMS {
        let config = Config::plain(algorithm, 12);
        let state = positions(&Othello, 1, 9, 20).remove(0);
        let evaluator = HashEvaluator::new(1);
        let decision = decide_under(config, evaluator, &Othello, &state, (&stop, None), &|_| {});
        assert!(legal(&Othello, &state).contains(&decision.action));
        assert_eq!((decision.value, decision.depth, decision.complete), (None, 0, false));
        assert_eq!(decision.principal_variation, [decision.action]);
    }
}

#[test]
fn a_stop_during_the_search_keeps_the_last_complete_depth() {
    for algorithm in ALGORITHMS {
        let stop = StopToken::default();
        let config = with_budget(algorithm, Budget { depth: Some(60), ..Budget::default() });
        let listen = |progress: &Progress<othello::Move>| {
            if progress.completed == 3 {
                stop.stop();
            }
        };
        let state = othello::Board::START;
        let evaluator = HashEvaluator::new(2);
        let decision = decide_under(config, evaluator, &Othello, &state, (&stop, None), &listen);
        assert_eq!((decision.depth, decision.complete), (3, false), "{algorithm:?}");
        let three = with_budget(algorithm, Budget { depth: Some(3), ..Budget::default() });
        let expected = decide(&three, &Arc::new(HashEvaluator::new(2)), &Othello, &state);
        assert_eq!((decision.action, decision.value), (expected.action, expected.value));
    }
}

/// The clock moves only when it is looked at, so the number of looks bounds the nodes.
#[test]
fn a_time_budget_ends_the_search() {
    for algorithm in ALGORITHMS {
        for (ms, most_looks) in [(1, 1), (50, 6), (200, 21)] {
            let config = with_budget(algorithm, Budget { ms: Some(ms), ..Budget::default() });
            let stop = StopToken::default();
            let state = positions(&Othello, 1, 4, 20).remove(0);
            let evaluator = HashEvaluator::new(1);
            let decision =
                decide_under(config, evaluator, &Othello, &state, (&stop, None), &|_| {});
            let found = decision.counters.nodes;
            assert!(found <= most_looks * NODES_PER_LOOK, "{algorithm:?} {ms} ms: {found}");
            assert!(legal(&Othello, &state).contains(&decision.action));
            assert!(!decision.complete, "{algorithm:?}");
        }
    }
}

#[test]
fn a_chess_clock_ends_the_search() {
    let nodes_with = |seconds: u64, increment: u64| {
        let left = TimeLeft {
            remaining: Duration::from_secs(seconds),
            increment: Duration::from_secs(increment),
        };
        let stop = StopToken::default();
        let state = positions(&Othello, 1, 4, 20).remove(0);
        let config = with_budget(Algorithm::AlphaBeta, Budget::default());
        let evaluator = HashEvaluator::new(1);
        let decision =
            decide_under(config, evaluator, &Othello, &state, (&stop, Some(left)), &|_| {});
        assert!(legal(&Othello, &state).contains(&decision.action));
        decision.counters.nodes
    };
    assert!(nodes_with(0, 0) <= NODES_PER_LOOK, "no time left: the least possible");
    assert!(nodes_with(0, 60) <= NODES_PER_LOOK, "the increment comes after the action");
    // A sixth of the clock at most: 400 ms of 2.4 s are 40 looks of 10 ms.
    let short = nodes_with(2, 0);
    assert!(short <= 41 * NODES_PER_LOOK, "{short}");
    let long = nodes_with(12, 0);
    assert!(long > short, "more time, more nodes: {long} and {short}");
    assert!(nodes_with(2, 1) > short, "an increment may be spent");
}

#[test]
fn complete_means_that_the_intended_search_was_done() {
    let stop = StopToken::default();
    for algorithm in ALGORITHMS {
        let depth = |depth| Budget { depth: Some(depth), ..Budget::default() };
        let evaluator = Arc::new(HashEvaluator::new(3));
        let state = othello::Board::START;
        let full = decide(&with_budget(algorithm, depth(3)), &evaluator, &Othello, &state);
        assert_eq!((full.depth, full.complete), (3, true), "{algorithm:?}");
        let both = Budget { nodes: Some(100), ..depth(20) };
        let cut = decide(&with_budget(algorithm, both), &evaluator, &Othello, &state);
        assert!(!cut.complete && cut.depth < 20, "{algorithm:?}");
        // A game seen to its end needs no further depth.
        let four_left = TicTacToe.parse("xoxox.o..");
        let config = with_budget(algorithm, depth(60));
        let solved =
            decide_under(config, ResultOnly, &TicTacToe, &four_left, (&stop, None), &|_| {});
        assert!(solved.complete && solved.depth <= 4, "{algorithm:?}: depth {}", solved.depth);
    }
}

/// Positions as texts, for games whose texts are known to be right.
trait Parse: gamecore::Notation {
    fn parse(&self, text: &str) -> Self::State {
        self.parse_position(text).unwrap_or_else(|error| panic!("{error}"))
    }
}

impl<G: gamecore::Notation> Parse for G {}
