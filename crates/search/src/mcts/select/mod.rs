//! Selection: the edge with the highest score, equal ones at random. The loop over edges is
//! compiled once for each formula.

pub(crate) mod alphago;
mod bias;
mod fpu;
mod handicap;
pub(crate) mod puct;
pub(crate) mod ucb1;
mod ucb1_tuned;
pub(crate) mod widening;

use gamecore::{Rng, Seat};

use super::config::{Expand, Fpu, MctsConfig, Select};
use super::normalise::Range;
use super::prune::{PruneMode, Pruning};
use super::store::{Edge, Proven, Store};
use alphago::AlphaGo;
use handicap::Handicap;
use ucb1::Ucb1;
use ucb1_tuned::Ucb1Tuned;

/// What selection needs to know besides the node.
pub(crate) struct Selection<'a> {
    pub(crate) config: &'a MctsConfig,
    pub(crate) range: Range,
    /// Every action may be expanded, whatever it scores.
    pub(crate) all_actions: bool,
}

/// The best edge so far, its score, and how many share it.
pub(crate) struct Best {
    pub(crate) position: usize,
    score: f64,
    ties: u32,
}

impl Best {
    /// Below every score.
    pub(crate) const NONE: Self = Self { position: 0, score: f64::NEG_INFINITY, ties: 0 };

    #[inline]
    pub(crate) fn offer(&mut self, position: usize, score: f64, rng: &mut Rng) {
        if score > self.score {
            *self = Self { position, score, ties: 1 };
        } else if score == self.score {
            self.ties += 1;
            if rng.below(self.ties) == 0 {
                self.position = position;
            }
        }
    }
}

impl Selection<'_> {
    /// The edge to follow from a node where `seat` decides and edges are listed, as an index into
    /// the store. It counts as tried from now on.
    #[inline]
    pub(crate) fn choose<A: Copy>(
        &self,
        store: &mut Store<A>,
        node: u32,
        seat: Seat,
        rng: &mut Rng,
    ) -> u32 {
        let config = self.config;
        let at = *store.node(node);
        let (tried, count) = (usize::from(at.tried), usize::from(at.count));
        if config.select == Select::Uniform {
            let position = if count == 1 { 0 } else { rng.below(count as u32) as usize };
            return store.try_edge(node, position);
        }
        let handicap = self.handicap(store, node);
        let open = self.open_actions(store, node);
        // Untried edges take part in groups where pruning has put some behind others.
        let end = match self.mode() {
            PruneMode::Hard => count,
            PruneMode::Soft(_) => handicap.group_end(tried, count),
            PruneMode::Unprune(_) => open,
        };
        let may_expand = tried < open && self.may_expand(store.edges_of(node), tried);
        let at_once = config.fpu == Fpu::Infinite && handicap.of(tried) == 0.0;
        if may_expand && (at_once || tried == 0) {
            return self.expand(store, node, end, rng);
        }
        let urgency = if may_expand {
            self.urgency(store, node, end) - handicap.of(tried)
        } else {
            f64::NEG_INFINITY
        };
        if urgency > self.ceiling(at.visits) {
            return self.expand(store, node, end, rng);
        }
        let best = self.best_tried(store, node, seat, handicap, rng);
        if urgency > best.score {
            return self.expand(store, node, end, rng);
        }
        at.first + best.position as u32
    }

    fn mode(&self) -> PruneMode {
        self.config.pruning.as_ref().map_or(PruneMode::Hard, |pruning| pruning.mode)
    }

    /// How many actions of a node take part.
    fn open_actions<A: Copy>(&self, store: &Store<A>, node: u32) -> usize {
        let (visits, count) = (store.node(node).visits, usize::from(store.node(node).count));
        match self.mode() {
            PruneMode::Unprune(widening) => {
                let kept = count - usize::from(store.cut(node).pruned);
                widening::open_actions(Some(widening), visits, count).max(kept)
            }
            _ => widening::open_actions(self.config.widening, visits, count),
        }
    }

    /// What soft pruning takes from the edges of a node.
    fn handicap<A: Copy>(&self, store: &Store<A>, node: u32) -> Handicap {
        match &self.config.pruning {
            Some(Pruning { mode: PruneMode::Soft(weight), limit, .. }) => {
                let node_visits = store.node(node).visits;
                let count = usize::from(store.node(node).count);
                Handicap::at(*weight, *limit, node_visits, count, store.cut(node))
            }
            _ => Handicap::NONE,
        }
    }

    /// No tried edge scores more, where that is easily told.
    fn ceiling(&self, visits: u32) -> f64 {
        let config = self.config;
        let plain = config.normalise && config.bias == 0.0 && config.implicit.is_none();
        if plain && config.select == Select::AlphaGo {
            1.001 + AlphaGo::at(config.c, visits).exploration(1)
        } else {
            f64::INFINITY
        }
    }

    /// Whether an untried edge is left that may be expanded.
    fn may_expand<A>(&self, edges: &[Edge<A>], tried: usize) -> bool {
        if !self.config.positive_only || self.all_actions || tried == 0 {
            return true;
        }
        // Tried in the order of scores: if the first one scored 0, all do.
        edges[0].prior == 0 || edges[tried..].iter().any(|edge| edge.prior > 0)
    }

    /// Takes the next untried edge before `end` in the order of expansion.
    fn expand<A: Copy>(&self, store: &mut Store<A>, node: u32, end: usize, rng: &mut Rng) -> u32 {
        let tried = usize::from(store.node(node).tried);
        let edges = &store.edges_of(node)[tried..end];
        let order = match self.config.expand {
            Expand::Random | Expand::Listed if self.orders_by_prior() => Expand::Heuristic,
            order => order,
        };
        let position = match order {
            Expand::Listed => 0,
            Expand::Random if edges.len() == 1 => 0,
            Expand::Random => rng.below(edges.len() as u32) as usize,
            Expand::Heuristic => {
                let mut best = Best { position: 0, score: -1.0, ties: 0 };
                for (position, edge) in edges.iter().enumerate() {
                    best.offer(position, f64::from(edge.prior), rng);
                }
                best.position
            }
            Expand::HeuristicListed => {
                let best = edges.iter().map(|edge| edge.prior).max();
                edges.iter().position(|edge| Some(edge.prior) == best).unwrap_or(0)
            }
        };
        if matches!(order, Expand::HeuristicListed) {
            return store.try_edge_in_order(node, tried + position);
        }
        store.try_edge(node, tried + position)
    }

    fn orders_by_prior(&self) -> bool {
        self.config.by_prior() || self.config.positive_only
    }

    /// The score of the untried edge before `end` that would come next, handicaps aside.
    fn urgency<A: Copy>(&self, store: &Store<A>, node: u32, end: usize) -> f64 {
        let config = self.config;
        let at = store.node(node);
        let tried = store.tried_of(node);
        let mean = || {
            let total: f64 = tried.iter().map(|edge| edge.total).sum();
            let visits: f64 = tried.iter().map(|edge| f64::from(edge.visits)).sum();
            self.range.map(total / visits)
        };
        let relative = if matches!(config.fpu, Fpu::Relative(_)) { mean() } else { 0.0 };
        let alphago = AlphaGo::at(config.c, at.visits);
        let mut urgency = match config.fpu {
            // Only actions with a handicap are asked: like one visit with the mean of the node.
            Fpu::Infinite => mean() + self.exploration_of_one_visit(at.visits),
            fpu => fpu::urgency(fpu, relative, alphago.exploration(0)),
        };
        if config.by_prior() {
            let untried = &store.edges_of(node)[tried.len()..end];
            let prior = untried.iter().map(|edge| edge.prior).max().unwrap_or(0);
            if config.select == Select::Puct {
                urgency += puct::exploration(alphago, 0, prior);
            } else {
                urgency += bias::bias(config.bias, prior, 0);
            }
        }
        urgency
    }

    fn exploration_of_one_visit(&self, visits: u32) -> f64 {
        let c = self.config.c;
        match self.config.select {
            Select::Ucb1 | Select::Uniform => Ucb1::at(c, visits).exploration(1),
            Select::UcbPlus => Ucb1::plus_at(c, visits).exploration(1),
            Select::Ucb1Tuned => Ucb1Tuned::at(c, visits).exploration(1, 0.0),
            Select::AlphaGo => AlphaGo::at(c, visits).exploration(1),
            // Added with the prior.
            Select::Puct => 0.0,
        }
    }

    /// The best of the edges tried before.
    fn best_tried<A: Copy>(
        &self,
        store: &Store<A>,
        node: u32,
        seat: Seat,
        handicap: Handicap,
        rng: &mut Rng,
    ) -> Best {
        let config = self.config;
        let at = store.node(node);
        let visits = at.visits;
        let edges = store.tried_of(node);
        match config.select {
            Select::Ucb1 | Select::Uniform => {
                let at = Ucb1::at(config.c, visits);
                self.argmax(edges, seat, handicap, rng, |_, edge| at.exploration(edge.visits))
            }
            Select::UcbPlus => {
                let at = Ucb1::plus_at(config.c, visits);
                self.argmax(edges, seat, handicap, rng, |_, edge| at.exploration(edge.visits))
            }
            Select::AlphaGo => {
                let at = AlphaGo::at(config.c, visits);
                self.argmax(edges, seat, handicap, rng, |_, edge| at.exploration(edge.visits))
            }
            Select::Puct => {
                let at = AlphaGo::at(config.c, visits);
                let term = |_, edge: &Edge<A>| puct::exploration(at, edge.visits, edge.prior);
                self.argmax(edges, seat, handicap, rng, term)
            }
            Select::Ucb1Tuned => {
                let tuned = Ucb1Tuned::at(config.c, visits);
                let squares = &store.squares[at.first as usize..];
                self.argmax(edges, seat, handicap, rng, |position, edge| {
                    let mean = edge.mean();
                    let variance = squares[position] / f64::from(edge.visits) - mean * mean;
                    tuned.exploration(edge.visits, self.range.map_square(variance))
                })
            }
        }
    }

    #[inline]
    fn argmax<A>(
        &self,
        edges: &[Edge<A>],
        seat: Seat,
        handicap: Handicap,
        rng: &mut Rng,
        exploration: impl Fn(usize, &Edge<A>) -> f64,
    ) -> Best {
        let (config, range) = (self.config, self.range);
        // A PUCT prior is a share, not a score.
        let bias_weight = if config.select == Select::Puct { 0.0 } else { config.bias };
        let lost = Proven::win_of(seat.other());
        let mut best = Best::NONE;
        for (position, edge) in edges.iter().enumerate() {
            if edge.proven == lost {
                continue;
            }
            let mut value = range.map(edge.mean());
            if let Some(alpha) = config.implicit {
                value += alpha * (range.map(f64::from(edge.heuristic)) - value);
            }
            let mut score = value + exploration(position, edge);
            if bias_weight > 0.0 {
                score += bias::bias(bias_weight, edge.prior, edge.visits);
            }
            best.offer(position, score - handicap.of(position), rng);
        }
        best
    }
}

#[cfg(test)]
mod tests;
