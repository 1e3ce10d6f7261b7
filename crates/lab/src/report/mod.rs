//! What a run says, in words, charts and tables: one document, on a page as in a terminal.

mod behaviour;
mod document;
pub(crate) mod draw;
mod effort;
mod field;
mod game;
pub(crate) mod html;
mod pairings;
mod setting;
mod sweep;
mod tuned;
mod verdict;

use gamecore::capital;
use registry::{GameInfo, Registry};
use serde_json::Value;
use store::{Run, Store};

pub use crate::table::{Table, head, short};
pub use behaviour::behaviour_of;
pub use document::{Block, Data, Document, DocumentFile};
pub use draw::{Chart, Drawing, Mark, Point, Series};
pub use tuned::lead as tuning_lead;
pub use verdict::{Ruling, Verdict};

use crate::experiment::Spec;
use crate::numbers::{grouped, percent};
use crate::run::{RunError, Summary, VoidGame, spec_of, summary_of_each};
use effort::Used;

/// The report on a run; `info` is its game, unless this program does not know it, and `behaviour` what was
/// counted in its records, if anything.
fn report(
    info: Option<&GameInfo>,
    run: &Run,
    spec: &Spec,
    summary: &Summary,
    used: &[Used],
    behaviour: Option<&Value>,
) -> Document {
    let mut blocks = Vec::new();
    void_games(Some(run), summary, &mut blocks);
    pairings::section(info, spec, summary, &mut blocks);
    field::section(spec, summary, &mut blocks);
    tuned::section(summary, &mut blocks);
    effort::section(spec, used, &mut blocks);
    game::section(info, summary, &mut blocks);
    game::lengths(spec, summary, &mut blocks);
    if let Some(behaviour) = behaviour {
        let sound = summary.played - summary.void.len() as u64;
        behaviour::section(behaviour, sound, &mut blocks);
    }
    setting::section(info, run, spec, summary, &mut blocks);
    let mut lead = lead(spec, summary);
    lead.extend(effort::lead(spec, used));
    Document { title: spec.name.clone(), lead, facts: facts(spec, summary), blocks }
}

/// What is said of games that nobody can play again.
pub const NOT_REPEATABLE: &str =
    "not repeatable: depends on a time budget, a clock, several threads or an outside program";

/// What games show, from what is known of each without its record; `run` if they are stored.
#[must_use]
pub fn findings(games: &Registry, spec: &Spec, summary: &Summary, run: Option<&Run>) -> Document {
    let info = info_of(games, spec);
    let info = info.as_ref();
    let mut blocks = Vec::new();
    void_games(run, summary, &mut blocks);
    match pairings::only(info, spec, summary) {
        Some(only) => blocks.push(Block::Table(only)),
        None => pairings::section(info, spec, summary, &mut blocks),
    }
    field::section(spec, summary, &mut blocks);
    tuned::section(summary, &mut blocks);
    game::section(info, summary, &mut blocks);
    let mut lead = claims(spec, summary);
    let mut title = format!(
        "{}: {} of {} games of {}, {}",
        run.map_or(&spec.name, |run| &run.id),
        grouped(summary.played),
        grouped(summary.planned),
        spec.game,
        if summary.finished { "finished" } else { "not finished" },
    );
    if let Some(run) = run {
        title += &format!("; begun {} on {}", run.created, run.manifest.cpu);
        lead.extend(provenance(run, summary));
    }
    Document { title, lead, facts: Vec::new(), blocks }
}

/// What a reader must know of how games were played.
fn provenance(run: &Run, summary: &Summary) -> Vec<String> {
    let mut lines = Vec::new();
    let repeatable = run.manifest.repeatable;
    if !repeatable {
        lines.push(format!("{}.", capital(NOT_REPEATABLE)));
        if let [_, _, ..] = &summary.hosts[..] {
            let (count, names) = (summary.hosts.len(), summary.hosts.join(", "));
            lines.push(format!(
                "Mixed machines: {count} of them played these games ({names}); equal times are more thought \
                 on a faster one. The column host of an export says which played which."
            ));
        }
    }
    if summary.programs.len() > 1 {
        let (count, names) = (summary.programs.len(), summary.programs.join(", "));
        let proof = match repeatable {
            true => "",
            false => " Not all games repeat, so nothing proves that these programs play alike.",
        };
        lines.push(format!("Played by {count} programs: {names}.{proof}"));
    }
    lines
}

/// The report on a stored run, with what players did in as many of its games as are replayed quickly.
pub fn of_run(games: &Registry, store: &Store, run: &Run) -> Result<Document, RunError> {
    let spec = spec_of(run)?;
    // The beginning of a run whose games are replayed in a few seconds. A schedule goes round the pairings, so
    // its beginning holds about as much of each.
    let (mut first, mut decisions) = (Vec::new(), 0);
    let summary = summary_of_each(store, run, &spec, |row| {
        decisions += row.decisions;
        if decisions <= QUICK {
            first.push(row.clone());
        }
    })?;
    // Counts under different rules do not add up.
    let behaviour = match &spec.conditions[..] {
        [only] => {
            let game = games.open(&spec.game, &only.rules)?;
            behaviour_of(store, run, &*game, &first)?
        }
        _ => None,
    };
    let used = effort::of_games(games, store, run, &spec, &first)?;
    let info = info_of(games, &spec);
    Ok(report(info.as_ref(), run, &spec, &summary, &used, behaviour.as_ref()))
}

/// The game, unless this program does not know it.
fn info_of(games: &Registry, spec: &Spec) -> Option<GameInfo> {
    Some(games.open(&spec.game, &spec.conditions[0].rules).ok()?.info())
}

/// Void games that are told one by one.
const MOST_VOID: usize = 20;

/// Decisions that are replayed in a few seconds.
const QUICK: u64 = 200_000;

/// The sentences at the top.
fn lead(spec: &Spec, summary: &Summary) -> Vec<String> {
    let about = Some(&spec.about).filter(|about| !about.is_empty());
    about.cloned().into_iter().chain(claims(spec, summary)).collect()
}

/// What spoils the results, then what they say.
pub(crate) fn claims(spec: &Spec, summary: &Summary) -> Vec<String> {
    let mut lead = Vec::new();
    if !summary.void.is_empty() {
        lead.push(format!(
            "**{} of {} games are void** and do not count: see below.",
            grouped(summary.void.len() as u64),
            grouped(summary.played)
        ));
    }
    if !summary.finished {
        lead.push(format!(
            "**Not finished**: {} of {} games have been played, so no claims are made yet.",
            grouped(summary.played),
            grouped(summary.planned)
        ));
    }
    let repeats: u64 = summary.cells.iter().map(|cell| cell.evidence.repeated_pairs).sum();
    if repeats > 0 {
        lead.push(format!(
            "{} of {} pairs of games repeat another pair exactly; scores, tests and statistics count \
             each pair once. For more variety, begin each pair with more random actions: \
             --opening-plies N, or `opening-plies` in an experiment.",
            grouped(repeats),
            grouped(summary.cells.iter().map(|cell| cell.evidence.pairs).sum())
        ));
    }
    match &summary.tuning {
        Some(tuning) => lead.extend(tuned::lead(tuning, &summary.cells, summary.finished)),
        None => lead.extend(pairings::lead(spec, summary)),
    }
    lead.extend(field::lead(summary));
    lead
}

/// A number with its sign, as people write it: no hyphen for a minus, and no negative nothing.
pub(crate) fn signed(value: f64, digits: usize) -> String {
    let text = format!("{:.digits$}", value.abs());
    let nothing = text.chars().all(|letter| "0.".contains(letter));
    let sign = match value {
        _ if nothing => "",
        _ if value < 0.0 => "−",
        _ => "+",
    };
    format!("{sign}{text}")
}

/// The sections about pairings and ratings of a run, for a page that holds several: their files are
/// named after `name`.
#[must_use]
pub fn field_blocks(games: &Registry, name: &str, spec: &Spec, summary: &Summary) -> Vec<Block> {
    let mut blocks = Vec::new();
    pairings::section(info_of(games, spec).as_ref(), spec, summary, &mut blocks);
    field::section(spec, summary, &mut blocks);
    as_part(name, blocks)
}

/// The section about the tuning of a run, for such a page.
#[must_use]
pub fn tuning_blocks(name: &str, summary: &Summary) -> Vec<Block> {
    let mut blocks = Vec::new();
    tuned::section(summary, &mut blocks);
    as_part(name, blocks)
}

/// Sections as parts of a page that has its own headings, with names of files of their own.
fn as_part(name: &str, mut blocks: Vec<Block>) -> Vec<Block> {
    blocks.retain(|block| !matches!(block, Block::Heading(_)));
    for block in &mut blocks {
        if let Block::Table(data) | Block::Figure { data, .. } = block {
            data.name = format!("{name}-{}", data.name);
        }
    }
    blocks
}

fn facts(spec: &Spec, summary: &Summary) -> Vec<(String, String)> {
    let figures = &summary.figures;
    let mut facts = vec![(grouped(summary.played), format!("games of {}", spec.game))];
    if spec.players.len() > 2 {
        facts.push((spec.players.len().to_string(), "players".into()));
    }
    if let Some(rate) = figures.first_seat.rate {
        let [low, high] = figures.first_seat.wilson.map(percent);
        let n = grouped(figures.first_seat.n);
        let words = format!("score of the first player [{low}, {high}], n = {n}");
        facts.push((format!("{} %", percent(rate)), words));
    }
    if let Some(turns) = &figures.turns {
        let n = grouped(figures.draws.n);
        let words = format!("turns per game ± {:.0} (sd), n = {n}", turns.sd);
        facts.push((format!("{:.0}", turns.mean), words));
    }
    facts
}

fn void_games(run: Option<&Run>, summary: &Summary, blocks: &mut Vec<Block>) {
    if summary.void.is_empty() {
        return;
    }
    blocks.push(Block::Heading("Games that do not count".into()));
    let line = |game: &VoidGame| {
        let (number, reason) = (game.number, game.reason.fault_words());
        let advice =
            run.map_or_else(String::new, |Run { id, manifest, .. }| match manifest.repeatable {
                true => format!(". `warroom runs rerun {id} --game {number}` plays it again"),
                false => format!(". `warroom runs replay {id} {number}` shows it"),
            });
        format!("Game {number}: {reason}{advice}")
    };
    blocks.push(Block::List(summary.void.iter().take(MOST_VOID).map(line).collect()));
    if summary.void.len() > MOST_VOID {
        blocks.push(Block::Words(format!("And {} more.", summary.void.len() - MOST_VOID)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_those_of_print() {
        let shown = [12.6, -12.4, -0.3, 0.0].map(|value| signed(value, 0));
        assert_eq!(shown, ["+13", "−12", "0", "0"]);
        assert_eq!(signed(-0.8054, 3), "−0.805");
    }
}
