//! A table of scores as colours: above one half one colour, below it another.

use std::fmt::Write as _;

use super::{Drawing, escaped, shortened, width_of};

/// One pairing.
#[derive(Clone, Debug)]
pub(crate) struct HeatCell {
    /// From 0 to 1; one half has no colour.
    pub(crate) value: f64,
    /// What stands in it.
    pub(crate) text: String,
    /// What stands below that, smaller; nothing where there is no room.
    pub(crate) below: String,
    /// It is marked with a star.
    pub(crate) star: bool,
    /// What a pointer over it shows.
    pub(crate) tip: String,
}

/// The chart: rows against columns.
#[derive(Clone, Debug)]
pub(crate) struct HeatMap {
    pub(crate) title: String,
    pub(crate) rows: Vec<String>,
    pub(crate) columns: Vec<String>,
    /// Row by row; `None` where nothing was played.
    pub(crate) cells: Vec<Option<HeatCell>>,
    /// The last column is about the whole row and stands apart.
    pub(crate) apart: bool,
}

/// With more columns than this, cells are small and hold one number only.
pub(crate) const MOST_WIDE: usize = 12;

/// The strongest colour: text stays readable on it, on light and on dark pages.
const STRONGEST: f64 = 0.62;

/// A star around a point, drawn because fonts may lack it.
fn star(x: f64, y: f64, radius: f64) -> String {
    let corner = |index: u32| {
        let angle = std::f64::consts::PI * (f64::from(index) / 5.0 - 0.5);
        let length = if index.is_multiple_of(2) { radius } else { radius * 0.42 };
        format!("{:.1},{:.1}", x + length * angle.cos(), y + length * angle.sin())
    };
    let corners: Vec<String> = (0..10).map(corner).collect();
    format!("<polygon class=\"star\" points=\"{}\"/>", corners.join(" "))
}

/// Where a cell is drawn.
struct Place {
    x: f64,
    y: f64,
    wide: f64,
    high: f64,
    size: f64,
}

fn draw_cell(out: &mut String, cell: Option<&HeatCell>, at: &Place) {
    let Place { x, y, wide, high, size } = at;
    let (w, h) = (wide - 1.0, high - 1.0);
    let place = format!("x=\"{x:.1}\" y=\"{y:.1}\" width=\"{w}\" height=\"{h}\"");
    let Some(cell) = cell else {
        let _ = writeln!(out, "<rect class=\"no\" {place}/>");
        return;
    };
    let away = (2.0 * cell.value - 1.0).clamp(-1.0, 1.0);
    let strength = away.abs() * STRONGEST;
    let colour = if away < 0.0 { "lo" } else { "hi" };
    let middle = x + wide / 2.0;
    let base = y + high / 2.0 + size / 3.0;
    let base = if cell.below.is_empty() { base } else { base - 7.0 };
    let _ = write!(
        out,
        "<g><title>{}</title><rect class=\"b\" {place}/><rect class=\"{colour}\" \
         fill-opacity=\"{strength:.2}\" {place}/><text style=\"font-size:{size}px\" \
         text-anchor=\"middle\" x=\"{middle:.1}\" y=\"{base:.1}\">{}</text>",
        escaped(&cell.tip),
        escaped(&cell.text),
    );
    if !cell.below.is_empty() {
        let _ = write!(
            out,
            "<text style=\"font-size:10px\" text-anchor=\"middle\" x=\"{middle:.1}\" \
             y=\"{:.1}\">{}</text>",
            base + 14.0,
            escaped(&cell.below)
        );
    }
    if cell.star {
        let radius = size * 0.3;
        out.push_str(&star(x + w - radius - 2.0, y + radius + 2.5, radius));
    }
    out.push_str("</g>\n");
}

impl HeatMap {
    /// Draws it.
    pub(crate) fn drawing(&self) -> Drawing {
        let many = self.columns.len() > MOST_WIDE + usize::from(self.apart);
        let (wide, high, size) = if many { (34.0, 24.0, 11.0) } else { (72.0, 40.0, 13.0) };
        let short = |names: &[String]| -> Vec<String> {
            names.iter().map(|name| shortened(name)).collect()
        };
        let (rows, columns) = (short(&self.rows), short(&self.columns));
        let widest = |names: &[String]| {
            names.iter().map(|name| width_of(name) * size / 13.0).fold(40.0, f64::max)
        };
        let left = widest(&rows) + 16.0;
        // Names of columns lean to the right.
        let lean = std::f64::consts::FRAC_1_SQRT_2;
        let top = widest(&columns) * lean + 18.0;
        let gap = |column: usize| {
            if self.apart && column + 1 == columns.len() { 10.0 } else { 0.0 }
        };
        let mut out = String::new();
        for (index, name) in columns.iter().enumerate() {
            let x = left + wide * (index as f64 + 0.5) + gap(index);
            let _ = writeln!(
                out,
                "<text style=\"font-size:{size}px\" transform=\"translate({:.1} {:.1}) \
                 rotate(-45)\">{}</text>",
                x,
                top - 8.0,
                escaped(name)
            );
        }
        for (row, name) in rows.iter().enumerate() {
            let y = top + high * row as f64;
            let _ = writeln!(
                out,
                "<text style=\"font-size:{size}px\" text-anchor=\"end\" x=\"{}\" y=\"{:.1}\">{}</text>",
                left - 8.0,
                y + high / 2.0 + size / 3.0,
                escaped(name)
            );
            for column in 0..columns.len() {
                let x = left + wide * column as f64 + gap(column);
                let cell = self.cells[row * columns.len() + column].as_ref();
                draw_cell(&mut out, cell, &Place { x, y, wide, high, size });
            }
        }
        let right = widest(&columns) * lean - wide / 2.0 + 10.0;
        let width = left + wide * columns.len() as f64 + 10.0 + right.max(20.0);
        let height = top + high * rows.len() as f64 + 10.0;
        Drawing { title: self.title.clone(), width, height, body: out }
    }
}
