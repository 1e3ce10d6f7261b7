//! Reports: what a run says, in words, charts and tables, from the store alone.

mod behaviour;
mod document;
pub(crate) mod draw;
mod effort;
mod field;
pub(crate) mod html;
mod pairings;
mod sweep;
mod tuned;
mod verdict;

use std::collections::BTreeSet;

use registry::GameInfo;
use serde_json::Value;
use store::{GameRow, Run, Store};

pub use behaviour::behaviour_of;
pub use document::{Block, Data, Document, DocumentFile, plain_cell};
pub use draw::{Chart, Drawing, Mark, Point, Series};
pub use verdict::{Ruling, Verdict};

pub use crate::table::{Table, head, short};

use crate::experiment::{Player, Spec};
use crate::numbers::{grouped, percent};
use crate::plan::Openings;
use crate::run::{
    DesignFigures, Rate, RunError, Spread, Summary, conditions_table, counted_lengths, spec_of,
    summarise,
};
use crate::tuning::in_a_line;
use draw::{Bar, bars};
use effort::Used;

/// The report on a run; `behaviour` is what was counted in its records, if anything.
fn report(
    run: &Run,
    spec: &Spec,
    rows: &[GameRow],
    used: &[Used],
    behaviour: Option<&Value>,
) -> Document {
    let summary = summarise(spec, rows);
    let mut blocks = Vec::new();
    void_games(run, &summary, &mut blocks);
    pairings::section(spec, &summary, &mut blocks);
    field::section(spec, &summary, &mut blocks);
    tuned::section(&summary, &mut blocks);
    effort::section(spec, used, &mut blocks);
    the_game(spec, &summary, rows, &mut blocks);
    if let Some(behaviour) = behaviour {
        behaviour::section(behaviour, rows, &mut blocks);
    }
    method(run, spec, &summary, &mut blocks);
    let mut lead = lead(spec, &summary);
    lead.extend(effort::lead(spec, used));
    Document { title: spec.name.clone(), lead, facts: facts(spec, &summary), blocks }
}

/// The report on a stored run, with what players did in as many of its games as are replayed quickly.
pub fn of_run(store: &Store, run: &Run) -> Result<Document, RunError> {
    let rows = store.games(run)?;
    let spec = spec_of(run)?;
    // Counts under different rules do not add up.
    let behaviour = match &spec.conditions[..] {
        [only] => {
            let game = standard::open_game(&spec.game, &only.rules)?;
            behaviour_of(store, run, &*game, quickly_replayed(&rows))?
        }
        _ => None,
    };
    let used = effort::of_games(store, run, &spec, quickly_replayed(&rows))?;
    Ok(report(run, &spec, &rows, &used, behaviour.as_ref()))
}

/// Decisions that are replayed in a few seconds.
const QUICK: u64 = 200_000;

/// The beginning of the rows of a run whose games are replayed in a few seconds. A schedule goes
/// round the pairings, so its beginning holds about as much of each.
fn quickly_replayed(rows: &[GameRow]) -> &[GameRow] {
    let mut sum = 0;
    let within = |row: &GameRow| {
        sum += row.decisions;
        sum <= QUICK
    };
    &rows[..rows.iter().map(within).take_while(|&within| within).count()]
}

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
             each pair once.",
            grouped(repeats),
            grouped(summary.cells.iter().map(|cell| cell.evidence.pairs).sum())
        ));
    }
    match &summary.tuning {
        Some(tuning) => lead.extend(tuning.words(&summary.cells, summary.finished)),
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
pub fn field_blocks(name: &str, spec: &Spec, summary: &Summary) -> Vec<Block> {
    let mut blocks = Vec::new();
    pairings::section(spec, summary, &mut blocks);
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

fn void_games(run: &Run, summary: &Summary, blocks: &mut Vec<Block>) {
    if summary.void.is_empty() {
        return;
    }
    blocks.push(Block::Heading("Games that do not count".into()));
    let line = |game: &crate::run::VoidGame| {
        let number = game.number;
        let reason = game.reason.fault_words();
        format!("Game {number}: {reason}. `warroom runs replay {} {number}`", run.id)
    };
    blocks.push(Block::List(summary.void.iter().take(20).map(line).collect()));
    if summary.void.len() > 20 {
        blocks.push(Block::Words(format!("And {} more.", summary.void.len() - 20)));
    }
}

/// What a designer asks first.
fn the_game(spec: &Spec, summary: &Summary, rows: &[GameRow], blocks: &mut Vec<Block>) {
    if summary.figures.draws.n == 0 {
        return;
    }
    blocks.push(Block::Heading("The game itself".into()));
    blocks.push(Block::Table(Data::plain("game", figures_table(&summary.figures))));
    if !summary.conditions.is_empty() {
        let table = conditions_table(&summary.conditions);
        blocks.push(Block::Table(Data::plain("conditions", table)));
    }
    let lengths = counted_lengths(spec, rows);
    if let Some(spread) = &summary.figures.turns {
        let all = histogram(&lengths);
        let [least, tenth, median, ninth, most] = spread.quantiles;
        let words = format!(
            "A game lasts {:.1} ± {:.1} turns (mean and standard deviation, n = {}); the median \
             is {median:.0}, 80 % are between {tenth:.0} and {ninth:.0}, the shortest is \
             {least:.0} and the longest {most:.0}.",
            spread.mean,
            spread.sd,
            grouped(lengths.len() as u64)
        );
        let row = |bar: &Bar| {
            let last = bar.to - 1.0;
            let range = if last > bar.from {
                format!("{:.0}–{last:.0}", bar.from)
            } else {
                format!("{:.0}", bar.from)
            };
            let share = bar.count as f64 / lengths.len() as f64;
            vec![range, grouped(bar.count), percent(share)]
        };
        let table = Table {
            caption: format!("Turns per game, n = {} games", grouped(lengths.len() as u64)),
            head: head(&["turns", "games", "percent"]),
            rows: all.iter().map(row).collect(),
        };
        let title = format!("Length of games of {}", spec.game);
        let drawing = bars(&title, "turns a game", &all);
        blocks.push(Block::Figure { words, drawing, data: Data::plain("lengths", table) });
    }
}

/// At most this many bars.
const BARS: u64 = 24;

/// Counts values into ranges of equal, whole width.
fn histogram(values: &[u64]) -> Vec<Bar> {
    let (Some(&low), Some(&high)) = (values.iter().min(), values.iter().max()) else {
        return Vec::new();
    };
    let width = (high - low + 1).div_ceil(BARS).max(1);
    let bins = (high - low) / width + 1;
    let mut counts = vec![0u64; bins as usize];
    for value in values {
        counts[((value - low) / width) as usize] += 1;
    }
    let bar = |(index, count): (u64, u64)| Bar {
        from: (low + index * width) as f64,
        to: (low + (index + 1) * width) as f64,
        count,
    };
    (0..).zip(counts).map(bar).collect()
}

/// The figures of a game as a table.
pub(crate) fn figures_table(figures: &DesignFigures) -> Table {
    let rate = |words: &str, rate: &Rate| {
        let [low, high] = rate.wilson.map(percent);
        let value = rate.rate.map_or_else(
            || "not known".to_owned(),
            |value| format!("{} % [{low}, {high}]", percent(value)),
        );
        vec![words.to_owned(), value, grouped(rate.n)]
    };
    let n = grouped(figures.draws.n);
    let spread = |words: &str, spread: &Option<Spread>| {
        let value = spread.as_ref().map_or_else(
            || "not known".to_owned(),
            |found| format!("{:.1} ± {:.1}", found.mean, found.sd),
        );
        vec![words.to_owned(), value, n.clone()]
    };
    let number = |words: &str, value: Option<f64>| {
        let value = value.map_or_else(|| "not known".into(), |value| format!("{value:.2}"));
        vec![words.to_owned(), value, n.clone()]
    };
    Table {
        caption: "Statistics of the games: shares with 95 % intervals (Wilson), means ± standard \
                  deviation; n games"
            .into(),
        head: head(&["", "value", "n"]),
        rows: vec![
            rate("score of the first player", &figures.first_seat),
            rate("draws", &figures.draws),
            spread("turns per game", &figures.turns),
            spread("decisions per game", &figures.decisions),
            number("legal actions per decision", figures.choices),
            number("entropy of root visits, bits", figures.decision_entropy),
            rate("won after being behind half-way", &figures.comebacks),
        ],
    }
}

/// How it was made and how to make it again.
fn method(run: &Run, spec: &Spec, summary: &Summary, blocks: &mut Vec<Block>) {
    blocks.push(Block::Heading("How this was made".into()));
    let manifest = &run.manifest;
    let rules = match &spec.conditions[..] {
        [first, _, ..] => format!(
            "Rules of the first condition, {}: `{}`; the others differ as their names say.",
            first.name, first.rules
        ),
        _ => format!("Rules: `{}`.", spec.rules()),
    };
    let repeatable = if manifest.repeatable {
        "The same spec and seed give the same games on any machine and any number of threads."
    } else {
        "**Not repeatable**: the results depend on a time budget, a clock, several threads or an \
         outside program."
    };
    blocks.push(Block::Words(format!(
        "Run `{}`, started {}, warroom {}, seed {}, {}. {rules} {repeatable} `warroom runs verify \
         {0}` checks every game against the rules; `warroom runs rerun {0}` plays them again.",
        run.id, run.created, manifest.version, spec.seed, manifest.cpu
    )));
    let info = standard::open_game(&spec.game, &spec.conditions[0].rules).map(|game| game.info());
    let usual = info.as_ref().map_or([""; 2], |info| info.usual_setups);
    blocks.extend(info.as_ref().ok().map(|info| Block::Words(starts(spec, info))));
    let brings = |player: &Player| match (&player.setup, &spec.conditions[..]) {
        (Some(own), _) => own.clone(),
        (None, [only]) => {
            let [one, other] = [0, 1].map(|side| match only.setups[side].as_str() {
                "" if usual[side].is_empty() => String::new(),
                "" => format!("{} (the default)", usual[side]),
                own => own.to_owned(),
            });
            match (one == other, info.as_ref().is_ok_and(|info| info.dealt)) {
                (true, _) => one,
                // The sides bring different things.
                (false, true) => format!("{one} for player 1, {other} for player 2"),
                (false, false) => format!("{one} as A, {other} as B"),
            }
        }
        // Every condition has its own.
        _ => String::new(),
    };
    let tuned = summary.tuning.as_ref().and_then(|tuning| tuning.recommendation.as_ref());
    let row = |(index, player): (usize, &Player)| {
        let agent = match tuned.filter(|_| index == 0) {
            Some(keys) => format!("{} with {}", player.agent, in_a_line(keys)),
            None => player.agent.clone(),
        };
        vec![player.name.clone(), agent, brings(player)]
    };
    let mut agents = Table {
        caption: "Players".into(),
        head: head(&["name", "agent", "brings"]),
        rows: spec.players.iter().enumerate().map(row).collect(),
    };
    if agents.rows.iter().all(|row| row[2].is_empty()) {
        agents.head.pop();
        agents.rows.iter_mut().for_each(|row| row.truncate(2));
    }
    blocks.push(Block::Table(Data::plain("players", agents)));
    blocks.push(Block::Words(
        "Scores count a draw as half a point. Intervals of scores are 95 % Wilson intervals. The \
         test of a pairing is the exact sign test over pairs of games with seats exchanged, and \
         ★ marks what is significant at 5 % after correction for all pairings (Holm). Pairs of \
         games that repeat another exactly are counted once."
            .into(),
    ));
}

/// From which positions the games begin.
fn starts(spec: &Spec, info: &GameInfo) -> String {
    let words = |openings: &Openings| match openings {
        Openings::Positions(list) => format!("one of {} given positions", list.len()),
        Openings::Random(plies) => match plies.unwrap_or(info.opening_plies) {
            0 => "the usual start position".to_owned(),
            plies => format!("{plies} random actions from the start"),
        },
    };
    let all: BTreeSet<String> =
        spec.conditions.iter().map(|condition| words(&condition.openings)).collect();
    let all: Vec<String> = all.into_iter().collect();
    let dealt = if info.dealt { " Every deal is played with either seat beginning." } else { "" };
    format!(
        "Each pair of games begins with {}; both games of a pair have the same start, with the \
         players exchanged.{dealt}",
        all.join(", or ")
    )
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

    #[test]
    fn every_value_is_counted_once() {
        let values: Vec<u64> = (0..1000).map(|number| 24 + number * 7 % 172).collect();
        let bars = histogram(&values);
        assert_eq!(bars.iter().map(|bar| bar.count).sum::<u64>(), 1000);
        assert!(bars.len() <= BARS as usize && bars[0].from == 24.0);
        assert!(bars.windows(2).all(|two| two[0].to == two[1].from));
        assert_eq!(histogram(&[5, 5]), [Bar { from: 5.0, to: 6.0, count: 2 }]);
        assert!(histogram(&[]).is_empty());
    }
}
