//! What is measured: positions, algorithms, settings, depths, matches.

use std::sync::LazyLock;

use arena::Seeds;
use gamecore::{Purpose, Rng, seed};
use registry::{AnyGame, SolverSettings, SpecError};
use serde::{Deserialize, Serialize};
use serde_json::json;
use standard::WthorGames;

use super::{GAME, SHEET};
use crate::{Planned, Scale};

/// The endgame test positions of the French federation.
const FFO: &str = include_str!("../../../../data/othello/ffo.csv");

/// Lengths of the random openings.
const OPENING_PLIES: [u32; 12] = [4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48];

/// After how many actions positions are taken from tournament games.
const TOURNAMENT_PLIES: std::ops::RangeInclusive<usize> = 4..=56;

/// A position to be searched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Position {
    /// `start`, `ffo-7`, `random-12-3` (plies, number), `wthor-…`.
    pub id: String,
    /// The position as text.
    pub text: String,
}

/// How actions are ordered and results remembered.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Setting {
    /// Its short name.
    pub name: String,
    /// In words.
    pub title: String,
    /// The keys of an agent.
    pub keys: String,
}

/// The settings; the first is the textbook form.
pub static SETTINGS: LazyLock<Vec<Setting>> = LazyLock::new(|| SHEET.data("settings"));

/// The setting without anything that helps.
pub(super) const TEXTBOOK: &str = "fixed";

/// The setting with everything that helps.
pub(super) const FULL: &str = "good-table-deepening";

/// One algorithm in one setting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Column {
    /// The name of the agent.
    pub algorithm: &'static str,
    /// The name of the setting.
    pub setting: &'static str,
    /// All keys but the depth.
    pub keys: String,
    /// For each depth from 1: every how many-th position is searched so deep.
    pub steps: Vec<usize>,
}

/// The name of the algorithm that others are compared with.
pub(super) const BASE: &str = "alphabeta";

/// The algorithms that must return the value of minimax, the first of them [`BASE`].
pub(super) const EXACT: [&str; 4] = [BASE, "scout", "pvs", "mtdf"];

/// The pseudo-code of the paper: measured, but not expected to be right.
pub(super) const PRINTED: &str = "scout-as-printed";

impl Column {
    /// Deeper is not measured.
    #[must_use]
    pub fn max_depth(&self) -> u32 {
        self.steps.len() as u32
    }

    /// The agent that looks so deep.
    #[must_use]
    pub fn spec(&self, depth: u32) -> String {
        let Self { algorithm, keys, .. } = self;
        format!("{algorithm}:depth={depth}{keys},eval=paper")
    }

    /// Whether it must return the value of minimax.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.algorithm != PRINTED
    }
}

/// Everything that decides what is measured.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The scale by name.
    pub scale: &'static str,
    /// The seed of positions, matches and resamples.
    pub seed: u64,
    /// All positions.
    pub positions: Vec<Position>,
    /// What is measured.
    pub columns: Vec<Column>,
    /// For each depth from 1: of every how many-th position the smallest tree is measured.
    pub minimal_steps: Vec<usize>,
    /// And from the start position to this depth.
    pub start_depth: u32,
    /// Under how many random weights SCOUT's nodes are counted both ways.
    pub weights: u64,
    /// At equal depth, at equal time, and the negative control.
    pub matches: Vec<Planned>,
}

/// The numbers behind a scale, as the file of the paper explains them.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Size {
    ffo_step: usize,
    random: usize,
    fixed: Vec<usize>,
    good: Vec<usize>,
    forgetful: Vec<usize>,
    minimax: Vec<usize>,
    minimal: Vec<usize>,
    start: u32,
    weights: u64,
    match_depth: u32,
    games: u64,
    timed_games: u64,
    ms: u32,
}

impl Size {
    fn columns(&self) -> Vec<Column> {
        let column = |algorithm, setting, keys: &str, steps: &[usize]| Column {
            algorithm,
            setting,
            keys: keys.into(),
            steps: steps.to_vec(),
        };
        let mut columns = vec![
            column("minimax", TEXTBOOK, ",deepening=off", &self.minimax),
            column(PRINTED, TEXTBOOK, "", &self.fixed),
        ];
        for Setting { name, keys, .. } in &*SETTINGS {
            for algorithm in EXACT {
                let steps = match (algorithm, name.as_str()) {
                    ("mtdf", TEXTBOOK) => &self.forgetful,
                    _ if name.starts_with("good") => &self.good,
                    _ => &self.fixed,
                };
                columns.push(column(algorithm, name, &format!(",{keys}"), steps));
            }
        }
        columns
    }
}

impl Plan {
    /// The plan of a scale; `games` are files of tournament games to take positions from.
    pub fn new(
        game: &dyn AnyGame,
        scale: Scale,
        seed: u64,
        games: &[WthorGames],
    ) -> Result<Self, SpecError> {
        let size: Size = SHEET.scale(scale);
        let start = Position { id: "start".into(), text: game.start([""; 2], Some(0), 0, false)? };
        let mut positions = vec![start];
        positions.extend(ffo(game, size.ffo_step)?);
        positions.extend(random(game, size.random, seed)?);
        positions.extend(tournament(game, games, size.random.div_ceil(12), seed)?);
        let asked: Vec<[String; 3]> = SHEET.data("matches");
        let run = |[name, asks, rival]: &[String; 3]| {
            let (budget, games) = match name.as_str() {
                "equal-time" => (format!("ms={}", size.ms), size.timed_games),
                _ => (format!("depth={}", size.match_depth), size.games),
            };
            let agents = [rival, BASE].map(|agent| format!("{agent}:{budget},eval=paper"));
            let changes = json!({
                "name": format!("{GAME}-{name}"),
                "about": format!("The Othello paper of 2020: {asks}."),
                "agents": agents,
                "games": games,
                "seed": seed,
            });
            SHEET.planned("matches", "match", changes)
        };
        Ok(Self {
            scale: scale.name(),
            seed,
            positions,
            columns: size.columns(),
            minimal_steps: size.minimal,
            start_depth: size.start,
            weights: size.weights,
            matches: asked.iter().map(run).collect(),
        })
    }

    /// The place of an algorithm in a setting.
    pub(super) fn column(&self, algorithm: &str, setting: &str) -> Option<usize> {
        let is = |made: &Column| (made.algorithm, made.setting) == (algorithm, setting);
        self.columns.iter().position(is)
    }

    /// The greatest depth.
    #[must_use]
    pub fn depth(&self) -> u32 {
        self.columns.iter().map(Column::max_depth).max().unwrap_or(0)
    }

    /// Where the smallest trees of a position end.
    #[must_use]
    pub fn minimal_depth(&self) -> u32 {
        self.start_depth.max(self.minimal_steps.len() as u32)
    }

    /// Whether the smallest tree of this position is measured so deep.
    pub(super) fn has_minimal(&self, position: usize, depth: u32) -> bool {
        let step = self.minimal_steps.get(depth as usize - 1);
        step.is_some_and(|&step| position.is_multiple_of(step))
            || position == 0 && depth <= self.start_depth
    }
}

/// A position is of use if somebody has a choice.
fn has_choice(game: &dyn AnyGame, text: &str) -> Result<bool, SpecError> {
    Ok(game.open(text, Seeds::default())?.legal().len() > 1)
}

fn ffo(game: &dyn AnyGame, step: usize) -> Result<Vec<Position>, SpecError> {
    let solver = game
        .solver(SolverSettings { table_mb: 1, threads: 1 })
        .ok_or_else(|| SpecError::plain("the game has no reader of problems"))?;
    let problems = solver.problems(FFO)?;
    let position = |id: String, text| Position { id: format!("ffo-{id}"), text };
    Ok(problems
        .into_iter()
        .step_by(step)
        .map(|problem| position(problem.id, problem.position))
        .collect())
}

fn random(game: &dyn AnyGame, count: usize, run_seed: u64) -> Result<Vec<Position>, SpecError> {
    let each = count.div_ceil(OPENING_PLIES.len());
    let mut positions = Vec::new();
    let mut draw = 0;
    while positions.len() < count {
        let plies = OPENING_PLIES[positions.len() / each];
        let text = game.start([""; 2], Some(plies), seed(run_seed, draw, Purpose::Start), false)?;
        draw += 1;
        if has_choice(game, &text)? {
            let id = format!("random-{plies}-{}", positions.len() % each + 1);
            positions.push(Position { id, text });
        }
    }
    Ok(positions)
}

/// Positions of `count` games, drawn by seed from all files.
fn tournament(
    game: &dyn AnyGame,
    files: &[WthorGames],
    count: usize,
    seed: u64,
) -> Result<Vec<Position>, SpecError> {
    let mut all: Vec<(usize, usize)> = files
        .iter()
        .enumerate()
        .flat_map(|(file, games)| (0..games.count()).map(move |number| (file, number)))
        .collect();
    Rng::new(seed).shuffle(&mut all);
    let mut positions = Vec::new();
    for &(file, number) in all.iter().take(count) {
        for plies in TOURNAMENT_PLIES.step_by(4) {
            let Some(text) = files[file].position(number, plies) else { break };
            if has_choice(game, &text)? {
                positions.push(Position { id: format!("wthor-{file}-{number}-{plies}"), text });
            }
        }
    }
    Ok(positions)
}
