//! *The Study of the Impact of the Search Algorithms in Board Games* (Hernandez, Daza and Florez,
//! 2020), done again: one board, one evaluation, one order, one counter for all algorithms.
//!
//! The paper reports that SCOUT explores 76 nodes where alpha-beta explores 26,264, and that it
//! wins 20 of 30 games where alpha-beta wins 6. Both searches return the same move by
//! construction, so the experiment asks what is left of the claims when both are done right.

mod claims;
mod measure;
mod page;
mod plan;
mod summary;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use arena::Seeds;
use lab::run::CellSummary;
use registry::SpecError;
use serde::Serialize;
use serde_json::{Value, json};

pub use measure::{BothCounts, Measurement, Minimal};
pub use plan::{Column, Plan, Position, SETTINGS, Setting};
pub use summary::{Agreement, Gain, MinimalRow, Row, RowTiming};

use crate::{Bench, Finished, Found, GAMES, Order, Paper, Sheet, Stage, Stored};

/// The name of the game.
pub const GAME: &str = "othello";

/// One of the four first moves; they are the same by symmetry.
const FIRST_MOVE: &str = "f5";

static SHEET: LazyLock<Sheet> = LazyLock::new(|| Sheet::read(include_str!("../othello.toml")));

/// The paper.
pub(crate) const PAPER: Paper = Paper {
    sheet: &SHEET,
    planned: |order| Ok(plan(order)?.matches),
    found: |bench, order, runs| {
        let results = Results::of(bench, plan(order)?, runs)?;
        Ok(results.map(|results| results.found(bench.threads)))
    },
};

fn plan(order: &Order) -> Result<Plan, SpecError> {
    Plan::new(&*GAMES.open(GAME, "")?, order.scale, order.seed, &order.games)
}

/// How deep the paper looks.
fn reported_depth() -> u32 {
    SHEET.data("depth")
}

/// Fewest and most nodes of SCOUT that the paper reports.
fn scout_nodes() -> [u64; 2] {
    SHEET.data("scout_nodes")
}

/// Nodes of alpha-beta at its first move that the paper reports.
fn alphabeta_nodes() -> u64 {
    SHEET.data("alphabeta_nodes")
}

/// What was measured.
#[derive(Debug, Serialize)]
pub struct Results {
    /// What the paper reports.
    reported: &'static Value,
    /// Number of positions.
    pub positions: usize,
    /// How values and actions agree.
    pub agreement: Agreement,
    /// Mean branching of the positions.
    pub branching: f64,
    /// Nodes of the smallest tree under any evaluation, at the greatest depth of the smallest trees:
    /// from the start position.
    pub any_evaluation: Option<u64>,
    /// The same after one move.
    pub any_evaluation_second: Option<u64>,
    /// Nodes of a correct SCOUT, counted both ways.
    pub both_counts: BothCounts,
    /// Nodes of alpha-beta without a table, one step deeper than the paper could look.
    pub beyond_reported: Option<u64>,
    /// The smallest trees.
    pub minimal: Vec<MinimalRow>,
    /// Results by setting, algorithm and depth.
    pub rows: Vec<Row>,
    /// What order, table and deepening save, each alone.
    pub gains: Vec<Gain>,
    /// The matches that repeat.
    pub matches: Vec<PlayedMatch>,
    /// The match at equal time.
    #[serde(skip)]
    pub timed: Vec<PlayedMatch>,
    /// Every search.
    #[serde(skip)]
    pub searches: Vec<Measurement>,
    /// The plan.
    #[serde(skip)]
    pub plan: Plan,
}

/// A match of the plan, played.
#[derive(Clone, Debug, Serialize)]
pub struct PlayedMatch {
    /// The run that its games are in.
    pub run: String,
    /// The same command gives the same games.
    pub repeatable: bool,
    /// Different games.
    pub distinct_games: usize,
    /// What came out.
    #[serde(flatten)]
    pub result: CellSummary,
}

impl From<&Stored> for PlayedMatch {
    fn from(stored: &Stored) -> Self {
        let games: BTreeSet<u64> = stored.rows.iter().map(|row| row.moves_hash).collect();
        Self {
            run: stored.run.id.clone(),
            repeatable: stored.run.manifest.repeatable,
            distinct_games: games.len(),
            result: stored.summary.cells[0].clone(),
        }
    }
}

impl Results {
    /// The row of an algorithm in a setting at a depth.
    #[must_use]
    pub fn row(&self, setting: &str, algorithm: &str, depth: u32) -> Option<&Row> {
        let is =
            |row: &&Row| row.setting == setting && row.algorithm == algorithm && row.depth == depth;
        self.rows.iter().find(is)
    }

    /// Nodes of one search from the start position.
    fn nodes_at_start(&self, setting: &str, algorithm: &str, depth: u32) -> Option<u64> {
        let column = self.plan.column(algorithm, setting)?;
        let is = |search: &&Measurement| {
            (search.position, search.column, search.depth) == (0, column, depth)
        };
        self.searches.iter().find(is).map(|search| search.nodes)
    }

    /// Searches, and sums up with the matches of the plan; `None` if it was stopped. Everything but
    /// times, and the match at equal time, is a function of the plan alone.
    pub fn of(bench: &Bench<'_>, plan: Plan, runs: &[Stored]) -> Finished<Self> {
        let game = GAMES.open(GAME, "")?;
        let searching = measure::Searching { game: &*game, plan: &plan, stop: bench.stop };
        let told = |done, total| (bench.progress)(Stage { what: "searches", done, total });
        let (searches, minimal) = searching.run(bench.threads, &told)?;
        let both_counts = searching.counted_both_ways(bench.threads)?;
        let beyond_reported = searching.beyond_reported()?;
        let any_evaluation = searching.any_evaluation(&plan.positions[0].text)?;
        let any_evaluation_second = searching.any_evaluation(&game.position(FIRST_MOVE)?)?;
        if bench.stop.is_stopped() {
            return Ok(None);
        }
        let choices = plan
            .positions
            .iter()
            .map(|position| Ok(game.open(&position.text, Seeds::default())?.legal().len()))
            .collect::<Result<Vec<usize>, SpecError>>()?;
        let rows = summary::rows(&plan, &searches, &minimal);
        let branching = summary::branching(&rows);
        let (matches, timed) =
            runs.iter().map(PlayedMatch::from).partition(|played| played.repeatable);
        Ok(Some(Self {
            reported: &SHEET.published,
            positions: plan.positions.len(),
            agreement: summary::agreement(&plan, &searches, &choices),
            branching,
            any_evaluation,
            any_evaluation_second,
            both_counts,
            beyond_reported,
            minimal: summary::minimal_rows(&minimal, branching),
            rows,
            gains: summary::gains(&plan, &searches),
            matches,
            timed,
            searches,
            plan,
        }))
    }

    /// What becomes of the claims, and the page.
    #[must_use]
    pub fn found(&self, threads: usize) -> Found {
        Found {
            results: json!(self),
            verdicts: claims::counted(self),
            timing: json!({ "threads": threads, "matches": self.timed }),
            timed: claims::timed(self),
            facts: page::facts(self),
            above: vec![page::reported()],
            below: page::below(self),
            data: page::data(self),
            disagrees: self.agreement.wrong_values + self.agreement.wrong_actions > 0,
            values: Value::Null,
        }
    }
}
