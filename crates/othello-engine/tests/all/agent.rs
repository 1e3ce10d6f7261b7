//! The engine as an agent: exact from the number of empty squares it was given.

use std::sync::Arc;
use std::time::Duration;

use gamecore::{Agent, Budget, Game, Limits, Rng, StopToken, Turn, random_action};
use othello::{Board, Othello};
use othello_engine::{EngineAgent, Solver, SolverOptions};
use search::{Algorithm, Config, DepthFirst};
use testkit::{CountingClock, HashEvaluator};

fn engine(solve_from: u32, ms: Option<u64>, depth: u32) -> EngineAgent {
    with_budget(Some(solve_from), depth, Budget { ms, ..Budget::default() })
}

/// The budget beside the depth.
fn with_budget(solve_from: Option<u32>, depth: u32, budget: Budget) -> EngineAgent {
    let budget = Budget { depth: Some(depth), ..budget };
    let config = Config { budget, ..Config::plain(Algorithm::Pvs, depth) };
    let midgame = DepthFirst::new(config, Arc::new(HashEvaluator::new(1)), None);
    let solver = Solver::new(SolverOptions { table_mb: 1, ..SolverOptions::default() });
    EngineAgent::new(midgame, solver, solve_from, budget)
}

fn decide(
    agent: &mut EngineAgent,
    board: &Board,
    step: Duration,
) -> gamecore::Decision<othello::Move> {
    let (clock, stop) = (CountingClock::new(step), StopToken::default());
    let limits =
        Limits { clock: &clock, stop: &stop, time_left: None, progress: None, tree_nodes: 0 };
    agent.decide(&Othello, board, &limits)
}

fn position(empties: u32) -> Board {
    let (mut board, mut rng) = (Board::START, Rng::new(3));
    while board.empties() > empties {
        let action = random_action(&Othello, &board, &mut rng).expect("the game goes on");
        Othello.apply(&mut board, action);
    }
    assert!(matches!(Othello.turn(&board), Turn::Player(_)));
    board
}

#[test]
fn solves_from_the_given_number_of_empty_squares() {
    let late = position(10);
    let exact = Solver::new(SolverOptions::default()).solve(&late, &|| false).unwrap();
    let decision = decide(&mut engine(10, None, 2), &late, Duration::ZERO);
    assert_eq!(decision.value, Some(f64::from(exact.score)));
    assert_eq!(decision.depth, 10);
    let decision = decide(&mut engine(9, None, 2), &late, Duration::ZERO);
    assert_eq!(decision.depth, 2, "one square too many: the midgame search decides");
}

/// Solver and midgame search together keep to the budget of one decision.
#[test]
fn a_solver_that_gives_up_leaves_the_rest_of_the_time() {
    let mut agent = engine(30, Some(100), 20);
    let (clock, stop) = (CountingClock::new(Duration::from_millis(1)), StopToken::default());
    let limits =
        Limits { clock: &clock, stop: &stop, time_left: None, progress: None, tree_nodes: 0 };
    let decision = agent.decide(&Othello, &position(26), &limits);
    assert!(!decision.complete, "neither the end nor depth 20 is reached: {decision:?}");
    assert!((60..110).contains(&clock.looks()), "{} ms", clock.looks());
}

#[test]
fn out_of_time_the_midgame_search_decides() {
    let decision = decide(&mut engine(30, Some(5), 2), &position(22), Duration::from_millis(1));
    assert_eq!(decision.depth, 2);
}

/// Without `solve=N` a small budget solves late and a large one early, always the same under nodes.
#[test]
fn a_budget_of_nodes_decides_what_is_solved() {
    let board = position(18);
    let decide_with = |nodes: u64| {
        let mut agent = with_budget(None, 2, Budget { nodes: Some(nodes), ..Budget::default() });
        decide(&mut agent, &board, Duration::ZERO)
    };
    let (rich, poor) = (decide_with(20_000_000), decide_with(200_000));
    assert_eq!((rich.depth, poor.depth), (18, 2));
    assert!(rich.counters.nodes <= 20_000_000 && poor.counters.nodes <= 200_000);
    assert_eq!(decide_with(20_000_000), rich);
}

/// What an attempt in vain has cost is counted, and is no longer there for the midgame search.
#[test]
fn nodes_of_an_attempt_in_vain_are_counted() {
    let nodes = 100_000;
    let mut agent = with_budget(Some(30), 9, Budget { nodes: Some(nodes), ..Budget::default() });
    let decision = decide(&mut agent, &position(26), Duration::ZERO);
    assert!(decision.depth < 26, "100,000 nodes do not solve 26 empty squares");
    let entered = decision.counters.nodes;
    assert!((nodes * 6 / 10..=nodes * 12 / 10).contains(&entered), "{entered}");
}

/// 5 ms are about 3 ms for the solver, 30,000 nodes at the pace it starts with: 11 empty squares.
#[test]
fn a_budget_of_time_decides_what_is_solved() {
    let decide_with = |empties: u32| {
        let mut agent = with_budget(None, 2, Budget { ms: Some(5), ..Budget::default() });
        decide(&mut agent, &position(empties), Duration::ZERO).depth
    };
    assert_eq!([decide_with(10), decide_with(20)], [10, 2]);
}
