//! Monte-Carlo tree search (Coulom, 2006; Kocsis and Szepesvári, 2006), once for every game.
//!
//! One agent, [`Mcts`], assembled from small policies that its [`MctsConfig`] names; each has a short
//! file with paper and formula. What they share: positions are nodes, statistics are on edges, every
//! seat maximises its own reward, and seats may act several times in a row. Needs a game of two
//! seats in which nothing is hidden; chance events are nodes whose outcome is drawn.

mod backup;
mod config;
mod ending;
mod final_choice;
mod hybrid;
mod mast;
mod normalise;
mod params;
mod plan;
mod prune;
mod report;
mod reuse;
pub(crate) mod rollout;
mod search;
pub(crate) mod select;
mod store;
mod table;

pub use config::{
    DepthUnit, Expand, FinalChoice, Fpu, Hybrid, MctsConfig, Policy, Rollout, RolloutEnd, Select,
    Widening,
};
pub use prune::{Continue, Extrapolation, Join, PruneMode, Pruning};

use std::sync::Arc;

use gamecore::{
    ActionScore, Agent, Buf, Counters, Decision, Evaluator, Game, Limits, Progress, Rng,
    RolloutPolicy, Seat, Turn, key,
};

use crate::parallel::beside;
pub(crate) use ending::{Ending, Halt, Verdict};
pub(crate) use final_choice::{Statistics, choose};
pub(crate) use normalise::Range;
pub(crate) use report::LONGEST_LINE;
use reuse::Between;
use rollout::Policies;
use search::Search;
pub(crate) use search::{LONGEST_PATH, Question, Tree};
pub(crate) use store::{Kind, NONE, Proven};
use store::{ROOT, Store};

/// Progress is told at powers of two from here, and at every multiple of the second number.
const FIRST_NEWS: u64 = 256;
const NEWS_EVERY: u64 = 1 << 16;

/// A Monte-Carlo tree search agent. Built anew for every game.
pub struct Mcts<G: Game> {
    means: Means<G>,
    /// One for each thread.
    trees: Vec<Tree<G::Action>>,
    policies: Policies,
}

/// What an agent searches with, the same in every decision.
struct Means<G: Game> {
    config: MctsConfig,
    evaluator: Arc<dyn Evaluator<G>>,
    score: Option<Arc<dyn ActionScore<G>>>,
    /// What pruning asks, in the order of its names.
    pruners: Vec<Arc<dyn Evaluator<G>>>,
}

impl<G: Game> Means<G> {
    /// The question what `seat` should do in `state`.
    fn question<'a>(
        &'a self,
        game: &'a G,
        state: &'a G::State,
        seat: Seat,
        policies: &'a [RolloutPolicy; 2],
        all_actions: bool,
    ) -> Question<'a, G> {
        Question {
            game,
            config: &self.config,
            evaluator: &*self.evaluator,
            score: self.score.as_deref(),
            pruners: &self.pruners,
            policies,
            state,
            seat,
            all_actions,
        }
    }
}

/// What the search of one tree, or of several, came to.
pub(crate) struct Outcome {
    counters: Counters,
    complete: bool,
}

impl Default for Outcome {
    fn default() -> Self {
        Self { counters: Counters::default(), complete: true }
    }
}

impl Outcome {
    pub(crate) fn add(&mut self, other: &Self) {
        self.counters += other.counters;
        self.complete &= other.complete;
    }
}

impl<G: Game> Mcts<G> {
    /// An agent of this make; `score` is its action heuristic, `seed` that of its random stream.
    #[must_use]
    pub fn new(
        config: MctsConfig,
        evaluator: Arc<dyn Evaluator<G>>,
        score: Option<Arc<dyn ActionScore<G>>>,
        seed: u64,
    ) -> Self {
        let seeds = (0..config.threads as u64).map(|tree| tree_seed(seed, tree));
        let trees = seeds.map(|seed| Tree::new(&config, seed)).collect();
        let policies = Policies::new(&config.rollout);
        let means = Means { config, evaluator, score, pruners: Vec::new() };
        Self { means, trees, policies }
    }

    /// The same with the evaluations that its pruning names, one for each name.
    #[must_use]
    pub fn pruned_by(mut self, pruners: Vec<Arc<dyn Evaluator<G>>>) -> Self {
        self.means.pruners = pruners;
        self
    }

    /// Decides a position that is fully known.
    pub fn decide_state(
        &mut self,
        game: &G,
        state: &G::State,
        limits: &Limits<'_, G::Action>,
    ) -> Decision<G::Action> {
        let Turn::Player(seat) = game.turn(state) else {
            panic!("asked to decide where nobody decides: {state:?}");
        };
        let mut actions = Buf::new();
        game.actions(state, &mut actions);
        if let [only] = actions[..] {
            return Decision::plain(only);
        }
        for tree in &mut self.trees {
            tree.root_values.clear();
        }
        let key = game.key(state);
        let all_actions = match self.in_planned_turn(key, seat, &actions) {
            None => {
                self.start_tree(key, seat, &actions);
                false
            }
            Some(node) => {
                let score = self.means.score.as_deref();
                let search = self.means.config.reconsider
                    && score.is_some_and(|score| score.reconsiders(game, state));
                reuse::pack(&mut self.trees[0].store, node);
                let known = self.trees[0].store.node(ROOT).tried > 0;
                if known && !search {
                    return self.follow_plan(game, state, seat, limits);
                }
                search
            }
        };
        let policies = self.policies.by_seat(seat);
        let question = self.means.question(game, state, seat, &policies, all_actions);
        let outcome = run(&question, &mut self.trees, limits);
        let mut counters = outcome.counters;
        counters.tree_nodes = self.trees.iter().map(|tree| tree.store.nodes.len() as u64).sum();
        let mut decision = answer(&question, &mut self.trees, counters, limits.tree_nodes);
        decision.complete = outcome.complete;
        decision
    }

    /// The node of this position if it belongs to the turn that was planned.
    fn in_planned_turn(&self, key: u64, seat: Seat, actions: &[G::Action]) -> Option<u32> {
        let tree = &self.trees[0];
        if !self.means.config.plan || tree.seat != Some(seat) {
            return None;
        }
        let node = reuse::find(tree, key, Between::TurnOf(seat))?;
        (tree.store.node(node).kind.seat() == Some(seat)
            && reuse::offers::<G>(&tree.store, node, actions))
        .then_some(node)
    }

    /// Makes this position the root of every tree, with what is known of it.
    fn start_tree(&mut self, key: u64, seat: Seat, actions: &[G::Action]) {
        for tree in &mut self.trees {
            let known = if self.means.config.reuse && tree.seat == Some(seat) {
                reuse::find(tree, key, Between::Anyone)
                    .filter(|&node| reuse::offers::<G>(&tree.store, node, actions))
            } else {
                None
            };
            match known {
                Some(node) => reuse::pack(&mut tree.store, node),
                None => tree.clear(&self.means.config),
            }
            tree.seat = Some(seat);
            tree.played = NONE;
        }
    }

    /// The next decision of a turn that was planned, without another search.
    fn follow_plan(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        limits: &Limits<'_, G::Action>,
    ) -> Decision<G::Action> {
        let policies = self.policies.by_seat(seat);
        let question = self.means.question(game, state, seat, &policies, false);
        let tree_nodes = self.trees[0].store.nodes.len() as u64;
        let counters = Counters { tree_nodes, ..Counters::default() };
        answer(&question, &mut self.trees, counters, limits.tree_nodes)
    }
}

/// The first tree has the agent's own stream; the others have their own.
fn tree_seed(seed: u64, tree: u64) -> u64 {
    if tree == 0 { seed } else { key::fold(seed, tree) }
}

/// Searches in all trees.
fn run<G: Game>(
    question: &Question<'_, G>,
    trees: &mut [Tree<G::Action>],
    limits: &Limits<'_, G::Action>,
) -> Outcome {
    let count = trees.len() as u64;
    let grow = |(tree, number): (&mut Tree<G::Action>, u64)| {
        // One tree is enough for news.
        let progress = limits.progress.filter(|_| number == 0);
        run_tree(question, tree, limits, number, count, progress)
    };
    let mut all = Outcome::default();
    let mut grown = 0;
    if count > 1 {
        let (trees, grow) = (trees.iter_mut().zip(0..), &grow);
        let ((), found) = beside(trees.map(|tree| move || grow(tree)), || ());
        found.iter().for_each(|found| all.add(found));
        grown = found.len();
    }
    // Trees for which no thread was to be had are grown one after the other: the decision is the same.
    for tree in trees.iter_mut().zip(0..).skip(grown) {
        all.add(&grow(tree));
    }
    all
}

/// Searches in tree number `number` of so many.
fn run_tree<G: Game>(
    question: &Question<'_, G>,
    tree: &mut Tree<G::Action>,
    limits: &Limits<'_, G::Action>,
    number: u64,
    trees: u64,
    progress: Option<gamecore::ProgressFn<'_, G::Action>>,
) -> Outcome {
    let config = question.config;
    let mut ending = Ending::new(&config.budget, limits, number, trees);
    let mut search = Search::new(question, tree);
    search.prepare_root();
    let mut bursts = 1;
    let complete = loop {
        if search.is_solved() {
            break true;
        }
        match ending.verdict(&search.counters) {
            Verdict::GoOn => search.iterate(&mut ending.halt),
            Verdict::Stopped => break false,
            Verdict::Spent => {
                let planned = !config.plan
                    || plan::reaches_end_of_turn(&search.tree.store, config, question.seat);
                if planned || bursts == config.bursts || !ending.extend(&config.budget) {
                    break true;
                }
                bursts += 1;
            }
        }
        if let Some(progress) = progress.filter(|_| is_news(search.counters.iterations)) {
            tell(&search, progress);
        }
    };
    Outcome { counters: search.counters, complete }
}

/// Whether to tell progress after so many iterations.
pub(crate) fn is_news(made: u64) -> bool {
    made.is_power_of_two() && made >= FIRST_NEWS || made.is_multiple_of(NEWS_EVERY)
}

fn tell<G: Game>(search: &Search<'_, G>, progress: gamecore::ProgressFn<'_, G::Action>) {
    let Question { config, seat, .. } = *search.question;
    let actions = report::root_statistics(std::slice::from_ref(&*search.tree));
    let best = choose(&actions, config, seat, None);
    progress(&Progress {
        completed: search.counters.iterations,
        action: actions[best].action,
        value: actions[best].value(seat).unwrap_or(0.0),
        counters: search.counters,
    });
}

/// Chooses, and remembers what was chosen.
fn answer<G: Game>(
    question: &Question<'_, G>,
    trees: &mut [Tree<G::Action>],
    counters: Counters,
    tree_nodes: usize,
) -> Decision<G::Action> {
    let Question { config, seat, .. } = *question;
    let actions = report::root_statistics(trees);
    let chosen = if config.plan {
        // The line that was seen to reach the end of the turn.
        let edge = report::best_edge(&trees[0].store, ROOT, config);
        let action = edge.map_or(actions[0].action, |edge| trees[0].store.edge(edge).action);
        actions.iter().position(|known| known.action == action).unwrap_or(0)
    } else {
        choose(&actions, config, seat, Some(&mut trees[0].rng))
    };
    let decision = report::decision(question, trees, &actions, chosen, counters, tree_nodes);
    for tree in trees {
        tree.played = report::root_edge(&tree.store, decision.action);
    }
    decision
}

impl<G: Game> Agent<G> for Mcts<G> {
    fn decide(
        &mut self,
        game: &G,
        view: &G::View,
        limits: &Limits<'_, G::Action>,
    ) -> Decision<G::Action> {
        // Nothing is hidden where this agent may play, so the draw cannot matter.
        let state = game.sample(view, &mut Rng::new(0));
        self.decide_state(game, &state, limits)
    }

    fn tree_memory(&self) -> (usize, usize) {
        let stores = || self.trees.iter().map(|tree| &tree.store);
        (stores().map(|store| store.nodes.len()).sum(), stores().map(Store::bytes).sum())
    }
}
