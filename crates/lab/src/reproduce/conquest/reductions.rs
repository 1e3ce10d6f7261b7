//! The thesis's reductions of the search space (its chapter 6), measured one by one and together:
//! how many ways there are to play one turn, with and without each.

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arena::Seeds;
use gamecore::StopToken;
use rayon::prelude::*;
use registry::loadouts::Tables;
use registry::{AnyGame, SpecError, TurnTree, open_game};
use serde::Serialize;

use super::GAME;
use crate::reproduce::{Scale, Stage, agent};
use crate::stats::geometric_mean;
use crate::{MatchError, MatchSpec, Openings, play_match};

/// A set of rules to count under.
#[derive(Clone, Copy, Debug)]
struct Setting {
    name: &'static str,
    rules: &'static str,
    /// The heuristic whose zeros are left out: the first search of delayed commands.
    allowed: Option<&'static str>,
    /// What the thesis estimates.
    thesis: &'static str,
}

const fn setting(name: &'static str, rules: &'static str, thesis: &'static str) -> Setting {
    Setting { name, rules, allowed: None, thesis }
}

/// The reductions that are rules; merging is counted in each setting.
const SETTINGS: [Setting; 11] = [
    setting("all reductions", "intended", ""),
    Setting {
        allowed: Some("ah-ft"),
        ..setting("all, and commands delayed (6.6)", "intended", "10^5 smaller a phase")
    },
    setting("without hashed Winds of Fate (6.1)", "winds=random", "negligible"),
    setting("without one move (6.2)", "moves=many", "up to 4.79·10^8 more a turn"),
    setting("without trimming (6.4)", "trim=no", "about 2 times"),
    setting("without the command window (6.5)", "command-window=no", "10^6 times a phase"),
    setting("none", "winds=random,moves=many,trim=no,command-window=no", ""),
    setting("hashed Winds only", "moves=many,trim=no,command-window=no", "negligible"),
    setting("one move only", "winds=random,trim=no,command-window=no", "up to 4.79·10^8 fewer"),
    setting("trimming only", "winds=random,moves=many,command-window=no", "about 2 times"),
    setting("command window only", "winds=random,moves=many,trim=no", "10^6 times a phase"),
];

const fn size(scale: Scale) -> (usize, usize, usize) {
    // Loadouts, positions of each, positions in memory before a count becomes an estimate.
    match scale {
        Scale::Tiny => (2, 1, 3_000),
        Scale::Quick => (31, 1, 60_000),
        Scale::Standard => (31, 4, 300_000),
    }
}

/// One setting over all positions.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Which reductions.
    pub setting: &'static str,
    /// The rules.
    pub rules: &'static str,
    /// What the thesis estimates of it.
    pub thesis: &'static str,
    /// Ways to play a turn: geometric mean over positions.
    pub sequences: f64,
    /// Ways to play a turn: the largest.
    pub most_sequences: f64,
    /// Nodes of the tree: geometric mean.
    pub nodes: f64,
    /// Actions at a node with a choice: mean over positions.
    pub branching: f64,
    /// Nodes for one different position: geometric mean over what was counted.
    pub merging: Option<f64>,
    /// Positions whose tree was counted; the others were estimated.
    pub counted: usize,
    /// Ways to play a turn, compared with all reductions: geometric mean of the ratio.
    pub ratio: f64,
}

/// The finished count.
#[derive(Debug, Serialize)]
pub struct ReductionsStudy {
    /// Positions at the beginning of a turn.
    pub positions: usize,
    /// Loadouts they come from.
    pub loadouts: usize,
    /// Rows by setting.
    pub rows: Vec<Row>,
}

/// Counts; `None` if interrupted.
pub(super) fn run(
    game: &Arc<dyn AnyGame>,
    scale: Scale,
    seed: u64,
    pool: &rayon::ThreadPool,
    stop: &StopToken,
    progress: &(dyn Fn(Stage) + Sync),
) -> Result<Option<ReductionsStudy>, MatchError> {
    let (loadouts, each, limit) = size(scale);
    let mut positions = Vec::new();
    for (number, loadout) in Tables::default().named().iter().take(loadouts).enumerate() {
        let what = "games to take positions from";
        progress(Stage { what, done: number as u64, total: loadouts as u64 });
        positions.extend(positions_of(game, &loadout.name, each, seed, stop)?);
        if stop.is_stopped() {
            return Ok(None);
        }
    }
    let total = (positions.len() * SETTINGS.len()) as u64;
    let done = AtomicU64::new(0);
    let mut trees: Vec<Vec<TurnTree>> = Vec::new();
    for setting in SETTINGS {
        let game = open_game(GAME, setting.rules)?;
        let count = |position: &String| {
            let tree = if stop.is_stopped() {
                Ok(None)
            } else {
                game.turn_tree(position, setting.allowed, limit, seed)
            };
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            progress(Stage { what: "trees", done, total });
            tree
        };
        let counted: Vec<Option<TurnTree>> =
            pool.install(|| positions.par_iter().map(count).collect::<Result<_, SpecError>>())?;
        if stop.is_stopped() {
            return Ok(None);
        }
        trees.push(counted.into_iter().flatten().collect());
    }
    let rows = SETTINGS.iter().zip(&trees).map(|(setting, own)| row(setting, own, &trees[0]));
    Ok(Some(ReductionsStudy { positions: positions.len(), loadouts, rows: rows.collect() }))
}

/// Positions at the beginning of turns, evenly over one game of a loadout against itself.
fn positions_of(
    game: &Arc<dyn AnyGame>,
    loadout: &str,
    count: usize,
    seed: u64,
    stop: &StopToken,
) -> Result<Vec<String>, MatchError> {
    let agent = agent(&**game, "fpu:calls=300")?;
    let spec = MatchSpec {
        game: game.clone(),
        a: agent.clone(),
        b: agent,
        games: 2,
        seed,
        openings: Openings::Random(Some(0)),
        setups: [loadout.to_owned(), loadout.to_owned()],
        time: None,
    };
    let records = play_match(&spec, 1, stop, &|_| {})?.records;
    let record = &records[0];
    let mut session = game.open(&record.start, Seeds::default())?;
    let mut turns = Vec::new();
    let mut last = None;
    for action in &record.actions {
        if session.to_act() != last {
            last = session.to_act();
            turns.push(session.position());
        }
        session.apply(action)?;
    }
    let place = |number: usize| (number + 1) * turns.len() / (count + 1);
    Ok((0..count).filter_map(|number| turns.get(place(number)).cloned()).collect())
}

fn row(setting: &Setting, trees: &[TurnTree], reduced: &[TurnTree]) -> Row {
    let mean = |of: fn(&TurnTree) -> f64| geometric_mean(trees.iter().map(of));
    let merging: Vec<f64> =
        trees.iter().filter_map(|tree| Some(tree.nodes / tree.positions? as f64)).collect();
    let ratios = trees.iter().zip(reduced).map(|(tree, base)| tree.sequences / base.sequences);
    let branching = |tree: &TurnTree| tree.choice_actions / tree.choices.max(1.0);
    Row {
        setting: setting.name,
        rules: setting.rules,
        thesis: setting.thesis,
        sequences: mean(|tree| tree.sequences),
        most_sequences: trees.iter().map(|tree| tree.sequences).fold(0.0, f64::max),
        nodes: mean(|tree| tree.nodes),
        branching: trees.iter().map(branching).sum::<f64>() / trees.len().max(1) as f64,
        merging: (!merging.is_empty()).then(|| geometric_mean(merging.iter().copied())),
        counted: merging.len(),
        ratio: geometric_mean(ratios),
    }
}

/// A number of any size in a few characters.
fn short(number: f64) -> String {
    if number >= 1e5 {
        format!("{number:.1e}")
    } else if number >= 100.0 {
        format!("{number:.0}")
    } else {
        format!("{number:.2}")
    }
}

impl ReductionsStudy {
    /// The table and what it says, as Markdown.
    pub(super) fn markdown(&self) -> String {
        let Self { positions, loadouts, rows } = self;
        let mut text = format!(
            "## Reductions of the search space\n\n{positions} positions at the beginning of a \
             turn, from games of `fpu:calls=300` with {loadouts} loadouts. A sequence is one way \
             to play the whole turn. *Merging* is the number of nodes for one different position: \
             what uniting equal nodes (6.3) would save. *Branching* is the mean number \
             of actions at nodes with a choice. *Counted* trees are exact, the others \
             estimated by random probes. The thesis's figures are upper bounds for a position \
             where every command can be paid; the measured ones are what games meet.\n\n\
             | reductions | sequences a turn | the most | against all reductions | nodes | \
             branching | merging | counted | the thesis |\n|---|---|---|---|---|---|---|---|---|\n"
        );
        for row in rows {
            let _ = writeln!(
                text,
                "| {} | {} | {} | ×{} | {} | {:.1} | {} | {} | {} |",
                row.setting,
                short(row.sequences),
                short(row.most_sequences),
                short(row.ratio),
                short(row.nodes),
                row.branching,
                row.merging.map_or_else(|| "–".to_owned(), short),
                row.counted,
                row.thesis
            );
        }
        let drawn = rows.iter().find(|row| row.rules == "winds=random");
        if drawn.is_some_and(|row| row.ratio == 1.0) {
            text.push_str(
                "\nNo position of this sample could use Winds of Fate with two commands to draw \
                 from, so 6.1 is not shown.\n",
            );
        }
        text
    }

    /// One line a setting.
    pub(super) fn csv(&self) -> String {
        let mut text = "setting,rules,sequences,most_sequences,ratio,nodes,branching,merging,\
                        counted,positions\n"
            .to_owned();
        for row in &self.rows {
            let _ = writeln!(
                text,
                "\"{}\",\"{}\",{:.6e},{:.6e},{:.6e},{:.6e},{:.3},{},{},{}",
                row.setting,
                row.rules,
                row.sequences,
                row.most_sequences,
                row.ratio,
                row.nodes,
                row.branching,
                row.merging.map_or_else(String::new, |value| format!("{value:.3}")),
                row.counted,
                self.positions
            );
        }
        text
    }
}
