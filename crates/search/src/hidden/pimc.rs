//! Perfect information Monte Carlo: sample worlds from the view, search each as if it were known,
//! add up the visits of the root's actions (Ginsberg, 2001: "GIB: Imperfect Information in a
//! Computationally Challenging Game"; Long, Sturtevant, Buro and Furtak, 2010, on when it works).
//!
//! Every world has an equal share of the budget, what does not divide goes to the first ones; what
//! one world takes beyond its share of calls or time, the later ones do without. Suffers from
//! strategy fusion: below the root it believes to know what is hidden, so it may choose an action
//! that pays only for those who know. Differs from Ginsberg, whose worlds were solved exactly.

use std::sync::Arc;
use std::time::Duration;

use gamecore::{
    ActionScore, Agent, Budget, Counters, Decision, Evaluator, Game, Limits, Progress, Rng,
};

use super::config::PimcConfig;
use super::decision_of;
use super::report;
use crate::mcts::{Proven, Statistics, choose};
use crate::time::TimePlan;
use crate::{Mcts, MctsConfig};

/// A search of sampled worlds. Built anew for every game, its trees for every decision.
pub struct Pimc<G: Game> {
    config: PimcConfig,
    evaluator: Arc<dyn Evaluator<G>>,
    score: Option<Arc<dyn ActionScore<G>>>,
    /// What pruning asks, in the order of its names.
    pruners: Vec<Arc<dyn Evaluator<G>>>,
    rng: Rng,
}

impl<G: Game> Pimc<G> {
    /// An agent of this make; `score` is its action heuristic.
    #[must_use]
    pub fn new(
        config: PimcConfig,
        evaluator: Arc<dyn Evaluator<G>>,
        score: Option<Arc<dyn ActionScore<G>>>,
        seed: u64,
    ) -> Self {
        Self { config, evaluator, score, pruners: Vec::new(), rng: Rng::new(seed) }
    }

    /// The same with the evaluations that its pruning names, one for each name.
    #[must_use]
    pub fn pruned_by(self, pruners: Vec<Arc<dyn Evaluator<G>>>) -> Self {
        Self { pruners, ..self }
    }

    /// Searches one more world with this part of the budget.
    fn search_world(
        &mut self,
        game: &G,
        view: &G::View,
        limits: &Limits<'_, G::Action>,
        budget: Budget,
    ) -> Decision<G::Action> {
        let world = game.sample(view, &mut self.rng);
        let config = MctsConfig { budget, ..self.config.search.clone() };
        let seed = self.rng.next_u64();
        let mut agent = Mcts::new(config, self.evaluator.clone(), self.score.clone(), seed)
            .pruned_by(self.pruners.clone());
        // Shares of time are in the budget already; news are told of all worlds together.
        let limits = Limits { time_left: None, progress: None, tree_nodes: 0, ..*limits };
        agent.decide_state(game, &world, &limits)
    }
}

/// What is left of a budget, to be shared by the worlds to come.
struct Shares {
    iterations: Option<u64>,
    calls: Option<u64>,
    deadline: Option<Duration>,
    worlds: u64,
}

impl Shares {
    fn new<A>(config: &PimcConfig, limits: &Limits<'_, A>) -> Self {
        let Budget { iterations, calls, .. } = config.search.budget;
        let time = TimePlan::steady(&config.search.budget, limits.time_left);
        // A world without an iteration says nothing.
        let worlds = config.worlds.min(iterations.unwrap_or(u64::MAX));
        let deadline = time.map(|time| limits.clock.now() + time);
        Self { iterations, calls, deadline, worlds }
    }

    /// The budget of the next world; `None` if all are searched or nothing is left.
    fn next<A>(&self, limits: &Limits<'_, A>) -> Option<Budget> {
        if self.worlds == 0 || self.iterations == Some(0) || self.calls == Some(0) {
            return None;
        }
        let share = |left: u64| left.div_ceil(self.worlds);
        let ms = self.deadline.map(|deadline| {
            let left = deadline.saturating_sub(limits.clock.now()).as_millis() as u64;
            left / self.worlds
        });
        Some(Budget {
            iterations: self.iterations.map(share),
            calls: self.calls.map(share),
            ms: ms.map(|ms| ms.max(1)),
            ..Budget::default()
        })
    }

    fn spend(&mut self, spent: &Counters) {
        self.worlds -= 1;
        self.iterations = self.iterations.map(|left| left.saturating_sub(spent.iterations));
        self.calls = self.calls.map(|left| left.saturating_sub(spent.calls));
    }

    fn is_late<A>(&self, limits: &Limits<'_, A>) -> bool {
        self.deadline.is_some_and(|deadline| limits.clock.now() >= deadline)
    }
}

impl<G: Game> Agent<G> for Pimc<G> {
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
        let unknown = |&action| Statistics {
            action,
            visits: 0,
            total: 0.0,
            prior: 0,
            proven: Proven::Unknown,
        };
        let mut known: Vec<Statistics<G::Action>> = actions.iter().map(unknown).collect();
        let mut counters = Counters::default();
        let mut complete = true;
        let mut lines: Vec<Vec<G::Action>> = Vec::new();
        let mut shares = Shares::new(&self.config, limits);
        while let Some(budget) = shares.next(limits) {
            let searched = self.search_world(game, view, limits, budget);
            for root in &searched.root {
                let position = known.binary_search_by_key(&root.action, |sum| sum.action);
                let sum = &mut known[position.expect("worlds of one view have the same root")];
                sum.visits += root.visits;
                sum.total += root.value.unwrap_or(0.0) * root.visits as f64;
            }
            shares.spend(&searched.counters);
            counters += searched.counters;
            counters.worlds += 1;
            lines.push(searched.principal_variation);
            if let Some(progress) = limits.progress {
                let best = &known[choose(&known, &self.config.search, seat, None)];
                progress(&Progress {
                    completed: counters.iterations,
                    action: best.action,
                    value: best.value(seat).unwrap_or(0.0),
                    counters,
                });
            }
            if limits.stop.is_stopped() || shares.is_late(limits) {
                complete = false;
                break;
            }
        }
        let chosen = choose(&known, &self.config.search, seat, Some(&mut self.rng));
        let action = known[chosen].action;
        // The line of the first world that agrees.
        let line = lines.into_iter().find(|line| line.first() == Some(&action));
        Decision {
            complete,
            value: known[chosen].value(seat),
            reading: self.config.search.reading(&*self.evaluator),
            principal_variation: line.unwrap_or_else(|| vec![action]),
            root: report::root_actions(&known, seat),
            counters,
            ..Decision::plain(action)
        }
    }
}
