//! What Othello brings beyond its rules: evaluations, the engine with exact endgames, texts of other
//! programs, and how it is put on the table. Everything generic is instantiated for Othello here.

mod engine;
pub mod evals;
mod presentation;
pub mod scene;
mod texts;

use crate::evals::{OthelloFactors, OthelloOrder, OthelloSquares, WEIGHTS};
use othello::Othello;
use registry::{
    AgentEntry, BenchPlan, DecisionBench, GameEntry, Kit, Measure, ORDER, Playouts, SolveBench,
    SpecError,
};

pub use engine::WthorGames;

const FFO: &str = include_str!("../../../data/othello/ffo.csv");

const OTHELLO_MCTS: DecisionBench = DecisionBench {
    name: "mcts",
    agent: "uct:iterations=10000",
    positions: 8,
    plies: 12,
    measure: Measure::Iterations,
};

/// The game, compiled here.
pub fn entry() -> Result<GameEntry, SpecError> {
    GameEntry::new(kit)
}

/// Everything about it.
#[must_use]
pub fn kit() -> Kit<Othello> {
    let bench = BenchPlan {
        playouts: Playouts::Games(100_000),
        perft_depth: 11,
        searches: 8,
        search_plies: 12,
        // The paper's factors without stability and intermediate discs.
        agent: "alphabeta:depth=9,eval=paper-quick",
        solve: Some(SolveBench { name: "solve-ffo40-44", file: FFO, ids: (40, 44) }),
        decisions: &[
            OTHELLO_MCTS,
            DecisionBench { name: "mcts-node-bytes", measure: Measure::NodeBytes, ..OTHELLO_MCTS },
        ],
    };
    let engine = "pvs by the fitted outlook in the midgame, exact endgames";
    let mut kit = Kit::of(Othello, "discs that turn over on an 8×8 board", 8)
        .with_factors::<OthelloFactors>(WEIGHTS)
        .with_texts(texts::TEXTS)
        .with_heuristic("squares", "value of the square, corners 1", OthelloSquares)
        .with_heuristic(ORDER, "value of the square, replies; for its order only", OthelloOrder)
        .measured(bench)
        .with_agent(AgentEntry::new("othello-engine", engine, engine::EngineKind))
        .with_solver(engine::make_solver)
        .opposed_by(&["othello-engine:depth=8,roots=all", "random"])
        .presented(presentation::othello());
    kit.evaluators.push(engine::outlook());
    kit
}
