//! What is measured: positions, algorithms, settings, depths, matches.

use arena::Seeds;
use gamecore::{Purpose, Rng, seed};
use registry::{AnyGame, SolverSettings, SpecError};
use serde::Serialize;
use standard::WthorGames;

use super::GAME;
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Setting {
    /// Its short name.
    pub name: &'static str,
    /// In words.
    pub title: &'static str,
    /// The keys of an agent.
    pub keys: &'static str,
}

/// The five settings; the first is the textbook form, and each of the others adds one thing to an
/// earlier one, so that what order, table and deepening save can be told apart.
pub const SETTINGS: [Setting; 5] = [
    Setting {
        name: TEXTBOOK,
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
        title: "good order, table",
        keys: "order=good,table=exact,table.mb=4,deepening=off",
    },
    Setting {
        name: FULL,
        title: "good order, table, deepening",
        keys: "order=good,table=exact,table.mb=4,deepening=on",
    },
];

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

/// A match to be played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlannedMatch {
    /// Its name among runs.
    pub name: &'static str,
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
    /// What is measured.
    pub columns: Vec<Column>,
    /// For each depth from 1: of every how many-th position the smallest tree is measured.
    pub minimal_steps: Vec<usize>,
    /// And from the start position to this depth.
    pub start_depth: u32,
    /// Under how many random weights SCOUT's nodes are counted both ways.
    pub weights: u64,
    /// At equal depth, at equal time, and the negative control.
    pub matches: [PlannedMatch; 3],
}

/// The numbers behind a scale. Steps say, for each depth from 1, every how many-th position is
/// measured so deep.
struct Size {
    ffo_step: usize,
    random: usize,
    /// In fixed order.
    fixed: &'static [usize],
    /// In good order, which is an order of magnitude cheaper.
    good: &'static [usize],
    /// MTD(f) in fixed order without a table: every pass begins anew, the dearest of all.
    forgetful: &'static [usize],
    minimax: &'static [usize],
    minimal: &'static [usize],
    start: u32,
    /// Random weights of the evaluation under which SCOUT's two kinds of nodes are told apart.
    weights: u64,
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
                fixed: &[1, 1],
                good: &[1, 1],
                forgetful: &[1, 1],
                minimax: &[1, 1],
                minimal: &[1, 1],
                start: 4,
                weights: 2,
                match_depth: 1,
                games: 2,
                timed_games: 2,
                ms: 1,
            },
            Scale::Quick => Self {
                ffo_step: 4,
                random: 48,
                fixed: &[1, 1, 1, 1, 1, 1],
                good: &[1, 1, 1, 1, 1, 1],
                forgetful: &[1, 1, 1, 1, 1, 1],
                minimax: &[1, 1, 1, 1, 1],
                minimal: &[1, 1, 1, 1, 1, 1],
                start: 8,
                weights: 30,
                match_depth: 4,
                games: 40,
                timed_games: 20,
                ms: 20,
            },
            Scale::Standard | Scale::Paper => Self {
                ffo_step: 1,
                random: 240,
                fixed: &[1, 1, 1, 1, 1, 1, 2, 6],
                good: &[1, 1, 1, 1, 1, 1, 1, 3],
                forgetful: &[1, 1, 1, 1, 1, 1, 6, 12],
                minimax: &[1, 1, 1, 1, 1],
                minimal: &[1, 1, 1, 1, 1, 1, 6, 12],
                start: 8,
                weights: 300,
                match_depth: 5,
                games: 400,
                timed_games: 200,
                ms: 20,
            },
        }
    }

    fn columns(&self) -> Vec<Column> {
        let column = |algorithm, setting, keys: &str, steps: &[usize]| Column {
            algorithm,
            setting,
            keys: keys.into(),
            steps: steps.to_vec(),
        };
        let mut columns = vec![
            column("minimax", TEXTBOOK, ",deepening=off", self.minimax),
            column(PRINTED, TEXTBOOK, "", self.fixed),
        ];
        for Setting { name, keys, .. } in SETTINGS {
            for algorithm in [BASE, "scout", "pvs", "mtdf"] {
                let steps = match (algorithm, name) {
                    ("mtdf", TEXTBOOK) => self.forgetful,
                    _ if name.starts_with("good") => self.good,
                    _ => self.fixed,
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
        let size = Size::of(scale);
        let start = Position { id: "start".into(), text: game.start([""; 2], Some(0), 0, false)? };
        let mut positions = vec![start];
        positions.extend(ffo(game, size.ffo_step)?);
        positions.extend(random(game, size.random, seed)?);
        positions.extend(tournament(game, games, size.random.div_ceil(12), seed)?);
        let depth = size.match_depth;
        let versus = |[name, title]: [&'static str; 2], [a, b]: [String; 2], games| PlannedMatch {
            name,
            title,
            a,
            b,
            games,
        };
        let deep = |name: &str| format!("{name}:depth={depth},eval=paper");
        let timed = |name: &str| format!("{name}:ms={},eval=paper", size.ms);
        Ok(Self {
            scale: scale.name(),
            seed,
            positions,
            columns: size.columns(),
            minimal_steps: size.minimal.to_vec(),
            start_depth: size.start,
            weights: size.weights,
            matches: [
                versus(
                    ["equal-depth", "SCOUT v alpha-beta, equal depth"],
                    [deep("scout"), deep(BASE)],
                    size.games,
                ),
                versus(
                    ["equal-time", "SCOUT v alpha-beta, equal time"],
                    [timed("scout"), timed(BASE)],
                    size.timed_games,
                ),
                versus(
                    ["printed", "the printed pseudo-code v alpha-beta, equal depth"],
                    [deep(PRINTED), deep(BASE)],
                    size.games,
                ),
            ],
        })
    }

    /// The matches as runs.
    #[must_use]
    pub fn planned(&self) -> Vec<Planned> {
        let run = |planned: &PlannedMatch| {
            let PlannedMatch { name, title, a, b, games } = planned;
            let text = format!(
                "name = \"{GAME}-{name}\"\nabout = \"The Othello paper of 2020: {title}.\"\ngame = \
                 \"{GAME}\"\nkind = \"match\"\nagents = [\"{a}\", \"{b}\"]\ngames = {games}\nseed = {}\n",
                self.seed
            );
            Planned { what: title, text }
        };
        self.matches.iter().map(run).collect()
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
