//! Search by whole turns: with room for every turn it is minimax over turns, and where a turn is one
//! action, plain minimax.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::common::{after, legal, mover, positions};
use conquest::Conquest;
use gamecore::{
    Agent, Budget, Decision, Evaluator, Game, Limits, Progress, Score, Seat, StopToken, Turn,
    weighted_mean,
};
use othello::Othello;
use search::{TurnBeam, TurnBeamConfig};
use testkit::minimax::{Horizon, reference_decision};
use testkit::toys::{DiceRace, RandomTree, StagedNim};
use testkit::{CountingClock, HashEvaluator};

/// Nodes of trees.
const TREE: usize = 60;

/// Room for everything.
pub(crate) const WIDE: TurnBeamConfig = TurnBeamConfig {
    budget: Budget { depth: None, nodes: None, iterations: None, calls: None, ms: None },
    turns: None,
    width: 1_000,
    reply: 1_000,
    spread: 100_000,
    reply_spread: 100_000,
    quiescence: 0,
    table_mb: 1_024,
    worlds: None,
};

fn decide<G: Game, E: Evaluator<G> + 'static>(
    config: &TurnBeamConfig,
    evaluator: &Arc<E>,
    game: &G,
    state: &G::State,
) -> Decision<G::Action> {
    let mut agent = TurnBeam::<G>::new(config.clone(), evaluator.clone(), None);
    decide_by(&mut agent, game, state, &StopToken::default())
}

pub(crate) fn decide_by<G: Game>(
    agent: &mut TurnBeam<G>,
    game: &G,
    state: &G::State,
    stop: &StopToken,
) -> Decision<G::Action> {
    let clock = CountingClock::new(Duration::from_millis(1));
    let limits = Limits { clock: &clock, stop, time_left: None, progress: None, tree_nodes: TREE };
    agent.decide(game, &game.view(state, mover(game, state)), &limits)
}

/// Minimax over turns without any order, window or memory.
pub(crate) fn by_turns<G: Game, E: Evaluator<G>>(
    game: &G,
    evaluator: &E,
    state: &G::State,
    turns: u32,
    acting: Option<Seat>,
    view: Seat,
) -> Score {
    let next = |action, turns, acting| {
        by_turns(game, evaluator, &after(game, state, action), turns, acting, view)
    };
    match game.turn(state) {
        Turn::Over => evaluator.terminal(game, state, view),
        Turn::Chance => {
            let (mut sum, mut total) = (0, 0);
            for outcome in legal(game, state) {
                let weight = i64::from(game.weight(state, outcome));
                // What follows a draw is a turn of its own.
                sum += weight * i64::from(next(outcome, turns, None).0);
                total += weight;
            }
            Score(weighted_mean(sum, total))
        }
        Turn::Player(seat) => {
            let left = if acting == Some(seat) { turns } else { turns.wrapping_sub(1) };
            if acting != Some(seat) && turns == 0 {
                return evaluator.evaluate(game, state, view);
            }
            let values =
                legal(game, state).into_iter().map(|action| next(action, left, Some(seat)));
            if seat == view { values.max() } else { values.min() }.expect("somebody acts")
        }
    }
}

fn equals_minimax_over_turns<G: Game>(game: &G, seed: u64, count: usize, spread: u32, most: u32) {
    let evaluator = Arc::new(HashEvaluator::with_range(seed, 9));
    for (number, state) in positions(game, count, seed, spread).iter().enumerate() {
        if legal(game, state).len() == 1 {
            continue;
        }
        let turns = 1 + number as u32 % most;
        let decision =
            decide(&TurnBeamConfig { turns: Some(turns), ..WIDE }, &evaluator, game, state);
        let seat = mover(game, state);
        let value = by_turns(game, &*evaluator, state, turns, None, seat);
        let shown = format!("{} {turns} turns from {state:?}", G::NAME);
        assert_eq!(decision.value, Some(f64::from(value.0)), "{shown}");
        let chosen = after(game, state, decision.action);
        let reached = by_turns(game, &*evaluator, &chosen, turns - 1, Some(seat), seat);
        assert_eq!(reached, value, "{shown}: {:?}", decision.action);
        assert!(decision.complete, "{shown}");
    }
}

#[test]
fn with_room_for_every_turn_it_is_minimax_over_turns() {
    equals_minimax_over_turns(&StagedNim::default(), 5, 60, 6, 3);
    equals_minimax_over_turns(&StagedNim::new(&[2, 3]), 6, 40, 4, 4);
    equals_minimax_over_turns(&DiceRace, 7, 30, 12, 3);
}

/// One agent for a whole game, so that what it remembers carries over from decision to decision.
fn equals_minimax_through_a_game<G: Game>(game: &G, seed: u64, spread: u32, turns: u32) {
    let evaluator = Arc::new(HashEvaluator::with_range(seed, 9));
    let mut state = positions(game, 1, seed, spread).remove(0);
    let config = TurnBeamConfig { turns: Some(turns), ..WIDE };
    let mut agent = TurnBeam::<G>::new(config, evaluator.clone(), None);
    while let Turn::Player(seat) = game.turn(&state) {
        let (clock, stop) = (CountingClock::new(Duration::from_millis(1)), StopToken::default());
        let heard = Mutex::new(Vec::new());
        let hear = |news: &Progress<G::Action>| {
            heard.lock().expect("one thread").push((news.completed as u32, news.value));
        };
        let limits = Limits {
            clock: &clock,
            stop: &stop,
            time_left: None,
            progress: Some(&hear),
            tree_nodes: 0,
        };
        let decision = agent.decide(game, &game.view(&state, seat), &limits);
        let mut all = heard.into_inner().expect("one thread");
        all.extend(decision.value.map(|value| (turns, value)));
        for (depth, found) in all {
            let value = by_turns(game, &*evaluator, &state, depth, None, seat);
            assert_eq!(found, f64::from(value.0), "{} {depth} turns from {state:?}", G::NAME);
        }
        game.apply(&mut state, decision.action);
    }
}

#[test]
fn what_is_remembered_does_not_change_values() {
    for seed in 0..12 {
        equals_minimax_through_a_game(&StagedNim::default(), seed, 3, 1 + seed as u32 % 3);
    }
    for seed in 0..40 {
        equals_minimax_through_a_game(&RandomTree::new(seed, 12), seed, 2, 2 + seed as u32 % 3);
    }
    equals_minimax_through_a_game(&Othello, 3, 58, 4);
    equals_minimax_through_a_game(&Othello, 5, 56, 4);
}

#[test]
fn in_othello_a_turn_is_a_move_and_it_is_minimax() {
    let evaluator = Arc::new(HashEvaluator::with_range(3, 50));
    for (number, state) in positions(&Othello, 60, 4, 50).iter().enumerate() {
        if legal(&Othello, state).len() == 1 {
            continue;
        }
        let depth = 1 + number as u32 % 4;
        let (_, value) =
            reference_decision(&Othello, &*evaluator, state, Horizon { depth, quiescence: 0 });
        let config = TurnBeamConfig { turns: Some(depth), ..WIDE };
        let decision = decide(&config, &evaluator, &Othello, state);
        assert_eq!(decision.value, Some(f64::from(value.0)), "depth {depth} from {state:?}");
    }
}

/// Every turn, and no position twice.
#[test]
fn all_turns_are_found_and_merged() {
    fn walk<G: Game>(game: &G, state: &G::State, seat: Seat, ends: &mut BTreeSet<u64>) {
        if game.turn(state) == Turn::Player(seat) {
            for action in legal(game, state) {
                walk(game, &after(game, state, action), seat, ends);
            }
        } else {
            ends.insert(game.key(state));
        }
    }
    let game = StagedNim::default();
    let evaluator = Arc::new(HashEvaluator::new(1));
    for state in positions(&game, 20, 9, 6) {
        let mut ends = BTreeSet::new();
        walk(&game, &state, mover(&game, &state), &mut ends);
        if ends.len() < 2 || legal(&game, &state).len() == 1 {
            continue;
        }
        let config = TurnBeamConfig { turns: Some(1), ..WIDE };
        let decision = decide(&config, &evaluator, &game, &state);
        // One look ahead enters every position that a turn leads to, once.
        assert_eq!(decision.counters.nodes, ends.len() as u64, "{state:?}");
    }
}

#[test]
fn budgets_hold_and_decisions_repeat() {
    let game = Conquest::default();
    let evaluator = Arc::new(HashEvaluator::new(2));
    for state in positions(&game, 4, 3, 60) {
        for calls in [1, 50, 2_000, 20_000] {
            let budget = Budget { calls: Some(calls), ..Budget::default() };
            let config = TurnBeamConfig { budget, width: 8, reply: 4, spread: 60, ..WIDE };
            let decision = decide(&config, &evaluator, &game, &state);
            assert!(decision.counters.calls <= calls, "{} of {calls}", decision.counters.calls);
            assert!(legal(&game, &state).contains(&decision.action));
            assert_eq!(decision, decide(&config, &evaluator, &game, &state));
        }
    }
}

#[test]
fn a_stop_gives_the_best_so_far() {
    let game = Conquest::default();
    let evaluator = Arc::new(HashEvaluator::new(2));
    let state = positions(&game, 1, 3, 60).remove(0);
    let mut agent = TurnBeam::<Conquest>::new(WIDE, evaluator, None);
    let stop = StopToken::default();
    stop.stop();
    let decision = decide_by(&mut agent, &game, &state, &stop);
    assert!(legal(&game, &state).contains(&decision.action));
    assert!(!decision.complete);
}

/// Beams that leave turns out are doubled while the budget lasts: in the end they leave out nothing.
#[test]
fn a_budget_widens_narrow_beams() {
    let game = StagedNim::default();
    let evaluator = Arc::new(HashEvaluator::with_range(3, 9));
    let narrow =
        TurnBeamConfig { turns: Some(2), width: 1, reply: 1, spread: 1, reply_spread: 1, ..WIDE };
    let calls = Budget { calls: Some(10_000_000), ..narrow.budget };
    let mut missed = 0;
    for state in positions(&game, 30, 3, 4) {
        if legal(&game, &state).len() == 1 {
            continue;
        }
        let exact = by_turns(&game, &*evaluator, &state, 2, None, mover(&game, &state));
        let exact = Some(f64::from(exact.0));
        let wide =
            decide(&TurnBeamConfig { budget: calls, ..narrow.clone() }, &evaluator, &game, &state);
        assert_eq!(wide.value, exact, "{state:?}");
        assert!(wide.complete, "{state:?}");
        missed += u32::from(decide(&narrow, &evaluator, &game, &state).value != exact);
    }
    assert!(missed > 5, "turns alone keep the width: only {missed} values differ");
}
