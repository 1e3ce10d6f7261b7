//! Backups: what an iteration teaches the edges of its path.
//!
//! The plain one is the mean: every edge sums up the reward of the seat that decides there. No sign
//! is ever turned round, since each seat has its own reward.

mod implicit;
mod merged;
mod solver;

use super::store::{NONE, Store};

/// One decision of the path: the node, and the edge taken there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) node: u32,
    pub(crate) edge: u32,
}

/// Which backups are made besides the mean.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Backups {
    pub(crate) implicit: bool,
    pub(crate) solver: bool,
}

/// Writes the rewards of an iteration into its path. `leaf` is the node where the rollout began,
/// or [`NONE`] if it began outside the store.
#[inline]
pub(crate) fn back_up<A: Copy>(
    store: &mut Store<A>,
    path: &[Step],
    leaf: u32,
    rewards: [f64; 2],
    backups: Backups,
) {
    if leaf != NONE {
        store.nodes[leaf as usize].visits += 1;
    }
    if store.extras.merge {
        merged::back_up(store, path, leaf, rewards);
    } else {
        mean(store, path, rewards);
    }
    if backups.implicit {
        implicit::back_up(store, path, leaf);
    }
    if backups.solver && leaf != NONE {
        solver::back_up(store, path, leaf);
    }
}

#[inline]
fn mean<A: Copy>(store: &mut Store<A>, path: &[Step], rewards: [f64; 2]) {
    for &Step { node, edge } in path {
        let node = &mut store.nodes[node as usize];
        node.visits += 1;
        let reward = rewards[node.kind.reward_index()];
        let taken = &mut store.edges[edge as usize];
        taken.visits += 1;
        taken.total += reward;
        if let Some(square) = store.squares.get_mut(edge as usize) {
            *square += reward * reward;
        }
    }
}

pub(crate) use merged::refresh;
pub(crate) use solver::conclude;

#[cfg(test)]
mod tests;
