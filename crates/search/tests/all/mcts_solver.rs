//! Proven results are those of exhaustive minimax.

use gamecore::{Bound, Decision, Game, ResultOnly, Rng, Score, Turn, random_action};
use othello::Othello;
use testkit::minimax::reference_value;
use testkit::toys::{RandomTree, StagedNim, TicTacToe};

use crate::common::{HashOrder, after, legal, mover, positions};
use crate::mcts_common::{agent, agent_with, decide};

/// ½ for a draw, 1 for a win of the seat to act.
fn exact<G: Game>(game: &G, state: &G::State, action: G::Action) -> f64 {
    let seat = mover(game, state);
    let Score(value) = reference_value(game, &ResultOnly, &after(game, state, action), 200, seat);
    (f64::from(value) / f64::from(Score::WIN.0) + 1.0) / 2.0
}

/// Whatever is said to be proven is true; if the root is, the chosen action is a best one.
fn check<G: Game>(game: &G, state: &G::State, decision: &Decision<G::Action>) -> bool {
    let actions = legal(game, state);
    let best = actions.iter().map(|&action| exact(game, state, action)).fold(0.0, f64::max);
    for action in &decision.root {
        if action.bound == Bound::Exact {
            let expected = exact(game, state, action.action);
            assert_eq!(action.value, Some(expected), "{} {state:?} {action:?}", G::NAME);
        }
    }
    let chosen = decision.root.iter().find(|action| action.action == decision.action).unwrap();
    let solved = decision.root.iter().all(|action| action.bound == Bound::Exact)
        || chosen.bound == Bound::Exact && chosen.value == Some(1.0);
    if solved {
        assert_eq!(exact(game, state, decision.action), best, "{} {state:?}", G::NAME);
        assert_eq!(decision.value, Some(best));
    }
    solved
}

fn prove_all<G: Game>(game: &G, keys: &str, count: usize, spread: u32) {
    let states = positions(game, count, 21, spread);
    for (seed, state) in states.iter().enumerate() {
        // Tic-tac-toe is small enough from the third move on.
        if !(2..=6).contains(&legal(game, state).len()) {
            continue;
        }
        let decision =
            decide(&mut agent_with(keys, ResultOnly, HashOrder, seed as u64), game, state);
        assert!(check(game, state, &decision), "{} {keys}: not proven in {state:?}", G::NAME);
        assert!(decision.counters.iterations < 300_000, "{} {keys}: a proof ends it", G::NAME);
    }
}

const VARIANTS: [&str; 6] = [
    "iterations=300000,solver=on",
    "iterations=300000,solver=on,merge=on",
    "iterations=300000,solver=on,select=puct,select.c=2,expand=heuristic",
    "iterations=300000,solver=on,select=alphago,fpu=relative,fpu.value=0.1,select.c=1",
    "iterations=300000,solver=on,hybrid=expand,hybrid.depth=3",
    "iterations=300000,solver=on,backup=implicit,rollout.unit=actions,rollout.length=2",
];

#[test]
fn toys_are_proven() {
    for keys in VARIANTS {
        prove_all(&TicTacToe, keys, 12, 7);
        prove_all(&StagedNim::new(&[2, 3]), keys, 6, 5);
        for seed in 0..4 {
            prove_all(&RandomTree::new(seed, 9), keys, 3, 3);
        }
    }
}

#[test]
fn othello_endgames_are_proven() {
    let mut rng = Rng::new(8);
    let mut proven = 0;
    while proven < 12 {
        let mut state = Othello.start(&(), &mut rng);
        while state.empties() > 7
            && let Some(action) = random_action(&Othello, &state, &mut rng)
        {
            Othello.apply(&mut state, action);
        }
        if Othello.turn(&state) == Turn::Over || legal(&Othello, &state).len() == 1 {
            continue;
        }
        for keys in [VARIANTS[0], VARIANTS[1], VARIANTS[4]] {
            let decision = decide(&mut agent(keys, proven), &Othello, &state);
            assert!(check(&Othello, &state, &decision), "{keys}: not proven in {state:?}");
        }
        proven += 1;
    }
}

/// Chance is treated conservatively: a proof needs equal results of all outcomes.
#[test]
fn what_is_proven_under_chance_is_true() {
    let mut exact_seen = 0;
    for seed in 0..30 {
        let game = RandomTree::with_chance(seed, 8);
        for state in positions(&game, 2, seed, 3) {
            if legal(&game, &state).len() == 1 {
                continue;
            }
            for keys in ["iterations=5000,solver=on", "iterations=5000,solver=on,merge=on"] {
                let decision = decide(&mut agent(keys, seed), &game, &state);
                check(&game, &state, &decision);
                let exact = decision.root.iter().filter(|action| action.bound == Bound::Exact);
                exact_seen += exact.count();
            }
        }
    }
    assert!(exact_seen > 30, "only {exact_seen} proofs");
}

/// On graphs with many ways to one position, merging proves the same with fewer nodes.
#[test]
fn merging_needs_fewer_nodes() {
    let (mut plain_nodes, mut merged_nodes) = (0, 0);
    for seed in 0..12 {
        let game = RandomTree::new(seed, 11);
        let state = game.start(&(), &mut Rng::new(0));
        if legal(&game, &state).len() == 1 {
            continue;
        }
        let solve = |merge: &str| {
            let keys = format!("iterations=200000,solver=on,merge={merge}");
            let decision = decide(&mut agent(&keys, seed), &game, &state);
            assert!(check(&game, &state, &decision), "seed {seed}, merge={merge}");
            (decision.value, decision.counters.tree_nodes)
        };
        let (plain, merged) = (solve("off"), solve("on"));
        assert_eq!(plain.0, merged.0);
        plain_nodes += plain.1;
        merged_nodes += merged.1;
    }
    assert!(2 * merged_nodes < plain_nodes, "{merged_nodes} nodes against {plain_nodes}");
}
