//! A search tree that is kept, so that the page can ask for it part by part.

use std::cmp::Reverse;

use gamecore::Reading;
use protocol::NodeNote;
use registry::{DecisionReport, TreeStep, words};

use crate::dto::{TreeCard, TreePage};

/// A tree with the children of every node in order.
pub(super) struct KeptTree {
    reading: Reading,
    nodes: Vec<TreeStep>,
    /// The children of all nodes, those of one node together: the most visited first, pruned last.
    children: Vec<u32>,
    /// Where the children of each node begin; one more than there are nodes.
    first: Vec<u32>,
}

impl KeptTree {
    /// Takes the tree out of a decision.
    pub(super) fn of(decision: &mut DecisionReport) -> Self {
        let nodes = std::mem::take(&mut decision.tree);
        let mut first = vec![0_u32; nodes.len() + 1];
        for parent in nodes.iter().filter_map(|node| node.parent) {
            first[parent + 1] += 1;
        }
        for index in 1..first.len() {
            first[index] += first[index - 1];
        }
        // Sorted as a whole, the children of a node stand together and in order.
        let mut children: Vec<u32> =
            (0..nodes.len() as u32).filter(|&node| nodes[node as usize].parent.is_some()).collect();
        children.sort_by_key(|&index| {
            let node = &nodes[index as usize];
            (node.parent, node.note == Some(NodeNote::Pruned), Reverse(node.visits), index)
        });
        Self { reading: decision.reading, nodes, children, first }
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// How many nodes were left out.
    pub(super) fn left_out(&self) -> usize {
        self.nodes.iter().filter(|node| !node.searched).count()
    }

    fn children(&self, node: usize) -> &[u32] {
        &self.children[self.first[node] as usize..self.first[node + 1] as usize]
    }

    /// Some children of a node, or the root alone; `None` if there is no such node.
    pub(super) fn page(&self, parent: Option<u32>, offset: u32, limit: u32) -> Option<TreePage> {
        let all = match parent {
            None => &[0][..self.nodes.len().min(1)],
            Some(parent) if (parent as usize) < self.nodes.len() => self.children(parent as usize),
            Some(_) => return None,
        };
        let shown = all.iter().skip(offset as usize).take(limit as usize);
        let nodes = shown.map(|&node| self.card(node as usize)).collect();
        Some(TreePage { parent, total: all.len() as u32, nodes })
    }

    /// A node as it is told.
    pub(super) fn card(&self, index: usize) -> TreeCard {
        let node = &self.nodes[index];
        let above = node.parent.map_or(node.visits, |parent| self.nodes[parent].visits);
        TreeCard {
            node: index as u32,
            step: node.step.as_deref().cloned(),
            visits: node.visits,
            share: node.visits as f64 / above.max(1) as f64,
            value: node.value,
            value_words: words::bounded(self.reading, node.value, node.bound),
            chance: node.value.and_then(|value| self.reading.chance(value)),
            bound: node.bound,
            note: node.note,
            children: self.children(index).len() as u32,
            pruned: node.pruned,
        }
    }

    /// The parent of a node.
    pub(super) fn parent(&self, index: usize) -> Option<u32> {
        self.nodes[index].parent.map(|parent| parent as u32)
    }
}
