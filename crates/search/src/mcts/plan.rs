//! The full-turn guarantee (the full-turn agent of the Conquest thesis): a search is not over before
//! its best line reaches the end of the turn, and within the turn that line is followed without
//! another search.
//!
//! 1. When the budget is used up, the best edges are followed from the root. If a position of the
//!    seat's own turn is met in which nothing was tried, the same budget is spent once more, a
//!    limited number of times (a *burst*).
//! 2. The next decision of the turn, if its position has tried actions, is the best of them.
//! 3. Except where the action heuristic reconsiders: there the position becomes the root of a search
//!    with a fresh budget in which every action may be expanded, whatever it scores.

use gamecore::Seat;

use super::config::{DepthUnit, MctsConfig};
use super::report::best_edge;
use super::store::{NONE, ROOT, Store};

/// Whether the best line from the root reaches the end of the turn, as far as the tree can grow.
pub(crate) fn reaches_end_of_turn<A: Copy + Ord>(
    store: &Store<A>,
    config: &MctsConfig,
    seat: Seat,
) -> bool {
    let mut node = ROOT;
    // A line that long goes in circles.
    for depth in 0..store.nodes.len() {
        let limit = config.tree_depth.filter(|_| config.tree_unit == DepthUnit::Actions);
        if limit.is_some_and(|limit| depth >= limit as usize) {
            // Nothing grows below: another burst would not help.
            return true;
        }
        if store.node(node).kind.seat() != Some(seat) {
            return true;
        }
        let Some(edge) = best_edge(store, node, config) else {
            return false;
        };
        node = store.edge(edge).child;
        if node == NONE {
            // The store is full: another burst would not help.
            return true;
        }
    }
    true
}
