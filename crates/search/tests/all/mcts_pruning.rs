//! Which actions heuristic pruning chooses, against a slow reference written on its own.

use std::collections::BTreeSet;
use std::sync::Arc;

use gamecore::{Game, ResultOnly, Rng, Seat, Turn};
use othello::Othello;
use search::Mcts;
use testkit::HashEvaluator;
use testkit::toys::{DiceRace, RandomTree, StagedNim, TicTacToe};

use crate::common::{after, legal, mover, positions};
use crate::mcts_common::{agent, config, decide};
use crate::pruning_common::{best_of, heuristics, kept, pruner, value, values};

const NAMES: [&str; 3] = ["a", "b", "c"];

/// Calls `check` with positions of every game and all that matters there.
fn each_position(check: &mut impl FnMut(&dyn Fn(&str, u64) -> Found, &dyn Fn(usize) -> Table)) {
    fn of<G: Game>(
        game: &G,
        spread: u32,
        check: &mut impl FnMut(&dyn Fn(&str, u64) -> Found, &dyn Fn(usize) -> Table),
    ) {
        for state in positions(game, 12, 5, spread) {
            if legal(game, &state).len() < 2 {
                continue;
            }
            let ask = |keys: &str, seed: u64| {
                let decision = decide(&mut pruner::<G>(keys, seed), game, &state);
                let kept = kept(game, &state, &decision);
                let all = legal(game, &state);
                let dropped = decision.pruned.iter().map(|pruned| {
                    let scores = pruned.scores.iter().map(|(_, value)| *value).collect();
                    (all.binary_search(&pruned.action).expect("legal"), scores)
                });
                Found { kept, dropped: dropped.collect(), counters: decision.counters }
            };
            check(&ask, &|count| values(game, &state, count));
        }
    }
    of(&TicTacToe, 7, check);
    of(&Othello, 50, check);
    of(&StagedNim::default(), 6, check);
    of(&DiceRace, 6, check);
    of(&RandomTree::with_chance(3, 20), 6, check);
}

struct Found {
    kept: BTreeSet<usize>,
    /// With the value of each heuristic.
    dropped: Vec<(usize, Vec<f64>)>,
    counters: gamecore::Counters,
}

type Table = Vec<Vec<f64>>;

#[test]
fn the_best_of_each_heuristic_are_joined() {
    let mut dropped = 0;
    each_position(&mut |ask, table| {
        for count in 1..=3 {
            let values = table(count);
            let options = values[0].len();
            for limit in [1, 2, 3, 5] {
                let names = NAMES[..count].join("+");
                let keys = format!("iterations=1,prune={names},hpl={limit},prune.ties=listed");
                let found = ask(&keys, 1);
                let expected: BTreeSet<usize> =
                    values.iter().flat_map(|values| best_of(values, limit)).collect();
                assert_eq!(found.kept, expected, "{keys}: {values:?}");
                assert_eq!(found.dropped.len(), options - expected.len());
                for (at, scores) in &found.dropped {
                    let expected: Vec<f64> = values.iter().map(|values| values[*at]).collect();
                    assert_eq!(*scores, expected);
                }
                dropped += found.dropped.len();
                if options > limit {
                    let counters = found.counters;
                    let told = [counters.prune_nodes, counters.prune_options, counters.prune_kept];
                    assert_eq!(told, [1, options as u64, expected.len() as u64]);
                    assert_eq!(counters.prune_most, options.min(count * limit) as u64);
                } else {
                    assert_eq!(found.counters.prune_nodes, 0);
                }
            }
        }
    });
    assert!(dropped > 1000, "only {dropped}");
}

#[test]
fn random_ties_keep_as_good_ones() {
    each_position(&mut |ask, table| {
        let values = &table(1)[0];
        for (seed, limit) in [(1, 1), (2, 2), (3, 4)] {
            let found = ask(&format!("iterations=1,prune=a,hpl={limit}"), seed);
            let sorted = |places: &BTreeSet<usize>| {
                let mut scores: Vec<i64> = places.iter().map(|&at| values[at] as i64).collect();
                scores.sort_unstable();
                scores
            };
            assert_eq!(sorted(&found.kept), sorted(&best_of(values, limit)));
            for (at, _) in found.dropped {
                assert!(found.kept.iter().all(|&kept| values[kept] >= values[at]));
            }
        }
    });
}

#[test]
fn random_ties_are_drawn_evenly() {
    let state = Othello.start(&(), &mut Rng::new(0));
    let mut counts = [0; 4];
    for seed in 0..4_000 {
        let config = config("iterations=1,prune=a,hpl=1");
        let agent = Mcts::new(config, Arc::new(ResultOnly), None, seed);
        let decision = decide(&mut agent.pruned_by(vec![Arc::new(ResultOnly)]), &Othello, &state);
        for at in kept(&Othello, &state, &decision) {
            counts[at] += 1;
        }
    }
    assert!(counts.iter().all(|count| (900..1100).contains(count)), "{counts:?}");
}

/// Votes first, then the sum of ranks, then as listed.
#[test]
fn votes_keep_what_most_chose() {
    each_position(&mut |ask, table| {
        let values = table(3);
        let options = values[0].len();
        for limit in [1, 2, 3] {
            let keys =
                format!("iterations=1,prune=a+b+c,hpl={limit},prune.join=votes,prune.ties=listed");
            let found = ask(&keys, 1);
            let votes = |at: usize| {
                values.iter().filter(|values| best_of(values, limit).contains(&at)).count()
            };
            let rank = |values: &Vec<f64>, at: usize| {
                (0..options).find(|&rank| best_of(values, rank + 1).contains(&at)).unwrap()
            };
            let mut order: Vec<usize> = (0..options).collect();
            order.sort_by_key(|&at| {
                let ranks: usize = values.iter().map(|values| rank(values, at)).sum();
                (std::cmp::Reverse(votes(at)), ranks, at)
            });
            assert_eq!(found.kept, order.into_iter().take(limit).collect(), "{keys}");
        }
    });
}

#[test]
fn pruning_that_drops_nothing_changes_nothing() {
    let others = [
        "prune=a+b,hpl=512",
        "prune=a,hpl=40,extrapolate=5,prune.mode=soft",
        "prune=a+c,hpl=40,prune.mode=unprune,extrapolate=1,extrapolate.mode=greedy",
    ];
    for base in ["iterations=400", "calls=4000,solver=on,select=alphago,reuse=on,merge=on"] {
        for pruned in others {
            for state in positions(&Othello, 4, 3, 40) {
                let plain = decide(&mut agent(base, 7), &Othello, &state);
                let keys = format!("{base},{pruned}");
                let same = decide(&mut pruner(&keys, 7), &Othello, &state);
                assert_eq!(plain, same, "{keys}");
            }
            let state = RandomTree::with_chance(2, 20).start(&(), &mut Rng::new(0));
            let game = RandomTree::with_chance(2, 20);
            let plain = decide(&mut agent(base, 7), &game, &state);
            assert_eq!(plain, decide(&mut pruner(&format!("{base},{pruned}"), 7), &game, &state));
        }
    }
}

/// All positions just before the opponent's next decision, with their probability under random
/// play.
fn ends<G: Game>(
    game: &G,
    state: &G::State,
    seat: Seat,
    share: f64,
    out: &mut Vec<(f64, G::State)>,
) {
    match game.turn(state) {
        Turn::Player(mover) if mover == seat => {
            let all = legal(game, state);
            for &action in &all {
                ends(game, &after(game, state, action), seat, share / all.len() as f64, out);
            }
        }
        Turn::Chance => {
            let all = legal(game, state);
            let total: u32 = all.iter().map(|&outcome| game.weight(state, outcome)).sum();
            for &outcome in &all {
                let weight = f64::from(game.weight(state, outcome)) / f64::from(total);
                ends(game, &after(game, state, outcome), seat, share * weight, out);
            }
        }
        _ => out.push((share, state.clone())),
    }
}

fn greedy_end<G: Game>(game: &G, state: &G::State, seat: Seat, heuristic: HashEvaluator) -> f64 {
    if game.turn(state) != Turn::Player(seat) {
        return value(game, state, seat, heuristic);
    }
    let nexts: Vec<G::State> =
        legal(game, state).into_iter().map(|action| after(game, state, action)).collect();
    let worth: Vec<f64> = nexts.iter().map(|next| value(game, next, seat, heuristic)).collect();
    let first_best = best_of(&worth, 1).into_iter().next().unwrap();
    greedy_end(game, &nexts[first_best], seat, heuristic)
}

/// The scores of the dropped actions are those of the ends of the turn.
#[test]
fn extrapolation_scores_the_end_of_the_turn() {
    let game = StagedNim::new(&[2, 3, 4, 2]);
    let (mut checked, mut far) = (0, 0);
    for state in positions(&game, 40, 9, 5) {
        if legal(&game, &state).len() < 2 {
            continue;
        }
        let seat = mover(&game, &state);
        let ask = |keys: &str| {
            let keys = format!("iterations=1,hpl=1,prune=a+b,{keys}");
            decide(&mut pruner::<StagedNim>(&keys, 3), &game, &state).pruned
        };
        for (number, heuristic) in heuristics(2).into_iter().enumerate() {
            for pruned in ask("extrapolate=1,extrapolate.mode=greedy") {
                let next = after(&game, &state, pruned.action);
                let expected = greedy_end(&game, &next, seat, heuristic);
                assert_eq!(pruned.scores[number].1, expected, "{state:?} {:?}", pruned.action);
            }
            let reach = |action| {
                let mut found = Vec::new();
                ends(&game, &after(&game, &state, action), seat, 1.0, &mut found);
                let worth = |(share, end)| (share, value(&game, &end, seat, heuristic));
                found.into_iter().map(worth).collect::<Vec<(f64, f64)>>()
            };
            for pruned in ask("extrapolate=1,extrapolate.mode=exhaustive") {
                let ends = reach(pruned.action);
                let expected = ends.iter().map(|end| end.1).fold(f64::NEG_INFINITY, f64::max);
                assert_eq!(pruned.scores[number].1, expected);
                checked += 1;
                far += usize::from(ends.len() > 4);
            }
            for pruned in ask("extrapolate=1") {
                let found = pruned.scores[number].1;
                assert!(reach(pruned.action).iter().any(|end| end.1 == found));
            }
        }
    }
    assert!(checked > 50 && far > 20, "{checked} {far}");
}

/// The mean of many random continuations is near the expectation, with chance among them.
#[test]
fn random_extrapolation_averages() {
    fn check<G: Game>(game: &G) -> usize {
        let mut checked = 0;
        for state in positions(game, 10, 4, 4) {
            let seat = mover(game, &state);
            let mut means = std::collections::BTreeMap::<G::Action, (f64, f64)>::new();
            for seed in 0..20 {
                let keys = "iterations=1,hpl=1,prune=a,extrapolate=100";
                for pruned in decide(&mut pruner(keys, seed), game, &state).pruned {
                    let mean = means.entry(pruned.action).or_default();
                    *mean = (mean.0 + pruned.scores[0].1, mean.1 + 1.0);
                }
            }
            for (action, (sum, times)) in means.into_iter().filter(|(_, mean)| mean.1 == 20.0) {
                let mut found = Vec::new();
                ends(game, &after(game, &state, action), seat, 1.0, &mut found);
                let worth = |end: &G::State| value(game, end, seat, heuristics(1)[0]);
                if found.iter().any(|(_, end)| worth(end).abs() > 1e8) {
                    continue;
                }
                let expected: f64 = found.iter().map(|(share, end)| share * worth(end)).sum();
                // 2000 draws of a spread below 3: seven standard errors are below ½.
                let mean = sum / times;
                assert!((mean - expected).abs() < 0.5, "{} {mean} {expected}", G::NAME);
                checked += 1;
            }
        }
        checked
    }
    let found = [check(&StagedNim::new(&[4, 5, 6])), check(&RandomTree::with_chance(3, 20))];
    assert!(found.iter().all(|&count| count > 3), "{found:?}");
}

#[test]
fn tried_actions_count_as_calls() {
    let state = TicTacToe.start(&(), &mut Rng::new(0));
    let none = "iterations=1,rollout.unit=actions,rollout.length=0";
    for keys in ["prune=a,hpl=3", "prune=a+b+c,hpl=3,prune.mode=soft"] {
        let decision = decide(&mut pruner(&format!("{none},{keys}"), 1), &TicTacToe, &state);
        assert_eq!(decision.counters.calls, 9 + 1, "{keys}");
    }
    let keys = "calls=500,prune=a,hpl=3,rollout.unit=actions,rollout.length=0";
    let calls = decide(&mut pruner(keys, 1), &TicTacToe, &state).counters.calls;
    assert!((501..=520).contains(&calls), "{calls}");
}
