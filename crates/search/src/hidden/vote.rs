//! Searches of known positions where part of the state is hidden: sample worlds from the view, decide
//! each as if it were known, and play what most worlds would play (Ginsberg, 2001, adds up exact
//! values of all actions; depth-first search knows only the best one's, so here worlds vote).
//!
//! Shares of the budget and strategy fusion as in [`super::Pimc`]. What a search remembers is kept
//! from world to world: positions with different secrets have different keys.

use gamecore::{Agent, Bound, Budget, Counters, Decision, Game, Limits, Progress, Rng, RootAction};

use super::decision_of;
use super::shares::Shares;

/// Worlds where a spec does not say how many.
const WORLDS: u64 = 8;

/// A search that has to know the whole state.
pub trait KnownSearch<G: Game>: Send {
    /// What it may spend on a decision.
    fn budget(&mut self) -> &mut Budget;

    /// Decides a position that is fully known.
    fn decide_state(
        &mut self,
        game: &G,
        state: &G::State,
        limits: &Limits<'_, G::Action>,
    ) -> Decision<G::Action>;
}

/// Such a search as an agent of every game. Built anew for every game.
pub struct Voting<S> {
    search: S,
    /// What all worlds together may spend.
    budget: Budget,
    worlds: u64,
    rng: Rng,
}

/// What the worlds say of an action.
struct Votes<A> {
    root: RootAction<A>,
    votes: u64,
    /// Of the worlds that would play it.
    values: f64,
    /// Worlds that were stopped before they could value anything.
    unvalued: u64,
}

impl<S> Voting<S> {
    /// An agent that asks so many worlds where something is hidden.
    pub fn new<G: Game>(mut search: S, worlds: Option<u64>, seed: u64) -> Self
    where
        S: KnownSearch<G>,
    {
        let budget = *search.budget();
        Self { search, budget, worlds: worlds.unwrap_or(WORLDS), rng: Rng::new(seed) }
    }
}

impl<A> Votes<A> {
    fn mean(&self) -> Option<f64> {
        (self.votes > 0).then(|| self.values / self.votes as f64)
    }
}

/// Most votes, then the highest mean value; votes without a value only if there are no others.
fn elected<A>(votes: &[Votes<A>]) -> &Votes<A> {
    let rank = |it: &Votes<A>| (it.votes, it.mean(), it.unvalued);
    let better = |a: &Votes<A>, b: &Votes<A>| rank(a) > rank(b);
    votes.iter().reduce(|best, next| if better(next, best) { next } else { best }).expect("actions")
}

impl<G: Game, S: KnownSearch<G>> Agent<G> for Voting<S> {
    fn decide(
        &mut self,
        game: &G,
        view: &G::View,
        limits: &Limits<'_, G::Action>,
    ) -> Decision<G::Action> {
        if !game.traits().hidden {
            // The draw cannot matter.
            let state = game.sample(view, &mut Rng::new(0));
            return self.search.decide_state(game, &state, limits);
        }
        let (_, actions) = decision_of(game, view, &mut self.rng);
        if let [only] = actions[..] {
            return Decision::plain(only);
        }
        let unknown = |&action| Votes {
            root: RootAction {
                action,
                visits: 0,
                value: None,
                bound: Bound::Estimate,
                prior: None,
            },
            votes: 0,
            values: 0.0,
            unvalued: 0,
        };
        let mut votes: Vec<Votes<G::Action>> = actions.iter().map(unknown).collect();
        let mut shares = Shares::new(self.budget, self.worlds, limits);
        let mut counters = Counters::default();
        let mut decisions: Vec<Decision<G::Action>> = Vec::new();
        // Shares of time are in the budget already; news are told of all worlds together.
        let inner = Limits { time_left: None, progress: None, tree_nodes: 0, ..*limits };
        while let Some(budget) = shares.next(limits) {
            let world = game.sample(view, &mut self.rng);
            *self.search.budget() = budget;
            let decision = self.search.decide_state(game, &world, &inner);
            for root in &decision.root {
                if let Some(sum) = votes.iter_mut().find(|sum| sum.root.action == root.action) {
                    sum.root.visits += root.visits;
                }
            }
            if let Some(sum) = votes.iter_mut().find(|sum| sum.root.action == decision.action) {
                match decision.value {
                    Some(value) => {
                        sum.votes += 1;
                        sum.values += value;
                    }
                    None => sum.unvalued += 1,
                }
            }
            shares.spend(&decision.counters);
            counters += decision.counters;
            counters.worlds += 1;
            decisions.push(decision);
            if let Some(progress) = limits.progress {
                let best = elected(&votes);
                progress(&Progress {
                    completed: counters.worlds,
                    action: best.root.action,
                    value: best.mean().unwrap_or(0.0),
                    counters,
                });
            }
            if limits.stop.is_stopped() || shares.is_late(limits) {
                break;
            }
        }
        *self.search.budget() = self.budget;
        let best = elected(&votes);
        let (action, value) = (best.root.action, best.mean());
        let complete = counters.worlds == self.worlds && decisions.iter().all(|d| d.complete);
        let depth = decisions.iter().map(|decision| decision.depth).min().unwrap_or(0);
        // The line of the first world that agrees.
        let agreed = decisions.into_iter().find(|decision| decision.action == action);
        let (reading, line) =
            agreed.map(|d| (d.reading, d.principal_variation)).unwrap_or_default();
        let root = votes.iter().map(|sum| RootAction { value: sum.mean(), ..sum.root }).collect();
        Decision {
            value,
            reading,
            depth,
            complete,
            principal_variation: if line.is_empty() { vec![action] } else { line },
            root,
            counters,
            ..Decision::plain(action)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn votes(action: u8, votes: u64, values: f64, unvalued: u64) -> Votes<u8> {
        let root =
            RootAction { action, visits: 0, value: None, bound: Bound::Estimate, prior: None };
        Votes { root, votes, values, unvalued }
    }

    #[test]
    fn most_votes_win_then_the_mean_and_unvalued_worlds_count_last() {
        let chosen = |list: &[Votes<u8>]| elected(list).root.action;
        assert_eq!(chosen(&[votes(0, 2, 90.0, 0), votes(1, 3, 6.0, 0)]), 1);
        assert_eq!(chosen(&[votes(0, 2, 8.0, 0), votes(1, 2, 10.0, 0)]), 1);
        assert_eq!(chosen(&[votes(0, 2, 8.0, 0), votes(1, 2, 8.0, 0)]), 0, "the first");
        assert_eq!(chosen(&[votes(0, 0, 0.0, 7), votes(1, 1, -5.0, 0)]), 1);
        assert_eq!(chosen(&[votes(0, 0, 0.0, 1), votes(1, 0, 0.0, 2)]), 1);
    }
}
