//! Values with their intervals, one below the other.

use super::{Canvas, Drawing, shortened, width_of};

/// One value.
#[derive(Clone, Debug)]
pub(crate) struct Dot {
    pub(crate) name: String,
    pub(crate) value: f64,
    pub(crate) interval: Option<[f64; 2]>,
    /// What stands to the right of it.
    pub(crate) label: String,
    /// It may be told from the reference.
    pub(crate) clear: bool,
}

/// The chart.
#[derive(Clone, Debug)]
pub(crate) struct Dots {
    pub(crate) title: String,
    /// What is measured.
    pub(crate) axis: String,
    pub(crate) dots: Vec<Dot>,
    /// A value worth a line, such as 50 %.
    pub(crate) reference: Option<f64>,
    /// The scale may not go beyond these.
    pub(crate) limits: [f64; 2],
}

const ROW: f64 = 24.0;
const PLOT: f64 = 380.0;

/// A step of 1, 2 or 5 times a power of ten that cuts a length into four to nine.
pub(crate) fn round_step(length: f64) -> f64 {
    let rough = (length / 5.0).max(1e-9);
    let power = 10f64.powf(rough.log10().floor());
    let factor = rough / power;
    power
        * if factor < 1.5 {
            1.0
        } else if factor < 3.5 {
            2.0
        } else if factor < 7.5 {
            5.0
        } else {
            10.0
        }
}

impl Dots {
    /// Where the scale begins and ends, and its step.
    fn scale(&self) -> (f64, f64, f64) {
        let ends = self.dots.iter().flat_map(|dot| dot.interval.unwrap_or([dot.value; 2]));
        let all = ends.chain(self.reference).filter(|value| value.is_finite());
        let (mut low, mut high) =
            all.fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
        if low >= high {
            (low, high) = (self.limits[0].max(-1.0), self.limits[1].min(1.0));
        }
        let step = round_step(high - low);
        let low = ((low / step).floor() * step).max(self.limits[0]);
        let high = ((high / step).ceil() * step).min(self.limits[1]);
        (low, high, step)
    }

    /// Draws it.
    pub(crate) fn drawing(&self) -> Drawing {
        let widest = |of: fn(&Dot) -> String| {
            self.dots.iter().map(|dot| width_of(&of(dot))).fold(60.0, f64::max)
        };
        let left = widest(|dot| shortened(&dot.name)) + 20.0;
        let width = left + PLOT + 24.0 + widest(|dot| dot.label.clone());
        let bottom = 14.0 + ROW * self.dots.len() as f64;
        let (low, high, step) = self.scale();
        let x = |value: f64| left + PLOT * ((value - low) / (high - low)).clamp(0.0, 1.0);
        let mut out = Canvas::default();
        let steps = ((high - low) / step).round() as usize;
        for index in 0..=steps {
            let value = low + step * index as f64;
            let label = if step >= 1.0 { format!("{value:.0}") } else { format!("{value:.2}") };
            out.line("g", [x(value), 8.0], [x(value), bottom]);
            out.text("q", "middle", [x(value), bottom + 18.0], &label);
        }
        if let Some(reference) = self.reference {
            out.line("one", [x(reference), 4.0], [x(reference), bottom]);
        }
        for (index, dot) in self.dots.iter().enumerate() {
            let y = 14.0 + ROW * (index as f64 + 0.5);
            let colour = match self.reference {
                Some(_) if !dot.clear => 0,
                Some(reference) if dot.value < reference => 5,
                _ => 1,
            };
            if let Some([low, high]) = dot.interval {
                out.line(&format!("s s{colour} i"), [x(low), y], [x(high), y]);
            }
            out.text("", "end", [left - 10.0, y + 4.0], &shortened(&dot.name));
            let tip = format!("{}: {}", dot.name, dot.label);
            out.dot(colour, [x(dot.value), y], 4.2, &tip);
            out.text("q", "start", [left + PLOT + 14.0, y + 4.0], &dot.label);
        }
        out.text("q", "middle", [left + PLOT / 2.0, bottom + 38.0], &self.axis);
        Drawing { title: self.title.clone(), width, height: bottom + 48.0, body: out.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::round_step;

    #[test]
    fn scales_have_round_steps() {
        assert_eq!([100.0, 37.0, 0.4, 650.0].map(round_step), [20.0, 5.0, 0.1, 100.0]);
    }
}
