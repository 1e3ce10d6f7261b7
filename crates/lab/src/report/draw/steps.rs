//! Lines: steps to the right, a logarithmic or linear scale upwards.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{Canvas, Drawing, shortened, width_of};
use crate::table::short;

/// One value, perhaps with an interval.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// Its place to the right, from 1.
    pub step: u32,
    /// The value.
    pub value: f64,
    /// Its interval.
    pub interval: Option<[f64; 2]>,
}

/// A line of the chart.
#[derive(Clone, Debug)]
pub struct Series {
    /// Its name.
    pub label: String,
    /// Its colour and dash: `s0` to `s6`.
    pub style: usize,
    /// Its values.
    pub points: Vec<Point>,
}

/// Something the paper reports: a range of values, shown beside the lines.
#[derive(Clone, Debug)]
pub struct Mark {
    /// Lines of text.
    pub label: [String; 2],
    /// The lowest and the highest value.
    pub range: [f64; 2],
}

/// A chart.
#[derive(Clone, Debug, Default)]
pub struct Chart {
    /// Its name.
    pub title: String,
    /// What the values are.
    pub axis: &'static str,
    /// What the steps to the right are, in one word.
    pub below: String,
    /// How many there are.
    pub steps: u32,
    /// The lines.
    pub series: Vec<Series>,
    /// What the paper reports.
    pub marks: Vec<Mark>,
    /// What stands below the marks.
    pub marks_title: &'static str,
    /// A value worth a line of its own.
    pub line: Option<f64>,
    /// The values named at the axis, which they bound; powers of ten if there are none.
    pub ticks: Vec<f64>,
    /// Equal steps upwards instead of equal factors; the ticks are given then.
    pub linear: bool,
    /// Names of the steps; their numbers if there are none.
    pub names: Vec<String>,
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 410.0;
const LEFT: f64 = 76.0;
/// Right of the lines: their names, then what the paper reports.
const RIGHT: f64 = 250.0;
const PAPER: f64 = WIDTH - 118.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 48.0;

impl Chart {
    /// The values named at the axis: those given, or the powers of ten around everything shown.
    fn ticks(&self) -> Vec<f64> {
        if !self.ticks.is_empty() {
            return self.ticks.clone();
        }
        let points = self.series.iter().flat_map(|series| &series.points);
        let values = points
            .flat_map(|point| point.interval.unwrap_or([point.value; 2]))
            .chain(self.marks.iter().flat_map(|mark| mark.range))
            .chain(self.line);
        let logs = values.map(f64::log10);
        let (low, high) =
            logs.fold((f64::MAX, f64::MIN), |(low, high), log| (low.min(log), high.max(log)));
        if low > high {
            return vec![1.0, 10.0];
        }
        let low = low.floor() as i32;
        let high = (high.ceil() as i32).max(low + 1);
        (low..=high).map(|decade| 10f64.powi(decade)).collect()
    }

    fn x(&self, step: u32) -> f64 {
        let steps = f64::from(self.steps.max(2) - 1);
        LEFT + 16.0 + (WIDTH - LEFT - RIGHT - 32.0) * f64::from(step - 1) / steps
    }

    fn y(&self, value: f64) -> f64 {
        let ticks = self.ticks();
        let height = |value: f64| if self.linear { value } else { value.max(1e-12).log10() };
        let [low, high] = [ticks[0], ticks[ticks.len() - 1]].map(height);
        let part = (height(value) - low) / (high - low);
        HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * part
    }

    fn name(&self, step: u32) -> String {
        self.names.get(step as usize - 1).cloned().unwrap_or_else(|| step.to_string())
    }

    /// Names that would touch each other are left out.
    fn is_named(&self, step: u32) -> bool {
        let widest = (1..=self.steps).map(|step| width_of(&self.name(step))).fold(0.0, f64::max);
        let apart = self.x(2) - self.x(1);
        let every = ((widest + 6.0) / apart).ceil().max(1.0) as u32;
        (step - 1).is_multiple_of(every)
    }

    /// Draws it.
    pub fn drawing(&self) -> Drawing {
        let mut out = Canvas::default();
        self.draw_axes(&mut out);
        for mark in &self.marks {
            self.draw_mark(&mut out, mark);
        }
        for (index, series) in self.series.iter().enumerate() {
            self.draw_series(&mut out, index, series);
        }
        self.draw_labels(&mut out);
        Drawing { title: self.title.clone(), width: WIDTH, height: HEIGHT, body: out.0 }
    }

    fn draw_axes(&self, out: &mut Canvas) {
        for value in self.ticks() {
            let y = self.y(value);
            let label = match value {
                _ if value >= 1e6 => format!("{} M", value / 1e6),
                _ if value >= 1e3 => short(value),
                _ => format!("{value}"),
            };
            out.line("g", [LEFT, y], [WIDTH, y]);
            out.text("q", "end", [LEFT - 6.0, y + 4.0], &label);
        }
        if let Some(line) = self.line {
            let y = self.y(line);
            out.line("one", [LEFT, y], [WIDTH, y]);
        }
        let below = HEIGHT - BOTTOM + 18.0;
        for step in (1..=self.steps).filter(|step| self.is_named(*step)) {
            out.text("q", "middle", [self.x(step), below], &self.name(step));
        }
        if !self.marks.is_empty() {
            out.text("q", "start", [PAPER - 18.0, below], self.marks_title);
        }
        out.text("q", "middle", [(LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 8.0], &self.below);
        let middle = (TOP + HEIGHT - BOTTOM) / 2.0;
        let _ = write!(out.0, "<g transform=\"translate(15 {middle}) rotate(-90)\">");
        out.text("q", "middle", [0.0; 2], self.axis);
        out.0 += "</g>\n";
    }

    fn draw_mark(&self, out: &mut Canvas, mark: &Mark) {
        let [low, high] = mark.range.map(|value| self.y(value));
        let middle = f64::midpoint(low, high);
        // What has no length is not drawn.
        out.line("m", [PAPER, low], [PAPER, high - 0.1]);
        for (line, y) in mark.label.iter().zip([middle - 3.0, middle + 13.0]) {
            out.text("ml", "start", [PAPER + 10.0, y], line);
        }
    }

    fn draw_series(&self, out: &mut Canvas, index: usize, series: &Series) {
        // Intervals of different lines must not hide one another.
        let with_intervals = series.points.iter().any(|point| point.interval.is_some());
        let middle = (self.series.len() as f64 - 1.0) / 2.0;
        let shift = if with_intervals {
            let room = (self.x(2) - self.x(1)) * 0.7 / self.series.len() as f64;
            (index as f64 - middle) * room.min(7.0)
        } else {
            0.0
        };
        let Series { style, label, points } = series;
        let place = |point: &Point| [self.x(point.step) + shift, self.y(point.value)];
        let path: Vec<String> =
            points.iter().map(place).map(|[x, y]| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(out.0, "<polyline class=\"s s{style}\" points=\"{}\"/>", path.join(" "));
        for point in points {
            let [x, y] = place(point);
            if let Some([low, high]) = point.interval {
                out.line(&format!("s s{style} i"), [x, self.y(low)], [x, self.y(high)]);
            }
            let (step, value) = (self.name(point.step), short(point.value));
            out.dot(*style, [x, y], 3.4, &format!("{label} {} {step}: {value}", self.below));
        }
    }

    /// The names at the ends of the lines, moved apart where they would touch.
    fn draw_labels(&self, out: &mut Canvas) {
        const APART: f64 = 16.0;
        let mut by_step: BTreeMap<u32, Vec<(f64, &Series)>> = BTreeMap::new();
        for series in &self.series {
            if let Some(last) = series.points.last() {
                by_step.entry(last.step).or_default().push((self.y(last.value), series));
            }
        }
        for (step, mut labels) in by_step {
            labels.sort_by(|one, two| one.0.total_cmp(&two.0));
            for index in 1..labels.len() {
                labels[index].0 = labels[index].0.max(labels[index - 1].0 + APART);
            }
            // Names inside the chart stand above the end of their lines, where nothing goes on.
            let inside = step < self.steps;
            let (right, anchor) = if inside { (4.0, "end") } else { (14.0, "start") };
            for (y, series) in labels {
                let y = match series.style {
                    _ if inside => y - 10.0,
                    // The lowest line of all leaves room below.
                    6 => y + 18.0,
                    _ => y + 4.0,
                };
                let class = format!("f{}", series.style);
                out.text(&class, anchor, [self.x(step) + right, y], &shortened(&series.label));
            }
        }
    }
}
