//! The smallest tree that proves a value: the critical tree of Knuth and Moore (1975), measured on
//! a real tree instead of a uniform one. No search without a table can know the value with fewer
//! nodes, however good its order.
//!
//! A proof that a position has the value v consists of a proof of "at least v" and one of "at most
//! v"; both are wanted at the nodes of one line of best play, one of them everywhere else. Where
//! the seat of the root acts, "at least" needs one action and "at most" needs all; where the other
//! seat acts it is the other way round. All bounds in the tree are the value of the root. Among
//! the actions that would do, and among the lines of best play, the cheapest counts. Positions
//! that are reached twice count twice. Zero-sum, two seats, no chance.

use std::collections::BTreeMap;

use gamecore::{Buf, Evaluator, Game, Score, Seat, StopToken, Turn};

/// What is to be proved of a node, in the eyes of the seat that acts at the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Goal {
    AtLeast,
    AtMost,
    Exactly,
}

/// What is known of the cost of a proof.
#[derive(Clone, Copy, Debug)]
enum Known {
    Costs(u64),
    MoreThan(u64),
}

/// Costs of positions with at least this many decisions below them are remembered.
const LEAST_MEMO_DEPTH: u32 = 2;

/// More positions than this are not remembered.
const MOST_MEMOS: usize = 4_000_000;

struct Prover<'a, G: Game> {
    game: &'a G,
    evaluator: &'a dyn Evaluator<G>,
    stop: &'a StopToken,
    seat: Seat,
    value: Score,
    memo: BTreeMap<(u64, u32, Goal), Known>,
}

/// The number of nodes, root and leaves included, of the smallest tree that proves that `state`
/// has this value when `depth` decisions are looked ahead. `None` if it has another value, if
/// chance decides something, or if it is told to stop.
pub fn minimal_tree<G: Game>(
    game: &G,
    evaluator: &dyn Evaluator<G>,
    state: &G::State,
    depth: u32,
    value: Score,
    stop: &StopToken,
) -> Option<u64> {
    let Turn::Player(seat) = game.turn(state) else { return None };
    let mut prover = Prover { game, evaluator, stop, seat, value, memo: BTreeMap::new() };
    prover.cost(state, depth, Goal::Exactly, u64::MAX)
}

impl<G: Game> Prover<'_, G> {
    /// The cost of the cheapest proof, if there is one of at most `budget` nodes.
    fn cost(&mut self, state: &G::State, depth: u32, goal: Goal, budget: u64) -> Option<u64> {
        let seat = match self.game.turn(state) {
            Turn::Over => {
                return self.leaf(self.evaluator.terminal(self.game, state, self.seat), goal);
            }
            Turn::Player(_) if depth == 0 => {
                return self.leaf(self.evaluator.evaluate(self.game, state, self.seat), goal);
            }
            Turn::Player(seat) => seat,
            Turn::Chance => return None,
        };
        if budget < 2 || self.stop.is_stopped() {
            return None;
        }
        let key = (depth >= LEAST_MEMO_DEPTH).then(|| (self.game.key(state), depth, goal));
        match key.and_then(|key| self.memo.get(&key)) {
            Some(Known::Costs(cost)) => return (*cost <= budget).then_some(*cost),
            Some(Known::MoreThan(most)) if *most >= budget => return None,
            _ => {}
        }
        let mut actions = Buf::new();
        self.game.actions(state, &mut actions);
        let children: Vec<G::State> = actions
            .iter()
            .map(|&action| {
                let mut child = state.clone();
                self.game.apply(&mut child, action);
                child
            })
            .collect();
        let own = seat == self.seat;
        let cost = match goal {
            Goal::AtLeast | Goal::AtMost if own == (goal == Goal::AtLeast) => {
                self.cheapest(&children, depth - 1, goal, budget)
            }
            Goal::AtLeast | Goal::AtMost => self.all(&children, depth - 1, goal, budget),
            Goal::Exactly => self.exactly(&children, depth - 1, own, budget),
        };
        if let Some(key) = key.filter(|_| self.memo.len() < MOST_MEMOS && !self.stop.is_stopped()) {
            self.memo.insert(key, cost.map_or(Known::MoreThan(budget), Known::Costs));
        }
        cost
    }

    fn leaf(&self, value: Score, goal: Goal) -> Option<u64> {
        let holds = match goal {
            Goal::AtLeast => value >= self.value,
            Goal::AtMost => value <= self.value,
            Goal::Exactly => value == self.value,
        };
        holds.then_some(1)
    }

    /// One child will do.
    fn cheapest(
        &mut self,
        children: &[G::State],
        depth: u32,
        goal: Goal,
        budget: u64,
    ) -> Option<u64> {
        let mut best = None;
        for child in children {
            let left = best.map_or(budget, |best: u64| best - 1) - 1;
            if let Some(cost) = self.cost(child, depth, goal, left) {
                best = Some(cost + 1);
                if cost == 1 {
                    break;
                }
            }
        }
        best
    }

    /// All children are needed.
    fn all(&mut self, children: &[G::State], depth: u32, goal: Goal, budget: u64) -> Option<u64> {
        let mut total = 1;
        for (done, child) in (1u64..).zip(children) {
            // Every child to come costs one node at least.
            let to_come = children.len() as u64 - done;
            let left = budget.checked_sub(total + to_come)?;
            total += self.cost(child, depth, goal, left)?;
        }
        (total <= budget).then_some(total)
    }

    /// One child has exactly this value, the others no better one.
    fn exactly(
        &mut self,
        children: &[G::State],
        depth: u32,
        own: bool,
        budget: u64,
    ) -> Option<u64> {
        let goal = if own { Goal::AtMost } else { Goal::AtLeast };
        let bounds = children
            .iter()
            .map(|child| self.cost(child, depth, goal, u64::MAX))
            .collect::<Option<Vec<u64>>>()?;
        let all = 1 + bounds.iter().sum::<u64>();
        let lines = children.iter().zip(&bounds).filter_map(|(child, bound)| {
            let exact = self.cost(child, depth, Goal::Exactly, u64::MAX)?;
            Some(all - bound + exact)
        });
        lines.min().filter(|cost| *cost <= budget)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use gamecore::{Limits, Rng};
    use testkit::toys::{StagedNim, TicTacToe};
    use testkit::{CountingClock, HashEvaluator};

    use crate::KnownSearch as _;

    use super::*;
    use crate::{Algorithm, Config, DepthFirst};

    fn check<G: Game>(game: &G, seed: u64) {
        let (clock, stop) = (CountingClock::new(Duration::from_millis(1)), StopToken::default());
        let limits =
            Limits { clock: &clock, stop: &stop, time_left: None, progress: None, tree_nodes: 0 };
        let state = game.start(&G::Setup::default(), &mut Rng::new(seed));
        let evaluator = Arc::new(HashEvaluator::new(seed));
        for depth in 1..=4 {
            let [minimax, alphabeta] =
                [Algorithm::Minimax, Algorithm::AlphaBeta].map(|algorithm| {
                    DepthFirst::new(Config::plain(algorithm, depth), evaluator.clone(), None)
                        .decide_state(game, &state, &limits)
                });
            let value = Score(minimax.value.unwrap() as i32);
            let least = minimal_tree(game, &*evaluator, &state, depth, value, &stop).unwrap();
            let nodes = [least, alphabeta.counters.nodes, minimax.counters.nodes];
            assert!(nodes.is_sorted(), "{} depth {depth}: {nodes:?}", G::NAME);
            assert_eq!(minimal_tree(game, &*evaluator, &state, depth, value.above(), &stop), None);
        }
    }

    #[test]
    fn no_search_needs_fewer_nodes() {
        for seed in 0..20 {
            check(&TicTacToe, seed);
            check(&StagedNim::default(), seed);
        }
    }

    /// Where all values and all branches are equal nothing can be saved by choice: the formula of
    /// Knuth and Moore, b^⌈d/2⌉ + b^⌊d/2⌋ − 1, here with a branching that depends on the level.
    #[test]
    fn a_regular_tree_has_the_size_of_the_formula() {
        struct Zero;
        impl Evaluator<TicTacToe> for Zero {
            fn evaluate(&self, _: &TicTacToe, _: &<TicTacToe as Game>::State, _: Seat) -> Score {
                Score(0)
            }
        }
        let state = TicTacToe.start(&(), &mut Rng::new(0));
        let stop = StopToken::default();
        let least = |depth| minimal_tree(&TicTacToe, &Zero, &state, depth, Score(0), &stop);
        // Branching 9, 8, 7; levels 1, 9, 9 + 8 − 1 = 16, 9 · 7 + 8 − 1 = 70.
        assert_eq!(least(1), Some(1 + 9));
        assert_eq!(least(2), Some(1 + 9 + 16));
        assert_eq!(least(3), Some(1 + 9 + 16 + 70));
    }
}
