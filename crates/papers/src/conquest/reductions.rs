//! The thesis's reductions of the search space (its chapter 6), measured one by one and together:
//! how many ways there are to play one turn, with and without each.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};

use arena::{GameRecord, Seeds};
use gamecore::StopToken;
use lab::report::{Block, Data};
use lab::run::{RunError, Threads};
use lab::{MatchSpec, Openings, map_in_order, play_in_memory};
use registry::{AnyGame, SpecError, TurnTree};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use standard::loadouts::Tables;
use stats::geometric_mean;

use super::{GAME, SHEET};
use crate::sheet::block;
use crate::{Bench, GAMES, Order, Stage, agent};

/// A set of rules to count under, as the file of the thesis explains it.
#[derive(Clone, Debug, Deserialize)]
struct Setting {
    name: String,
    rules: String,
    allowed: Option<String>,
    thesis: String,
}

static SETTINGS: LazyLock<Vec<Setting>> = LazyLock::new(|| SHEET.data("settings"));

/// Those of them that tell what hashing the Winds of Fate saves, with everything else and alone.
fn winds_settings() -> [&'static Setting; 4] {
    [0, 2, 7, 6].map(|at| &SETTINGS[at])
}

const WINDS: &str = "WindsOfFate";

/// How much is counted.
#[derive(Deserialize)]
pub(super) struct Size {
    loadouts: usize,
    /// Positions of each loadout.
    each: usize,
    /// Games of each loadout with Winds of Fate, and positions taken from them.
    winds: (u64, usize),
    /// Positions in memory before a count becomes an estimate.
    limit: usize,
}

/// One setting over all positions.
#[derive(Clone, Debug, Serialize)]
struct Row {
    /// Which reductions.
    setting: &'static str,
    /// The rules.
    rules: &'static str,
    /// What the thesis estimates of it.
    thesis: &'static str,
    /// Ways to play a turn: geometric mean over positions.
    sequences: f64,
    /// Ways to play a turn: the largest.
    most_sequences: f64,
    /// Nodes of the tree: geometric mean.
    nodes: f64,
    /// Actions at a node with a choice: mean over positions.
    branching: f64,
    /// Nodes for one different position: geometric mean over what was counted.
    merging: Option<f64>,
    /// Positions whose tree was counted; the others were estimated.
    counted: usize,
    /// Ways to play a turn, compared with all reductions: geometric mean of the ratio.
    ratio: f64,
    /// The same of nodes.
    node_ratio: f64,
}

/// What a draw by chance costs against one that follows from the position, all else equal: the
/// geometric mean over positions whose trees were counted both times.
#[derive(Clone, Copy, Debug, Serialize)]
struct DrawCost {
    /// Whether the other reductions are at work.
    reduced: bool,
    /// Such positions.
    positions: usize,
    /// Ways to play a turn with the chance event, divided by those without.
    sequences: f64,
    /// The same of nodes.
    nodes: f64,
    /// Mean branching without and with the chance event.
    branching: [f64; 2],
}

/// Positions in which Winds of Fate can be paid while at least two commands cool down.
#[derive(Debug, Serialize)]
struct WindsStudy {
    /// How many.
    positions: usize,
    /// Beginnings of turns looked at to find them.
    turns: usize,
    /// How many of those were such positions.
    found: usize,
    /// Rows by setting.
    rows: Vec<Row>,
    /// With the other reductions, and without them.
    costs: [DrawCost; 2],
}

/// The finished count.
#[derive(Debug, Serialize)]
pub(super) struct ReductionsStudy {
    /// Positions at the beginning of a turn.
    positions: usize,
    /// Loadouts they come from.
    loadouts: usize,
    /// Rows by setting.
    rows: Vec<Row>,
    /// The same where Winds of Fate can be used.
    winds: WindsStudy,
}

/// Counts; `None` if interrupted.
pub(super) fn run(bench: &Bench<'_>, order: &Order) -> Result<Option<ReductionsStudy>, RunError> {
    let &Bench { threads, stop, progress, .. } = bench;
    let super::Size { reductions: size, .. } = SHEET.scale(order.scale);
    let Size { loadouts, each, winds: (games, kept), limit } = size;
    let (game, seed, tables) = (GAMES.open(GAME, "")?, order.seed, Tables::default());
    let mut positions = Vec::new();
    for (done, loadout) in (0..).zip(tables.named().iter().take(loadouts)) {
        let what = "games to take positions from";
        progress(Stage { what, done, total: loadouts as u64 });
        let turns = turns_of(&game, &loadout.name, 2, seed, stop)?;
        positions.extend(turns.first().into_iter().flat_map(|turns| spread(turns, each)));
        if stop.is_stopped() {
            return Ok(None);
        }
    }
    let counting = Counting { seed, limit, threads, stop, progress };
    let settings: Vec<&Setting> = SETTINGS.iter().collect();
    let Some(trees) = counting.trees(&settings, &positions)? else { return Ok(None) };
    let (mut drawing, mut turns, mut found) = (Vec::new(), 0, 0);
    for loadout in tables.named().iter().filter(|loadout| loadout.summary.contains(WINDS)) {
        let begun = turns_of(&game, &loadout.name, games, seed, stop)?.concat();
        let mut can = Vec::new();
        for turn in &begun {
            can.extend(can_draw(&*game, turn)?.then(|| turn.clone()));
        }
        (turns, found) = (turns + begun.len(), found + can.len());
        drawing.extend(spread(&can, kept));
        if stop.is_stopped() {
            return Ok(None);
        }
    }
    let Some(drawn) = counting.trees(&winds_settings(), &drawing)? else { return Ok(None) };
    let [hashed, random, hashed_alone, none] = &drawn[..] else {
        unreachable!("one list a setting");
    };
    Ok(Some(ReductionsStudy {
        positions: positions.len(),
        loadouts,
        rows: rows(&settings, &trees),
        winds: WindsStudy {
            positions: drawing.len(),
            turns,
            found,
            rows: rows(&winds_settings(), &drawn),
            costs: [draw_cost(true, hashed, random), draw_cost(false, hashed_alone, none)],
        },
    }))
}

/// How trees are counted.
struct Counting<'a> {
    seed: u64,
    limit: usize,
    threads: usize,
    stop: &'a StopToken,
    progress: &'a (dyn Fn(Stage) + Sync),
}

impl Counting<'_> {
    /// The trees of all positions under each setting; `None` if interrupted.
    fn trees(
        &self,
        settings: &[&Setting],
        positions: &[String],
    ) -> Result<Option<Vec<Vec<TurnTree>>>, SpecError> {
        let total = (positions.len() * settings.len()) as u64;
        let done = AtomicU64::new(0);
        let mut trees = Vec::new();
        for setting in settings {
            let game = GAMES.open(GAME, &setting.rules)?;
            let count = |position: &String| {
                let tree = if self.stop.is_stopped() {
                    Ok(None)
                } else {
                    game.turn_tree(position, setting.allowed.as_deref(), self.limit, self.seed)
                };
                let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                (self.progress)(Stage { what: "trees", done, total });
                tree
            };
            let counted: Vec<Option<TurnTree>> = map_in_order(self.threads, positions, &count)?;
            if self.stop.is_stopped() {
                return Ok(None);
            }
            trees.push(counted.into_iter().flatten().collect());
        }
        Ok(Some(trees))
    }
}

/// Positions at the beginning of turns of games of a loadout against itself, by game.
fn turns_of(
    game: &Arc<dyn AnyGame>,
    loadout: &str,
    games: u64,
    seed: u64,
    stop: &StopToken,
) -> Result<Vec<Vec<String>>, RunError> {
    let agent = agent(&**game, "fpu:calls=300")?;
    let spec = MatchSpec {
        game: game.clone(),
        a: agent.clone(),
        b: agent,
        games,
        seed,
        openings: Openings::Random(Some(0)),
        setups: [loadout.to_owned(), loadout.to_owned()],
        time: None,
    };
    let turns = |record: &GameRecord| {
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
        Ok(turns)
    };
    let (_, records) = play_in_memory(&spec.experiment()?, &Threads::new(1), stop, &|_| {})?;
    Ok(records.iter().map(turns).collect::<Result<_, SpecError>>()?)
}

/// So many of them, evenly.
fn spread(turns: &[String], count: usize) -> Vec<String> {
    let place = |number: usize| (number + 1) * turns.len() / (count + 1);
    (0..count).filter_map(|number| turns.get(place(number)).cloned()).collect()
}

/// Whether Winds of Fate can be used with at least two commands to draw from.
fn can_draw(game: &dyn AnyGame, position: &str) -> Result<bool, SpecError> {
    let session = game.open(position, Seeds::default())?;
    let payable = session.legal().iter().any(|action| action.ends_with(WINDS));
    // Commands of player 0 and 1 are words 6 and 7; one that cools down says how long: `Charge:3`.
    let own = session.to_act().and_then(|seat| position.split(' ').nth(6 + seat.index()));
    Ok(payable && own.is_some_and(|commands| commands.matches(':').count() >= 2))
}

fn draw_cost(reduced: bool, hashed: &[TurnTree], random: &[TurnTree]) -> DrawCost {
    let counted = |tree: &TurnTree| tree.positions.is_some();
    let both: Vec<(&TurnTree, &TurnTree)> =
        hashed.iter().zip(random).filter(|(one, two)| counted(one) && counted(two)).collect();
    let ratio = |of: fn(&TurnTree) -> f64| {
        geometric_mean(both.iter().map(|(hashed, random)| of(random) / of(hashed)))
    };
    let mean = |sum: f64| sum / both.len().max(1) as f64;
    DrawCost {
        reduced,
        positions: both.len(),
        sequences: ratio(|tree| tree.sequences),
        nodes: ratio(|tree| tree.nodes),
        branching: [
            mean(both.iter().map(|(hashed, _)| branching(hashed)).sum()),
            mean(both.iter().map(|(_, random)| branching(random)).sum()),
        ],
    }
}

fn branching(tree: &TurnTree) -> f64 {
    tree.choice_actions / tree.choices.max(1.0)
}

/// Rows of settings, of which the first is what the others are compared with.
fn rows(settings: &[&'static Setting], trees: &[Vec<TurnTree>]) -> Vec<Row> {
    settings.iter().zip(trees).map(|(setting, own)| row(setting, own, &trees[0])).collect()
}

fn row(setting: &'static Setting, trees: &[TurnTree], reduced: &[TurnTree]) -> Row {
    let mean = |of: fn(&TurnTree) -> f64| geometric_mean(trees.iter().map(of));
    let merging: Vec<f64> =
        trees.iter().filter_map(|tree| Some(tree.nodes / tree.positions? as f64)).collect();
    let ratio = |of: fn(&TurnTree) -> f64| {
        geometric_mean(trees.iter().zip(reduced).map(|(tree, base)| of(tree) / of(base)))
    };
    Row {
        setting: &setting.name,
        rules: &setting.rules,
        thesis: &setting.thesis,
        sequences: mean(|tree| tree.sequences),
        most_sequences: trees.iter().map(|tree| tree.sequences).fold(0.0, f64::max),
        nodes: mean(|tree| tree.nodes),
        branching: trees.iter().map(branching).sum::<f64>() / trees.len().max(1) as f64,
        merging: (!merging.is_empty()).then(|| geometric_mean(merging.iter().copied())),
        counted: merging.len(),
        ratio: ratio(|tree| tree.sequences),
        node_ratio: ratio(|tree| tree.nodes),
    }
}

impl DrawCost {
    fn words(&self) -> String {
        let mut values = json!(self);
        let others = if self.reduced { "With all other reductions" } else { "Without any other" };
        values["others"] = json!(others);
        SHEET.words("cost", &values)
    }
}

impl ReductionsStudy {
    /// The tables and what they say.
    pub(super) fn blocks(&self) -> Vec<Block> {
        let (values, winds) = (json!(self), json!(self.winds));
        let table = |rows: &[Row], caption: &str, values: &Value| {
            let caption = SHEET.words(caption, values);
            SHEET.table("reductions", rows, &json!({ "caption": caption }))
        };
        let costs = self.winds.costs.each_ref().map(DrawCost::words).join(" ");
        vec![
            Block::Heading("Reductions of the search space".into()),
            Block::Words(SHEET.words("reductions", &values)),
            Block::Table(table(&self.rows, "all-positions", &values)),
            block("reductions-winds-of-fate", table(&self.winds.rows, "winds-positions", &winds)),
            Block::Words(SHEET.words("winds", &json!({ "costs": costs }))),
        ]
    }

    /// For programs, one line a setting and sample.
    pub(super) fn data(&self) -> Data {
        let line = |sample: &'static str, positions: usize| move |row: &Row| json!({ "sample": sample, "row": row, "positions": positions });
        let all = self.rows.iter().map(line("all", self.positions));
        let winds = self.winds.rows.iter().map(line("winds-of-fate", self.winds.positions));
        SHEET.table("conquest-reductions", all.chain(winds), &json!({}))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two troops a side, out of reach; the commands and points of player 0 are given.
    fn position(points: u32, commands: &str) -> String {
        format!(
            "0 select 8 - open {points}/0 {commands} Chastise F5/2=300,F9/2=300 F5/17=300,F9/17=300 -"
        )
    }

    const TWO_COOLING: &str = "BattleCry:3,WindsOfFate,Chastise:1";

    #[test]
    fn winds_of_fate_needs_points_and_two_commands_to_draw_from() {
        let game = GAMES.open(GAME, "").unwrap();
        let can_draw = |points, commands| can_draw(&*game, &position(points, commands)).unwrap();
        assert!(can_draw(150, TWO_COOLING));
        assert!(!can_draw(149, TWO_COOLING), "too dear");
        assert!(!can_draw(150, "BattleCry:3,WindsOfFate,Chastise"), "one command to draw");
        assert!(!can_draw(150, "BattleCry:3,WindsOfFate:1,Chastise:1"), "it cools down itself");
    }

    #[test]
    fn a_chance_event_makes_the_tree_of_a_turn_larger_only_where_it_can_draw() {
        let stop = StopToken::default();
        let counting =
            Counting { seed: 1, limit: 1_000_000, threads: 1, stop: &stop, progress: &|_| {} };
        let cost = |points| {
            let settings = &winds_settings()[..2];
            let trees = counting.trees(settings, &[position(points, TWO_COOLING)]).unwrap();
            let trees = trees.expect("nobody stopped it");
            draw_cost(true, &trees[0], &trees[1])
        };
        let drawn = cost(250);
        assert_eq!(drawn.positions, 1, "counted both times");
        assert!(drawn.sequences > 1.0 && drawn.nodes > 1.0, "{drawn:?}");
        let none = cost(100);
        assert_eq!((none.sequences, none.nodes), (1.0, 1.0));
        assert_eq!(none.branching[0], none.branching[1]);
    }
}
