//! The work that `bench` repeats for a game.

/// The work that `bench` repeats for a game.
#[derive(Clone, Copy, Debug)]
pub struct BenchPlan {
    /// Random games.
    pub playouts: Playouts,
    /// Depth of the count of leaves.
    pub perft_depth: u32,
    /// How many positions are searched.
    pub searches: u64,
    /// Random actions before each of them.
    pub search_plies: u32,
    /// By which agent: alpha-beta with a table.
    pub agent: &'static str,
    /// Problems to solve, for games with a solver.
    pub solve: Option<SolveBench>,
    /// Decisions of other agents.
    pub decisions: &'static [DecisionBench],
}

/// Random games that `bench` plays, and what it counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Playouts {
    /// So many; games in a second are told.
    Games(u64),
    /// So many; actions in a second are told, for games whose length varies much.
    Actions(u64),
}

/// Decisions that `bench` measures, each by an agent that has seen nothing before.
#[derive(Clone, Copy, Debug)]
pub struct DecisionBench {
    /// The name of the measurement.
    pub name: &'static str,
    /// The agent.
    pub agent: &'static str,
    /// How many positions it decides, one for each seed.
    pub positions: u64,
    /// Random actions before each of them.
    pub plies: u32,
    /// What is measured.
    pub measure: Measure,
}

/// What is measured of decisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Iterations in a second.
    Iterations,
    /// Milliseconds for one decision, on average.
    Milliseconds,
    /// Bytes for one node of the tree, its edges included, on average.
    NodeBytes,
}

/// Problems that `bench` solves, each with an empty table.
#[derive(Clone, Copy, Debug)]
pub struct SolveBench {
    /// The name of the measurement.
    pub name: &'static str,
    /// A problem file.
    pub file: &'static str,
    /// Numbers of the problems in it.
    pub ids: (u32, u32),
}

impl BenchPlan {
    pub(crate) const SMALL: Self = Self {
        playouts: Playouts::Games(20_000),
        perft_depth: 4,
        searches: 4,
        search_plies: 1,
        agent: "alphabeta:depth=6",
        solve: None,
        decisions: &[DecisionBench {
            name: "mcts",
            agent: "uct:iterations=2000",
            positions: 4,
            plies: 1,
            measure: Measure::Iterations,
        }],
    };
}
