//! The answer of a search: value, expected line, statistics of the root, part of the tree.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use gamecore::{
    Bound, Buf, Counters, Decision, Game, PrunedAction, Rng, RootAction, Seat, TreeNode, TreeNote,
    Turn,
};

use super::config::{MctsConfig, Select};
use super::final_choice::{Statistics, choose};
use super::search::{Question, Tree};
use super::select::puct::FULL_SHARE;
use super::store::{Edge, Kind, NONE, Proven, ROOT, Store};

/// The longest expected line.
pub(crate) const LONGEST_LINE: usize = 64;

/// The edge that would be played in a node, or the likeliest outcome; `None` if none was tried.
pub(crate) fn best_edge<A: Copy + Ord>(
    store: &Store<A>,
    node: u32,
    config: &MctsConfig,
) -> Option<u32> {
    let at = store.node(node);
    let mut tried: Vec<(Statistics<A>, u32)> = store
        .tried_of(node)
        .iter()
        .zip(at.first..)
        .filter(|(edge, _)| edge.visits > 0)
        .map(|(edge, index)| (Statistics::from(edge), index))
        .collect();
    // A better prior first among equals, then the game's order.
    tried.sort_by_key(|(edge, _)| (Reverse(edge.prior), edge.action));
    let statistics: Vec<Statistics<A>> = tried.iter().map(|(edge, _)| *edge).collect();
    let best = match at.kind.seat() {
        _ if tried.is_empty() => return None,
        Some(seat) => choose(&statistics, config, seat, None),
        None => (0..tried.len()).max_by_key(|&position| statistics[position].visits)?,
    };
    Some(tried[best].1)
}

/// The statistics of the root's actions, in the game's order, added up over all trees.
pub(crate) fn root_statistics<A: Copy + Ord>(trees: &[Tree<A>]) -> Vec<Statistics<A>> {
    let mut all: Vec<Statistics<A>> =
        trees[0].store.edges_of(ROOT).iter().map(Statistics::from).collect();
    all.sort_by_key(|edge| edge.action);
    for tree in &trees[1..] {
        for edge in tree.store.edges_of(ROOT) {
            let position = all.binary_search_by_key(&edge.action, |known| known.action);
            // Heuristics may have kept other actions where equal ones are drawn.
            let position = match position {
                Ok(position) => position,
                Err(place) => {
                    all.insert(place, Statistics::from(edge));
                    continue;
                }
            };
            let sum = &mut all[position];
            sum.visits += u64::from(edge.visits);
            sum.total += edge.total;
            if sum.proven == Proven::Unknown {
                sum.proven = edge.proven;
            }
        }
    }
    all
}

/// The edge of the root with this action.
pub(crate) fn root_edge<A: Copy + Ord>(store: &Store<A>, action: A) -> u32 {
    let position = store.edges_of(ROOT).iter().position(|edge| edge.action == action);
    position.map_or(NONE, |position| store.node(ROOT).first + position as u32)
}

/// The decision for `actions[chosen]`.
pub(crate) fn decision<G: Game>(
    question: &Question<'_, G>,
    trees: &[Tree<G::Action>],
    actions: &[Statistics<G::Action>],
    chosen: usize,
    counters: Counters,
    tree_nodes: usize,
) -> Decision<G::Action> {
    let Question { config, seat, .. } = *question;
    let store = &trees[0].store;
    let share = if config.select == Select::Puct { f64::from(FULL_SHARE) } else { 1000.0 };
    let root = actions
        .iter()
        .map(|action| RootAction {
            action: action.action,
            visits: action.visits,
            value: action.value(seat),
            bound: bound(action.proven),
            prior: (config.uses_priors()).then(|| f64::from(action.prior) / share),
        })
        .collect();
    Decision {
        value: actions[chosen].value(seat),
        reading: config.reading(question.evaluator),
        principal_variation: line(question, store, actions[chosen].action),
        root,
        pruned: pruned(question, trees),
        counters,
        tree: if tree_nodes > 0 { tree(question, &trees[0], tree_nodes) } else { Vec::new() },
        ..Decision::plain(actions[chosen].action)
    }
}

/// The root's actions that were pruned in all trees, with what each heuristic says of them.
fn pruned<G: Game>(
    question: &Question<'_, G>,
    trees: &[Tree<G::Action>],
) -> Vec<PrunedAction<G::Action>> {
    let Question { game, state, seat, .. } = *question;
    let Some(pruning) = &question.config.pruning else { return Vec::new() };
    if trees.iter().any(|tree| tree.store.cut(ROOT).pruned == 0) {
        return Vec::new();
    }
    let mut actions = Buf::new();
    game.actions(state, &mut actions);
    let kept = |tree: &Tree<G::Action>, action: G::Action| {
        tree.store.kept_of(ROOT).iter().any(|edge| edge.action == action)
    };
    actions.retain(|&mut action| !trees.iter().any(|tree| kept(tree, action)));
    let known = &trees[0].root_values;
    let fresh = known.is_empty().then(|| {
        // The node was listed for an earlier decision, so its actions are scored once more.
        let mut pruner = question.pruner().expect("pruning is on");
        pruner.score(state, seat, &actions, &mut Rng::new(game.key(state)));
        pruner
    });
    let explain = |(position, &action): (usize, &G::Action)| {
        let values = match &fresh {
            Some(pruner) => pruner.values_of(position),
            None => known.iter().find(|(known, _)| *known == action)?.1.clone(),
        };
        let scores = pruning.names.iter().cloned().zip(values).collect();
        Some(PrunedAction { action, scores, reason: pruning.reason() })
    };
    actions.iter().enumerate().filter_map(explain).collect()
}

fn bound(proven: Proven) -> Bound {
    if proven == Proven::Unknown { Bound::Estimate } else { Bound::Exact }
}

/// The action and what is expected after it.
fn line<G: Game>(
    question: &Question<'_, G>,
    store: &Store<G::Action>,
    action: G::Action,
) -> Vec<G::Action> {
    let Question { game, config, .. } = *question;
    let mut line = vec![action];
    let mut state = question.state.clone();
    game.apply(&mut state, action);
    let edge = root_edge(store, action);
    let mut node = if edge == NONE { NONE } else { store.edge(edge).child };
    while node != NONE && line.len() < LONGEST_LINE && game.turn(&state) != Turn::Over {
        let Some(edge) = best_edge(store, node, config) else { break };
        let edge = store.edge(edge);
        line.push(edge.action);
        game.apply(&mut state, edge.action);
        node = edge.child;
    }
    line
}

/// The most visited nodes, parents before children, and after them as many actions that were pruned
/// there and never tried.
fn tree<G: Game>(
    question: &Question<'_, G>,
    tree: &Tree<G::Action>,
    most: usize,
) -> Vec<TreeNode<G::Action>> {
    let store = &tree.store;
    // Visits, then what came first; the edge and the place of its parent.
    let mut waiting: BinaryHeap<(u32, Reverse<u32>, usize)> = BinaryHeap::new();
    let push = |waiting: &mut BinaryHeap<_>, node: u32, place: usize| {
        let first = store.node(node).first;
        for (edge, index) in store.tried_of(node).iter().zip(first..) {
            waiting.push((edge.visits, Reverse(index), place));
        }
    };
    let root = store.node(ROOT);
    let mut found = vec![TreeNode {
        parent: None,
        action: None,
        depth: 0,
        visits: u64::from(root.visits),
        value: None,
        bound: bound(root.proven),
        note: None,
        pruned: u32::from(store.cut(ROOT).pruned),
    }];
    push(&mut waiting, ROOT, 0);
    // The stored node of each that was found, if there is one.
    let mut places = vec![ROOT];
    while found.len() < most
        && let Some((_, Reverse(index), parent)) = waiting.pop()
    {
        let edge = store.edge(index);
        let above = places[parent];
        let over = edge.child != NONE && store.node(edge.child).kind == Kind::Over;
        let position = (index - store.node(above).first) as usize;
        found.push(TreeNode {
            parent: Some(parent),
            action: Some(edge.action),
            depth: 0,
            visits: u64::from(edge.visits),
            value: value_for(tree, edge, store.node(above).kind, question.seat),
            bound: bound(edge.proven),
            note: match position < store.kept_of(above).len() {
                _ if over => Some(TreeNote::Over),
                true => None,
                false => Some(TreeNote::Pruned),
            },
            pruned: if edge.child == NONE { 0 } else { store.cut(edge.child).pruned.into() },
        });
        places.push(edge.child);
        if edge.child != NONE {
            push(&mut waiting, edge.child, found.len() - 1);
        }
    }
    add_untried(question, store, &places, &mut found, most);
    found
}

/// Adds at most so many actions that were pruned and never tried, those of the most visited nodes.
fn add_untried<G: Game>(
    question: &Question<'_, G>,
    store: &Store<G::Action>,
    places: &[u32],
    found: &mut Vec<TreeNode<G::Action>>,
    most: usize,
) {
    let mut room = most;
    for (place, &node) in places.iter().enumerate() {
        if node == NONE || store.cut(node).pruned == 0 {
            continue;
        }
        let untried: Vec<G::Action> = if store.extras.drops {
            let mut actions = Buf::new();
            question.game.actions(&state_at(question, found, place), &mut actions);
            let edges = store.edges_of(node);
            actions.retain(|action| !edges.iter().any(|edge| edge.action == *action));
            actions.to_vec()
        } else {
            let first = store.kept_of(node).len().max(store.tried_of(node).len());
            store.edges_of(node)[first..].iter().map(|edge| edge.action).collect()
        };
        let told = untried.len().min(room);
        let card = |action| TreeNode::unsearched(place, action, TreeNote::Pruned);
        found.extend(untried.into_iter().take(told).map(card));
        room -= told;
        if room == 0 {
            return;
        }
    }
}

/// The position of a node that was found.
fn state_at<G: Game>(
    question: &Question<'_, G>,
    found: &[TreeNode<G::Action>],
    place: usize,
) -> G::State {
    let above = |&place: &usize| found[place].parent;
    let path: Vec<usize> = std::iter::successors(Some(place), above).collect();
    let mut state = question.state.clone();
    for action in path.iter().rev().filter_map(|&place| found[place].action) {
        question.game.apply(&mut state, action);
    }
    state
}

/// What an edge of a node of this kind is worth to `seat`, if that can be told: an edge sums up
/// the rewards of the seat that decides there.
fn value_for<A>(tree: &Tree<A>, edge: &Edge<A>, kind: Kind, seat: Seat) -> Option<f64> {
    if edge.visits == 0 {
        return None;
    }
    if kind.reward_index() == seat.index() {
        return Some(edge.mean());
    }
    let (lowest, highest) = tree.sums;
    (highest - lowest < 1e-4).then(|| highest - edge.mean())
}
