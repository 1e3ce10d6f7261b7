//! A table of scores as colours: above one half one colour, below it another.

use std::fmt::Write as _;

use super::{Drawing, escaped, width_of};

/// One pairing.
#[derive(Clone, Debug)]
pub(crate) struct HeatCell {
    /// From 0 to 1; one half has no colour.
    pub(crate) value: f64,
    /// What stands in it.
    pub(crate) text: String,
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
    /// How far from one half a value has the full colour.
    pub(crate) reach: f64,
}

impl HeatMap {
    /// Draws it.
    pub(crate) fn drawing(&self) -> Drawing {
        let many = self.columns.len() > 12;
        let (wide, high, size) = if many { (30.0, 24.0, 11.0) } else { (58.0, 34.0, 13.0) };
        let widest = |names: &[String]| {
            names.iter().map(|name| width_of(name) * size / 13.0).fold(40.0, f64::max)
        };
        let left = widest(&self.rows) + 16.0;
        // Names of columns lean to the right.
        let lean = std::f64::consts::FRAC_1_SQRT_2;
        let top = widest(&self.columns) * lean + 18.0;
        let mut out = String::new();
        for (index, name) in self.columns.iter().enumerate() {
            let x = left + wide * (index as f64 + 0.5);
            let _ = writeln!(
                out,
                "<text style=\"font-size:{size}px\" transform=\"translate({:.1} {:.1}) \
                 rotate(-45)\">{}</text>",
                x,
                top - 8.0,
                escaped(name)
            );
        }
        for (row, name) in self.rows.iter().enumerate() {
            let y = top + high * row as f64;
            let _ = writeln!(
                out,
                "<text style=\"font-size:{size}px\" text-anchor=\"end\" x=\"{}\" y=\"{:.1}\">{}</text>",
                left - 8.0,
                y + high / 2.0 + size / 3.0,
                escaped(name)
            );
            for column in 0..self.columns.len() {
                let x = left + wide * column as f64;
                let Some(cell) = &self.cells[row * self.columns.len() + column] else { continue };
                let away = ((cell.value - 0.5) / self.reach).clamp(-1.0, 1.0);
                let strength = away.abs() * 0.92;
                let colour = if away < 0.0 { "lo" } else { "hi" };
                let ink = if strength > 0.5 { " class=\"on\"" } else { "" };
                let _ = writeln!(
                    out,
                    "<g><title>{}</title><rect class=\"b\" x=\"{x:.1}\" y=\"{y:.1}\" \
                     width=\"{w}\" height=\"{h}\"/><rect class=\"{colour}\" \
                     fill-opacity=\"{strength:.2}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{w}\" \
                     height=\"{h}\"/><text{ink} style=\"font-size:{size}px\" text-anchor=\"middle\" \
                     x=\"{:.1}\" y=\"{:.1}\">{}</text></g>",
                    escaped(&cell.tip),
                    x + wide / 2.0,
                    y + high / 2.0 + size / 3.0,
                    escaped(&cell.text),
                    w = wide - 1.0,
                    h = high - 1.0,
                );
            }
        }
        let right = widest(&self.columns) * lean;
        let width = left + wide * self.columns.len() as f64 + right.max(20.0);
        let height = top + high * self.rows.len() as f64 + 10.0;
        Drawing { title: self.title.clone(), width, height, body: out }
    }
}
