//! Budgets, memory, reuse, threads and answers of tree search.

use std::sync::Mutex;
use std::time::Duration;

use gamecore::{
    ActionScore, Agent, Bound, Buf, Game, Limits, Notation, ResultOnly, Rng, Score, Seat,
    StopToken, Turn, key, random_action,
};
use othello::Othello;
use search::params::Values;
use search::{Mcts, MctsConfig};
use testkit::minimax::reference_value;
use testkit::toys::{DiceRace, RandomTree, StagedNim, StagedNimAction, StagedNimState, TicTacToe};
use testkit::{CountingClock, HashEvaluator};

use crate::common::{HashOrder, after, legal, mover, positions};
use crate::mcts_common::{agent, agent_with, decide, decide_and_trace, try_config};

/// One of each policy, in combinations that differ in as much as possible.
const VARIED: [&str; 16] = [
    "iterations=300",
    "iterations=300,select=ucb1-tuned,normalise=on,rollout.end=eval,rollout.unit=actions",
    "iterations=300,select=alphago,fpu=absolute,fpu.value=0.6,expand=heuristic,rollout=boltzmann",
    "iterations=300,select=puct,fpu=relative,fpu.value=-0.2,select.c=2,rollout=greedy",
    "iterations=300,bias=1,widen=on,expand=heuristic,rollout=proportional",
    "iterations=300,solver=on,merge=on,backup=implicit",
    "iterations=300,rollout=mast,rollout.temperature=0.1,rewards=paranoid",
    "iterations=300,rollout=mast-greedy,rollout.opponent=uniform,rollout.end=eval,threads=2",
    "iterations=300,merge=on,select=puct,normalise=on,solver=on",
    "iterations=300,hybrid=cutoff,rollout.end=eval,rollout.unit=turns,rollout.length=1",
    "iterations=300,hybrid=expand,solver=on,final=robust",
    "iterations=300,select=uniform,tree.depth=1,final=value,final.unvisited=zero",
    "calls=900,turn.plan=on,expand=heuristic-listed,expand.positive=on,rewards=paranoid",
    "calls=900,turn.plan=on,select=alphago,fpu=absolute,fpu.value=0.6,tree.depth=2,tree.unit=turns",
    "iterations=300,tree.nodes=20,reuse=on",
    "iterations=300,tree.nodes=20,merge=on,solver=on,backup=implicit",
];

/// Plays a whole game between two agents of this kind and hashes everything they said.
fn play<G: Game>(game: &G, keys: &str, seed: u64) -> u64 {
    let mut rng = Rng::new(seed);
    let mut state = game.start(&G::Setup::default(), &mut rng);
    let evaluator = HashEvaluator::new(seed);
    let mut agents =
        [0, 1].map(|seat| agent_with(keys, evaluator, HashOrder, key::fold(seed, seat)));
    let mut said = 0;
    for _ in 0..400 {
        let Turn::Player(seat) = game.turn(&state) else {
            match random_action(game, &state, &mut rng) {
                Some(outcome) => game.apply(&mut state, outcome),
                None => return said,
            }
            continue;
        };
        let decision = decide(&mut agents[seat.index()], game, &state);
        let actions = legal(game, &state);
        let position = actions.binary_search(&decision.action).expect("a legal action");
        if actions.len() > 1 {
            let listed: Vec<_> = decision.root.iter().map(|action| action.action).collect();
            assert_eq!(listed, actions, "every action, in the game's order");
            check_line(game, &state, &decision.principal_variation, decision.action);
        }
        for number in [position as u64, decision.counters.calls, decision.counters.tree_nodes] {
            said = key::fold(said, number);
        }
        said = key::fold(said, decision.value.unwrap_or(0.0).to_bits());
        game.apply(&mut state, decision.action);
    }
    panic!("{}: the game does not end", G::NAME);
}

fn check_line<G: Game>(game: &G, state: &G::State, line: &[G::Action], first: G::Action) {
    assert_eq!(line[0], first);
    let mut state = state.clone();
    for action in line {
        assert!(legal(game, &state).contains(action), "the expected line can be played");
        game.apply(&mut state, *action);
    }
}

#[test]
fn every_variant_plays_legally_and_repeats() {
    for keys in VARIED {
        assert_eq!(play(&StagedNim::default(), keys, 1), play(&StagedNim::default(), keys, 1));
        assert_eq!(play(&DiceRace, keys, 2), play(&DiceRace, keys, 2), "{keys}");
        assert_eq!(play(&TicTacToe, keys, 3), play(&TicTacToe, keys, 3), "{keys}");
        let grid = RandomTree::with_chance(5, 30);
        assert_eq!(play(&grid, keys, 4), play(&grid, keys, 4), "{keys}");
    }
    assert_ne!(play(&DiceRace, VARIED[0], 2), play(&DiceRace, VARIED[0], 9), "the seed matters");
}

#[test]
fn othello_is_played_by_every_variant() {
    for keys in VARIED {
        let keys = keys.replace("300", "40").replace("900", "400");
        play(&Othello, &keys, 1);
    }
}

#[test]
fn budgets_are_exact() {
    let state = Othello.start(&(), &mut Rng::new(0));
    for budget in [1, 2, 100, 3_000] {
        let decision = decide(&mut agent(&format!("iterations={budget}"), 1), &Othello, &state);
        assert_eq!(decision.counters.iterations, budget);
        let visits: u64 = decision.root.iter().map(|action| action.visits).sum();
        assert_eq!(visits, budget);
        // The search stops after the iteration in which the count exceeds the budget.
        let keys = format!("calls={budget},rollout.unit=actions,rollout.length=10,tree.depth=3");
        let decision = decide(&mut agent(&keys, 1), &Othello, &state);
        let calls = decision.counters.calls;
        assert!((budget + 1..=budget + 13).contains(&calls), "{calls} calls of {budget}");
    }
    // Every call is one application: 4 in the tree at most, 10 in the rollout.
    let keys = "iterations=500,rollout.unit=actions,rollout.length=10,tree.depth=1";
    let decision = decide(&mut agent(keys, 1), &Othello, &state);
    assert_eq!(decision.counters.calls, 500 * 11);
}

#[test]
fn time_and_stop_end_a_search() {
    let state = Othello.start(&(), &mut Rng::new(0));
    let (clock, stop) = (CountingClock::new(Duration::from_millis(1)), StopToken::default());
    let limits =
        Limits { clock: &clock, stop: &stop, time_left: None, progress: None, tree_nodes: 0 };
    let decision = agent("ms=50", 1).decide_state(&Othello, &state, &limits);
    assert!(!decision.complete);
    assert!((40..60).contains(&clock.looks()), "{} looks", clock.looks());
    stop.stop();
    let decision = agent("iterations=100000000", 1).decide_state(&Othello, &state, &limits);
    assert!(decision.counters.iterations < 100, "{:?}", decision.counters);
    assert!(decision.value.is_some(), "an opinion even then");
}

#[test]
fn a_single_action_is_played_without_search() {
    let nim = StagedNim::new(&[1]);
    let state = nim.start(&(), &mut Rng::new(0));
    let decision = decide(&mut agent("iterations=100", 1), &nim, &state);
    assert_eq!(decision.counters.iterations, 0);
}

/// A full store goes on with rollouts from its frontier.
#[test]
fn a_full_store_still_learns() {
    let state = Othello.start(&(), &mut Rng::new(0));
    for merge in ["off", "on"] {
        let keys = format!("iterations=20000,tree.nodes=50,merge={merge}");
        let mut agent = agent(&keys, 1);
        let decision = decide(&mut agent, &Othello, &state);
        assert_eq!(decision.counters.iterations, 20_000);
        assert_eq!(decision.counters.tree_nodes, 50);
        let (nodes, bytes) = agent.tree_memory();
        assert!(nodes == 50 && bytes < 50 * 1_000, "{bytes} bytes");
    }
}

/// What was learnt below the position reached is there at the next decision.
#[test]
fn reuse_keeps_statistics() {
    let start = Othello.start(&(), &mut Rng::new(0));
    for merge in ["off", "on"] {
        let keys = format!("iterations=5000,reuse=on,merge={merge}");
        let mut agent = agent(&keys, 4);
        let decision = decide_and_trace(&mut agent, &Othello, &start, 4_000);
        let own = after(&Othello, &start, decision.action);
        let node = decision.tree.iter().position(|n| n.action == Some(decision.action)).unwrap();
        // The most visited reply, and what is known of the replies to it.
        let reply = decision.tree.iter().position(|n| n.parent == Some(node)).unwrap();
        let before = |action| {
            let known = decision.tree.iter();
            let found =
                known.filter(|n| n.parent == Some(reply)).find(|n| n.action == Some(action));
            found.map_or(0, |n| n.visits)
        };
        let next = after(&Othello, &own, decision.tree[reply].action.unwrap());
        let again = decide(&mut agent, &Othello, &next);
        let known: u64 = legal(&Othello, &next).into_iter().map(before).sum();
        assert!(known > 100, "{known} visits");
        let visits: u64 = again.root.iter().map(|action| action.visits).sum();
        assert_eq!(visits, known + 5_000, "merge={merge}");
        for action in &again.root {
            assert!(action.visits >= before(action.action), "merge={merge}");
        }
        let mut fresh = crate::mcts_common::agent(&keys.replace("reuse=on", "reuse=off"), 4);
        decide(&mut fresh, &Othello, &start);
        let visits: u64 =
            decide(&mut fresh, &Othello, &next).root.iter().map(|action| action.visits).sum();
        assert_eq!(visits, 5_000);
    }
}

/// Root-parallel search is the sum of its trees, whatever the machine does with threads.
#[test]
fn threads_add_up() {
    let state = Othello.parse_position("f5d6c3d3c4f4f6").unwrap();
    let together = decide(&mut agent("iterations=1001,threads=2", 6), &Othello, &state);
    let again = decide(&mut agent("iterations=1001,threads=2", 6), &Othello, &state);
    assert_eq!(together, again);
    let first = decide(&mut agent("iterations=501", 6), &Othello, &state);
    let second = decide(&mut agent("iterations=500", key::fold(6, 1)), &Othello, &state);
    assert_eq!(together.counters.iterations, 1001);
    for ((sum, first), second) in together.root.iter().zip(&first.root).zip(&second.root) {
        assert_eq!(sum.visits, first.visits + second.visits);
        let total = |action: &gamecore::RootAction<_>| action.value.unwrap() * action.visits as f64;
        assert!((total(sum) - total(first) - total(second)).abs() < 1e-6);
    }
    let repeats = |given| Values::resolve(&MctsConfig::params(), given).unwrap().is_repeatable();
    assert!(repeats([("iterations", "9"), ("threads", "4")]));
    assert!(!repeats([("iterations", "9"), ("ms", "9")]));
}

#[test]
fn progress_and_tree_are_told() {
    let state = Othello.start(&(), &mut Rng::new(0));
    let (clock, stop) = (CountingClock::new(Duration::ZERO), StopToken::default());
    let heard = Mutex::new(Vec::new());
    let listener = |news: &gamecore::Progress<_>| heard.lock().unwrap().push(news.completed);
    let limits = Limits {
        clock: &clock,
        stop: &stop,
        time_left: None,
        progress: Some(&listener),
        tree_nodes: 200,
    };
    let decision = agent("iterations=3000", 1).decide_state(&Othello, &state, &limits);
    assert_eq!(*heard.lock().unwrap(), [256, 512, 1024, 2048]);
    assert_eq!(decision.tree.len(), 200);
    assert_eq!(decision.tree[0].visits, 3000);
    for (index, node) in decision.tree.iter().enumerate().skip(1) {
        let parent = node.parent.unwrap();
        assert!(parent < index && node.visits <= decision.tree[parent].visits);
        let value = node.value.unwrap();
        assert!((0.0..=1.0).contains(&value));
    }
    // The values of an opponent's node are those of the seat that thinks.
    let child = decision.tree.iter().position(|node| node.parent == Some(0)).unwrap();
    let below: Vec<_> = decision.tree.iter().filter(|node| node.parent == Some(child)).collect();
    let visits: u64 = below.iter().map(|node| node.visits).sum();
    let mean: f64 = below.iter().map(|node| node.value.unwrap() * node.visits as f64).sum::<f64>();
    let expected = decision.tree[child].value.unwrap();
    assert!((mean / visits as f64 - expected).abs() < 0.05, "{mean} {expected}");
    assert!(decision.root.iter().all(|action| action.bound == Bound::Estimate));
}

/// The full-turn guarantee: one search for a turn, then its line; the line ends the turn.
#[test]
fn a_planned_turn_is_searched_once() {
    let nim = StagedNim::new(&[3, 4, 5]);
    let mut state = nim.start(&(), &mut Rng::new(0));
    let keys = "iterations=200,turn.plan=on,final=value";
    let mut agent = agent(keys, 1);
    let first = decide(&mut agent, &nim, &state);
    assert!(first.counters.iterations >= 200);
    assert!(first.principal_variation.len() >= 2);
    nim.apply(&mut state, first.action);
    let second = decide(&mut agent, &nim, &state);
    assert_eq!(second.counters.iterations, 0, "the turn goes on: no search");
    assert_eq!(second.action, first.principal_variation[1]);
    nim.apply(&mut state, second.action);
    let reply = legal(&nim, &state)[0];
    nim.apply(&mut state, reply);
    let take = legal(&nim, &state)[0];
    nim.apply(&mut state, take);
    assert_eq!(nim.turn(&state), Turn::Player(Seat::Zero));
    let third = decide(&mut agent, &nim, &state);
    assert!(third.counters.iterations >= 200, "a new turn");
}

/// Keeps `Take(1)` out of plans, and asks for a search of its own where something is taken.
struct Reconsidering;

impl ActionScore<StagedNim> for Reconsidering {
    fn score(
        &self,
        _game: &StagedNim,
        _state: &StagedNimState,
        actions: &[StagedNimAction],
        _depth: u32,
        out: &mut Buf<i32>,
    ) {
        let score = |action| if action == StagedNimAction::Take(1) { 0 } else { 700 };
        out.extend(actions.iter().map(|&action| score(action)));
    }

    fn reconsiders(&self, game: &StagedNim, state: &StagedNimState) -> bool {
        legal(game, state).contains(&StagedNimAction::Take(1))
    }
}

/// Where the heuristic reconsiders, the plan is searched again, with every action allowed.
#[test]
fn a_heuristic_may_reconsider_the_plan() {
    let nim = StagedNim::new(&[3, 4, 5]);
    let mut state = nim.start(&(), &mut Rng::new(0));
    let keys = "iterations=300,turn.plan=on,final=value,expand=heuristic,expand.positive=on";
    let mut agent: Mcts<StagedNim> = agent_with(keys, ResultOnly, Reconsidering, 1);
    let first = decide(&mut agent, &nim, &state);
    nim.apply(&mut state, first.action);
    let second = decide(&mut agent, &nim, &state);
    assert!(second.counters.iterations >= 300, "searched again");
    let one = second.root.iter().find(|action| action.action == StagedNimAction::Take(1));
    assert!(one.unwrap().visits > 0, "every action is allowed");
    assert!(second.root.iter().map(|action| action.visits).sum::<u64>() > 300, "and goes on");
    // In a search of its own from the beginning, what scores 0 is never expanded.
    let mut fresh: Mcts<StagedNim> = agent_with(keys, ResultOnly, Reconsidering, 1);
    let fresh = decide(&mut fresh, &nim, &state);
    let one = fresh.root.iter().find(|action| action.action == StagedNimAction::Take(1));
    assert_eq!(one.unwrap().visits, 0);
}

/// With a budget too small to reach the end of the turn, the budget is spent again.
#[test]
fn bursts_go_on_to_the_end_of_the_turn() {
    let nim = StagedNim::new(&[9, 9, 9, 9]);
    let state = nim.start(&(), &mut Rng::new(0));
    let search = |bursts: u32| {
        let keys = format!("iterations=4,turn.plan=on,turn.bursts={bursts},final=value");
        decide(&mut agent(&keys, 1), &nim, &state)
    };
    assert_eq!(search(1).counters.iterations, 4);
    let planned = search(1000);
    let spent = planned.counters.iterations;
    assert!(spent > 4 && spent.is_multiple_of(4), "{spent}");
    assert!(planned.principal_variation.len() >= 2, "the line passes the end of the turn");
}

#[test]
fn combinations_without_meaning_are_refused() {
    let cases = [
        ("select=ucb1", "needs a budget"),
        ("iterations=9,merge=on,select=ucb1-tuned", "UCB1-Tuned"),
        ("iterations=9,hybrid=expand", "solver=on"),
        ("iterations=9,hybrid=cutoff", "cut short"),
        ("iterations=9,fpu=at-least", "select=alphago"),
        ("iterations=9,select=uniform,fpu=absolute", "no action"),
        ("iterations=9,select=uniform,widen=on", "among all actions"),
        ("iterations=9,select=uniform,turn.plan=on", "best line"),
        ("iterations=9,turn.plan=on,threads=2", "several"),
        ("iterations=9,final.unvisited=zero", "final=value"),
        ("iterations=9,select.c=-1", "from 0 to 100"),
        ("iterations=9,select.c=nan", "from 0 to 100"),
    ];
    for (keys, expected) in cases {
        let message = try_config(keys).expect_err(keys);
        assert!(message.contains(expected), "{keys}: {message}");
    }
}

/// Where an action wins at once, an action that wins for certain is chosen.
#[test]
fn positions_one_move_from_the_win_are_won() {
    let mut tried = 0;
    for keys in VARIED {
        for state in positions(&TicTacToe, 60, 3, 8) {
            let actions = legal(&TicTacToe, &state);
            let seat = mover(&TicTacToe, &state);
            let value = |action: &_, depth: u32| {
                let next = after(&TicTacToe, &state, *action);
                reference_value(&TicTacToe, &ResultOnly, &next, depth, seat)
            };
            let wins_at_once = |action: &_| value(action, 0) == Score::WIN;
            if actions.len() == 1 || !actions.iter().any(wins_at_once) {
                continue;
            }
            let decision = decide(&mut agent(keys, 1), &TicTacToe, &state);
            assert_eq!(value(&decision.action, 9), Score::WIN, "{keys}: {state:?}");
            tried += 1;
        }
    }
    assert!(tried > 100, "only {tried} positions");
}
