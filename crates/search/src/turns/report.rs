//! What a search by turns tells: its plan, what the turns say of single actions, and the turns
//! themselves as a tree in which those that begin alike share their beginning.

use gamecore::{
    Bound, Buf, Counters, Decision, Evaluator, Game, Limits, Reading, RootAction, TreeNode, Turn,
    TurnOption,
};

use super::generator::PlayedTurn;
use crate::agent::{Question, terms_at_end};

/// Turns that are told of.
const TOLD_TURNS: usize = 40;

/// A turn at the root with what is known of it.
pub(super) struct RootTurn<G: Game> {
    pub(super) turn: PlayedTurn<G>,
    /// In the units of the search.
    pub(super) value: f64,
    pub(super) bound: Bound,
    pub(super) nodes: u64,
    /// What is expected to follow.
    pub(super) line: Vec<G::Action>,
}

/// What the search of one decision came to.
pub(super) struct Found<G: Game> {
    /// The best first.
    pub(super) turns: Vec<RootTurn<G>>,
    pub(super) reading: Reading,
    /// Turns looked ahead.
    pub(super) depth: u32,
    pub(super) complete: bool,
    pub(super) counters: Counters,
}

/// The position before the last action of the turn that is being played, with its decision.
pub(super) type Ending<A> = Option<(u64, Decision<A>)>;

/// Decides by the turns that `search` finds, unless there is nothing to search.
pub(super) fn decide<G: Game>(
    game: &G,
    state: &G::State,
    evaluator: &dyn Evaluator<G>,
    limits: &Limits<'_, G::Action>,
    ending: &mut Ending<G::Action>,
    search: impl FnOnce(&Question<'_, G>) -> Found<G>,
) -> Decision<G::Action> {
    let Turn::Player(seat) = game.turn(state) else {
        panic!("asked to decide where nobody decides: {state:?}");
    };
    let mut actions = Buf::new();
    game.actions(state, &mut actions);
    if let [only] = actions[..] {
        return Decision::plain(only);
    }
    // How the turn ends was searched together with the action before: nothing is new.
    if let Some((key, decision)) = ending.take()
        && key == game.key(state)
    {
        return decision;
    }
    let question = Question { game, state, actions: &actions, seat };
    let Found { turns, reading, depth, complete, counters } = search(&question);
    let Some(best) = turns.first() else {
        return Decision { complete: false, counters, ..Decision::plain(actions[0]) };
    };
    let mut line = best.turn.actions.to_vec();
    line.extend(&best.line);
    let value = Some(best.value);
    let decision = Decision {
        action: line[0],
        value,
        reading,
        depth,
        complete,
        terms: terms_at_end(&question, evaluator, &line, value),
        principal_variation: line,
        root: by_action(&actions, &turns),
        turns: turns.iter().take(TOLD_TURNS).map(option).collect(),
        tree: tree_of(&turns, limits.tree_nodes),
        counters,
        ..Decision::plain(actions[0])
    };
    if best.turn.actions.len() == 2 {
        let mut next = state.clone();
        game.apply(&mut next, decision.action);
        *ending = Some((game.key(&next), rest_of(&decision)));
    }
    decision
}

/// What a decision says of the action after it, without the work that was done for both.
fn rest_of<A: Copy>(decision: &Decision<A>) -> Decision<A> {
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

fn option<G: Game>(root: &RootTurn<G>) -> TurnOption<G::Action> {
    TurnOption { actions: root.turn.actions.to_vec(), value: root.value, bound: root.bound }
}

/// What the turns say of the actions that begin them.
fn by_action<G: Game>(actions: &[G::Action], turns: &[RootTurn<G>]) -> Vec<RootAction<G::Action>> {
    actions
        .iter()
        .map(|&action| {
            let of_action = || turns.iter().filter(|root| root.turn.actions[0] == action);
            // Exact values first; a bound of a turn that was refuted says less.
            let is_exact = |root: &RootTurn<G>| root.bound == Bound::Exact;
            let best = of_action().max_by(|one, other| {
                (is_exact(one).cmp(&is_exact(other))).then(one.value.total_cmp(&other.value))
            });
            RootAction {
                action,
                visits: of_action().map(|root| root.nodes).sum(),
                value: best.map(|root| root.value),
                bound: best.map_or(Bound::Estimate, |root| root.bound),
                prior: None,
            }
        })
        .collect()
}

/// The turns at the root, the best first, as a tree of at most so many actions. The best one goes on
/// with what is expected to follow.
fn tree_of<G: Game>(turns: &[RootTurn<G>], most: usize) -> Vec<TreeNode<G::Action>> {
    let Some(best) = turns.first().filter(|_| most > 0) else { return Vec::new() };
    let node = |parent, action, root: &RootTurn<G>| TreeNode {
        parent,
        action,
        depth: 0,
        visits: 0,
        value: Some(root.value),
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
