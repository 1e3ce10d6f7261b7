//! *Optimising setups and gameplay for Conquest* (Bax 2025), done again: what its reductions of the
//! search space save, which of its agents is stronger, its tournament of 31 setups, the cycles in
//! it, and what its players did.

mod agents;
mod compare;
mod reductions;
mod tournament;
mod tuning;

use std::sync::LazyLock;

use lab::report::{Block, Verdict};
use lab::run::CellSummary;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{Bench, Finished, Found, Order, Paper, PaperError, Planned, Sheet, Stored};

/// The name of the game.
const GAME: &str = "conquest";

/// The rules that everything is played under: the best guess of what the thesis's program played,
/// and the game as the thesis describes it.
const RULES: [&str; 2] = ["thesis", "intended"];

/// A part that plays games, under both rules.
struct Part {
    name: &'static str,
    /// The name of its results.
    key: &'static str,
    /// What is told beside the games.
    beside: fn(&str, &Stored, &Bench<'_>, &Order) -> Result<Value, PaperError>,
    /// What becomes of its claims.
    verdicts: fn(&Played<'_>) -> Vec<Verdict>,
    /// Its section of the page, without the heading.
    blocks: fn(&Played<'_>) -> Vec<Block>,
}

/// In the order in which they are played.
const PARTS: [Part; 3] = [agents::PART, tuning::PART, tournament::PART];

/// A part played under some rules.
#[derive(Serialize)]
struct Played<'a> {
    rules: &'static str,
    #[serde(flatten)]
    stored: &'a Stored,
    #[serde(flatten)]
    beside: Value,
}

/// The experiments of two of them as they are checked in; a scale changes how much is played.
const TUNING: &str = include_str!("../../../../experiments/conquest-tuning.toml");
const TOURNAMENT: &str = include_str!("../../../../experiments/conquest-setups.toml");

static SHEET: LazyLock<Sheet> = LazyLock::new(|| Sheet::read(include_str!("../conquest.toml")));

/// The paper.
pub(crate) const PAPER: Paper = Paper { sheet: &SHEET, planned: |order| Ok(planned(order)), found };

/// The numbers behind a scale, as the file of the thesis explains them.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Size {
    calls: u64,
    more_rules: String,
    agents: Value,
    tuning: Value,
    tournament: Value,
    reductions: reductions::Size,
}

/// The runs of the parts; the reductions have none.
fn planned(order: &Order) -> Vec<Planned> {
    let parts = PARTS.iter().filter(|part| order.has(part.name));
    parts.flat_map(|part| RULES.map(|rules| run(part.name, rules, order))).collect()
}

fn run(part: &'static str, rules: &str, order: &Order) -> Planned {
    let size: Size = SHEET.scale(order.scale);
    let mut changes = match part {
        "agents" => size.agents,
        "tuning" => size.tuning,
        _ => size.tournament,
    };
    changes["name"] = json!(format!("{GAME}-{part}-{rules}"));
    changes["rules"] = json!(rules);
    changes["seed"] = json!(order.seed);
    let checked_in = |text| toml::from_str(text).expect("it is checked in");
    match part {
        "agents" => {
            let player = |[name, agent, keys]: [String; 3]| json!({ "name": name, "spec": format!("{agent}:calls={}{keys}", size.calls) });
            let players = agents::players(rules).into_iter().map(player);
            changes["about"] =
                json!(format!("The agents of the Conquest thesis under its {rules} rules."));
            changes["rules"] = json!(format!("{rules}{}", size.more_rules));
            changes["agents"] = players.collect();
            SHEET.planned(part, part, changes)
        }
        "tuning" => Planned::changed(part, checked_in(TUNING), changes),
        _ => Planned::changed(part, checked_in(TOURNAMENT), changes),
    }
}

/// Judges what was played, and counts what the reductions save.
fn found(bench: &Bench<'_>, order: &Order, runs: &[Stored]) -> Finished<Found> {
    let (mut runs, mut found) = (runs.iter(), Found::default());
    let mut results = json!({ "agents": [], "tunings": [], "tournaments": [] });
    let mut sections = Vec::new();
    for Part { name, key, beside, verdicts, blocks } in PARTS {
        let asked = if order.has(name) { RULES.len() } else { 0 };
        for (rules, stored) in RULES.into_iter().zip(runs.by_ref().take(asked)) {
            let played = Played { rules, stored, beside: beside(rules, stored, bench, order)? };
            found.verdicts.extend(verdicts(&played));
            let heading = SHEET.words(&format!("{name}-heading"), &json!({ "rules": rules }));
            sections.push((name, [vec![Block::Heading(heading)], blocks(&played)].concat()));
            results[key].as_array_mut().expect("a list").push(json!(played));
        }
    }
    // The thesis's main results come first.
    sections.sort_by_key(|(name, _)| *name != "tournament");
    found.below = sections.into_iter().flat_map(|(_, blocks)| blocks).collect();
    if order.has("reductions") {
        let Some(reductions) = reductions::run(bench, order)? else { return Ok(None) };
        found.below.extend(reductions.blocks());
        found.data.push(reductions.data());
        results["reductions"] = json!(reductions);
    }
    found.results = results;
    Ok((!bench.stop.is_stopped()).then_some(found))
}

/// The score of a player in a pairing, if it is one of the two.
fn own_score(cell: &CellSummary, player: &str) -> Option<f64> {
    match (cell.a == player, cell.b == player) {
        (true, _) => cell.evidence.score,
        (_, true) => cell.evidence.score.map(|score| 1.0 - score),
        _ => None,
    }
}

/// The same with its interval, in words.
fn scored(cell: &CellSummary, player: &str) -> String {
    let of = |value: f64| if cell.a == player { value } else { 1.0 - value };
    let mut ends = cell.evidence.wilson.map(of);
    ends.sort_by(f64::total_cmp);
    let score = of(cell.evidence.score.unwrap_or(0.5));
    let games = cell.evidence.counted_games();
    SHEET.words("scored", &json!({ "score": score, "ends": ends, "games": games }))
}
