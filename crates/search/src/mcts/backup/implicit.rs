//! Implicit minimax backups (Lanctot, Winands, Pepels and Sturtevant, 2014). Beside the mean, every
//! node keeps a heuristic value: the evaluation when it is made, then that of its best child for
//! the seat that decides. Selection mixes the two:
//!
//! ```text
//! (1 − α)·mean + α·heuristic
//! ```
//!
//! The paper is for zero-sum values; here both seats' values travel up together, so one-sided
//! evaluations work too. A chance node takes the mean over the outcomes seen.

use super::super::store::{Kind, NONE, Store};
use super::Step;

pub(super) fn back_up<A: Copy>(store: &mut Store<A>, path: &[Step], leaf: u32) {
    let mut child = leaf;
    for &Step { node, edge } in path.iter().rev() {
        if child == NONE {
            // The edge leads out of the store: nothing is known of its end.
            child = node;
            continue;
        }
        let at = store.nodes[node as usize];
        let seat = at.kind.reward_index();
        store.edges[edge as usize].heuristic = store.heuristics[child as usize][seat];
        store.heuristics[node as usize] = match at.kind {
            Kind::Chance => mean_child(store, node),
            _ => best_child(store, node, seat),
        };
        child = node;
    }
}

fn best_child<A: Copy>(store: &Store<A>, node: u32, seat: usize) -> [f32; 2] {
    store
        .tried_of(node)
        .iter()
        .filter(|edge| edge.child != NONE)
        .map(|edge| store.heuristics[edge.child as usize])
        .reduce(|best, value| if value[seat] > best[seat] { value } else { best })
        .unwrap_or(store.heuristics[node as usize])
}

fn mean_child<A: Copy>(store: &Store<A>, node: u32) -> [f32; 2] {
    let (mut sum, mut visits) = ([0.0; 2], 0.0);
    for edge in store.tried_of(node).iter().filter(|edge| edge.child != NONE) {
        let value = store.heuristics[edge.child as usize];
        let times = edge.visits as f32;
        sum[0] += times * value[0];
        sum[1] += times * value[1];
        visits += times;
    }
    if visits > 0.0 { [sum[0] / visits, sum[1] / visits] } else { store.heuristics[node as usize] }
}
