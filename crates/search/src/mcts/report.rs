//! The answer of a search: value, expected line, statistics of the root, part of the tree.

use std::collections::BinaryHeap;

use gamecore::{
    Bound, Buf, Counters, Decision, Game, PrunedAction, Rng, RootAction, Seat, TreeNode, Turn,
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
    tried.sort_by_key(|(edge, _)| (std::cmp::Reverse(edge.prior), edge.action));
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
        tree: if tree_nodes > 0 { tree(&trees[0], seat, tree_nodes) } else { Vec::new() },
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

/// The most visited nodes, parents before children.
fn tree<A: Copy + Ord>(tree: &Tree<A>, seat: Seat, most: usize) -> Vec<TreeNode<A>> {
    let store = &tree.store;
    let mut found: Vec<TreeNode<A>> = Vec::new();
    // Visits, then what came first; the edge and the place of its parent.
    let mut waiting: BinaryHeap<(u32, std::cmp::Reverse<u32>, usize)> = BinaryHeap::new();
    let push = |waiting: &mut BinaryHeap<_>, node: u32, place: usize| {
        let first = store.node(node).first;
        for (edge, index) in store.tried_of(node).iter().zip(first..) {
            waiting.push((edge.visits, std::cmp::Reverse(index), place));
        }
    };
    let root = store.node(ROOT);
    found.push(TreeNode {
        parent: None,
        action: None,
        depth: 0,
        visits: u64::from(root.visits),
        value: None,
        bound: bound(root.proven),
        note: "",
        pruned: u32::from(store.cut(ROOT).pruned),
    });
    push(&mut waiting, ROOT, 0);
    let mut kinds = vec![root.kind];
    while found.len() < most
        && let Some((_, std::cmp::Reverse(index), parent)) = waiting.pop()
    {
        let edge = store.edge(index);
        let over = edge.child != NONE && store.node(edge.child).kind == Kind::Over;
        found.push(TreeNode {
            parent: Some(parent),
            action: Some(edge.action),
            depth: 0,
            visits: u64::from(edge.visits),
            value: value_for(tree, edge, kinds[parent], seat),
            bound: bound(edge.proven),
            note: if over { "over" } else { "" },
            pruned: if edge.child == NONE { 0 } else { store.cut(edge.child).pruned.into() },
        });
        kinds.push(if edge.child == NONE { Kind::Over } else { store.node(edge.child).kind });
        if edge.child != NONE {
            push(&mut waiting, edge.child, found.len() - 1);
        }
    }
    found
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
