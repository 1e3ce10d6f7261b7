//! Tree reuse: the next decision goes on with what was learnt below the position it starts from.
//!
//! That position is looked for by key below the edge that was played, breadth first and not for
//! long; then the store is packed to its descendants. Range of rewards and visits are kept.

use gamecore::{Game, Seat};

use super::search::Tree;
use super::store::{NONE, Node, Store};

/// So many nodes are looked at.
const MOST_LOOKS: usize = 4096;

/// Which nodes may lie between the decision made and the one to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Between {
    /// Any.
    Anyone,
    /// Those of one turn of this seat.
    TurnOf(Seat),
}

/// The node of the position with this key below the edge played last.
pub(crate) fn find<A: Copy>(tree: &Tree<A>, key: u64, between: Between) -> Option<u32> {
    let store = &tree.store;
    let start = store.edges.get(tree.played as usize)?.child;
    if start == NONE {
        return None;
    }
    let mut queue = vec![start];
    let mut next = 0;
    while let Some(&index) = queue.get(next) {
        next += 1;
        let node = store.node(index);
        if node.key == key {
            return Some(index);
        }
        let passable = match between {
            Between::Anyone => true,
            Between::TurnOf(seat) => node.kind.seat() == Some(seat),
        };
        if !passable || next > MOST_LOOKS {
            continue;
        }
        let children = store.tried_of(index).iter().map(|edge| edge.child);
        queue.extend(children.filter(|&child| child != NONE));
        queue.truncate(MOST_LOOKS);
    }
    None
}

/// Whether the edges of a node are these actions, pruned ones aside, as they must be if the key told the truth.
pub(crate) fn offers<G: Game>(store: &Store<G::Action>, node: u32, actions: &[G::Action]) -> bool {
    let edges = store.edges_of(node);
    edges.is_empty()
        || edges.len() + store.dropped(node) == actions.len()
            && edges.iter().all(|edge| actions.binary_search(&edge.action).is_ok())
}

/// Keeps only `root` and what can be reached from it; it becomes the root.
pub(crate) fn pack<A: Copy>(store: &mut Store<A>, root: u32) {
    let mut new_index = vec![NONE; store.nodes.len()];
    let mut order = vec![root];
    new_index[root as usize] = 0;
    let mut next = 0;
    while let Some(&index) = order.get(next) {
        next += 1;
        for edge in store.tried_of(index) {
            if edge.child != NONE && new_index[edge.child as usize] == NONE {
                new_index[edge.child as usize] = order.len() as u32;
                order.push(edge.child);
            }
        }
    }
    let edges = order.iter().map(|&index| usize::from(store.node(index).count)).sum();
    let mut packed = store.emptied(order.len(), edges);
    for &index in &order {
        let node = *store.node(index);
        let first = packed.edges.len() as u32;
        let here = packed.push(Node { first, ..node }) as usize;
        let place = node.first as usize..node.first as usize + usize::from(node.count);
        packed.edges.extend_from_slice(&store.edges[place.clone()]);
        if store.extras.squares {
            packed.squares.extend_from_slice(&store.squares[place]);
        }
        if store.extras.heuristics {
            packed.heuristics[here] = store.heuristics[index as usize];
        }
        if store.extras.merge {
            packed.merged[here] = store.merged[index as usize];
        }
        if store.extras.cuts {
            packed.cuts[here] = store.cuts[index as usize];
        }
    }
    for edge in packed.edges.iter_mut().filter(|edge| edge.child != NONE) {
        edge.child = new_index[edge.child as usize];
    }
    *store = packed;
}
