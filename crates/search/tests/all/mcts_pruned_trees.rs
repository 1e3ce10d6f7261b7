//! What a tree search makes of pruning: modes, proofs, what is refused.

use std::collections::BTreeSet;

use gamecore::{Bound, Decision, Game, ResultOnly, Rng, Score, TreeNote, Turn, key, random_action};
use othello::{Board, Othello};
use search::Mcts;
use testkit::minimax::reference_value;
use testkit::toys::{DiceRace, RandomTree, StagedNim, TicTacToe};

use crate::common::{after, legal, mover, positions};
use crate::mcts_common::{config, decide, try_config};
use crate::pruning_common::{best_of, pruner, values};

const MODES: [&str; 9] = [
    "prune=a,hpl=2",
    "prune=a+b,hpl=1,reuse=on,solver=on",
    "prune=a+b+c,hpl=2,prune.join=votes,extrapolate=3,reuse=on",
    "prune=a,hpl=1,prune.mode=soft,fpu=absolute,fpu.value=0.6",
    "prune=a+b,hpl=2,prune.mode=soft,prune.handicap=2,select=puct,solver=on",
    "prune=a,hpl=1,prune.mode=unprune,reuse=on,merge=on",
    "prune=a+b,hpl=2,prune.mode=unprune,extrapolate=1,extrapolate.mode=greedy,solver=on",
    "prune=b,hpl=2,turn.plan=on,extrapolate=1,extrapolate.mode=exhaustive",
    "prune=a,hpl=2,threads=2,tree.nodes=50",
];

/// Plays a game and hashes everything that was said.
fn play<G: Game>(game: &G, keys: &str, seed: u64) -> u64 {
    let mut rng = Rng::new(seed);
    let mut state = game.start(&G::Setup::default(), &mut rng);
    let mut agents = [0, 1].map(|seat| pruner::<G>(keys, key::fold(seed, seat)));
    let mut said = 0;
    while game.turn(&state) != Turn::Over {
        let Turn::Player(seat) = game.turn(&state) else {
            let outcome = random_action(game, &state, &mut rng).expect("chance");
            game.apply(&mut state, outcome);
            continue;
        };
        let decision = decide(&mut agents[seat.index()], game, &state);
        let all = legal(game, &state);
        let place = all.binary_search(&decision.action).expect("a legal action");
        if all.len() > 1 {
            let mut listed: Vec<_> = decision.root.iter().map(|root| root.action).collect();
            assert!(listed.is_sorted(), "in the game's order");
            if !keys.contains("mode=soft") && !keys.contains("unprune") {
                listed.extend(decision.pruned.iter().map(|pruned| pruned.action));
                listed.sort_unstable();
            }
            assert_eq!(listed, all, "{keys}: every action is either kept or pruned");
            assert!(decision.pruned.iter().all(|pruned| pruned.scores.len() == keys_of(keys)));
        }
        for number in [place as u64, decision.counters.calls, decision.pruned.len() as u64] {
            said = key::fold(said, number);
        }
        game.apply(&mut state, decision.action);
    }
    said
}

fn keys_of(keys: &str) -> usize {
    config(&format!("iterations=1,{keys}")).pruning.unwrap().names.len()
}

#[test]
fn every_mode_plays_legally_and_repeats() {
    for mode in MODES {
        let keys = format!("iterations=120,{mode}");
        assert_eq!(play(&StagedNim::default(), &keys, 1), play(&StagedNim::default(), &keys, 1));
        assert_eq!(play(&DiceRace, &keys, 2), play(&DiceRace, &keys, 2), "{keys}");
        assert_eq!(play(&TicTacToe, &keys, 3), play(&TicTacToe, &keys, 3), "{keys}");
        let grid = RandomTree::with_chance(5, 30);
        assert_eq!(play(&grid, &keys, 4), play(&grid, &keys, 4), "{keys}");
        let keys = keys.replace("120", "25");
        assert_eq!(play(&Othello, &keys, 5), play(&Othello, &keys, 5), "{keys}");
    }
    assert_ne!(play(&TicTacToe, "iterations=50,prune=a,hpl=3", 3), {
        play(&TicTacToe, "iterations=50,prune=a,hpl=3", 4)
    });
}

/// What is said to be proven is what exhaustive minimax finds, although heuristics without sense
/// drop most actions.
#[test]
fn proofs_survive_pruning() {
    fn check<G: Game>(game: &G, spread: u32) -> [usize; 2] {
        let mut exact_and_lost = [0, 0];
        for (seed, state) in positions(game, 25, 21, spread).iter().enumerate() {
            let options = legal(game, state).len();
            if !(2..=6).contains(&options) {
                continue;
            }
            for keys in ["prune=a,hpl=1", "prune=a+b,hpl=1,merge=on", "prune=a,hpl=2"] {
                let keys = format!("iterations=3000,solver=on,{keys}");
                let decision = decide(&mut pruner::<G>(&keys, seed as u64), game, state);
                for root in decision.root.iter().filter(|root| root.bound == Bound::Exact) {
                    let next = after(game, state, root.action);
                    let Score(value) =
                        reference_value(game, &ResultOnly, &next, 200, mover(game, state));
                    let truth = (f64::from(value) / f64::from(Score::WIN.0) + 1.0) / 2.0;
                    assert_eq!(root.value, Some(truth), "{} {keys} {state:?}", G::NAME);
                    exact_and_lost[0] += 1;
                    exact_and_lost[1] += usize::from(truth < 1.0);
                }
            }
        }
        exact_and_lost
    }
    let mut found = [0, 0];
    let mut add = |more: [usize; 2]| found = [found[0] + more[0], found[1] + more[1]];
    add(check(&TicTacToe, 7));
    add(check(&StagedNim::new(&[2, 3, 2]), 6));
    for seed in 0..12 {
        add(check(&RandomTree::new(seed, 9), 4));
    }
    assert!(found[0] > 50 && found[1] > 10, "{found:?} proofs");
}

/// The tree names what was pruned in it, wherever that was.
#[test]
fn trees_name_what_was_pruned() {
    for mode in MODES {
        let keys = format!("iterations=300,{mode}");
        let mut deep = 0;
        for (number, state) in positions(&Othello, 4, 11, 30).into_iter().enumerate() {
            let mut agent = pruner(&keys, number as u64);
            let decision =
                crate::mcts_common::decide_and_trace(&mut agent, &Othello, &state, 100_000);
            let tree = &decision.tree;
            let mut states = vec![state];
            for node in &tree[1..] {
                let above: &Board = &states[node.parent.expect("all have a parent")];
                states.push(after(&Othello, above, node.action.expect("all have an action")));
            }
            for (place, node) in tree.iter().enumerate() {
                let below: Vec<_> = tree.iter().filter(|it| it.parent == Some(place)).collect();
                let all: BTreeSet<_> = below.iter().filter_map(|it| it.action).collect();
                assert_eq!(all.len(), below.len(), "{keys}: every action once");
                assert!(all.is_subset(&legal(&Othello, &states[place]).into_iter().collect()));
                let pruned = below.iter().filter(|it| it.note == Some(TreeNote::Pruned)).count();
                assert_eq!(pruned, node.pruned as usize, "{keys}: {node:?}");
                deep += usize::from(place > 0 && pruned > 0);
            }
        }
        assert!(deep > 0, "{keys}: nothing was pruned below a root");
    }
}

/// A lost root is proven lost only if nothing was dropped there; the search ends all the same.
#[test]
fn a_root_with_dropped_actions_ends_without_proof() {
    let mut ended = 0;
    for seed in 0..40 {
        let game = RandomTree::new(seed, 6);
        let state = game.start(&(), &mut Rng::new(0));
        if legal(&game, &state).len() < 2 {
            continue;
        }
        let keys = "iterations=100000,solver=on,prune=a,hpl=1,prune.ties=listed";
        let decision = decide_and_trace(&mut pruner(keys, seed), &game, &state);
        let known = decision.root.iter().all(|root| root.bound == Bound::Exact);
        let won = decision.value == Some(1.0) && known;
        if known && !won {
            assert_eq!(decision.tree[0].bound, Bound::Estimate, "the root is open");
            assert!(decision.counters.iterations < 100_000);
            ended += 1;
        }
    }
    assert!(ended > 2, "{ended}");
}

fn decide_and_trace<G: Game>(
    agent: &mut Mcts<G>,
    game: &G,
    state: &G::State,
) -> Decision<G::Action> {
    crate::mcts_common::decide_and_trace(agent, game, state, 10)
}

/// The actions that were held back come back one at a time, in the heuristic's order, and all do.
#[test]
fn unpruning_reopens_everything_in_order() {
    let state = TicTacToe.start(&(), &mut Rng::new(0));
    let values = &values(&TicTacToe, &state, 1)[0];
    let mut seen = 0;
    for iterations in [2, 5, 9, 15, 30, 60, 200] {
        let keys = format!(
            "iterations={iterations},prune=a,hpl=2,prune.mode=unprune,prune.ties=listed,widen.c=1"
        );
        let decision = decide(&mut pruner(&keys, 1), &TicTacToe, &state);
        let tried: BTreeSet<usize> = (0..9).filter(|&at| decision.root[at].visits > 0).collect();
        // ⌊√n⌋ are open at the last of n + 1 visits.
        let open = (1..).take_while(|open| open * open < iterations).last().unwrap_or(1).max(2);
        assert_eq!(tried, best_of(values, open.min(9) as usize), "{iterations}");
        assert_eq!(decision.pruned.len(), 7, "those held back at first are told");
        seen = tried.len();
    }
    assert_eq!(seen, 9);
}

#[test]
fn handicaps_hold_for_a_while() {
    let state = TicTacToe.start(&(), &mut Rng::new(0));
    let values = values(&TicTacToe, &state, 2);
    let [first, second] = [0, 1].map(|heuristic| best_of(&values[heuristic], 3));
    let visits = |keys: &str| -> Vec<u64> {
        let keys = format!("prune.ties=listed,prune.mode=soft,hpl=3,{keys}");
        let decision = decide(&mut pruner(&keys, 1), &TicTacToe, &state);
        decision.root.iter().map(|root| root.visits).collect()
    };
    for iterations in [3, 10, 20] {
        let found = visits(&format!("iterations={iterations},prune=a,prune.handicap=100"));
        let tried: BTreeSet<usize> = (0..9).filter(|&at| found[at] > 0).collect();
        assert_eq!(tried, first, "only survivors at first");
    }
    assert!(visits("iterations=3000,prune=a").iter().all(|&visits| visits > 0), "it fades");
    // Chosen by one of two: before those that nobody chose.
    let found = visits("iterations=20,prune=a+b,prune.handicap=100");
    let doubtful: BTreeSet<usize> = first.symmetric_difference(&second).copied().collect();
    for at in (0..9).filter(|at| !first.contains(at) && !second.contains(at)) {
        assert_eq!(found[at], 0);
    }
    assert!(!doubtful.is_empty() && first.intersection(&second).all(|&at| found[at] > 0));
    let half: u64 = doubtful.iter().map(|&at| found[at]).sum();
    let both: u64 = first.intersection(&second).map(|&at| found[at]).sum();
    assert!(half < both, "{half} {both}");
}

#[test]
fn what_has_no_meaning_is_refused() {
    let cases = [
        ("prune=a,hpl=0", "a whole number from 1 to 512"),
        ("prune=a,hpl=513", "a whole number from 1 to 512"),
        ("hpl=5", "prune names none"),
        ("prune=", "off, or up to 16 different names"),
        ("prune=a+", "off, or up to 16 different names"),
        ("prune=a+a", "off, or up to 16 different names"),
        ("prune=a+off", "off, or up to 16 different names"),
        ("prune=a,prune.ties=first", "one of random, listed"),
        ("prune=a,prune.join=both", "one of union, votes"),
        ("prune=a,prune.join=votes", "name several"),
        ("prune=a,prune.mode=on", "one of hard, soft, unprune"),
        ("prune=a,prune.mode=soft,prune.handicap=-1", "a number from 0 to 100"),
        ("prune=a,extrapolate=101", "a whole number from 0 to 100"),
        ("prune=a,extrapolate=1,extrapolate.mode=all", "one of random, greedy, exhaustive"),
        ("prune=a,extrapolate.mode=greedy", "give extrapolate=1"),
        ("prune=a,extrapolate=2,extrapolate.mode=exhaustive", "nothing to average"),
        ("extrapolate=1", "give prune=NAME"),
        ("prune.mode=soft", "give prune=NAME"),
        ("prune.ties=listed", "give prune=NAME"),
        ("prune=a,prune.mode=soft,select=uniform", "draws among all actions alike"),
        ("prune=a,prune.mode=unprune,select=uniform", "draws among all actions alike"),
        ("prune=a,prune.mode=unprune,widen=on", "which actions are open"),
        ("prune=a,prune.mode=soft,expand.positive=on", "which actions wait"),
        ("prune=a,prune.mode=unprune,widen.alpha=0", "opens none"),
    ];
    for (keys, expected) in cases {
        let message = try_config(&format!("iterations=1,{keys}")).expect_err(keys);
        assert!(message.contains(expected), "{keys}: {message}");
    }
    let plain = config("iterations=1,prune=a").pruning.unwrap();
    assert_eq!((plain.limit, plain.random_ties, plain.extrapolation), (15, true, None));
}
