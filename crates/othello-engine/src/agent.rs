//! The agent: another search in the midgame, exact once few enough squares are empty.

use std::time::Duration;

use gamecore::{
    Agent, Bound, Budget, Counters, Decision, Game, Limits, Reading, Rng, RootAction, Term,
    TimeLeft,
};
use othello::{Board, Move, Othello};
use search::DepthFirst;

use crate::engine::{Solved, Solver, Unfinished};

/// Plays Othello: midgame by another agent, endgame exactly.
pub struct EngineAgent {
    midgame: DepthFirst<Othello>,
    solver: Solver,
    solve_from: Option<u32>,
    budget: Budget,
    /// What the solver has shown on this machine; used under time budgets only.
    nodes_per_ms: f64,
}

/// Share of a budget that an exact search may use before the midgame search takes over.
const SOLVER_SHARE: f64 = 0.6;

/// Positions with at most this many empty squares are solved where no budget says otherwise.
const UNLIMITED: u32 = 18;

/// What the solver is taken to do until it has shown its pace.
const FIRST_NODES_PER_MS: f64 = 10_000.0;

/// What one decision may cost the solver.
#[derive(Clone, Copy)]
struct Allowance {
    time: Option<Duration>,
    nodes: Option<u64>,
}

/// The most empty squares that so many nodes usually suffice for; 0 if for none.
///
/// Fitted to FFO #1–#46, where the median number of nodes doubles 1.2 times with every empty
/// square: 10,000 with 12, 8 million with 20. Twice the usual number must be affordable. Whole
/// numbers, so that every machine decides the same.
fn affordable_empties(nodes: u64) -> u32 {
    let (mut empties, mut usual) = (7, 360_u64);
    while usual.saturating_mul(2) <= nodes && empties < 60 {
        empties += 1;
        usual = usual.saturating_mul(23) / 10;
    }
    if empties == 7 { 0 } else { empties }
}

impl EngineAgent {
    /// An engine that asks `midgame` until at most `solve_from` squares are empty; with `None`,
    /// until the budget is likely to suffice for an exact score, or from 18 empty squares on if
    /// there is neither a budget of time nor of nodes. `budget` is that of the midgame agent; its
    /// time and its nodes limit both together.
    #[must_use]
    pub fn new(
        midgame: DepthFirst<Othello>,
        solver: Solver,
        solve_from: Option<u32>,
        budget: Budget,
    ) -> Self {
        Self { midgame, solver, solve_from, budget, nodes_per_ms: FIRST_NODES_PER_MS }
    }

    fn allowance(&self, limits: &Limits<'_, Move>) -> Allowance {
        let own = self.budget.ms.map(Duration::from_millis);
        // With a chess clock, a twelfth of what is left: there are few decisions to come.
        let clock = limits.time_left.map(|left| left.remaining / 12);
        let time = [own, clock].into_iter().flatten().min();
        Allowance {
            time: time.map(|all| all.mul_f64(SOLVER_SHARE)),
            // In whole numbers, as above.
            nodes: self.budget.nodes.map(|all| all / 10 * 6),
        }
    }

    /// From how many empty squares on an exact search is worth the attempt.
    fn solves_from(&self, Allowance { time, nodes }: Allowance) -> u32 {
        let in_time = time.map(|time| (time.as_secs_f64() * 1e3 * self.nodes_per_ms) as u64);
        let affordable = [in_time, nodes].into_iter().flatten().min();
        self.solve_from.unwrap_or_else(|| affordable.map_or(UNLIMITED, affordable_empties))
    }

    fn solve(
        &mut self,
        board: &Board,
        limits: &Limits<'_, Move>,
        Allowance { time, nodes }: Allowance,
    ) -> Result<Solved, Unfinished> {
        let began = limits.clock.now();
        let stop = || {
            let late = time.is_some_and(|time| limits.clock.now().saturating_sub(began) >= time);
            late || limits.stop.is_stopped()
        };
        let found = self.solver.attempt(board, nodes, &stop);
        let entered = match &found {
            Ok(Solved { nodes, .. }) | Err(Unfinished { nodes }) => *nodes,
        };
        let ms = limits.clock.now().saturating_sub(began).as_secs_f64() * 1e3;
        // Shorter ones measure the making of tables.
        if time.is_some() && ms >= 5.0 {
            self.nodes_per_ms = entered as f64 / ms;
        }
        found
    }
}

impl Agent<Othello> for EngineAgent {
    fn decide(
        &mut self,
        game: &Othello,
        view: &Board,
        limits: &Limits<'_, Move>,
    ) -> Decision<Move> {
        let board = game.sample(view, &mut Rng::new(0));
        let began = limits.clock.now();
        let allowance = self.allowance(limits);
        let mut lost = 0;
        if board.empties() <= self.solves_from(allowance) {
            match self.solve(&board, limits, allowance) {
                Ok(solved) => return decision(&board, solved),
                Err(Unfinished { nodes }) => lost = nodes,
            }
        }
        // What the solver used is gone.
        let spent = limits.clock.now().saturating_sub(began);
        let spent_ms = u64::try_from(spent.as_millis()).unwrap_or(u64::MAX);
        self.midgame.limit_time(self.budget.ms.map(|ms| ms.saturating_sub(spent_ms)));
        self.midgame.limit_nodes(self.budget.nodes.map(|all| all.saturating_sub(lost).max(1)));
        let time_left = limits
            .time_left
            .map(|left| TimeLeft { remaining: left.remaining.saturating_sub(spent), ..left });
        let mut decision = self.midgame.decide(game, view, &Limits { time_left, ..*limits });
        decision.counters.nodes += lost;
        decision
    }
}

fn decision(board: &Board, solved: Solved) -> Decision<Move> {
    let action = solved.line[0];
    let value = f64::from(solved.score);
    Decision {
        value: Some(value),
        reading: Reading::Margin,
        depth: board.empties(),
        terms: vec![Term { name: "final discs", value: solved.score, weight: 1 }],
        root: vec![RootAction {
            action,
            visits: solved.nodes,
            value: Some(value),
            bound: Bound::Exact,
            prior: None,
        }],
        counters: Counters { nodes: solved.nodes, ..Counters::default() },
        principal_variation: solved.line,
        ..Decision::plain(action)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_nodes_afford_more_empty_squares() {
        assert_eq!([0, 700, 20_000, 3_000_000].map(affordable_empties), [0, 0, 11, 18]);
        assert_eq!([100_000_000, u64::MAX].map(affordable_empties), [22, 60]);
        let all: Vec<u32> = (0..50).map(|bits| affordable_empties(1 << bits)).collect();
        assert!(all.is_sorted());
    }
}
