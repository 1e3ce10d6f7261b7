//! The answer of an information set search: statistics of the root, expected line, part of the tree.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use gamecore::{Bound, RootAction, Seat, TreeNode, TreeNote};

use super::tree::{Edge, InfoTree, Node, ROOT};
use crate::MctsConfig;
use crate::mcts::{Kind, LONGEST_LINE, NONE, Proven, Statistics, choose};

/// What is known of a node's actions, for this seat.
pub(super) fn statistics<A: Copy>(node: &Node<A>, seat: Seat) -> Vec<Statistics<A>> {
    let known = |edge: &Edge<A>| Statistics {
        action: edge.action,
        visits: u64::from(edge.visits),
        total: edge.total[seat.index()],
        prior: 0,
        proven: Proven::Unknown,
    };
    node.edges.iter().map(known).collect()
}

/// The same as part of a decision.
pub(super) fn root_actions<A: Copy>(known: &[Statistics<A>], seat: Seat) -> Vec<RootAction<A>> {
    let told = |action: &Statistics<A>| RootAction {
        action: action.action,
        visits: action.visits,
        value: action.value(seat),
        bound: Bound::Estimate,
        prior: None,
    };
    known.iter().map(told).collect()
}

/// The action and what is expected after it. No single world needs to have all of it.
pub(super) fn line<A: Copy + Ord>(tree: &InfoTree<A>, config: &MctsConfig, action: A) -> Vec<A> {
    let mut line = vec![action];
    let mut next = tree.node(ROOT).edges.iter().find(|edge| edge.action == action);
    while let Some(edge) = next.filter(|_| line.len() < LONGEST_LINE) {
        let behind = edge.children.into_iter().filter(|&child| child != NONE);
        let Some(node) = behind.map(|child| tree.node(child)).max_by_key(|node| node.visits) else {
            break;
        };
        next = best_edge(node, config);
        line.extend(next.map(|edge| edge.action));
    }
    line
}

/// The edge that would be played in a node, or the likeliest outcome; `None` if none was taken.
fn best_edge<'a, A: Copy>(node: &'a Node<A>, config: &MctsConfig) -> Option<&'a Edge<A>> {
    let taken: Vec<&Edge<A>> = node.edges.iter().filter(|edge| edge.visits > 0).collect();
    match node.kind.seat() {
        _ if taken.is_empty() => None,
        None => taken.into_iter().max_by_key(|edge| edge.visits),
        Some(seat) => {
            let mut known = statistics(node, seat);
            known.retain(|action| action.visits > 0);
            Some(taken[choose(&known, config, seat, None)])
        }
    }
}

/// Visits, then the node and the edge in it, first come first, and the place of the parent in the
/// answer.
type Waiting = (u32, Reverse<(u32, usize)>, usize);

/// The most visited actions, parents before children.
pub(super) fn tree<A: Copy + Ord>(tree: &InfoTree<A>, seat: Seat, most: usize) -> Vec<TreeNode<A>> {
    if most == 0 {
        return Vec::new();
    }
    let told = |edge: Option<&Edge<A>>, parent, visits: u32, over: bool| TreeNode {
        parent,
        action: edge.map(|edge| edge.action),
        depth: 0,
        visits: u64::from(visits),
        value: edge.map(|edge| edge.total[seat.index()] / f64::from(edge.visits)),
        bound: Bound::Estimate,
        note: over.then_some(TreeNote::Over),
        pruned: 0,
    };
    let mut found = vec![told(None, None, tree.node(ROOT).visits, false)];
    let mut waiting: BinaryHeap<Waiting> = BinaryHeap::new();
    let push = |waiting: &mut BinaryHeap<Waiting>, node: u32, place: usize| {
        for (position, edge) in tree.node(node).edges.iter().enumerate() {
            if edge.visits > 0 {
                waiting.push((edge.visits, Reverse((node, position)), place));
            }
        }
    };
    push(&mut waiting, ROOT, 0);
    while found.len() < most
        && let Some((visits, Reverse((node, position)), parent)) = waiting.pop()
    {
        let edge = &tree.node(node).edges[position];
        let behind = || edge.children.into_iter().filter(|&child| child != NONE);
        let over =
            behind().next().is_some() && behind().all(|child| tree.node(child).kind == Kind::Over);
        found.push(told(Some(edge), Some(parent), visits, over));
        for child in behind() {
            push(&mut waiting, child, found.len() - 1);
        }
    }
    found
}
