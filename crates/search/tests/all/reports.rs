//! What a decision tells besides its action: continuation, parts of the value, root list, tree.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::common::{
    ALGORITHMS, after, decide, decide_and_trace, legal, mover, positions, variants,
};
use gamecore::{Bound, Budget, Evaluator, Game, Score, Seat, TreeNode, TreeNote, Turn};
use othello::Othello;
use search::{Algorithm, Config, DepthFirst, TableUse};
use testkit::HashEvaluator;
use testkit::minimax::{Horizon, reference_value};
use testkit::toys::{RandomTree, StagedNim};

/// MTD(f) proves its value by null windows, which leave no line behind.
const WITH_LINES: [Algorithm; 4] =
    [Algorithm::Minimax, Algorithm::AlphaBeta, Algorithm::Scout, Algorithm::Pvs];

fn check_lines<G: Game, E: Evaluator<G> + 'static>(game: &G, evaluator: E, spread: u32) {
    let evaluator = Arc::new(evaluator);
    for (number, start) in positions(game, 40, 21, spread).into_iter().enumerate() {
        let depth = 1 + number as u32 % 4;
        let seat = mover(game, &start);
        for algorithm in ALGORITHMS {
            for config in variants(algorithm, depth, 0) {
                let decision = decide(&config, &evaluator, game, &start);
                let mut state = start.clone();
                assert_eq!(decision.principal_variation[0], decision.action);
                for action in &decision.principal_variation {
                    assert!(legal(game, &state).contains(action), "{config:?}");
                    game.apply(&mut state, *action);
                }
                let turn = game.turn(&state);
                if config.table != TableUse::Off
                    || !WITH_LINES.contains(&algorithm)
                    || turn == Turn::Chance
                {
                    continue;
                }
                let length = decision.principal_variation.len();
                assert!(length == depth as usize || turn == Turn::Over, "{length}: {config:?}");
                let end = match turn {
                    Turn::Over => evaluator.terminal(game, &state, seat),
                    _ => evaluator.evaluate(game, &state, seat),
                };
                assert_eq!(decision.value, Some(f64::from(end.0)), "{config:?}");
            }
        }
    }
}

#[test]
fn continuations_are_legal_and_end_at_the_value() {
    check_lines(&Othello, HashEvaluator::with_range(7, 5), 60);
    check_lines(&StagedNim::default(), HashEvaluator::new(8), 8);
    check_lines(&RandomTree::new(5, 12), HashEvaluator::new(9), 8);
    check_lines(&RandomTree::with_chance(6, 12), HashEvaluator::new(9), 8);
}

/// Whether a value with its bound can be true of something worth `truth`.
fn consistent(value: f64, bound: Bound, truth: Score) -> bool {
    let truth = f64::from(truth.0);
    match bound {
        Bound::Exact => value == truth,
        Bound::Lower => value <= truth,
        Bound::Upper => value >= truth,
        Bound::Estimate => panic!("depth-first search estimates nothing"),
    }
}

fn check_roots<G: Game, E: Evaluator<G> + 'static>(game: &G, evaluator: E, spread: u32) {
    let evaluator = Arc::new(evaluator);
    for (number, state) in positions(game, 40, 31, spread).into_iter().enumerate() {
        let depth = 1 + number as u32 % 4;
        let (actions, seat) = (legal(game, &state), mover(game, &state));
        let truth: Vec<Score> = actions
            .iter()
            .map(|&action| {
                let child = after(game, &state, action);
                reference_value(game, &*evaluator, &child, depth - 1, seat)
            })
            .collect();
        for algorithm in ALGORITHMS {
            for config in variants(algorithm, depth, 0) {
                let decision = decide(&config, &evaluator, game, &state);
                let listed: Vec<G::Action> = decision.root.iter().map(|root| root.action).collect();
                assert_eq!(listed, actions, "{config:?}");
                for (root, &truth) in decision.root.iter().zip(&truth) {
                    let fits = root.value.is_none_or(|value| consistent(value, root.bound, truth));
                    assert!(fits, "{root:?} but {truth}: {config:?}");
                    let exact = root.bound == Bound::Exact && root.value.is_some();
                    let everything = config.all_roots || algorithm == Algorithm::Minimax;
                    assert!(exact || !everything, "{root:?}: {config:?}");
                    if root.action == decision.action {
                        assert_eq!(root.value, decision.value, "{config:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn root_lists_tell_the_truth() {
    check_roots(&Othello, HashEvaluator::with_range(7, 5), 60);
    check_roots(&StagedNim::default(), HashEvaluator::new(8), 8);
    check_roots(&RandomTree::with_chance(6, 12), HashEvaluator::new(9), 8);
}

/// Every node of a tree with its position.
fn states_of<G: Game>(game: &G, root: &G::State, tree: &[TreeNode<G::Action>]) -> Vec<G::State> {
    let mut states: Vec<G::State> = Vec::new();
    for (index, node) in tree.iter().enumerate() {
        let state = match (node.parent, node.action) {
            (None, None) => root.clone(),
            (Some(parent), Some(action)) => {
                assert!(parent < index, "parents precede children");
                assert!(legal(game, &states[parent]).contains(&action), "{action:?}");
                after(game, &states[parent], action)
            }
            half => panic!("a root with an action or a child without: {half:?}"),
        };
        states.push(state);
    }
    states
}

fn check_tree<G: Game, E: Evaluator<G> + 'static>(game: &G, evaluator: E, spread: u32) {
    let evaluator = Arc::new(evaluator);
    for (number, state) in positions(game, 12, 41, spread).into_iter().enumerate() {
        let depth = 1 + number as u32 % 3;
        for algorithm in ALGORITHMS {
            for config in variants(algorithm, depth, 0) {
                let decision = decide_and_trace(&config, &evaluator, game, &state, usize::MAX);
                let (tree, seat) = (&decision.tree, mover(game, &state));
                assert_eq!((tree[0].parent, tree[0].depth), (None, decision.depth), "{config:?}");
                assert_eq!(tree[0].value, decision.value, "{config:?}");
                assert!(tree[1..].iter().all(|node| node.parent.is_some()), "one root");
                let states = states_of(game, &state, tree);
                check_skipped(game, tree, &states);
                for (node, state) in tree.iter().zip(states).filter(|(node, _)| node.is_searched())
                {
                    let truth = reference_value(game, &*evaluator, &state, node.depth, seat);
                    let value = node.value.expect("a complete search values every node");
                    assert!(consistent(value, node.bound, truth), "{node:?} {truth} {config:?}");
                }
                check_visits(tree);
                if !config.deepening && WITH_LINES.contains(&algorithm) {
                    assert_eq!(tree[0].visits, decision.counters.nodes, "{config:?}");
                    let nodes = tree.iter().filter(|node| node.is_searched()).count() as u64;
                    assert_eq!(nodes, decision.counters.nodes, "{config:?}");
                }
            }
        }
    }
}

/// After a cut-off all other actions are there, each left out; nothing is left out without one.
fn check_skipped<G: Game>(game: &G, tree: &[TreeNode<G::Action>], states: &[G::State]) {
    for (index, node) in tree.iter().enumerate() {
        let below = |wanted: bool| -> BTreeSet<G::Action> {
            let children = tree.iter().filter(|child| child.parent == Some(index));
            children
                .filter(|it| it.is_searched() == wanted)
                .filter_map(|child| child.action)
                .collect()
        };
        let (tried, skipped) = (below(true), below(false));
        assert!(tried.is_disjoint(&skipped) || index == 0, "{node:?}");
        if node.note == Some(TreeNote::Cut) {
            let all: BTreeSet<G::Action> = legal(game, &states[index]).into_iter().collect();
            assert_eq!(&tried | &skipped, all, "{node:?}");
        } else {
            assert!(skipped.is_empty() || index == 0, "{node:?}");
        }
    }
}

/// A node's visits are its own and those of its children.
fn check_visits<A>(tree: &[TreeNode<A>]) {
    let mut sums: Vec<u64> = tree.iter().map(|node| u64::from(node.is_searched())).collect();
    for (index, node) in tree.iter().enumerate().rev() {
        assert_eq!(node.visits, sums[index], "node {index}");
        if let Some(parent) = node.parent {
            sums[parent] += node.visits;
        }
    }
}

#[test]
fn trees_tell_the_truth() {
    check_tree(&Othello, HashEvaluator::with_range(7, 5), 60);
    check_tree(&StagedNim::default(), HashEvaluator::new(8), 8);
    check_tree(&RandomTree::with_chance(6, 12), HashEvaluator::new(9), 8);
}

#[test]
fn trees_keep_to_their_limit() {
    let evaluator = Arc::new(HashEvaluator::new(1));
    let state = othello::Board::START;
    for algorithm in ALGORITHMS {
        let config = Config::plain(algorithm, 4);
        let whole = decide_and_trace(&config, &evaluator, &Othello, &state, usize::MAX);
        for limit in [1, 2, 17] {
            let cut = decide_and_trace(&config, &evaluator, &Othello, &state, limit);
            let kept = cut.tree.iter().filter(|node| node.is_searched()).count();
            assert_eq!(kept, limit, "{algorithm:?}");
            assert!(cut.tree.len() <= 2 * limit, "{algorithm:?}");
            assert_eq!(cut.tree[0].visits, whole.tree[0].visits, "{algorithm:?}");
            assert_eq!((cut.action, cut.counters), (whole.action, whole.counters));
        }
        assert!(decide(&config, &evaluator, &Othello, &state).tree.is_empty());
    }
}

/// The answer of a stopped search rests on the last depth that was completed; so does its tree.
#[test]
fn a_stopped_search_shows_the_tree_of_its_answer() {
    let evaluator = Arc::new(HashEvaluator::new(2));
    for algorithm in ALGORITHMS {
        for nodes in [300, 2_000, 9_000] {
            let config = Config {
                deepening: true,
                budget: Budget { nodes: Some(nodes), ..Budget::default() },
                ..Config::plain(algorithm, 1)
            };
            let state = othello::Board::START;
            let decision = decide_and_trace(&config, &evaluator, &Othello, &state, 1_000_000);
            assert!(decision.depth > 0 && !decision.complete, "{algorithm:?} {nodes}");
            let root = &decision.tree[0];
            assert_eq!((root.depth, root.value), (decision.depth, decision.value), "{algorithm:?}");
            check_visits(&decision.tree);
        }
        // Stopped before the first depth was complete: what was entered, without values.
        let config = Config {
            budget: Budget { nodes: Some(3), depth: Some(4), ..Budget::default() },
            ..Config::plain(algorithm, 1)
        };
        let state = othello::Board::START;
        let decision = decide_and_trace(&config, &evaluator, &Othello, &state, 1_000_000);
        assert_eq!(decision.tree[0].value, None);
        check_visits(&decision.tree);
    }
}

/// Textbook negamax: changes the sign with every ply, whoever acts.
fn naive_negamax<G: Game, E: Evaluator<G>>(
    game: &G,
    evaluator: &E,
    state: &G::State,
    depth: u32,
    seat: Seat,
) -> i32 {
    match game.turn(state) {
        Turn::Over => evaluator.terminal(game, state, seat).0,
        _ if depth == 0 => evaluator.evaluate(game, state, seat).0,
        _ => legal(game, state)
            .into_iter()
            .map(|action| {
                let child = after(game, state, action);
                -naive_negamax(game, evaluator, &child, depth - 1, seat.other())
            })
            .max()
            .expect("the game goes on"),
    }
}

fn wrong_answers<G: Game>(game: &G, spread: u32, depth: u32) -> usize {
    let evaluator = HashEvaluator::new(12);
    let wrong = |state: &&G::State| {
        let seat = mover(game, state);
        let truth = reference_value(game, &evaluator, state, Horizon::from(depth), seat);
        naive_negamax(game, &evaluator, state, depth, seat) != truth.0
    };
    positions(game, 100, 61, spread).iter().filter(wrong).count()
}

/// The toys have teeth: a search that turns the sign with every ply fails on them, and only there.
#[test]
fn turning_the_sign_with_every_ply_is_wrong_where_seats_repeat() {
    assert_eq!(wrong_answers(&testkit::toys::TicTacToe, 6, 3), 0, "seats alternate");
    assert!(wrong_answers(&StagedNim::default(), 6, 3) > 50);
    assert!(wrong_answers(&RandomTree::new(3, 12), 6, 3) > 30);
}

/// An agent is built once for a game; a decision must not depend on earlier ones but for effort.
#[test]
fn earlier_decisions_change_no_answer() {
    let evaluator = Arc::new(HashEvaluator::with_range(3, 5));
    for algorithm in ALGORITHMS {
        for config in variants(algorithm, 3, 0) {
            let mut agent = DepthFirst::<Othello>::new(config.clone(), evaluator.clone(), None);
            for state in positions(&Othello, 6, 71, 50) {
                let fresh = crate::common::decide_with(
                    &mut DepthFirst::new(config.clone(), evaluator.clone(), None),
                    &Othello,
                    &state,
                );
                let used = crate::common::decide_with(&mut agent, &Othello, &state);
                assert_eq!((used.action, used.value), (fresh.action, fresh.value), "{config:?}");
            }
        }
    }
}
