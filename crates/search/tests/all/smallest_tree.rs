//! The smallest tree against all trees: on small random trees every set of leaves is tried.
//!
//! A set of leaves proves the value of the root if nothing that is not in it could change that
//! value: minimax never falls when a leaf rises, so it is enough to give all other leaves the
//! lowest value, and then the highest. Nothing here knows of bounds, refutations or best lines.

use gamecore::{Buf, Evaluator, Game, Rng, Score, Seat, StopToken, Turn};
use search::minimal_tree;
use testkit::HashEvaluator;
use testkit::toys::RandomTree;

/// A tree written out: the parent of each node, its children, and whether the root's seat acts.
#[derive(Default)]
struct Tree {
    parents: Vec<usize>,
    children: Vec<Vec<usize>>,
    own: Vec<bool>,
    /// Node and value for the seat of the root.
    leaves: Vec<(usize, Score)>,
}

/// More leaves make too many sets.
const MOST_LEAVES: usize = 13;

impl Tree {
    fn grow(
        &mut self,
        game: &RandomTree,
        evaluator: &HashEvaluator,
        state: &<RandomTree as Game>::State,
        (parent, depth, root): (usize, u32, Seat),
    ) {
        let node = self.parents.len();
        self.parents.push(parent);
        self.children.push(Vec::new());
        let turn = game.turn(state);
        self.own.push(turn == Turn::Player(root));
        if node > 0 {
            self.children[parent].push(node);
        }
        match turn {
            Turn::Over => self.leaves.push((node, evaluator.terminal(game, state, root))),
            _ if depth == 0 => self.leaves.push((node, evaluator.evaluate(game, state, root))),
            _ => {
                let mut actions = Buf::new();
                game.actions(state, &mut actions);
                for &action in &actions {
                    let mut child = *state;
                    game.apply(&mut child, action);
                    self.grow(game, evaluator, &child, (node, depth - 1, root));
                }
            }
        }
    }

    fn value(&self, node: usize, leaf: &dyn Fn(usize) -> i32) -> i32 {
        let values = self.children[node].iter().map(|&child| self.value(child, leaf));
        let best = if self.own[node] { values.max() } else { values.min() };
        best.unwrap_or_else(|| leaf(node))
    }

    /// The value of the root where leaves outside the set are worth `other`.
    fn root_value(&self, set: u32, other: i32) -> i32 {
        let leaf = |node: usize| {
            let place = self.leaves.iter().position(|(leaf, _)| *leaf == node).expect("a leaf");
            if set >> place & 1 == 1 { self.leaves[place].1.0 } else { other }
        };
        self.value(0, &leaf)
    }

    /// Nodes on the way to the leaves of a set, both ends included.
    fn nodes(&self, set: u32) -> u64 {
        let mut entered = vec![false; self.parents.len()];
        entered[0] = true;
        for (place, &(leaf, _)) in self.leaves.iter().enumerate() {
            let mut node = leaf;
            while set >> place & 1 == 1 && !entered[node] {
                entered[node] = true;
                node = self.parents[node];
            }
        }
        entered.into_iter().filter(|&entered| entered).count() as u64
    }

    /// The value, and the fewest nodes of a set that proves it.
    fn smallest_proof(&self) -> (Score, u64) {
        let value = self.root_value(u32::MAX, 0);
        let proves = |&set: &u32| {
            [i32::MIN, i32::MAX].into_iter().all(|other| self.root_value(set, other) == value)
        };
        let proofs = (0..1 << self.leaves.len()).filter(proves);
        let nodes = proofs.map(|set| self.nodes(set)).min();
        (Score(value), nodes.expect("all leaves together prove it"))
    }
}

#[test]
fn no_smaller_set_of_nodes_proves_the_value() {
    let stop = StopToken::default();
    let (mut tried, mut saved) = (0, 0);
    for seed in 0..600 {
        let game = RandomTree::new(seed, 12);
        // Few values, so that ties, and with them choices of the best line, are frequent.
        let evaluator = HashEvaluator::with_range(seed, 1 + (seed % 4) as u16);
        let state = game.start(&(), &mut Rng::new(seed));
        let Turn::Player(root) = game.turn(&state) else { continue };
        for depth in 1..=5 {
            let mut tree = Tree::default();
            tree.grow(&game, &evaluator, &state, (0, depth, root));
            if tree.leaves.len() > MOST_LEAVES {
                break;
            }
            let (value, nodes) = tree.smallest_proof();
            let found = minimal_tree(&game, &evaluator, &state, depth, value, &stop);
            assert_eq!(found, Some(nodes), "seed {seed}, depth {depth}, value {value:?}");
            tried += 1;
            saved += usize::from(nodes < tree.parents.len() as u64);
        }
    }
    assert!(tried > 500 && saved > 200, "{tried} trees, {saved} with something to save");
}
