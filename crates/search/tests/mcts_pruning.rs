//! Heuristic move pruning against a slow reference written on its own.

mod common;
mod mcts_common;

use std::collections::BTreeSet;
use std::sync::Arc;

use gamecore::{
    Bound, Decision, Evaluator, Game, ResultOnly, Rng, Score, Seat, Turn, key, random_action,
};
use othello::Othello;
use search::Mcts;
use testkit::HashEvaluator;
use testkit::minimax::reference_value;
use testkit::toys::{DiceRace, RandomTree, StagedNim, TicTacToe};

use common::{after, legal, mover, positions};
use mcts_common::{agent, config, decide, try_config};

const NAMES: [&str; 3] = ["a", "b", "c"];

/// Heuristics with many ties, one for each name in the keys.
fn heuristics(count: usize) -> Vec<HashEvaluator> {
    (0..count).map(|number| HashEvaluator::with_range(100 + number as u64, 3)).collect()
}

fn pruner<G: Game>(keys: &str, seed: u64) -> Mcts<G> {
    let config = config(keys);
    let names = config.pruning.as_ref().map_or(0, |pruning| pruning.names.len());
    let shared = heuristics(names).into_iter().map(|heuristic| Arc::new(heuristic) as Arc<_>);
    Mcts::new(config, Arc::new(ResultOnly), None, seed).pruned_by(shared.collect())
}

/// What pruning ranks a position by.
fn value<G: Game>(game: &G, state: &G::State, seat: Seat, heuristic: HashEvaluator) -> f64 {
    if game.turn(state) == Turn::Over && game.payoff(state, seat) != 0.5 {
        return if game.payoff(state, seat) > 0.5 { 1e9 } else { -1e9 };
    }
    f64::from(heuristic.one_sided(game, state, seat).0)
}

/// By heuristic, then action: the value right after it.
fn values<G: Game>(game: &G, state: &G::State, count: usize) -> Vec<Vec<f64>> {
    let seat = mover(game, state);
    let all = legal(game, state);
    let of = |heuristic| {
        all.iter().map(|&a| value(game, &after(game, state, a), seat, heuristic)).collect()
    };
    heuristics(count).into_iter().map(of).collect()
}

/// Positions of the best, equal ones as listed: every action that fewer than `limit` come before.
fn best_of(values: &[f64], limit: usize) -> BTreeSet<usize> {
    let before = |at: usize| {
        let ahead = |&other: &usize| {
            values[other] > values[at] || values[other] == values[at] && other < at
        };
        (0..values.len()).filter(ahead).count()
    };
    (0..values.len()).filter(|&at| before(at) < limit).collect()
}

/// Positions in the list of legal actions of those in the answer's root.
fn kept<G: Game>(game: &G, state: &G::State, decision: &Decision<G::Action>) -> BTreeSet<usize> {
    let all = legal(game, state);
    let place = |action| all.binary_search(action).expect("legal");
    decision.root.iter().map(|root| place(&root.action)).collect()
}

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
    mcts_common::decide_and_trace(agent, game, state, 10)
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
