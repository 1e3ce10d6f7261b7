//! MCTS-Solver (Winands, Björnsson and Saito, 2008): proven results travel up the tree.
//!
//! A finished game is proven. A node is won for the seat that decides as soon as one child is; once
//! all its actions lead to proven children, it is worth the best of them. Seats may act several
//! times in a row: what is compared is the payoff, never a sign. The paper leaves draws out; here
//! they are proven too. A chance node is proven only if all its outcomes are, with the same result.
//! Where pruning has dropped actions, only a win is proven: a dropped one might be better than the
//! rest. Selection avoids proven losses; a proven node is worth its payoff and is not searched any more.

use super::super::store::{Kind, Proven, Store};
use super::Step;

pub(super) fn back_up<A: Copy>(store: &mut Store<A>, path: &[Step], leaf: u32) {
    let mut child = leaf;
    for &Step { node, edge } in path.iter().rev() {
        let proven = store.nodes[child as usize].proven;
        if proven == Proven::Unknown {
            return;
        }
        store.edges[edge as usize].proven = proven;
        if store.nodes[node as usize].proven == Proven::Unknown {
            store.nodes[node as usize].proven = conclude(store, node);
        }
        child = node;
    }
}

/// What the edges of a node prove.
pub(crate) fn conclude<A: Copy>(store: &Store<A>, node: u32) -> Proven {
    let edges = store.edges_of(node);
    let all = || edges.iter().map(|edge| edge.proven);
    match store.node(node).kind {
        Kind::Over => store.node(node).proven,
        Kind::Chance => match all().reduce(|a, b| if a == b { a } else { Proven::Unknown }) {
            Some(same) => same,
            None => Proven::Unknown,
        },
        Kind::Zero | Kind::One => {
            let seat = store.node(node).kind.seat().expect("a seat decides");
            let (win, loss) = (Proven::win_of(seat), Proven::win_of(seat.other()));
            if all().any(|proven| proven == win) {
                win
            } else if all().any(|proven| proven == Proven::Unknown) || store.dropped(node) > 0 {
                Proven::Unknown
            } else if all().all(|proven| proven == loss) {
                loss
            } else {
                Proven::Drawn
            }
        }
    }
}
