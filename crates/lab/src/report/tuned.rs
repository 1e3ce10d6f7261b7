//! What a tuning found and saw.

use super::draw::{Chart, Dot, Dots, Point, Series};
use super::{Block, Data};
use crate::numbers::{grouped, percent};
use crate::run::{CellSummary, Summary};
use crate::table::{Column, Table};
use crate::tuning::{TuningSummary, ValueSummary, in_a_line};

fn score(cell: &CellSummary) -> String {
    // Without draws the exact interval is the one to state.
    let [low, high] = cell.evidence.exact.unwrap_or(cell.evidence.wilson).map(percent);
    let kind = if cell.evidence.exact.is_some() { "exact" } else { "Wilson" };
    cell.evidence.score.map_or_else(
        || "no games yet".to_owned(),
        |score| {
            format!(
                "{} % [{low}, {high}] ({kind}) of {} games",
                percent(score),
                cell.evidence.counted_games()
            )
        },
    )
}

/// What was found, what was expected of it, and what fresh games say: the sentences at the top.
#[must_use]
pub fn lead(tuning: &TuningSummary, cells: &[CellSummary], finished: bool) -> Vec<String> {
    let [done, planned] = tuning.evaluations;
    let of = tuning.points.map_or_else(String::new, |points| {
        format!(" on {} of {} points", grouped(tuning.visited), grouped(points))
    });
    let mut words = vec![format!(
        "{} of {} evaluations{of} by {}.",
        grouped(done),
        grouped(planned),
        tuning.method
    )];
    let Some(found) = &tuning.recommendation else { return words };
    let expected = tuning.estimate.map_or_else(String::new, |estimate| {
        let (n, mean) = tuning.observed.as_ref().map_or((0, 0.0), |seen| (seen.n, seen.mean));
        let seen = if n > 0 { format!(", mean reward {} %", percent(mean)) } else { String::new() };
        format!(
            "; its model predicts {} % for it, from {n} evaluations of this point{seen}",
            percent(estimate)
        )
    });
    words.push(format!("Found: **{}**{expected}.", in_a_line(found)));
    for cell in cells.iter().filter(|cell| cell.evidence.counted_games() > 0) {
        words.push(format!(
            "Held-out games: {} scores {} against {}.",
            cell.a,
            score(cell),
            cell.b
        ));
    }
    let confirmed: Vec<f64> = cells
        .iter()
        .filter(|cell| cell.a == "tuned")
        .filter_map(|cell| cell.evidence.score)
        .collect();
    if let (Some(estimate), true, false) = (tuning.estimate, finished, confirmed.is_empty()) {
        let mean = confirmed.iter().sum::<f64>() / confirmed.len() as f64;
        let more = (estimate - mean) * 100.0;
        words.push(if more > 0.0 {
            format!(
                "The model predicted {more:.1} percentage points more than the held-out games \
                 give: the best of many is partly lucky (winner’s curse)."
            )
        } else {
            format!(
                "Held-out games give {:.1} percentage points more than the model predicted, \
                 which averages over other points.",
                -more
            )
        });
    }
    words
}

/// Whether a tuning would choose this value of a key.
fn is_chosen(tuning: &TuningSummary, key: &str, value: &ValueSummary) -> bool {
    let mut keys = tuning.recommendation.iter().flatten();
    keys.any(|(name, chosen)| name == key && *chosen == value.value)
}

fn evaluations(value: &ValueSummary) -> String {
    grouped(value.n)
}

/// The mean with its interval, if there is one.
fn reward(value: &ValueSummary) -> String {
    let [low, high] = value.wilson.map(percent);
    if value.n == 0 { String::new() } else { format!("{} [{low}, {high}]", percent(value.mean)) }
}

/// Rewards by value of each key.
fn marginals_table(tuning: &TuningSummary) -> Table {
    let columns: [Column<'_, (&str, &ValueSummary)>; 5] = [
        ("key", &|(key, _)| key.to_owned()),
        ("value", &|(_, value)| value.value.clone()),
        ("n", &|(_, value)| evaluations(value)),
        ("reward", &|(_, value)| reward(value)),
        ("", &|(key, it)| if is_chosen(tuning, key, it) { "chosen".into() } else { String::new() }),
    ];
    let caption = "Values of each key: mean reward in percent, with its 95 % interval over games; n \
                   evaluations. Good values are tried more often, so the means of values that were dropped early \
                   are rough";
    let dimensions = tuning.dimensions.iter();
    let rows =
        dimensions.flat_map(|it| it.values.iter().map(move |value| (it.name.as_str(), value)));
    Table::of(caption, &columns, rows)
}

/// The points evaluated most.
fn visits_table(tuning: &TuningSummary) -> Table {
    let columns: [Column<'_, &ValueSummary>; 3] =
        [("point", &|value| value.value.clone()), ("n", &evaluations), ("reward", &reward)];
    let caption = "The most evaluated points: reward in percent, n evaluations";
    Table::of(caption, &columns, &tuning.most_visited)
}

/// The section of a page.
pub(super) fn section(summary: &Summary, blocks: &mut Vec<Block>) {
    let Some(tuning) = &summary.tuning else { return };
    blocks.push(Block::Heading("Tuning".into()));
    if tuning.path.is_empty() {
        marginals(tuning, blocks);
        blocks.push(Block::Table(Data::plain("most-visited", visits_table(tuning))));
    } else {
        path(tuning, blocks);
    }
}

fn marginals(tuning: &TuningSummary, blocks: &mut Vec<Block>) {
    let mut dots = Vec::new();
    for dimension in &tuning.dimensions {
        for value in dimension.values.iter().filter(|value| value.n > 0) {
            let [low, high] = value.wilson.map(|end| end * 100.0);
            let chosen = is_chosen(tuning, &dimension.name, value);
            dots.push(Dot {
                name: format!("{} = {}", dimension.name, value.value),
                value: value.mean * 100.0,
                interval: Some([low, high]),
                label: format!(
                    "{}  n = {}{}",
                    percent(value.mean),
                    value.n,
                    if chosen { "  chosen" } else { "" }
                ),
                clear: chosen,
            });
        }
    }
    let drawing = Dots {
        title: "Reward by value of each key".into(),
        axis: "mean reward in percent, with 95 % intervals".into(),
        dots,
        reference: Some(50.0),
        limits: [0.0, 100.0],
    }
    .drawing();
    let words = "Mean reward of all evaluations with each value, over all values of the other \
                 keys; the chosen value is coloured. Good values are tried more often.";
    let data = Data::plain("marginals", marginals_table(tuning));
    blocks.push(Block::Figure { words: words.into(), drawing, data });
}

/// The way of a method without a grid, each key on a scale of its own.
fn path(tuning: &TuningSummary, blocks: &mut Vec<Block>) {
    let steps = tuning.path.len() as u32;
    let mut series = Vec::new();
    for (place, dimension) in tuning.dimensions.iter().enumerate() {
        let values: Vec<f64> = tuning.path.iter().map(|step| step[place]).collect();
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let part = |value: f64| 100.0 * (value - low) / (high - low).max(1e-12);
        let points = (1..).zip(&values);
        let points =
            points.map(|(step, &value)| Point { step, value: part(value), interval: None });
        series.push(Series {
            label: format!("{} {low:.3}…{high:.3}", dimension.name),
            style: 1 + place % 6,
            points: points.collect(),
        });
    }
    let chart = Chart {
        title: "Parameters over time".into(),
        axis: "percent of the range from the smallest to the largest value tried",
        below: "steps, from first to last".into(),
        steps,
        series,
        ticks: vec![0.0, 25.0, 50.0, 75.0, 100.0],
        linear: true,
        ..Chart::default()
    };
    let row = |(number, step): (usize, &Vec<f64>)| {
        let mut row = vec![(number + 1).to_string()];
        row.extend(step.iter().map(|value| format!("{value:.4}")));
        row
    };
    let mut heads = vec!["step".to_owned()];
    heads.extend(tuning.dimensions.iter().map(|dimension| dimension.name.clone()));
    let table = Table {
        caption: "Values over time, about a hundred of them".into(),
        head: heads,
        rows: tuning.path.iter().enumerate().map(row).collect(),
    };
    let words = "Each key on a scale from the smallest to the largest value tried.".to_owned();
    blocks.push(Block::Figure {
        words,
        drawing: chart.drawing(),
        data: Data::plain("path", table),
    });
}
