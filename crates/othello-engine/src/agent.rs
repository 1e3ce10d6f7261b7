//! The agent: principal variation search on the factor evaluation, exact once few enough squares
//! are empty.

use std::time::Duration;

use gamecore::{
    Agent, Bound, Budget, Counters, Decision, Game, Limits, Rng, RootAction, Term, TimeLeft,
};
use othello::{Board, Move, Othello};
use search::DepthFirst;

use crate::engine::{Solved, Solver};

/// Plays Othello: midgame by another agent, endgame exactly.
pub struct EngineAgent {
    midgame: DepthFirst<Othello>,
    solver: Solver,
    /// Positions with at most this many empty squares are solved.
    solve_from: u32,
    budget: Budget,
}

/// Share of a time budget that an exact search may use before the midgame search takes over.
const SOLVER_SHARE: f64 = 0.6;

impl EngineAgent {
    /// An engine that asks `midgame` until at most `solve_from` squares are empty. `budget` is that
    /// of the midgame agent; its time limits both together.
    #[must_use]
    pub fn new(
        midgame: DepthFirst<Othello>,
        solver: Solver,
        solve_from: u32,
        budget: Budget,
    ) -> Self {
        Self { midgame, solver, solve_from, budget }
    }

    fn solve(&self, board: &Board, limits: &Limits<'_, Move>) -> Option<Solved> {
        let own = self.budget.ms.map(Duration::from_millis);
        // With a chess clock, a twelfth of what is left: there are few decisions to come.
        let clock = limits.time_left.map(|left| left.remaining / 12);
        let share = [own, clock].into_iter().flatten().min().map(|all| all.mul_f64(SOLVER_SHARE));
        let deadline = share.map(|share| limits.clock.now() + share);
        let stop =
            || limits.stop.is_stopped() || deadline.is_some_and(|end| limits.clock.now() >= end);
        self.solver.solve(board, &stop)
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
        if board.empties() <= self.solve_from
            && let Some(solved) = self.solve(&board, limits)
        {
            return decision(&board, solved);
        }
        // What the solver used is gone.
        let spent = limits.clock.now().saturating_sub(began);
        let spent_ms = u64::try_from(spent.as_millis()).unwrap_or(u64::MAX);
        self.midgame.limit_time(self.budget.ms.map(|ms| ms.saturating_sub(spent_ms)));
        let time_left = limits
            .time_left
            .map(|left| TimeLeft { remaining: left.remaining.saturating_sub(spent), ..left });
        self.midgame.decide(game, view, &Limits { time_left, ..*limits })
    }
}

fn decision(board: &Board, solved: Solved) -> Decision<Move> {
    let action = solved.line[0];
    let value = f64::from(solved.score);
    Decision {
        value: Some(value),
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
