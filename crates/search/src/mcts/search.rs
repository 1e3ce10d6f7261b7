//! One iteration after the other: select, expand, roll out, back up.

use std::hash::Hash;
use std::sync::Arc;

use gamecore::{
    ActionScore, Buf, Counters, Evaluator, FULL_SCORE, Game, Rng, RolloutPolicy, Seat, Turn,
    draw_outcome,
};

use super::backup::{self, Backups, Step};
use super::config::{DepthUnit, Hybrid, MctsConfig, Select};
use super::ending::Halt;
use super::hybrid::{self, Effort};
use super::mast::Mast;
use super::normalise::Range;
use super::prune::{Cut, PruneMode, Pruner};
use super::rollout;
use super::select::{Selection, puct};
use super::store::{Extras, Kind, NONE, Proven, ROOT, Store};

/// No path is longer, even if a game runs in circles.
pub(crate) const LONGEST_PATH: usize = 4096;

/// Above every depth that action scores look at.
const FULL_DEPTH: u32 = 64;

const NO_SUMS: (f64, f64) = (f64::INFINITY, f64::NEG_INFINITY);

/// What a search keeps from one decision to the next.
pub(crate) struct Tree<A> {
    pub(crate) store: Store<A>,
    pub(crate) range: Range,
    pub(crate) rng: Rng,
    /// The edge played last, below which the next position is looked for.
    pub(crate) played: u32,
    /// For whom the tree was grown.
    pub(crate) seat: Option<Seat>,
    /// Smallest and largest sum of both seats' rewards; equal where one seat's mirror the other's.
    pub(crate) sums: (f64, f64),
    /// The root's pruned actions with their value under each heuristic, if the root was listed for
    /// the present decision.
    pub(crate) root_values: Vec<(A, Vec<f64>)>,
    /// What the present decision teaches about actions, if rollouts ask.
    mast: Option<Mast<A>>,
}

impl<A: Copy + Eq + Hash> Tree<A> {
    pub(crate) fn new(config: &MctsConfig, seed: u64) -> Self {
        let extras = Extras {
            squares: config.select == Select::Ucb1Tuned,
            heuristics: config.implicit.is_some(),
            merge: config.merge,
            cuts: config.pruning.is_some(),
            drops: config.pruning.as_ref().is_some_and(|p| p.mode == PruneMode::Hard),
        };
        Self {
            store: Store::new(config.tree_nodes, extras),
            range: Range::new(config.normalise),
            rng: Rng::new(seed),
            played: NONE,
            seat: None,
            sums: NO_SUMS,
            root_values: Vec::new(),
            mast: config.rollout.learns().then(Mast::new),
        }
    }

    /// Forgets everything but the random stream.
    pub(crate) fn clear(&mut self, config: &MctsConfig) {
        self.store.clear();
        self.range = Range::new(config.normalise);
        self.played = NONE;
        self.sums = NO_SUMS;
    }
}

/// What does not change during the search of one decision.
pub(crate) struct Question<'a, G: Game> {
    pub(crate) game: &'a G,
    pub(crate) config: &'a MctsConfig,
    pub(crate) evaluator: &'a dyn Evaluator<G>,
    pub(crate) score: Option<&'a dyn ActionScore<G>>,
    /// What pruning asks.
    pub(crate) pruners: &'a [Arc<dyn Evaluator<G>>],
    /// How the seats act in rollouts.
    pub(crate) policies: &'a [RolloutPolicy; 2],
    pub(crate) state: &'a G::State,
    pub(crate) seat: Seat,
    /// Expand every action, whatever it scores.
    pub(crate) all_actions: bool,
}

impl<'a, G: Game> Question<'a, G> {
    /// What chooses the actions of nodes, if anything does.
    pub(crate) fn pruner(&self) -> Option<Pruner<'a, G>> {
        let pruning = self.config.pruning.as_ref()?;
        Some(Pruner::new(self.game, pruning, self.pruners, self.state))
    }
}

/// The search of one decision in one tree.
pub(crate) struct Search<'a, G: Game> {
    pub(crate) question: &'a Question<'a, G>,
    pub(crate) tree: &'a mut Tree<G::Action>,
    pub(crate) counters: Counters,
    path: Vec<Step>,
    scratch: G::State,
    backups: Backups,
    pruner: Option<Pruner<'a, G>>,
    /// Rollouts ask the action heuristic.
    scored: bool,
}

/// Where an iteration left the tree.
enum Leaf {
    /// In this node, whose value is known.
    Known(u32, Proven),
    /// In this node; the rollout begins here.
    Node(u32),
    /// Behind the last edge of the path, which has no node.
    Outside,
}

impl<'a, G: Game> Search<'a, G> {
    pub(crate) fn new(question: &'a Question<'a, G>, tree: &'a mut Tree<G::Action>) -> Self {
        let config = question.config;
        if let Some(mast) = &mut tree.mast {
            mast.clear();
        }
        Self {
            question,
            tree,
            counters: Counters::default(),
            path: Vec::with_capacity(64),
            scratch: question.state.clone(),
            backups: Backups { implicit: config.implicit.is_some(), solver: config.solver },
            scored: rollout::asked(question.score, question.policies).is_some(),
            pruner: question.pruner(),
        }
    }

    /// Makes the root if there is none, and lists its edges.
    pub(crate) fn prepare_root(&mut self) {
        let Question { game, state, .. } = *self.question;
        if self.tree.store.nodes.is_empty() {
            self.tree.store.add(game, state).expect("an empty store has room for a root");
        }
        if self.tree.store.node(ROOT).count == 0 {
            self.open(ROOT);
        }
        // A result found by minimax when the node was made does not say which action has it.
        let proven = backup::conclude(&self.tree.store, ROOT);
        self.tree.store.nodes[ROOT as usize].proven = proven;
    }

    /// Whether the result of the root is known, so that no iteration can add anything.
    pub(crate) fn is_solved(&self) -> bool {
        let store = &self.tree.store;
        let known = |proven| proven != Proven::Unknown;
        // Where actions were dropped, the rest may be known without proving the root.
        self.backups.solver
            && (known(store.node(ROOT).proven)
                || store.dropped(ROOT) > 0
                    && store.edges_of(ROOT).iter().all(|edge| known(edge.proven)))
    }

    /// One iteration. If the search must end in the middle of it, it is finished the short way.
    pub(crate) fn iterate(&mut self, halt: &mut Halt<'_>) {
        self.counters.iterations += 1;
        self.scratch.clone_from(self.question.state);
        let leaf = self.descend(halt);
        let Question { config, seat, .. } = *self.question;
        let (node, rewards) = match leaf {
            Leaf::Known(node, Proven::Unknown) => (node, self.worth()),
            Leaf::Known(node, proven) => (node, proven.rewards()),
            Leaf::Node(node) => (node, self.roll_out(halt)),
            Leaf::Outside => (NONE, self.roll_out(halt)),
        };
        let mut rewards = rewards.map(f64::from);
        if config.paranoid {
            rewards[seat.other().index()] = -rewards[seat.index()];
        }
        self.tree.range.see(rewards);
        let (sums, sum) = (&mut self.tree.sums, rewards[0] + rewards[1]);
        *sums = (sums.0.min(sum), sums.1.max(sum));
        self.teach(rewards);
        backup::back_up(&mut self.tree.store, &self.path, node, rewards, self.backups);
    }

    /// What the iteration says of the actions that were played in it.
    fn teach(&mut self, rewards: [f64; 2]) {
        let Tree { mast: Some(mast), store, .. } = &mut *self.tree else { return };
        for step in &self.path {
            if let Some(seat) = store.node(step.node).kind.seat() {
                mast.note(seat, store.edge(step.edge).action);
            }
        }
        mast.learn(rewards);
    }

    /// Walks down the tree, and one step out of it where there is room. `scratch` goes along.
    fn descend(&mut self, halt: &mut Halt<'_>) -> Leaf {
        let Question { game, config, .. } = *self.question;
        let mut node = ROOT;
        let mut turns = 0;
        let mut mover = None;
        self.path.clear();
        loop {
            let at = *self.tree.store.node(node);
            if at.kind == Kind::Over {
                // Its worth is what the rollout would have been worth, proven or not.
                return Leaf::Known(node, Proven::Unknown);
            }
            if self.backups.solver && at.proven != Proven::Unknown && node != ROOT {
                return Leaf::Known(node, at.proven);
            }
            let seat = at.kind.seat();
            if seat.is_some() {
                turns += u32::from(mover.is_some() && mover != seat);
                mover = seat;
            }
            if self.is_deep(turns) || at.count == 0 && !self.open(node) {
                return Leaf::Node(node);
            }
            if config.merge {
                backup::refresh(&mut self.tree.store, node);
            }
            let edge = match seat {
                Some(seat) => {
                    let selection = Selection {
                        config,
                        range: self.tree.range,
                        all_actions: self.question.all_actions,
                    };
                    selection.choose(&mut self.tree.store, node, seat, &mut self.tree.rng)
                }
                None => self.draw(node),
            };
            let taken = self.tree.store.edge(edge);
            let child = taken.child;
            game.apply(&mut self.scratch, taken.action);
            self.counters.calls += 1;
            if child != NONE {
                self.path.push(Step { node, edge });
                node = child;
                continue;
            }
            if config.merge
                && let Some(known) = self.tree.store.by_key.get(game.key(&self.scratch))
            {
                self.tree.store.edges[edge as usize].child = known;
                self.path.push(Step { node, edge });
                node = known;
                continue;
            }
            return self.leave(node, edge, halt);
        }
    }

    /// The end of the path: a new node behind `edge`, if the store has room.
    fn leave(&mut self, node: u32, edge: u32, halt: &mut Halt<'_>) -> Leaf {
        let Question { game, config, evaluator, .. } = *self.question;
        let Some(child) = self.tree.store.add(game, &self.scratch) else {
            if config.merge {
                // Values come from nodes, so the reward belongs to the last one there is.
                return Leaf::Node(node);
            }
            self.path.push(Step { node, edge });
            return Leaf::Outside;
        };
        self.path.push(Step { node, edge });
        self.tree.store.edges[edge as usize].child = child;
        if let Some(heuristic) = self.tree.store.heuristics.get_mut(child as usize) {
            *heuristic = evaluator.rewards(game, &self.scratch);
        }
        if self.tree.store.node(child).kind == Kind::Over {
            return Leaf::Known(child, Proven::Unknown);
        }
        if let Hybrid::Expand(depth) = config.hybrid {
            let mut effort = Effort { calls: &mut self.counters.calls, halt };
            let proven = hybrid::prove(game, &self.scratch, depth, &mut effort);
            self.tree.store.nodes[child as usize].proven = proven;
            if proven != Proven::Unknown {
                return Leaf::Known(child, proven);
            }
        }
        Leaf::Node(child)
    }

    /// Whether the tree must not grow below the present node.
    #[inline]
    fn is_deep(&self, turns: u32) -> bool {
        let depth = self.path.len();
        match (self.question.config.tree_depth, self.question.config.tree_unit) {
            (Some(most), DepthUnit::Actions) => depth >= most as usize,
            (Some(most), DepthUnit::Turns) => turns >= most || depth >= LONGEST_PATH,
            (None, _) => depth >= LONGEST_PATH,
        }
    }

    /// Lists the edges of a node, where `scratch` is; false if the store is full.
    fn open(&mut self, node: u32) -> bool {
        let Question { game, config, score, .. } = *self.question;
        let mut actions = Buf::new();
        game.actions(&self.scratch, &mut actions);
        let Some(cut) = self.prune(node, &mut actions) else { return false };
        let mut priors = Buf::<u16>::new();
        if config.uses_priors() && self.tree.store.node(node).kind.seat().is_some() {
            if let Some(score) = score {
                let mut scores = Buf::new();
                score.score(game, &self.scratch, &actions, FULL_DEPTH, &mut scores);
                priors.extend(scores.iter().map(|score| (*score).clamp(0, FULL_SCORE) as u16));
            } else {
                priors.extend(actions.iter().map(|_| FULL_SCORE as u16));
            }
            if config.select == Select::Puct {
                puct::shares(&mut priors);
            }
        }
        let opened = self.tree.store.open(node, &actions, &priors);
        if let Some(known) = self.tree.store.cuts.get_mut(node as usize).filter(|_| opened) {
            *known = cut;
        }
        opened
    }

    /// Lets heuristics choose among the actions of a seat, where `scratch` is; `None` if the store
    /// has no room for what they would choose.
    fn prune(&mut self, node: u32, actions: &mut Buf<G::Action>) -> Option<Cut> {
        let (Some(pruner), Some(seat)) = (&mut self.pruner, self.tree.store.node(node).kind.seat())
        else {
            return Some(Cut::default());
        };
        let Some(most) = pruner.most_edges(actions.len()) else { return Some(Cut::default()) };
        if !self.tree.store.has_room(node, most) {
            return None;
        }
        let listed = (node == ROOT).then(|| actions.clone());
        let cut =
            pruner.prune(&self.scratch, seat, actions, &mut self.tree.rng, &mut self.counters);
        for (position, &action) in listed.iter().flatten().enumerate() {
            if pruner.has_pruned(position) {
                self.tree.root_values.push((action, pruner.values_of(position)));
            }
        }
        Some(cut)
    }

    /// Draws an outcome by weight and finds its edge.
    fn draw(&mut self, node: u32) -> u32 {
        let outcome = draw_outcome(self.question.game, &self.scratch, &mut self.tree.rng);
        let position = self.tree.store.edges_of(node).iter().position(|e| e.action == outcome);
        let position = position.expect("an outcome that can be drawn is listed");
        self.tree.store.try_edge(node, position)
    }

    /// Plays on from `scratch`; says what each seat gets.
    fn roll_out(&mut self, halt: &mut Halt<'_>) -> [f32; 2] {
        let Question { game, config, evaluator, score, policies, .. } = *self.question;
        let (state, rng) = (&mut self.scratch, &mut self.tree.rng);
        let horizon = config.rollout.horizon;
        let asked = score.filter(|_| self.scored);
        let made = match &mut self.tree.mast {
            Some(mast) => mast.play(game, policies, state, rng, horizon),
            None => rollout::play(game, asked, policies, state, rng, horizon),
        };
        self.counters.calls += u64::from(made);
        if let Hybrid::Cutoff(depth) = config.hybrid
            && game.turn(state) != Turn::Over
        {
            let mut effort = Effort { calls: &mut self.counters.calls, halt };
            let searched = hybrid::minimax(game, evaluator, state, depth, &mut effort);
            return searched.unwrap_or_else(|| evaluator.rewards(game, state));
        }
        self.worth()
    }

    /// What each seat gets out of the position in `scratch`.
    fn worth(&self) -> [f32; 2] {
        let Question { game, config, evaluator, .. } = *self.question;
        rollout::worth(game, evaluator, config.rollout.end, &self.scratch)
    }
}
