//! Charts as SVG. Each carries its colours for light, dark and paper, so it stands alone as a file
//! as well as inside a page.

mod bars;
mod dots;
mod graph;
mod heat;
mod steps;

pub(crate) use bars::{Bar, bars};
pub(crate) use dots::{Dot, Dots};
pub(crate) use graph::{Arrow, dominance};
pub(crate) use heat::{HeatCell, HeatMap, MOST_WIDE};
pub use steps::{Chart, Mark, Point, Series};

use std::fmt::Write as _;

/// A chart, drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    title: String,
    width: f64,
    height: f64,
    /// What is inside the `svg` element, without background, title and style.
    body: String,
}

/// Colours by name: of paper and light pages, and of dark ones.
const COLOURS: [(&str, &str, &str); 14] = [
    ("fg", "#1f2328", "#e6edf3"),
    ("quiet", "#57606a", "#9198a1"),
    ("line", "#d8dee4", "#30363d"),
    ("bg", "#ffffff", "#0d1117"),
    ("high", "#0a5cc2", "#58a6ff"),
    ("low", "#bc4c00", "#f0883e"),
    ("paper", "#9a6700", "#d29922"),
    ("c0", "#6e7781", "#8d96a0"),
    ("c1", "#0969da", "#58a6ff"),
    ("c2", "#cf222e", "#ff7b72"),
    ("c3", "#1a7f37", "#3fb950"),
    ("c4", "#8250df", "#bc8cff"),
    ("c5", "#bc4c00", "#f0883e"),
    ("c6", "#1f2328", "#e6edf3"),
];

/// Rules that name colours only.
const RULES: &str = "
.wr text{font-family:system-ui,sans-serif;font-size:13px;fill:var(--fg)}.wr .t{font-size:15px;font-weight:600}
.wr .q{fill:var(--quiet)}.wr .g{stroke:var(--line);stroke-width:1}.wr .b{fill:var(--bg)}
.wr .one{stroke:var(--quiet);stroke-width:1;stroke-dasharray:2 3}
.wr .s{fill:none;stroke-width:2.2}.wr .p{stroke:none}
.wr .s0{stroke:var(--c0)}.wr .s1{stroke:var(--c1)}.wr .s2{stroke:var(--c2)}.wr .s3{stroke:var(--c3)}
.wr .s4{stroke:var(--c4)}.wr .s5{stroke:var(--c5);stroke-dasharray:3 4}.wr .s6{stroke:var(--c6);stroke-dasharray:7 4}
.wr .f0{fill:var(--c0)}.wr .f1{fill:var(--c1)}.wr .f2{fill:var(--c2)}.wr .f3{fill:var(--c3)}
.wr .f4{fill:var(--c4)}.wr .f5{fill:var(--c5)}.wr .f6{fill:var(--c6)}
.wr .m{stroke:var(--paper);stroke-width:7;stroke-linecap:round;opacity:.75}.wr text.ml{fill:var(--paper)}
.wr .hi{fill:var(--high)}.wr .lo{fill:var(--low)}.wr .no{fill:var(--line);opacity:.4}.wr .star{fill:var(--fg)}
.wr .n{fill:var(--bg);stroke:var(--quiet);stroke-width:1.2}.wr .a{fill:none;stroke:var(--c0);stroke-width:1.2;opacity:.75}
.wr .a2{fill:none;stroke:var(--c2);stroke-width:1.6}.wr .i{stroke-dasharray:none}
";

/// What is inside an `svg` element, while it is drawn.
#[derive(Default)]
struct Canvas(String);

/// A place with one digit.
fn at(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

impl Canvas {
    fn line(&mut self, class: &str, from: [f64; 2], to: [f64; 2]) {
        let ([x1, y1], [x2, y2]) = (from.map(at), to.map(at));
        let ends = format!("x1=\"{x1}\" x2=\"{x2}\" y1=\"{y1}\" y2=\"{y2}\"");
        let _ = writeln!(self.0, "<line class=\"{class}\" {ends}/>");
    }

    /// Words that begin, end or have their middle at a place.
    fn text(&mut self, class: &str, anchor: &str, place: [f64; 2], words: &str) {
        let ([x, y], words) = (place.map(at), escaped(words));
        let how = format!("class=\"{class}\" text-anchor=\"{anchor}\" x=\"{x}\" y=\"{y}\"");
        let _ = writeln!(self.0, "<text {how}>{words}</text>");
    }

    /// A value in one of the colours of lines, and what a pointer over it shows.
    fn dot(&mut self, colour: usize, place: [f64; 2], radius: f64, tip: &str) {
        let ([x, y], tip) = (place.map(at), escaped(tip));
        let how = format!("class=\"p f{colour}\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"");
        let _ = writeln!(self.0, "<circle {how}><title>{tip}</title></circle>");
    }
}

/// The style of all charts on a page.
pub(crate) fn style() -> String {
    let set = |of: fn(&(&'static str, &'static str, &'static str)) -> &'static str| -> String {
        COLOURS.iter().map(|colour| format!("--{}:{};", colour.0, of(colour))).collect()
    };
    let light = set(|colour| colour.1);
    let dark = set(|colour| colour.2);
    format!(".wr{{{light}}}@media screen and (prefers-color-scheme:dark){{.wr{{{dark}}}}}{RULES}")
}

/// Text safe inside SVG and HTML.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// How wide a text is about, at 13 pixels.
pub(crate) fn width_of(text: &str) -> f64 {
    text.chars().count() as f64 * 7.6
}

/// Letters of a name in a chart, at most.
const LONGEST_NAME: usize = 34;

/// A name short enough for a chart: without its middle, since names of agents differ at their ends.
pub(crate) fn shortened(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    if letters.len() <= LONGEST_NAME {
        return name.to_owned();
    }
    let part = |letters: &[char]| letters.iter().collect::<String>();
    let half = LONGEST_NAME / 2;
    format!("{}…{}", part(&letters[..half]), part(&letters[letters.len() - half + 1..]))
}

impl Drawing {
    /// The chart as a file of its own.
    #[must_use]
    pub fn svg(&self) -> String {
        self.element(&format!("<style>{}</style>", style()), true)
    }

    /// The chart for programs that know neither variables nor dark pages.
    #[must_use]
    pub fn plain_svg(&self) -> String {
        let mut rules = RULES.to_owned();
        for (name, light, _) in COLOURS {
            rules = rules.replace(&format!("var(--{name})"), light);
        }
        self.element(&format!("<style>{rules}</style>"), true)
    }

    /// The chart on a page that has the [`style`] already and says the title itself.
    pub(crate) fn inline(&self) -> String {
        self.element("", false)
    }

    fn element(&self, style: &str, titled: bool) -> String {
        let Self { width, height, body, .. } = self;
        let title = escaped(&self.title);
        let (top, shown) = if titled {
            (30.0, format!("<text class=\"t\" x=\"12\" y=\"-8\">{title}</text>"))
        } else {
            (0.0, String::new())
        };
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"wr\" viewBox=\"0 {} {width} {}\" \
             style=\"max-width:{width}px;--w:{width}px\" role=\"img\" aria-label=\"{title}\">{style}<rect \
             class=\"b\" y=\"{}\" width=\"{width}\" height=\"{}\"/>{shown}\n{body}</svg>\n",
            -top,
            height + top,
            -top,
            height + top,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::shortened;

    #[test]
    fn long_names_keep_both_ends() {
        assert_eq!(shortened("uct:iterations=30"), "uct:iterations=30");
        let long = format!("uct:{}=é", "x".repeat(80));
        let short = shortened(&long);
        assert!(short.starts_with("uct:xxx") && short.ends_with("x=é"), "{short}");
        assert_eq!(short.chars().count(), super::LONGEST_NAME);
    }
}
