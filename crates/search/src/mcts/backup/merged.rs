//! Backups where nodes are merged (graph search; Czech, Korus and Kersting, 2021, and the notes of
//! KataGo). A position reached in several ways is one node, so a sum on an edge would miss what
//! other ways have taught. Instead visits are counted on edges, and a node's value follows from its own
//! rollouts and its children:
//!
//! ```text
//! value(s) = (Σ own rewards + Σ_a n(s,a)·value(child of a)) / (own visits + Σ_a n(s,a))
//! ```
//!
//! Without merging this is the plain mean. Edge sums are refreshed from the children when a node is
//! entered and when it is left.

use super::super::store::{NONE, Store};
use super::Step;

pub(super) fn back_up<A: Copy>(store: &mut Store<A>, path: &[Step], leaf: u32, rewards: [f64; 2]) {
    if leaf != NONE {
        let own = &mut store.merged[leaf as usize];
        own.own_visits += 1;
        own.own[0] += rewards[0];
        own.own[1] += rewards[1];
        refresh(store, leaf);
    }
    for &Step { node, edge } in path.iter().rev() {
        store.nodes[node as usize].visits += 1;
        store.edges[edge as usize].visits += 1;
        refresh(store, node);
    }
}

/// Brings a node's value and the sums of its edges up to date with its children.
pub(crate) fn refresh<A: Copy>(store: &mut Store<A>, index: u32) {
    let node = store.nodes[index as usize];
    let seat = node.kind.reward_index();
    let mut own = store.merged[index as usize];
    let mut total = own.own;
    let mut visits = f64::from(own.own_visits);
    let first = node.first as usize;
    for edge in &mut store.edges[first..first + usize::from(node.tried)] {
        if edge.child == NONE {
            continue;
        }
        let child = store.merged[edge.child as usize].value;
        let times = f64::from(edge.visits);
        edge.total = times * child[seat];
        total[0] += times * child[0];
        total[1] += times * child[1];
        visits += times;
    }
    if visits > 0.0 {
        own.value = [total[0] / visits, total[1] / visits];
    }
    store.merged[index as usize] = own;
}
