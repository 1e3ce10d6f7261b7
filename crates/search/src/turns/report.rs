//! What a search by turns tells: its plan, what the turns say of single actions, and the turns
//! themselves as a tree in which those that begin alike share their beginning.

use gamecore::{Bound, Decision, Game, RootAction, Score, TreeNode};

use super::generator::PlayedTurn;

/// A turn at the root with what is known of it.
pub(super) struct RootTurn<G: Game> {
    pub(super) turn: PlayedTurn<G>,
    pub(super) value: Score,
    pub(super) bound: Bound,
    pub(super) nodes: u64,
    /// What is expected to follow.
    pub(super) line: Vec<G::Action>,
}

/// What a decision says of the action after it, without the work that was done for both.
pub(super) fn rest_of<A: Copy>(decision: &Decision<A>) -> Decision<A> {
    let line = decision.principal_variation[1..].to_vec();
    Decision {
        value: decision.value,
        reading: decision.reading,
        depth: decision.depth,
        complete: decision.complete,
        terms: decision.terms.clone(),
        principal_variation: line.clone(),
        ..Decision::plain(line[0])
    }
}

/// What the turns say of the actions that begin them.
pub(super) fn by_action<G: Game>(
    actions: &[G::Action],
    turns: &[RootTurn<G>],
) -> Vec<RootAction<G::Action>> {
    actions
        .iter()
        .map(|&action| {
            let of_action = || turns.iter().filter(|root| root.turn.actions[0] == action);
            // Exact values first; a bound of a turn that was refuted says less.
            let best = of_action().max_by_key(|root| (root.bound == Bound::Exact, root.value));
            RootAction {
                action,
                visits: of_action().map(|root| root.nodes).sum(),
                value: best.map(|root| f64::from(root.value.0)),
                bound: best.map_or(Bound::Estimate, |root| root.bound),
                prior: None,
            }
        })
        .collect()
}

/// The turns at the root, the best first, as a tree of at most so many actions. The best one goes on
/// with what is expected to follow.
pub(super) fn tree_of<G: Game>(turns: &[RootTurn<G>], most: usize) -> Vec<TreeNode<G::Action>> {
    let Some(best) = turns.first().filter(|_| most > 0) else { return Vec::new() };
    let node = |parent, action, root: &RootTurn<G>| TreeNode {
        parent,
        action,
        depth: 0,
        visits: 0,
        value: Some(f64::from(root.value.0)),
        bound: root.bound,
        note: None,
        pruned: 0,
    };
    let mut tree = vec![node(None, None, best)];
    for root in turns {
        tree[0].visits += root.nodes;
        let mut at = 0;
        let line: &[G::Action] = if std::ptr::eq(root, best) { &root.line } else { &[] };
        for &action in root.turn.actions.iter().chain(line) {
            let known = tree.iter().position(|known: &TreeNode<G::Action>| {
                known.parent == Some(at) && known.action == Some(action)
            });
            at = match known {
                Some(known) => known,
                None if tree.len() < most => {
                    tree.push(node(Some(at), Some(action), root));
                    tree.len() - 1
                }
                None => break,
            };
            tree[at].visits += root.nodes;
        }
    }
    tree
}
