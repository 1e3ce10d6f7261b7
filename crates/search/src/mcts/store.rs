//! Nodes and edges in two arenas. Nodes are positions, edges decisions; statistics are on the
//! edges. The tree is the case in which no two edges share a child.
//!
//! A node is made with its first visit, its edges are listed with the second, so that leaves, most
//! of a tree, cost only their header. Of a node's edges those tried come first.

use gamecore::{Game, Seat, Turn};

use super::prune::Cut;
use super::table::KeyTable;

/// No node: the edge leads out of the tree.
pub(crate) const NONE: u32 = u32::MAX;

/// The node from which a search starts.
pub(crate) const ROOT: u32 = 0;

/// Edges for every node allowed, on average.
const EDGES_PER_NODE: usize = 16;

/// Who acts in a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Kind {
    Zero,
    One,
    Chance,
    Over,
}

impl From<Turn> for Kind {
    fn from(turn: Turn) -> Self {
        match turn {
            Turn::Player(Seat::Zero) => Self::Zero,
            Turn::Player(Seat::One) => Self::One,
            Turn::Chance => Self::Chance,
            Turn::Over => Self::Over,
        }
    }
}

impl Kind {
    /// The seat that acts, if one does.
    #[inline]
    pub(crate) fn seat(self) -> Option<Seat> {
        match self {
            Self::Zero => Some(Seat::Zero),
            Self::One => Some(Seat::One),
            Self::Chance | Self::Over => None,
        }
    }

    /// Whose reward the edges of such a node sum up. Nobody chooses by those of chance.
    #[inline]
    pub(crate) fn reward_index(self) -> usize {
        usize::from(self == Self::One)
    }
}

/// What is proven of a position: the payoff of seat 0 under best play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Proven {
    Unknown,
    Lost,
    Drawn,
    Won,
}

impl Proven {
    pub(crate) fn of_payoff(payoff: f32) -> Self {
        match payoff {
            payoff if payoff > 0.5 => Self::Won,
            payoff if payoff < 0.5 => Self::Lost,
            _ => Self::Drawn,
        }
    }

    /// The payoff by seat.
    pub(crate) fn rewards(self) -> [f32; 2] {
        match self {
            Self::Lost => [0.0, 1.0],
            Self::Unknown | Self::Drawn => [0.5, 0.5],
            Self::Won => [1.0, 0.0],
        }
    }

    /// The best that a seat can have.
    pub(crate) fn win_of(seat: Seat) -> Self {
        match seat {
            Seat::Zero => Self::Won,
            Seat::One => Self::Lost,
        }
    }
}

/// A position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) key: u64,
    /// Where its edges begin.
    pub(crate) first: u32,
    pub(crate) visits: u32,
    /// Edges; 0 until they are listed.
    pub(crate) count: u16,
    /// How many of them were tried; these stand first.
    pub(crate) tried: u16,
    pub(crate) kind: Kind,
    pub(crate) proven: Proven,
}

/// A decision and what came of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge<A> {
    /// Rewards of the seat that decides.
    pub(crate) total: f64,
    pub(crate) visits: u32,
    pub(crate) child: u32,
    /// What implicit minimax thinks of the child, for the seat that decides.
    pub(crate) heuristic: f32,
    /// Score in thousandths, or for PUCT its share in 65535ths.
    pub(crate) prior: u16,
    pub(crate) proven: Proven,
    pub(crate) action: A,
}

impl<A> Edge<A> {
    /// Mean reward of the seat that decides. There must have been a visit.
    #[inline]
    pub(crate) fn mean(&self) -> f64 {
        self.total / f64::from(self.visits)
    }
}

/// What a node knows of itself where nodes are merged.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Merged {
    /// Rewards of rollouts that started here.
    pub(crate) own: [f64; 2],
    pub(crate) own_visits: u32,
    /// Mean reward by seat, from own rollouts and children.
    pub(crate) value: [f64; 2],
}

/// What a store must keep besides the basic statistics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Extras {
    /// Squares of rewards per edge.
    pub(crate) squares: bool,
    /// Heuristic values per node.
    pub(crate) heuristics: bool,
    /// Nodes by key, values per node.
    pub(crate) merge: bool,
    /// What pruning did to each node.
    pub(crate) cuts: bool,
    /// Pruned actions are not among the edges.
    pub(crate) drops: bool,
}

/// All nodes and edges of one search.
#[derive(Debug)]
pub(crate) struct Store<A> {
    pub(crate) nodes: Vec<Node>,
    pub(crate) edges: Vec<Edge<A>>,
    /// Sums of squared rewards, one per edge, if UCB1-Tuned needs them.
    pub(crate) squares: Vec<f64>,
    /// Heuristic values by seat, one pair per node, if implicit minimax needs them.
    pub(crate) heuristics: Vec<[f32; 2]>,
    /// One per node where nodes are merged.
    pub(crate) merged: Vec<Merged>,
    /// One per node where actions are pruned.
    pub(crate) cuts: Vec<Cut>,
    pub(crate) by_key: KeyTable,
    pub(crate) extras: Extras,
    most_nodes: usize,
}

impl<A: Copy> Store<A> {
    pub(crate) fn new(most_nodes: usize, extras: Extras) -> Self {
        Self {
            nodes: Vec::new(),
            edges: Vec::new(),
            squares: Vec::new(),
            heuristics: Vec::new(),
            merged: Vec::new(),
            cuts: Vec::new(),
            by_key: KeyTable::default(),
            extras,
            most_nodes,
        }
    }

    /// A store of the same make with room for so many nodes and edges.
    pub(crate) fn emptied(&self, nodes: usize, edges: usize) -> Self {
        let mut store = Self::new(self.most_nodes, self.extras);
        store.nodes.reserve(nodes);
        store.edges.reserve(edges);
        store
    }

    /// Forgets everything, keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
        self.squares.clear();
        self.heuristics.clear();
        self.merged.clear();
        self.cuts.clear();
        self.by_key.clear();
    }

    /// Adds a position; `None` if the store is full.
    #[inline]
    pub(crate) fn add<G: Game<Action = A>>(&mut self, game: &G, state: &G::State) -> Option<u32> {
        if self.nodes.len() >= self.most_nodes {
            return None;
        }
        let turn = game.turn(state);
        let proven = match turn {
            Turn::Over => Proven::of_payoff(game.payoff(state, Seat::Zero)),
            _ => Proven::Unknown,
        };
        let kind = Kind::from(turn);
        let key = game.key(state);
        Some(self.push(Node { key, first: 0, visits: 0, count: 0, tried: 0, kind, proven }))
    }

    pub(crate) fn push(&mut self, node: Node) -> u32 {
        let index = self.nodes.len() as u32;
        if self.extras.heuristics {
            self.heuristics.push([0.0; 2]);
        }
        if self.extras.merge {
            self.merged.push(Merged::default());
            self.by_key.insert(node.key, index);
        }
        if self.extras.cuts {
            self.cuts.push(Cut::default());
        }
        self.nodes.push(node);
        index
    }

    /// Whether a node may have so many edges. The root always finds room.
    pub(crate) fn has_room(&self, node: u32, edges: usize) -> bool {
        let room = self.most_nodes.saturating_mul(EDGES_PER_NODE).min(NONE as usize);
        self.edges.len() + edges <= room || node == ROOT
    }

    /// Lists the edges of a node, with one prior for each action or none at all; false if the
    /// store is full.
    pub(crate) fn open(&mut self, node: u32, actions: &[A], priors: &[u16]) -> bool {
        if !self.has_room(node, actions.len()) {
            return false;
        }
        let first = self.edges.len() as u32;
        self.edges.extend(actions.iter().enumerate().map(|(index, &action)| Edge {
            total: 0.0,
            visits: 0,
            child: NONE,
            heuristic: 0.0,
            prior: priors.get(index).copied().unwrap_or(0),
            proven: Proven::Unknown,
            action,
        }));
        if self.extras.squares {
            self.squares.resize(self.edges.len(), 0.0);
        }
        let node = &mut self.nodes[node as usize];
        node.first = first;
        node.count = actions.len() as u16;
        true
    }

    #[inline]
    pub(crate) fn node(&self, index: u32) -> &Node {
        &self.nodes[index as usize]
    }

    #[inline]
    pub(crate) fn edge(&self, index: u32) -> &Edge<A> {
        &self.edges[index as usize]
    }

    /// What pruning did to a node.
    #[inline]
    pub(crate) fn cut(&self, index: u32) -> Cut {
        self.cuts.get(index as usize).copied().unwrap_or_default()
    }

    /// How many actions of a node are not among its edges.
    pub(crate) fn dropped(&self, index: u32) -> usize {
        if self.extras.drops { usize::from(self.cut(index).pruned) } else { 0 }
    }

    /// The edges of a node that are not pruned.
    pub(crate) fn kept_of(&self, index: u32) -> &[Edge<A>] {
        let edges = self.edges_of(index);
        let waiting = usize::from(self.cut(index).pruned) - self.dropped(index);
        &edges[..edges.len().saturating_sub(waiting)]
    }

    /// All edges of a node.
    #[inline]
    pub(crate) fn edges_of(&self, index: u32) -> &[Edge<A>] {
        let node = self.node(index);
        &self.edges[node.first as usize..][..usize::from(node.count)]
    }

    /// The edges of a node that were tried.
    #[inline]
    pub(crate) fn tried_of(&self, index: u32) -> &[Edge<A>] {
        let node = self.node(index);
        &self.edges[node.first as usize..][..usize::from(node.tried)]
    }

    /// Marks the edge at this position among a node's as tried: it changes places with the first
    /// that is not, unless it was tried before. Returns its index in the store.
    #[inline]
    pub(crate) fn try_edge(&mut self, index: u32, position: usize) -> u32 {
        let node = &mut self.nodes[index as usize];
        let first = node.first as usize;
        let tried = usize::from(node.tried);
        if position < tried {
            return (first + position) as u32;
        }
        node.tried += 1;
        self.edges.swap(first + tried, first + position);
        (first + tried) as u32
    }

    /// The same, but the edges it passes keep their order.
    pub(crate) fn try_edge_in_order(&mut self, index: u32, position: usize) -> u32 {
        let node = &mut self.nodes[index as usize];
        let first = node.first as usize;
        let tried = first + usize::from(node.tried);
        node.tried += 1;
        self.edges[tried..=first + position].rotate_right(1);
        tried as u32
    }

    /// Bytes taken for what is stored now, without spare room.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.nodes[..])
            + size_of_val(&self.edges[..])
            + size_of_val(&self.squares[..])
            + size_of_val(&self.heuristics[..])
            + size_of_val(&self.merged[..])
            + size_of_val(&self.cuts[..])
            + self.by_key.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_and_edges_are_small() {
        assert_eq!(size_of::<Node>(), 24);
        assert_eq!(size_of::<Edge<u8>>(), 24);
        assert_eq!(size_of::<Edge<u64>>(), 32);
    }
}
