//! The tree of an information set search. A node is named by its parent, the action that led there
//! and who acts next, so worlds in which one action leads to different seats part there. Under a
//! node stands every action that was legal in some world that came by.

use crate::mcts::{Kind, NONE};

/// The node from which a search starts.
pub(super) const ROOT: u32 = 0;

/// Edges for every node allowed, on average.
const EDGES_PER_NODE: usize = 16;

/// Kinds of nodes that one action may lead to.
const KINDS: usize = 4;

/// One action, and what came of it in the worlds that had it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge<A> {
    pub(super) action: A,
    /// How often it was legal when its node was passed.
    pub(super) available: u32,
    pub(super) visits: u32,
    /// Rewards by seat.
    pub(super) total: [f64; 2],
    /// The nodes behind it, by who acts there.
    pub(super) children: [u32; KINDS],
}

impl<A> Edge<A> {
    fn new(action: A) -> Self {
        Self { action, available: 0, visits: 0, total: [0.0; 2], children: [NONE; KINDS] }
    }
}

/// What the searching seat cannot tell apart after the same actions.
#[derive(Debug)]
pub(super) struct Node<A> {
    pub(super) kind: Kind,
    pub(super) visits: u32,
    /// In the game's order.
    pub(super) edges: Vec<Edge<A>>,
}

/// One action taken on the way down.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) node: u32,
    pub(super) edge: usize,
}

/// All nodes of one search, at most as many as allowed.
#[derive(Debug)]
pub(super) struct InfoTree<A> {
    nodes: Vec<Node<A>>,
    edges: usize,
    most_nodes: usize,
}

impl<A: Copy + Ord> InfoTree<A> {
    pub(super) fn new(most_nodes: usize) -> Self {
        Self { nodes: Vec::new(), edges: 0, most_nodes }
    }

    /// Forgets everything; the root is a node of this kind.
    pub(super) fn start(&mut self, kind: Kind) {
        self.nodes.clear();
        self.edges = 0;
        self.nodes.push(Node { kind, visits: 0, edges: Vec::new() });
    }

    pub(super) fn node(&self, index: u32) -> &Node<A> {
        &self.nodes[index as usize]
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Bytes taken for what is stored now, without spare room.
    pub(super) fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<Node<A>>() + self.edges * size_of::<Edge<A>>()
    }

    /// Puts the positions of the edges that are legal here into `open`, after adding those that
    /// no world had before. In a full store they stay out; the root always finds room.
    pub(super) fn list(&mut self, node: u32, legal: &[A], open: &mut Vec<usize>) {
        let room = self.most_nodes.saturating_mul(EDGES_PER_NODE).saturating_sub(self.edges);
        let mut room = if node == ROOT { usize::MAX } else { room };
        let edges = &mut self.nodes[node as usize].edges;
        open.clear();
        if edges.is_empty() && legal.len() <= room {
            edges.reserve_exact(legal.len());
        }
        // Both lists ascend, so one walk through them is enough.
        let mut position = 0;
        for &action in legal {
            while edges.get(position).is_some_and(|edge| edge.action < action) {
                position += 1;
            }
            if edges.get(position).is_none_or(|edge| edge.action != action) {
                if room == 0 {
                    continue;
                }
                edges.insert(position, Edge::new(action));
                self.edges += 1;
                room -= 1;
            }
            open.push(position);
        }
    }

    /// Counts these edges of a node as available once more.
    pub(super) fn offer(&mut self, node: u32, open: &[usize]) {
        let edges = &mut self.nodes[node as usize].edges;
        for &position in open {
            edges[position].available += 1;
        }
    }

    /// The node behind an edge in which this kind acts, if there is one.
    pub(super) fn child(&self, step: Step, kind: Kind) -> Option<u32> {
        let child = self.node(step.node).edges[step.edge].children[kind as usize];
        (child != NONE).then_some(child)
    }

    /// Makes that node; `None` if the store is full.
    pub(super) fn add_child(&mut self, step: Step, kind: Kind) -> Option<u32> {
        if self.nodes.len() >= self.most_nodes {
            return None;
        }
        let child = self.nodes.len() as u32;
        self.nodes.push(Node { kind, visits: 0, edges: Vec::new() });
        self.nodes[step.node as usize].edges[step.edge].children[kind as usize] = child;
        Some(child)
    }

    /// Adds the rewards of an iteration to its path, and a visit to the node where it ended.
    pub(super) fn back_up(&mut self, path: &[Step], leaf: Option<u32>, rewards: [f64; 2]) {
        for &Step { node, edge } in path {
            let node = &mut self.nodes[node as usize];
            node.visits += 1;
            let edge = &mut node.edges[edge];
            edge.visits += 1;
            for (total, reward) in edge.total.iter_mut().zip(rewards) {
                *total += reward;
            }
        }
        if let Some(leaf) = leaf {
            self.nodes[leaf as usize].visits += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn actions(tree: &InfoTree<u8>, node: u32) -> Vec<u8> {
        tree.node(node).edges.iter().map(|edge| edge.action).collect()
    }

    /// Edges stay in order whatever world they come from, and keep what they know.
    #[test]
    fn worlds_with_other_actions_add_them_in_order() {
        let mut tree = InfoTree::new(100);
        let mut open = Vec::new();
        tree.start(Kind::Zero);
        for (legal, expected) in
            [(&[4u8, 6][..], &[0usize, 1][..]), (&[1, 6, 9], &[0, 2, 3]), (&[4], &[1])]
        {
            tree.list(ROOT, legal, &mut open);
            assert_eq!(open, expected);
            tree.offer(ROOT, &open);
        }
        assert_eq!(actions(&tree, ROOT), [1, 4, 6, 9]);
        let available: Vec<u32> = tree.node(ROOT).edges.iter().map(|e| e.available).collect();
        assert_eq!(available, [1, 2, 2, 1]);
    }

    #[test]
    fn one_action_leads_to_a_node_for_each_that_acts_next() {
        let mut tree = InfoTree::new(3);
        let mut open = Vec::new();
        tree.start(Kind::Zero);
        tree.list(ROOT, &[7u8], &mut open);
        let step = Step { node: ROOT, edge: 0 };
        let one = tree.add_child(step, Kind::One).unwrap();
        let over = tree.add_child(step, Kind::Over).unwrap();
        assert_eq!(tree.child(step, Kind::One), Some(one));
        assert_eq!(tree.child(step, Kind::Over), Some(over));
        assert_eq!(tree.child(step, Kind::Zero), None);
        assert_eq!(tree.add_child(step, Kind::Zero), None, "full");
    }

    #[test]
    fn edges_are_bounded_except_at_the_root() {
        let mut tree = InfoTree::new(2);
        let mut open = Vec::new();
        let many: Vec<u8> = (0..30).collect();
        tree.start(Kind::Zero);
        tree.list(ROOT, &many, &mut open);
        assert_eq!(open.len(), 30);
        let child = tree.add_child(Step { node: ROOT, edge: 3 }, Kind::One).unwrap();
        tree.list(child, &many, &mut open);
        assert_eq!(actions(&tree, child), [0, 1], "32 edges for 2 nodes");
        assert_eq!(open, [0, 1]);
        tree.list(child, &[200], &mut open);
        assert!(open.is_empty());
    }
}
