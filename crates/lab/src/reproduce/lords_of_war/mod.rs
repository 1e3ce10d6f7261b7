//! *Heuristic Move Pruning in Monte Carlo Tree Search for the Strategic Card Game Lords of War*
//! (Sephton, Cowling, Powley and Slaven, 2014), done again: every cell of its figures 2 and 5 to 7,
//! and what becomes of its claims.

mod cells_file;
mod claims;
mod plan;
mod words;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use gamecore::{Seat, StopToken, short_hash};
use registry::{AnyGame, ResolvedAgent, SpecError};
use serde::{Deserialize, Serialize};

pub use cells_file::CellsFile;
pub use plan::{ARMIES, CONSTANT, Cell, FIGURE_2, LIMITS, PAPER_GAMES, Part, cells};
pub use words::{data_files, document};

use super::{Scale, Stage, Verdict, agent};
use crate::{MatchError, MatchSpec, Openings, play_match};
use stats::{sign_test, wilson};

/// The name of the game.
pub const GAME: &str = "lords-of-war";

/// Games of this many cells tell how long the rest takes.
const CALIBRATION_GAMES: u64 = 4;

/// The result of a cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CellResult {
    /// Its name.
    pub name: String,
    /// A hash of every key of both agents.
    pub keys: String,
    /// Agent A as specified.
    pub a: String,
    /// Agent B as specified.
    pub b: String,
    /// Games played.
    pub games: u64,
    /// Won by A.
    pub a_wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Won by B.
    pub b_wins: u64,
    /// Games won by seat 0, drawn, won by seat 1.
    #[serde(default)]
    pub seats: [u64; 3],
    /// Pairs of games that A won and lost.
    pub pairs: [u64; 2],
    /// Mean turns of a game.
    pub turns: f64,
    /// Mean options of a deployment.
    pub deployments: f64,
    /// Mean options of all decisions.
    pub branching: f64,
}

impl CellResult {
    /// Points of A per game.
    #[must_use]
    pub fn score(&self) -> f64 {
        self.points() / self.games.max(1) as f64
    }

    fn points(&self) -> f64 {
        self.a_wins as f64 + 0.5 * self.draws as f64
    }

    /// 95 % interval on the score.
    #[must_use]
    pub fn wilson(&self) -> [f64; 2] {
        wilson(self.points(), self.games)
    }

    /// Exact sign test over decided pairs.
    #[must_use]
    pub fn p_value(&self) -> f64 {
        sign_test(self.pairs[0], self.pairs[1])
    }
}

/// The finished experiment, or those of its parts that were asked for.
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
    /// The rules.
    pub rules: String,
    /// Armies of seats 0 and 1.
    pub armies: [&'static str; 2],
    /// Iterations a decision.
    pub iterations: u64,
    /// Every cell, in the order of play.
    pub cells: Vec<CellResult>,
    /// What became of the claims.
    pub verdicts: Vec<Verdict>,
    /// Everything measured by a clock.
    pub timing: StudyTiming,
    #[serde(skip)]
    parts: Vec<&'static str>,
}

/// What a clock measured.
#[derive(Debug, Serialize)]
pub struct StudyTiming {
    /// Seconds of this run; cells that were played before are not in it.
    pub seconds: f64,
    /// Cells that were played before.
    pub kept_cells: usize,
}

impl StudyTiming {
    /// How long it took, as far as that is known.
    fn words(&self) -> String {
        match self.kept_cells {
            0 => format!("in {:.0} s", self.seconds),
            kept => format!("taken up with {kept} cells played before"),
        }
    }
}

/// What is to be played, and how.
pub struct Order<'a> {
    /// The game.
    pub game: &'a Arc<dyn AnyGame>,
    /// The parts.
    pub parts: &'a [Part],
    /// How much.
    pub scale: Scale,
    /// Seed of every cell: all cells play the same deals.
    pub seed: u64,
    /// Threads to use.
    pub threads: usize,
    /// Ends it early.
    pub stop: &'a StopToken,
}

impl Order<'_> {
    /// Cells that are to be played.
    #[must_use]
    pub fn cells(&self) -> Vec<Cell> {
        cells(self.scale, self.parts)
    }

    /// Seconds that all cells would take, from a few games of four of them.
    pub fn estimate(&self, progress: &(dyn Fn(Stage) + Sync)) -> Result<f64, MatchError> {
        let all = self.cells();
        let games: u64 = all.iter().map(|cell| cell.games).sum();
        let step = all.len().div_ceil(4).max(1);
        let samples: Vec<&Cell> = all.iter().step_by(step).collect();
        let began = Instant::now();
        for (done, cell) in (0u64..).zip(&samples) {
            progress(Stage { what: "calibration", done, total: samples.len() as u64 });
            self.play(&Cell { games: CALIBRATION_GAMES, ..(*cell).clone() }, &|_| {})?;
        }
        let played = CALIBRATION_GAMES * samples.len() as u64;
        Ok(began.elapsed().as_secs_f64() * games as f64 / played.max(1) as f64)
    }

    /// Both agents of a cell, with their budget.
    fn agents(&self, cell: &Cell) -> Result<[ResolvedAgent; 2], SpecError> {
        let iterations = plan::amounts(self.scale).iterations;
        let with_budget = |text: &String| {
            let joint = if text.contains(':') { ',' } else { ':' };
            agent(&**self.game, &format!("{text}{joint}iterations={iterations}"))
        };
        Ok([with_budget(&cell.agents[0])?, with_budget(&cell.agents[1])?])
    }

    fn play(&self, cell: &Cell, told: &(dyn Fn(u64) + Sync)) -> Result<CellResult, MatchError> {
        let game = &**self.game;
        let agents = self.agents(cell)?;
        let keys = keys_of(&agents);
        let [a, b] = agents;
        let spec = MatchSpec {
            game: self.game.clone(),
            a,
            b,
            games: cell.games,
            seed: self.seed,
            openings: Openings::Random(Some(0)),
            setups: cell.armies.map(str::to_owned),
            time: None,
        };
        let told = |standing: crate::Standing| told(standing.games);
        let played = play_match(&spec, self.threads, self.stop, &told)?;
        let report = played.report;
        if let Some(void) = report.void.first() {
            return Err(MatchError::Void {
                match_name: cell.name.clone(),
                games: report.void.len(),
                reason: void.reason.clone(),
            });
        }
        let mut seats = [0; 3];
        for points in played.records.iter().filter_map(|record| record.outcome.points(Seat::One)) {
            seats[(points * 2.0) as usize] += 1;
        }
        let counted = game.behaviour(&mut played.records.iter().cloned())?;
        let own = &counted[GAME];
        let number = |value: &serde_json::Value| value.as_f64().unwrap_or(0.0);
        let stages = ["open", "deploy", "shoot", "retreat"];
        let decisions: f64 = stages.iter().map(|stage| number(&own["decisions"][stage])).sum();
        let options: f64 = stages
            .iter()
            .map(|stage| number(&own["decisions"][stage]) * number(&own["mean_options"][stage]))
            .sum();
        Ok(CellResult {
            name: cell.name.clone(),
            keys,
            a: report.a,
            b: report.b,
            games: report.games,
            a_wins: report.a_wins,
            draws: report.draws,
            b_wins: report.b_wins,
            seats,
            pairs: [report.pentanomial.won(), report.pentanomial.lost()],
            turns: number(&own["mean_turns"]),
            deployments: number(&own["mean_options"]["deploy"]),
            branching: options / decisions.max(1.0),
        })
    }
}

/// A hash of every key of both agents, defaults included: what a kept result rests on.
fn keys_of(agents: &[ResolvedAgent; 2]) -> String {
    let keys = |agent: &ResolvedAgent| {
        let keys = agent.values.iter().map(|(key, value)| format!("{key}={value}"));
        format!("{}:{}", agent.spec.name, keys.collect::<Vec<_>>().join(","))
    };
    short_hash(&agents.each_ref().map(keys).join(" v "))
}

/// Plays what is missing of the cells; `None` if interrupted. `keep` hears of every finished cell.
pub fn run(
    order: &Order<'_>,
    mut known: BTreeMap<String, CellResult>,
    keep: &mut dyn FnMut(&CellResult) -> std::io::Result<()>,
    progress: &(dyn Fn(Stage) + Sync),
) -> Result<Option<Study>, MatchError> {
    let began = Instant::now();
    let all = order.cells();
    let total: u64 = all.iter().map(|cell| cell.games).sum();
    let kept_cells = all.iter().filter(|cell| known.contains_key(&cell.name)).count();
    let mut before = 0;
    let mut results = Vec::new();
    for cell in &all {
        let first = before;
        let told = |done| progress(Stage { what: "games", done: first + done, total });
        let result = match known.remove(&cell.name) {
            Some(result) => {
                let same = result.keys == keys_of(&order.agents(cell)?);
                if !same || result.games != cell.games {
                    return Err(MatchError::OtherCell(cell.name.clone()));
                }
                result
            }
            None => {
                let result = order.play(cell, &told)?;
                if order.stop.is_stopped() {
                    return Ok(None);
                }
                keep(&result).map_err(|error| MatchError::Keep(error.to_string()))?;
                result
            }
        };
        results.push(result);
        before += cell.games;
        told(0);
    }
    let parts = Part::ALL.into_iter().filter(|(_, part)| order.parts.contains(part));
    let mut study = Study {
        schema: "warroom-reproduce-lords-of-war-1",
        paper: super::paper(GAME).title,
        version: env!("CARGO_PKG_VERSION"),
        scale: order.scale.name(),
        seed: order.seed,
        rules: order.game.info().rules,
        armies: plan::BOX,
        iterations: plan::amounts(order.scale).iterations,
        cells: results,
        verdicts: Vec::new(),
        timing: StudyTiming { seconds: began.elapsed().as_secs_f64(), kept_cells },
        parts: parts.map(|(name, _)| name).collect(),
    };
    study.verdicts = claims::verdicts(&study);
    Ok(Some(study))
}

impl Study {
    /// The result of a cell, if it was played.
    #[must_use]
    pub fn cell(&self, name: &str) -> Option<&CellResult> {
        self.cells.iter().find(|cell| cell.name == name)
    }
}
