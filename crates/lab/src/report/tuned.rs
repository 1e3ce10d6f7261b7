//! What a tuning found and saw.

use super::draw::{Chart, Dot, Dots, Point, Series};
use super::{Block, Data};
use crate::numbers::percent;
use crate::run::Summary;
use crate::table::Table;
use crate::tuning::TuningSummary;

/// The section of a page.
pub(super) fn section(summary: &Summary, blocks: &mut Vec<Block>) {
    let Some(tuning) = &summary.tuning else { return };
    blocks.push(Block::Heading("Tuning".into()));
    if tuning.path.is_empty() {
        marginals(tuning, blocks);
        blocks.push(Block::Table(Data::plain("most-visited", tuning.visits())));
    } else {
        path(tuning, blocks);
    }
}

fn marginals(tuning: &TuningSummary, blocks: &mut Vec<Block>) {
    let mut dots = Vec::new();
    for dimension in &tuning.dimensions {
        for value in dimension.values.iter().filter(|value| value.n > 0) {
            let [low, high] = value.wilson.map(|end| end * 100.0);
            let chosen = tuning.recommendation.iter().flatten();
            let chosen = chosen
                .into_iter()
                .any(|(key, chosen)| *key == dimension.name && *chosen == value.value);
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
    let data = Data::plain("marginals", tuning.marginals());
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
        marks: Vec::new(),
        marks_title: "",
        line: None,
        ticks: vec![0.0, 25.0, 50.0, 75.0, 100.0],
        linear: true,
        names: Vec::new(),
    };
    let row = |(number, step): (usize, &Vec<f64>)| {
        let mut row = vec![(number + 1).to_string()];
        row.extend(step.iter().map(|value| format!("{value:.4}")));
        row
    };
    let mut head = vec!["step".to_owned()];
    head.extend(tuning.dimensions.iter().map(|dimension| dimension.name.clone()));
    let table = Table {
        caption: "Values over time, about a hundred of them".into(),
        head,
        rows: tuning.path.iter().enumerate().map(row).collect(),
    };
    let words = "Each key on a scale from the smallest to the largest value tried.".to_owned();
    blocks.push(Block::Figure {
        words,
        drawing: chart.drawing(),
        data: Data::plain("path", table),
    });
}
