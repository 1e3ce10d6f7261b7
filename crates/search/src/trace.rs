//! Records the search tree while a depth-first search runs, for `search --tree` and viewers.

use gamecore::{Bound, Score, TreeNode, TreeNote};

/// The tree so far and the path to the position being searched.
pub(crate) struct Trace<A> {
    nodes: Vec<TreeNode<A>>,
    /// The tree of the last depth that was completed: what the answer rests on.
    kept: Option<Vec<TreeNode<A>>>,
    /// Indices of the open nodes; `None` for those that no longer fitted.
    path: Vec<Option<usize>>,
    limit: usize,
    entered: u64,
    started: Vec<u64>,
    /// Nodes that were left out; they take no room from those that were searched.
    skipped: usize,
}

impl<A: Copy> Trace<A> {
    /// Keeps at most `limit` nodes, the first ones entered, and as many that were left out.
    pub(crate) fn new(limit: usize) -> Self {
        let (nodes, path, started) = (Vec::new(), Vec::new(), Vec::new());
        Self { nodes, kept: None, path, limit, entered: 0, started, skipped: 0 }
    }

    /// Forgets everything but the tree that was kept, and enters the root.
    pub(crate) fn restart(&mut self, depth: u32) {
        *self = Self { kept: self.kept.take(), ..Self::new(self.limit) };
        self.enter(None, depth);
    }

    /// Keeps the present tree, whose search is complete, in place of an earlier one.
    pub(crate) fn keep(&mut self) {
        self.kept = Some(std::mem::take(&mut self.nodes));
    }

    pub(crate) fn enter(&mut self, action: Option<A>, depth: u32) {
        self.started.push(self.entered);
        self.entered += 1;
        let parent = self.path.last().copied().flatten();
        // A node whose parent did not fit has no place in the tree.
        let searched = self.nodes.len() - self.skipped;
        let fits = searched < self.limit && (parent.is_some() || self.path.is_empty());
        self.path.push(fits.then_some(self.nodes.len()));
        if fits {
            self.nodes.push(TreeNode {
                parent,
                action,
                depth,
                visits: 0,
                value: None,
                bound: Bound::Exact,
                note: None,
                pruned: 0,
            });
        }
    }

    /// Says why nothing is searched below the present node.
    pub(crate) fn note(&mut self, note: Option<TreeNote>) {
        if let Some(&Some(index)) = self.path.last() {
            self.nodes[index].note = note;
        }
    }

    /// Notes an action of the present node that is not searched since another one cut it off.
    pub(crate) fn skip(&mut self, action: A) {
        if let Some(&Some(parent)) = self.path.last()
            && self.skipped < self.limit
        {
            self.nodes.push(TreeNode::unsearched(parent, action, TreeNote::Skipped));
            self.skipped += 1;
        }
    }

    pub(crate) fn leave(&mut self, value: Option<Score>, bound: Bound) {
        let started = self.started.pop().expect("every leave follows its enter");
        if let Some(index) = self.path.pop().expect("every leave follows its enter") {
            let node = &mut self.nodes[index];
            node.value = value.map(|score| f64::from(score.0));
            node.bound = bound;
            node.visits = self.entered - started;
        }
    }

    /// The tree that was kept; if no depth was completed, what was entered of the first one.
    pub(crate) fn finish(mut self) -> Vec<TreeNode<A>> {
        if let Some(kept) = self.kept.take() {
            return kept;
        }
        while !self.path.is_empty() {
            self.leave(None, Bound::Exact);
        }
        self.nodes
    }
}

/// A bound seen by the other seat.
pub(crate) fn flipped(bound: Bound) -> Bound {
    match bound {
        Bound::Exact | Bound::Estimate => bound,
        Bound::Lower => Bound::Upper,
        Bound::Upper => Bound::Lower,
    }
}
