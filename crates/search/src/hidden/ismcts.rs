//! Single-observer information set Monte-Carlo tree search (Cowling, Powley and Whitehouse, 2012:
//! "Information Set Monte Carlo Tree Search", SO-ISMCTS).
//!
//! One tree over all worlds that fit the view. An iteration:
//!
//! 1. draws a world from the view of the root;
//! 2. walks down through the actions that are legal in this world only, by
//!
//!    ```text
//!    mean + C·√(2 ln aᵢ / nᵢ)
//!    ```
//!
//!    with nᵢ visits of the action and aᵢ passes of its node in which it was legal: an action that
//!    few worlds have is not explored more than the others (the paper's section IV-D, in our form
//!    of UCB1);
//! 3. where an action legal here has never been taken, takes one of these, equally likely;
//! 4. rolls out in this world, and
//! 5. adds what each seat got to the path. Every seat maximises its own.
//!
//! Chance is drawn in the world. The tree knows what was done, not what was seen: everybody is
//! taken to see every action, and what an action reveals does not part nodes, except through who
//! acts next. Differs from the paper: availability counts from the second visit of a node on
//! instead of from the first visit of the action, so that where nothing is
//! hidden aᵢ is the same for all actions of a node, as in UCT.

use std::sync::Arc;

use gamecore::{
    ActionScore, Agent, Buf, Counters, Decision, Evaluator, Game, Limits, Progress, Rng,
    RolloutPolicy, Seat, Turn, draw_outcome,
};

use super::config::IsmctsConfig;
use super::decision_of;
use super::report;
use super::tree::{InfoTree, Node, ROOT, Step};
use crate::MctsConfig;
use crate::mcts::rollout::{self, Policies};
use crate::mcts::select::{Best, ucb1::Ucb1};
use crate::mcts::{Ending, Kind, LONGEST_PATH, Range, Verdict, choose, is_news};

/// An information set search. Built anew for every game, its tree for every decision.
pub struct Ismcts<G: Game> {
    config: MctsConfig,
    evaluator: Arc<dyn Evaluator<G>>,
    score: Option<Arc<dyn ActionScore<G>>>,
    policies: Policies,
    tree: InfoTree<G::Action>,
    rng: Rng,
}

impl<G: Game> Ismcts<G> {
    /// An agent of this make; `score` is the action heuristic of its rollouts.
    #[must_use]
    pub fn new(
        config: IsmctsConfig,
        evaluator: Arc<dyn Evaluator<G>>,
        score: Option<Arc<dyn ActionScore<G>>>,
        seed: u64,
    ) -> Self {
        let config = config.search;
        let policies = Policies::new(&config.rollout);
        let tree = InfoTree::new(config.tree_nodes);
        Self { config, evaluator, score, policies, tree, rng: Rng::new(seed) }
    }
}

impl<G: Game> Agent<G> for Ismcts<G> {
    fn decide(
        &mut self,
        game: &G,
        view: &G::View,
        limits: &Limits<'_, G::Action>,
    ) -> Decision<G::Action> {
        let (seat, actions) = decision_of(game, view, &mut self.rng);
        if let [only] = actions[..] {
            return Decision::plain(only);
        }
        self.tree.start(Kind::from(Turn::Player(seat)));
        let policies = self.policies.by_seat(seat);
        let mut search = Search {
            game,
            view,
            seat,
            config: &self.config,
            evaluator: &*self.evaluator,
            asked: rollout::asked(self.score.as_deref(), &policies),
            policies: &policies,
            tree: &mut self.tree,
            rng: &mut self.rng,
            range: Range::new(self.config.normalise),
            counters: Counters::default(),
            path: Vec::with_capacity(64),
            open: Vec::new(),
        };
        // The root lists its actions even if the first iteration is stopped.
        search.tree.list(ROOT, &actions, &mut search.open);
        let complete = search.run(limits);
        let mut counters = search.counters;
        counters.tree_nodes = self.tree.len() as u64;
        let known = report::statistics(self.tree.node(ROOT), seat);
        let chosen = choose(&known, &self.config, seat, Some(&mut self.rng));
        Decision {
            complete,
            value: known[chosen].value(seat),
            reading: self.config.reading(&*self.evaluator),
            principal_variation: report::line(&self.tree, &self.config, known[chosen].action),
            root: report::root_actions(&known, seat),
            counters,
            tree: report::tree(&self.tree, seat, limits.tree_nodes),
            ..Decision::plain(known[chosen].action)
        }
    }

    fn tree_memory(&self) -> (usize, usize) {
        (self.tree.len(), self.tree.bytes())
    }
}

/// The search of one decision.
struct Search<'a, G: Game> {
    game: &'a G,
    view: &'a G::View,
    seat: Seat,
    config: &'a MctsConfig,
    evaluator: &'a dyn Evaluator<G>,
    /// The heuristic that rollouts ask.
    asked: Option<&'a dyn ActionScore<G>>,
    policies: &'a [RolloutPolicy; 2],
    tree: &'a mut InfoTree<G::Action>,
    rng: &'a mut Rng,
    range: Range,
    counters: Counters,
    path: Vec<Step>,
    /// Positions of the edges that are legal where the walk is.
    open: Vec<usize>,
}

impl<G: Game> Search<'_, G> {
    /// Iterates until a limit is reached; says whether it was the budget.
    fn run(&mut self, limits: &Limits<'_, G::Action>) -> bool {
        let mut ending = Ending::new(&self.config.budget, limits, 0, 1);
        loop {
            match ending.verdict(&self.counters) {
                Verdict::GoOn => self.iterate(),
                Verdict::Spent => return true,
                Verdict::Stopped => return false,
            }
            if let Some(progress) = limits.progress.filter(|_| is_news(self.counters.iterations)) {
                let known = report::statistics(self.tree.node(ROOT), self.seat);
                let best = &known[choose(&known, self.config, self.seat, None)];
                progress(&Progress {
                    completed: self.counters.iterations,
                    action: best.action,
                    value: best.value(self.seat).unwrap_or(0.0),
                    counters: self.counters,
                });
            }
        }
    }

    fn iterate(&mut self) {
        self.counters.iterations += 1;
        self.counters.worlds += 1;
        let mut world = self.game.sample(self.view, self.rng);
        let leaf = self.descend(&mut world);
        let rollout = self.config.rollout;
        let made = rollout::play(
            self.game,
            self.asked,
            self.policies,
            &mut world,
            self.rng,
            rollout.horizon,
        );
        self.counters.calls += u64::from(made);
        let worth = rollout::worth(self.game, self.evaluator, rollout.end, &world);
        let mut rewards = worth.map(f64::from);
        if self.config.paranoid {
            rewards[self.seat.other().index()] = -rewards[self.seat.index()];
        }
        self.range.see(rewards);
        self.tree.back_up(&self.path, leaf, rewards);
    }

    /// Walks down the tree in this world, and one step out of it where there is room. Says where
    /// it ended; `None` outside a full store.
    fn descend(&mut self, world: &mut G::State) -> Option<u32> {
        let mut node = ROOT;
        let mut actions = Buf::new();
        self.path.clear();
        loop {
            let kind = self.tree.node(node).kind;
            if kind == Kind::Over || self.path.len() >= LONGEST_PATH {
                return Some(node);
            }
            actions.clear();
            match kind.seat() {
                Some(_) => self.game.actions(world, &mut actions),
                None => actions.push(draw_outcome(self.game, world, self.rng)),
            }
            self.tree.list(node, &actions, &mut self.open);
            if self.open.is_empty() {
                return Some(node);
            }
            let seat = kind.seat().unwrap_or(Seat::Zero);
            let at = self.tree.node(node);
            let edge = select(at, &self.open, seat, self.config.c, self.range, self.rng);
            let action = at.edges[edge].action;
            self.tree.offer(node, &self.open);
            self.game.apply(world, action);
            self.counters.calls += 1;
            let step = Step { node, edge };
            self.path.push(step);
            let next = Kind::from(self.game.turn(world));
            match self.tree.child(step, next) {
                Some(child) => node = child,
                None => return self.tree.add_child(step, next),
            }
        }
    }
}

/// The edge to follow of those that are open, as a position among all edges of the node: any that
/// was never taken, else the best by UCB1 over availability. A single one takes no draw.
fn select<A>(
    node: &Node<A>,
    open: &[usize],
    seat: Seat,
    c: f64,
    range: Range,
    rng: &mut Rng,
) -> usize {
    let untried = || open.iter().copied().filter(|&position| node.edges[position].visits == 0);
    match untried().count() as u32 {
        0 => {}
        1 => return untried().next().expect("there is one"),
        count => return untried().nth(rng.below(count) as usize).expect("there are so many"),
    }
    if let [only] = open {
        return *only;
    }
    let mut best = Best::NONE;
    let mut formula = (0, Ucb1::at(c, 0));
    for &position in open {
        let edge = &node.edges[position];
        // Most actions of a node were legal equally often: one logarithm for all of them.
        if formula.0 != edge.available {
            formula = (edge.available, Ucb1::at(c, edge.available));
        }
        let mean = edge.total[seat.index()] / f64::from(edge.visits);
        let score = range.map(mean) + formula.1.exploration(edge.visits);
        best.offer(position, score, rng);
    }
    best.position
}

#[cfg(test)]
mod tests {
    use super::super::tree::Edge;
    use super::*;
    use crate::mcts::NONE;

    fn edge(action: u8, available: u32, visits: u32, mean: f64) -> Edge<u8> {
        let total = [mean, 1.0 - mean].map(|mean| mean * f64::from(visits));
        Edge { action, available, visits, total, children: [NONE; 4] }
    }

    fn chosen(edges: Vec<Edge<u8>>, open: &[usize], seat: Seat, c: f64) -> usize {
        let node = Node { kind: Kind::Zero, visits: 0, edges };
        select(&node, open, seat, c, Range::new(false), &mut Rng::new(1))
    }

    /// 0.5 + C·√(2 ln 100 / 4) = 0.5 + 1.5174271·C against 0.9 + C·√(2 ln 400 / 40) = 0.9 +
    /// 0.5473328·C: equal at C = 0.4123280.
    #[test]
    fn follows_the_formula() {
        let edges = || vec![edge(0, 100, 4, 0.5), edge(1, 400, 40, 0.9)];
        assert_eq!(chosen(edges(), &[0, 1], Seat::Zero, 0.4122), 1);
        assert_eq!(chosen(edges(), &[0, 1], Seat::Zero, 0.4125), 0);
        // The other seat wants the reverse.
        assert_eq!(chosen(edges(), &[0, 1], Seat::One, 0.0), 0);
    }

    /// Of two actions alike in all else, the one that could have been taken more often is due.
    #[test]
    fn availability_counts_instead_of_visits_of_the_node() {
        let edges = vec![edge(0, 60, 20, 0.5), edge(1, 2_000, 20, 0.5)];
        assert_eq!(chosen(edges, &[0, 1], Seat::Zero, 0.5), 1);
    }

    #[test]
    fn only_what_is_legal_in_this_world_is_chosen() {
        let edges = || vec![edge(0, 9, 0, 0.0), edge(1, 9, 5, 0.1), edge(2, 9, 4, 0.9)];
        assert_eq!(chosen(edges(), &[1], Seat::Zero, 0.5), 1, "the only one");
        assert_eq!(chosen(edges(), &[1, 2], Seat::Zero, 0.1), 2, "the untried one is not open");
        assert_eq!(chosen(edges(), &[0, 1, 2], Seat::Zero, 0.5), 0, "untried ones come first");
    }

    /// An action that one world in twenty has, and that is as good as the others, is taken as
    /// often as its availability allows; a bad one is taken ever less where it is legal.
    #[test]
    fn rarely_legal_actions_get_their_due() {
        for (rare_mean, least, most) in [(0.5, 400, 500), (0.1, 5, 250)] {
            let mut tree = InfoTree::new(10);
            let (mut open, mut rng) = (Vec::new(), Rng::new(3));
            tree.start(Kind::Zero);
            for pass in 0..10_000 {
                let legal: &[u8] = if pass % 20 == 7 { &[0, 1, 2] } else { &[0, 2] };
                tree.list(ROOT, legal, &mut open);
                let at = tree.node(ROOT);
                let edge = select(at, &open, Seat::Zero, 0.5, Range::new(false), &mut rng);
                let mean = if at.edges[edge].action == 1 { rare_mean } else { 0.5 };
                tree.offer(ROOT, &open);
                tree.back_up(&[Step { node: ROOT, edge }], None, [mean, 1.0 - mean]);
            }
            let rare = &tree.node(ROOT).edges[1];
            assert_eq!((rare.action, rare.available), (1, 500));
            assert!((least..=most).contains(&rare.visits), "{rare:?}");
            assert_eq!(tree.node(ROOT).edges[0].available, 10_000);
        }
    }
}
