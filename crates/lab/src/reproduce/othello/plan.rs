//! What is measured: positions, algorithms, settings, depths, matches.

use arena::Seeds;
use gamecore::{Purpose, Rng, seed};
use registry::{AnyGame, SolverSettings, SpecError, WthorGames};
use serde::Serialize;

/// The endgame test positions of the French federation.
const FFO: &str = include_str!("../../../../../data/othello/ffo.csv");

/// Lengths of the random openings.
const OPENING_PLIES: [u32; 12] = [4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48];

/// After how many actions positions are taken from tournament games.
const TOURNAMENT_PLIES: std::ops::RangeInclusive<usize> = 4..=56;

/// How much is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Seconds: shows the form and proves nothing.
    Tiny,
    /// A minute.
    Quick,
    /// A quarter of an hour.
    Standard,
}

impl Scale {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Tiny => "tiny",
            Self::Quick => "quick",
            Self::Standard => "standard",
        }
    }
}

/// A position to be searched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Position {
    /// `start`, `ffo-7`, `random-12-3` (plies, number), `wthor-…`.
    pub id: String,
    /// The position as text.
    pub text: String,
}

/// How actions are ordered and results remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Setting {
    /// Its short name.
    pub name: &'static str,
    /// In words.
    pub title: &'static str,
    /// The keys of an agent.
    pub keys: &'static str,
}

/// The four settings; the first is the textbook form.
pub const SETTINGS: [Setting; 4] = [
    Setting {
        name: "fixed",
        title: "fixed order, no table",
        keys: "order=fixed,table=off,deepening=off",
    },
    Setting {
        name: "fixed-table",
        title: "fixed order, table",
        keys: "order=fixed,table=exact,table.mb=4,deepening=off",
    },
    Setting {
        name: "good",
        title: "good order, no table",
        keys: "order=good,table=off,deepening=off",
    },
    Setting {
        name: "good-table",
        title: "good order, table, deepening",
        keys: "order=good,table=exact,table.mb=4,deepening=on",
    },
];

/// One algorithm in one setting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Column {
    /// The name of the agent.
    pub algorithm: &'static str,
    /// The name of the setting.
    pub setting: &'static str,
    /// All keys but the depth.
    pub keys: String,
    /// Deeper is not measured.
    pub max_depth: u32,
}

/// The name of the algorithm that others are compared with.
pub(super) const BASE: &str = "alphabeta";

/// The pseudo-code of the paper: measured, but not expected to be right.
pub(super) const PRINTED: &str = "scout-as-printed";

impl Column {
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

/// A match to be played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlannedMatch {
    /// What it asks.
    pub title: &'static str,
    /// Agent A.
    pub a: String,
    /// Agent B.
    pub b: String,
    /// Games.
    pub games: u64,
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
    /// For each depth from 1: every how many-th position is searched so deep.
    pub steps: Vec<usize>,
    /// What is measured.
    pub columns: Vec<Column>,
    /// The smallest tree is measured to this depth.
    pub minimal_depth: u32,
    /// And from the start position to this one.
    pub start_depth: u32,
    /// At equal depth, at equal time, and the negative control.
    pub matches: [PlannedMatch; 3],
}

/// The numbers behind a scale.
struct Size {
    ffo_step: usize,
    random: usize,
    steps: &'static [usize],
    minimax: u32,
    minimal: u32,
    start: u32,
    match_depth: u32,
    games: u64,
    timed_games: u64,
    ms: u32,
}

impl Size {
    const fn of(scale: Scale) -> Self {
        match scale {
            Scale::Tiny => Self {
                ffo_step: 59,
                random: 1,
                steps: &[1, 1],
                minimax: 2,
                minimal: 2,
                start: 4,
                match_depth: 1,
                games: 2,
                timed_games: 2,
                ms: 1,
            },
            Scale::Quick => Self {
                ffo_step: 4,
                random: 48,
                steps: &[1, 1, 1, 1, 1, 1],
                minimax: 5,
                minimal: 5,
                start: 8,
                match_depth: 4,
                games: 40,
                timed_games: 20,
                ms: 20,
            },
            Scale::Standard => Self {
                ffo_step: 1,
                random: 240,
                steps: &[1, 1, 1, 1, 1, 1, 4, 10],
                minimax: 5,
                minimal: 5,
                start: 8,
                match_depth: 5,
                games: 400,
                timed_games: 200,
                ms: 20,
            },
        }
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
        let size = Size::of(scale);
        let start = Position { id: "start".into(), text: game.start([""; 2], Some(0), 0)? };
        let mut positions = vec![start];
        positions.extend(ffo(game, size.ffo_step)?);
        positions.extend(random(game, size.random, seed)?);
        positions.extend(tournament(game, games, size.random.div_ceil(12), seed)?);
        let depth = size.match_depth;
        let versus = |title, a: String, b: String, games| PlannedMatch { title, a, b, games };
        let deep = |name: &str| format!("{name}:depth={depth},eval=paper");
        let timed = |name: &str| format!("{name}:ms={},eval=paper", size.ms);
        Ok(Self {
            scale: scale.name(),
            seed,
            positions,
            steps: size.steps.to_vec(),
            columns: columns(size.minimax, size.steps.len() as u32),
            minimal_depth: size.minimal,
            start_depth: size.start,
            matches: [
                versus("SCOUT v alpha-beta, equal depth", deep("scout"), deep(BASE), size.games),
                versus(
                    "SCOUT v alpha-beta, equal time",
                    timed("scout"),
                    timed(BASE),
                    size.timed_games,
                ),
                versus(
                    "the printed pseudo-code v alpha-beta, equal depth",
                    deep(PRINTED),
                    deep(BASE),
                    size.games,
                ),
            ],
        })
    }

    /// The greatest depth.
    #[must_use]
    pub fn depth(&self) -> u32 {
        self.steps.len() as u32
    }

    /// The numbers of the positions searched so deep.
    pub fn at_depth(&self, depth: u32) -> impl Iterator<Item = usize> + use<> {
        (0..self.positions.len()).step_by(self.steps[depth as usize - 1])
    }
}

fn columns(minimax: u32, depth: u32) -> Vec<Column> {
    let plain = |algorithm, keys: &str, max_depth| Column {
        algorithm,
        setting: SETTINGS[0].name,
        keys: keys.into(),
        max_depth,
    };
    let mut columns = vec![plain("minimax", ",deepening=off", minimax), plain(PRINTED, "", depth)];
    for setting in SETTINGS {
        for algorithm in [BASE, "scout", "pvs", "mtdf"] {
            // Without a table every pass of MTD(f) begins anew: not how it is meant, and slow.
            let forgets = algorithm == "mtdf" && setting.keys.contains("table=off");
            columns.push(Column {
                algorithm,
                setting: setting.name,
                keys: format!(",{}", setting.keys),
                max_depth: if forgets { depth.min(5) } else { depth },
            });
        }
    }
    columns
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
        let text = game.start([""; 2], Some(plies), seed(run_seed, draw, Purpose::Start))?;
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
