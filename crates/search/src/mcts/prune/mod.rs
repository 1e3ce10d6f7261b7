//! Heuristic move pruning (Sephton, Cowling, Powley and Slaven, 2014): when the edges of a node are
//! listed, every action is tried on a copy of the state, each heuristic scores what follows for the
//! seat that chose, and keeps its `hpl` best. What any heuristic keeps becomes an edge.
//!
//! Beyond the paper, from its list of future work: joining by votes; handicaps instead of dropping
//! (soft); dropped actions that come back (progressive unpruning, Chaslot et al., 2008); other
//! ways to play the rest of the turn. A node with at most `hpl` actions is left as it is and draws
//! nothing at random, so that pruning which drops nothing changes nothing.

mod config;
mod score;

use std::cmp::Ordering;
use std::sync::Arc;

use gamecore::{Buf, Counters, Evaluator, Game, Rng, Seat};

pub use config::{Continue, Extrapolation, Join, PruneMode, Pruning};
pub(super) use config::{PRUNE_MODE, UNPRUNE};
use score::Scorer;

/// What pruning did to a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cut {
    /// How many edges before the pruned ones have half a handicap.
    pub(crate) doubtful: u16,
    /// How many actions are pruned: dropped, or else the last edges of the node.
    pub(crate) pruned: u16,
}

/// What is thought of one action of the node at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Kept,
    Doubtful,
    Pruned,
}

/// Chooses the actions of nodes. Its buffers are used for every node.
pub(crate) struct Pruner<'a, G: Game> {
    pruning: &'a Pruning,
    scorer: Scorer<'a, G>,
    heuristics: usize,
    /// By heuristic, then action.
    values: Vec<f64>,
    /// Positions of actions, put in one order after another.
    order: Vec<u16>,
    /// By action: its place among those with equal scores.
    places: Vec<u16>,
    /// By action: how many heuristics chose it, and the sum of its ranks under all.
    votes: Vec<(u16, u32)>,
    fates: Vec<Fate>,
}

impl<'a, G: Game> Pruner<'a, G> {
    pub(crate) fn new(
        game: &'a G,
        pruning: &'a Pruning,
        heuristics: &'a [Arc<dyn Evaluator<G>>],
        state: &G::State,
    ) -> Self {
        assert_eq!(heuristics.len(), pruning.names.len(), "one evaluation for each name");
        Self {
            pruning,
            scorer: Scorer::new(game, heuristics, pruning.extrapolation, state),
            heuristics: heuristics.len(),
            values: Vec::new(),
            order: Vec::new(),
            places: Vec::new(),
            votes: Vec::new(),
            fates: Vec::new(),
        }
    }

    /// The most edges that a node with so many actions will have; `None` if pruning leaves it alone.
    pub(crate) fn most_edges(&self, actions: usize) -> Option<usize> {
        (actions > self.pruning.limit).then_some(match self.pruning.mode {
            PruneMode::Hard => actions.min(self.heuristics * self.pruning.limit),
            PruneMode::Soft(_) | PruneMode::Unprune(_) => actions,
        })
    }

    /// Whether the action at this position of the list that was pruned last is pruned.
    pub(crate) fn has_pruned(&self, position: usize) -> bool {
        self.fates[position] == Fate::Pruned
    }

    /// Puts the actions of a node with more than `hpl` in the order of edges: those kept, the
    /// doubtful ones, those pruned; if pruning is hard, the last are dropped.
    pub(crate) fn prune(
        &mut self,
        state: &G::State,
        seat: Seat,
        actions: &mut Buf<G::Action>,
        rng: &mut Rng,
        counters: &mut Counters,
    ) -> Cut {
        let calls = self.scorer.calls;
        self.score(state, seat, actions, rng);
        counters.calls += self.scorer.calls - calls;
        self.shuffle(actions.len(), rng);
        self.vote(actions.len());
        self.decide();
        let with = |fate: Fate| self.fates.iter().filter(move |&&known| known == fate).count();
        let cut = Cut { doubtful: with(Fate::Doubtful) as u16, pruned: with(Fate::Pruned) as u16 };
        self.put_in_order(actions);
        let count = self.fates.len();
        counters.prune_nodes += 1;
        counters.prune_options += count as u64;
        counters.prune_kept += (count - usize::from(cut.pruned)) as u64;
        counters.prune_most += count.min(self.heuristics * self.pruning.limit) as u64;
        cut
    }

    /// The values of the action at this position of the list that was scored last, by heuristic.
    pub(crate) fn values_of(&self, position: usize) -> Vec<f64> {
        let count = self.values.len() / self.heuristics;
        (0..self.heuristics).map(|heuristic| self.values[heuristic * count + position]).collect()
    }

    pub(crate) fn score(
        &mut self,
        state: &G::State,
        seat: Seat,
        actions: &[G::Action],
        rng: &mut Rng,
    ) {
        let count = actions.len();
        self.values.clear();
        self.values.resize(self.heuristics * count, 0.0);
        for (position, &action) in actions.iter().enumerate() {
            let values = self.scorer.score(state, seat, action, rng);
            for (heuristic, value) in values.into_iter().enumerate().take(self.heuristics) {
                self.values[heuristic * count + position] = value;
            }
        }
    }

    /// Decides once for the node in which order equal scores come.
    fn shuffle(&mut self, count: usize, rng: &mut Rng) {
        self.places.clear();
        self.places.extend(0..count as u16);
        if self.pruning.random_ties {
            rng.shuffle(&mut self.places);
        }
    }

    /// Lets every heuristic choose.
    fn vote(&mut self, count: usize) {
        let Pruning { limit, join, mode, .. } = *self.pruning;
        let ranked = join == Join::Votes || matches!(mode, PruneMode::Unprune(_));
        self.votes.clear();
        self.votes.resize(count, (0, 0));
        let places = &self.places;
        for values in self.values.chunks_exact(count) {
            let better = |&a: &u16, &b: &u16| -> Ordering {
                let [a, b] = [a, b].map(usize::from);
                values[b].total_cmp(&values[a]).then(places[a].cmp(&places[b]))
            };
            self.order.clear();
            self.order.extend(0..count as u16);
            if ranked {
                self.order.sort_unstable_by(better);
                for (rank, &action) in (0..).zip(&self.order) {
                    self.votes[usize::from(action)].1 += rank;
                }
            } else {
                self.order.select_nth_unstable_by(limit - 1, better);
            }
            for &action in &self.order[..limit] {
                self.votes[usize::from(action)].0 += 1;
            }
        }
    }

    /// Makes one choice of theirs.
    fn decide(&mut self) {
        let Pruning { limit, join, mode, .. } = *self.pruning;
        let soft = matches!(mode, PruneMode::Soft(_));
        let several = self.heuristics > 1;
        self.fates.clear();
        self.fates.extend(self.votes.iter().map(|&(votes, _)| match votes {
            0 => Fate::Pruned,
            1 if soft && several => Fate::Doubtful,
            _ => Fate::Kept,
        }));
        if join == Join::Union {
            return;
        }
        let (votes, places) = (&self.votes, &self.places);
        self.order.clear();
        self.order
            .extend((0..votes.len() as u16).filter(|&action| votes[usize::from(action)].0 > 0));
        self.order.sort_unstable_by_key(|&action| {
            let (chosen, ranks) = votes[usize::from(action)];
            (std::cmp::Reverse(chosen), ranks, places[usize::from(action)])
        });
        for &action in self.order.iter().skip(limit) {
            self.fates[usize::from(action)] = if soft { Fate::Doubtful } else { Fate::Pruned };
        }
    }

    fn put_in_order(&mut self, actions: &mut Buf<G::Action>) {
        let listed = actions.clone();
        actions.clear();
        for fate in [Fate::Kept, Fate::Doubtful] {
            let these = listed.iter().zip(&self.fates).filter(|(_, known)| **known == fate);
            actions.extend(these.map(|(action, _)| *action));
        }
        if self.pruning.mode == PruneMode::Hard {
            return;
        }
        self.order.clear();
        let fates = &self.fates;
        self.order
            .extend((0..fates.len() as u16).filter(|&at| fates[usize::from(at)] == Fate::Pruned));
        if matches!(self.pruning.mode, PruneMode::Unprune(_)) {
            let (votes, places) = (&self.votes, &self.places);
            self.order.sort_unstable_by_key(|&action| {
                (votes[usize::from(action)].1, places[usize::from(action)])
            });
        }
        actions.extend(self.order.iter().map(|&at| listed[usize::from(at)]));
    }
}
