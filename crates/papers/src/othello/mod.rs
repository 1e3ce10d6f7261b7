//! *The Study of the Impact of the Search Algorithms in Board Games* (Hernandez, Daza and Florez,
//! 2020), done again: one board, one evaluation, one order, one counter for all algorithms.
//!
//! The paper reports that SCOUT explores 76 nodes where alpha-beta explores 26,264, and that it
//! wins 20 of 30 games where alpha-beta wins 6. Both searches return the same move by
//! construction, so the experiment asks what is left of the claims when both are done right.

mod csv;
mod measure;
mod page;
mod plan;
mod summary;
mod tables;
mod verdicts;

use arena::WallClock;
use std::collections::BTreeSet;

use arena::Seeds;
use registry::SpecError;
use serde::Serialize;

pub use csv::{searches_csv, summary_csv};
pub use measure::{BothCounts, Measurement, Minimal};
pub use page::document;
pub use plan::{Column, Plan, PlannedMatch, Position, SETTINGS, Setting};
pub use summary::{Agreement, Gain, MinimalRow, Row, RowTiming};

use super::stored::Stored;
use super::{Bench, PaperError, Ruling, Stage, Verdict};
use lab::report::DocumentFile;
use lab::run::CellSummary;

/// The name of the game.
pub const GAME: &str = "othello";

/// One of the four first moves; they are the same by symmetry.
const FIRST_MOVE: &str = "f5";

/// What the paper reports.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Reported {
    /// Decisions looked ahead.
    pub depth: u32,
    /// Machine moves measured.
    pub moves: u32,
    /// Fewest and most nodes of SCOUT.
    pub scout_nodes: [u64; 2],
    /// Shortest and longest time of SCOUT in milliseconds.
    pub scout_ms: [u64; 2],
    /// Nodes of alpha-beta at its first move.
    pub alphabeta_nodes: u64,
    /// SCOUT's games against people: won, drawn, lost.
    pub scout_games: [u64; 3],
    /// Alpha-beta's games against people: won, drawn, lost.
    pub alphabeta_games: [u64; 3],
}

/// Section 6 of the paper.
pub const REPORTED: Reported = Reported {
    depth: 8,
    moves: 15,
    scout_nodes: [76, 1041],
    scout_ms: [73, 1014],
    alphabeta_nodes: 26_264,
    scout_games: [20, 7, 3],
    alphabeta_games: [6, 10, 14],
};

/// The finished experiment.
#[derive(Debug, Serialize)]
pub struct Study {
    /// Name of this form.
    pub schema: &'static str,
    /// The paper.
    pub paper: &'static str,
    /// Version of this program.
    pub version: &'static str,
    /// The scale.
    pub scale: &'static str,
    /// The seed.
    pub seed: u64,
    /// What the paper reports.
    pub reported: Reported,
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
    /// What became of the claims.
    pub verdicts: Vec<Verdict>,
    /// Everything that rests on a clock.
    pub timing: StudyTiming,
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

impl From<Stored> for PlayedMatch {
    fn from(mut stored: Stored) -> Self {
        let games: BTreeSet<u64> = stored.rows.iter().map(|row| row.moves_hash).collect();
        Self {
            run: stored.run.id,
            repeatable: stored.run.manifest.repeatable,
            distinct_games: games.len(),
            result: stored.summary.cells.remove(0),
        }
    }
}

/// The part of a [`Study`] that rests on a clock and does not repeat exactly.
#[derive(Debug, Serialize)]
pub struct StudyTiming {
    /// The whole experiment.
    #[serde(flatten)]
    pub whole: super::StudyTiming,
    /// Threads used.
    pub threads: usize,
    /// The match at equal time.
    pub matches: Vec<PlayedMatch>,
    /// Claims about time.
    pub verdicts: Vec<Verdict>,
}

impl Study {
    /// All verdicts, those on claims about time last.
    pub fn all_verdicts(&self) -> impl Iterator<Item = &Verdict> {
        self.verdicts.iter().chain(&self.timing.verdicts)
    }

    /// The row of an algorithm in a setting at a depth.
    #[must_use]
    pub fn row(&self, setting: &str, algorithm: &str, depth: u32) -> Option<&Row> {
        let is =
            |row: &&Row| row.setting == setting && row.algorithm == algorithm && row.depth == depth;
        self.rows.iter().find(is)
    }

    /// Nodes of one search from the start position.
    #[must_use]
    pub fn from_start(&self, setting: &str, algorithm: &str, depth: u32) -> Option<u64> {
        let is = |search: &&Measurement| {
            let column = &self.plan.columns[search.column];
            search.position == 0
                && search.depth == depth
                && (column.setting, column.algorithm) == (setting, algorithm)
        };
        self.searches.iter().find(is).map(|search| search.nodes)
    }
}

/// Does the experiment; `None` if it was stopped. Everything but times, and the match at equal
/// time, is a function of the plan alone.
pub fn run(bench: &Bench<'_>, plan: Plan) -> Result<Option<Study>, PaperError> {
    let began = WallClock::new();
    let game = standard::open_game(GAME, "")?;
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
    let mut runs = Vec::new();
    for planned in plan.planned() {
        let Some(stored) = bench.play(&planned)? else { return Ok(None) };
        runs.push(stored);
    }
    let choices = plan
        .positions
        .iter()
        .map(|position| Ok(game.open(&position.text, Seeds::default())?.legal().len()))
        .collect::<Result<Vec<usize>, SpecError>>()?;
    let rows = summary::rows(&plan, &searches, &minimal);
    let branching = summary::branching(&rows);
    let whole = super::StudyTiming::of(&began, runs.iter());
    let played = runs.into_iter().map(PlayedMatch::from);
    let (matches, timed) = played.partition(|played| played.repeatable);
    let mut study = Study {
        schema: "warroom-reproduce-othello-2",
        paper: super::paper(GAME).title,
        version: env!("CARGO_PKG_VERSION"),
        scale: plan.scale,
        seed: plan.seed,
        reported: REPORTED,
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
        verdicts: Vec::new(),
        timing: StudyTiming { whole, threads: bench.threads, matches: timed, verdicts: Vec::new() },
        searches,
        plan,
    };
    study.verdicts = verdicts::counted(&study);
    study.timing.verdicts = verdicts::timed(&study);
    Ok(Some(study))
}

/// What was measured, for programs: every search and every mean.
#[must_use]
pub fn data_files(study: &Study) -> Vec<DocumentFile> {
    let file = |name: &str, content| DocumentFile { name: name.to_owned(), content };
    vec![
        file("othello-nodes.csv", searches_csv(study)),
        file("othello-summary.csv", summary_csv(study)),
    ]
}
