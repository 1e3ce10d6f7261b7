//! The thesis's agents against each other (its section 7.4).

use arena::{Seeds, WallClock};
use gamecore::{Purpose, StopToken, seed};
use lab::report::{Block, Data, Ruling, Verdict, field_blocks};
use lab::run::CellSummary;
use registry::{AnyGame, SpecError, Thinking};
use serde::Serialize;
use serde_json::json;

use super::{GAME, Part, Played, SHEET, Size, own_score, scored};
use crate::sheet::judged;
use crate::{GAMES, agent};

const ORIGINAL: &str = "fpu-original";
const LOADOUT: &str = "Default";

/// Who plays under which rules: name, agent, keys beside the calls.
pub(super) fn players(rules: &str) -> Vec<[String; 3]> {
    let mut players: std::collections::BTreeMap<String, _> = SHEET.data("players");
    players.remove(rules).unwrap_or_default()
}

/// Work of decisions at the start position.
#[derive(Clone, Copy, Debug, Serialize)]
struct StartDecisions {
    /// How many were made, each by a fresh agent.
    decisions: u64,
    /// Fewest and most calls.
    calls: [u64; 2],
    /// Fewest and most iterations.
    iterations: [u64; 2],
    mean_iterations: f64,
}

/// A round robin.
pub(super) const PART: Part = Part {
    name: "agents",
    key: "agents",
    beside: |rules, stored, _, order| {
        let Size { calls, .. } = SHEET.scale(order.scale);
        let game = GAMES.open(GAME, rules)?;
        let start = start_decisions(&*game, calls, stored.spec.games.max(20), order.seed)?;
        Ok(json!({ "calls": calls, "start": start }))
    },
    verdicts: |played| match played.rules {
        "thesis" => program_verdicts(played),
        _ => vec![intended_verdict(played)],
    },
    blocks,
};

/// Lets fresh agents decide the first position.
fn start_decisions(
    game: &dyn AnyGame,
    calls_each: u64,
    decisions: u64,
    run_seed: u64,
) -> Result<StartDecisions, SpecError> {
    let agent = agent(game, &format!("{ORIGINAL}:calls={calls_each}"))?;
    let start = game.start([LOADOUT; 2], Some(0), run_seed, false)?;
    let (clock, stop) = (WallClock::new(), StopToken::default());
    let limits = Thinking::new(&clock, &stop);
    let (mut calls, mut iterations) = (Vec::new(), Vec::new());
    for number in 0..decisions {
        let mut session = game.open(&start, Seeds::default())?;
        let own = seed(run_seed, number, Purpose::Agent { game: 0, letter: 'a' });
        let agent = session.add_agent(&agent, own);
        let counters = session.think(agent, &limits)?.counters;
        calls.push(counters.calls);
        iterations.push(counters.iterations);
    }
    let ends = |counts: &[u64]| {
        let (least, most) = (counts.iter().min(), counts.iter().max());
        [least.copied().unwrap_or(0), most.copied().unwrap_or(0)]
    };
    Ok(StartDecisions {
        decisions,
        calls: ends(&calls),
        iterations: ends(&iterations),
        mean_iterations: iterations.iter().sum::<u64>() as f64 / decisions.max(1) as f64,
    })
}

/// The pairing of two players, seen from the first: score in numbers and words, whether it is a
/// claim.
fn against(played: &Played<'_>, a: &str, b: &str) -> Option<(f64, String, bool)> {
    let cells = &played.stored.summary.cells;
    let found = |cell: &&CellSummary| (cell.a == a && cell.b == b) || (cell.a == b && cell.b == a);
    let cell = cells.iter().find(found)?;
    let claim = played.stored.summary.stronger(cell).is_some();
    Some((own_score(cell, a)?, scored(cell, a), claim))
}

fn program_verdicts(played: &Played<'_>) -> Vec<Verdict> {
    let claims = ["random-search", "full-turn"];
    let verdict = |claim: &str| {
        let found = against(played, ORIGINAL, &format!("{claim}-original"));
        let (score, measured, claimed) =
            found.unwrap_or_else(|| (0.5, "not played".to_owned(), false));
        let ruling = judged(claimed && score <= 0.5, claimed && score > 0.5);
        SHEET.verdict(
            claim,
            ruling,
            &json!({ "measured": measured, "calls": played.beside["calls"] }),
        )
    };
    claims.map(verdict).into()
}

fn intended_verdict(played: &Played<'_>) -> Verdict {
    let better = |[name, ..]: &[String; 3]| {
        let (score, words, claim) = against(played, name, ORIGINAL)?;
        (claim && score > 0.5).then(|| format!("`{name}` {words}"))
    };
    let better: Vec<String> = players(played.rules).iter().filter_map(better).collect();
    let (ruling, measured, why) = if better.is_empty() {
        (Ruling::NotShown, "no agent is significantly stronger".to_owned(), "no-stronger")
    } else {
        let words = format!("against `{ORIGINAL}`: {}", better.join(", "));
        (Ruling::DoesNotHold, words, "stronger")
    };
    let why = SHEET.words(why, &json!({}));
    let values = json!({ "calls": played.beside["calls"], "measured": measured, "why": why });
    SHEET.verdict("strongest", ruling, &values)
}

/// The thesis's final selection beside ours. Its field was these five, ours has one more, which
/// is left out of the count.
fn selection(played: &Played<'_>) -> Data {
    let published: Vec<(String, f64, String)> = SHEET.data("selection");
    let is_ours = |name: &String| published.iter().any(|(.., player)| player == name);
    let row = |(name, won, player): &(String, f64, String)| {
        let (mut points, mut games) = (0.0, 0);
        for cell in &played.stored.summary.cells {
            let found = own_score(cell, player).filter(|_| is_ours(&cell.a) && is_ours(&cell.b));
            let Some(score) = found else { continue };
            points += score * cell.evidence.counted_games() as f64;
            games += cell.evidence.counted_games();
        }
        let share = points / games.max(1) as f64;
        json!({ "agent": name, "published": won, "here": player, "won": share, "games": games })
    };
    SHEET.table("agents-published", published.iter().map(row), &json!({}))
}

/// The section of a page.
fn blocks(played: &Played<'_>) -> Vec<Block> {
    let Played { rules, stored, beside } = played;
    let values = json!({
        "calls": beside["calls"],
        "loadout": stored.spec.conditions[0].setups[0],
        "games": stored.spec.games,
        "origin": stored.origin(),
    });
    let mut blocks = vec![Block::Words(SHEET.words("agents", &values))];
    blocks.extend(field_blocks(&GAMES, &format!("agents-{rules}"), &stored.spec, &stored.summary));
    if *rules == "thesis" {
        blocks.push(Block::Table(selection(played)));
    }
    blocks.push(Block::Words(SHEET.words("start", &beside["start"])));
    blocks
}
