//! How often something was so long.

use std::fmt::Write as _;

use super::dots::round_step;
use super::{Canvas, Drawing};

/// A range of values and how many fell into it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bar {
    pub(crate) from: f64,
    pub(crate) to: f64,
    pub(crate) count: u64,
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 64.0;
const BOTTOM: f64 = 46.0;

/// Draws the bars, which lie side by side from left to right.
pub(crate) fn bars(title: &str, below: &str, all: &[Bar]) -> Drawing {
    let most = all.iter().map(|bar| bar.count).max().unwrap_or(1).max(1) as f64;
    let (low, high) = match all {
        [first, .., last] => (first.from, last.to),
        [only] => (only.from, only.to),
        [] => (0.0, 1.0),
    };
    let x = |value: f64| LEFT + (WIDTH - LEFT - 20.0) * (value - low) / (high - low).max(1e-9);
    let y = |count: f64| HEIGHT - BOTTOM - (HEIGHT - BOTTOM - 14.0) * count / most;
    let mut out = Canvas::default();
    let step = round_step(most).max(1.0);
    for index in 0..=(most / step) as u64 {
        let value = step * index as f64;
        out.line("g", [LEFT, y(value)], [WIDTH, y(value)]);
        out.text("q", "end", [LEFT - 8.0, y(value) + 4.0], &format!("{value:.0}"));
    }
    for bar in all {
        let range = if bar.to - bar.from > 1.0 {
            format!("{:.0} to {:.0}", bar.from, bar.to - 1.0)
        } else {
            format!("{:.0}", bar.from)
        };
        let _ = writeln!(
            out.0,
            "<rect class=\"f1\" x=\"{:.1}\" width=\"{:.1}\" y=\"{:.1}\" height=\"{:.1}\"><title>\
             {range}: {}</title></rect>",
            x(bar.from) + 0.5,
            (x(bar.to) - x(bar.from) - 1.0).max(0.5),
            y(bar.count as f64),
            y(0.0) - y(bar.count as f64),
            bar.count
        );
    }
    let step = round_step(high - low).max(1.0);
    let mut value = (low / step).ceil() * step;
    while value <= high {
        out.text("q", "middle", [x(value), HEIGHT - BOTTOM + 18.0], &format!("{value:.0}"));
        value += step;
    }
    out.text("q", "middle", [f64::midpoint(LEFT, WIDTH), HEIGHT - 8.0], below);
    Drawing { title: title.to_owned(), width: WIDTH, height: HEIGHT, body: out.0 }
}
