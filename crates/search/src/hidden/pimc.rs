//! Perfect information Monte Carlo: sample worlds from the view, search each as if it were known,
//! add up the visits of the root's actions (Ginsberg, 2001: "GIB: Imperfect Information in a
//! Computationally Challenging Game"; Long, Sturtevant, Buro and Furtak, 2010, on when it works).
//!
//! Every world has an equal share of the budget, what does not divide goes to the first ones; what
//! one world takes beyond its share of calls or time, the later ones do without. Suffers from
//! strategy fusion: below the root it believes to know what is hidden, so it may choose an action
//! that pays only for those who know. Differs from Ginsberg, whose worlds were solved exactly.

use std::sync::Arc;

use gamecore::{
    ActionScore, Agent, Budget, Counters, Decision, Evaluator, Game, Limits, Progress, Rng,
};

use super::config::PimcConfig;
use super::decision_of;
use super::report;
use super::shares::Shares;
use crate::mcts::{Proven, Statistics, choose};
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
        let mut shares = Shares::new(self.config.search.budget, self.config.worlds, limits);
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
