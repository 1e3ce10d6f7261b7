//! One page for readers: words first, then charts, each with its table. Nothing is loaded from
//! elsewhere.

use std::fmt::Write as _;

use super::plan::{BASE, FULL, PRINTED, TEXTBOOK};
use super::tables::{self, ALGORITHMS, NEAR, shown};
use super::{REPORTED, Study};
use crate::numbers::grouped;
use crate::reproduce::html::{chart_section, document, table_html, verdict_html};
use crate::reproduce::svg::{Chart, Mark, Point, Series, escaped};

/// All charts: names of files and what is in them.
#[must_use]
pub fn figures(study: &Study) -> Vec<(&'static str, String)> {
    vec![
        ("nodes-fixed.svg", nodes_chart(study, TEXTBOOK).svg()),
        ("nodes-good.svg", nodes_chart(study, FULL).svg()),
        ("ratio-near.svg", near_chart(study).svg()),
        ("ratio-fixed.svg", ratio_chart(study, TEXTBOOK).svg()),
        ("ratio-good.svg", ratio_chart(study, FULL).svg()),
    ]
}

/// What stands below the paper's figures.
const MARKS: &str = "the paper, depth 8";

fn style_of(algorithm: &str) -> usize {
    ALGORITHMS.iter().position(|name| *name == algorithm).unwrap_or(0)
}

fn nodes_chart(study: &Study, setting: &str) -> Chart {
    let depths = study.plan.depth();
    let base = |depth| study.row(setting, BASE, depth);
    // Means over different positions do not compare. Where a sample is another than that of
    // alpha-beta, the point is the mean of alpha-beta times the mean ratio over the positions of
    // both.
    let mean = |row: &super::Row| {
        let paired = |base: &super::Row| Some(base.nodes_mean * row.to_base?.mean);
        let other = base(row.depth).filter(|base| base.n != row.n);
        other.and_then(paired).unwrap_or(row.nodes_mean)
    };
    let mut series: Vec<Series> = ALGORITHMS
        .into_iter()
        .map(|name| Series {
            label: shown(name).to_owned(),
            style: style_of(name),
            points: (1..=depths)
                .filter_map(|depth| study.row(setting, name, depth))
                .map(|row| Point { step: row.depth, value: mean(row), interval: None })
                .collect(),
        })
        .filter(|series| !series.points.is_empty())
        .collect();
    let smallest = |row: &super::MinimalRow| {
        let paired = |base: &super::Row| Some(base.nodes_mean / base.to_minimal?.mean);
        let other = base(row.depth).filter(|base| base.n != row.n);
        let value = other.and_then(paired).unwrap_or(row.nodes_mean);
        Point { step: row.depth, value, interval: None }
    };
    series.push(Series {
        label: "smallest tree".into(),
        style: 6,
        points: study
            .minimal
            .iter()
            .filter(|row| row.depth <= depths && row.n > 1)
            .map(smallest)
            .collect(),
    });
    let [fewest, most] = REPORTED.scout_nodes;
    let marks = vec![
        Mark {
            label: ["SCOUT".into(), format!("{fewest} to {}", grouped(most))],
            range: [fewest as f64, most as f64],
        },
        Mark {
            label: ["alpha-beta".into(), grouped(REPORTED.alphabeta_nodes)],
            range: [REPORTED.alphabeta_nodes as f64; 2],
        },
    ];
    Chart {
        title: format!("Nodes by depth: {}", tables::title(setting)),
        axis: "nodes, geometric mean",
        below: "depth",
        steps: depths,
        series,
        marks,
        marks_title: MARKS,
        line: None,
        ticks: Vec::new(),
    }
}

fn ratio_series(study: &Study, setting: &str, name: &str) -> Series {
    let found = (2..=study.plan.depth()).filter_map(|depth| study.row(setting, name, depth));
    let point = |row: &super::Row| {
        let found = row.to_base?;
        Some(Point { step: row.depth, value: found.mean, interval: Some(found.interval) })
    };
    Series {
        label: shown(name).to_owned(),
        style: style_of(name),
        points: found.filter_map(point).collect(),
    }
}

fn ratio_chart(study: &Study, setting: &str) -> Chart {
    let claimed = REPORTED.scout_nodes[0] as f64 / REPORTED.alphabeta_nodes as f64;
    Chart {
        title: format!("Nodes divided by those of alpha-beta: {}", tables::title(setting)),
        axis: "ratio, 95 % intervals",
        below: "depth",
        steps: study.plan.depth(),
        series: ["scout", "pvs", "mtdf"].map(|name| ratio_series(study, setting, name)).into(),
        marks: vec![Mark {
            label: ["76 / 26,264".into(), format!("= {claimed:.4}")],
            range: [claimed; 2],
        }],
        marks_title: MARKS,
        line: Some(1.0),
        ticks: Vec::new(),
    }
}

/// SCOUT and principal variation search alone, near 1.
fn near_chart(study: &Study) -> Chart {
    let series = NEAR.map(|(setting, name, label, style)| Series {
        label: label.to_owned(),
        style,
        ..ratio_series(study, setting, name)
    });
    let ticks = near_ticks(&series);
    Chart {
        title: "Nodes divided by those of alpha-beta, seen closely".into(),
        axis: "ratio, 95 % intervals",
        below: "depth",
        steps: study.plan.depth(),
        series: series.into(),
        marks: Vec::new(),
        marks_title: "",
        line: Some(1.0),
        ticks,
    }
}

/// Fifths that hold everything shown, 0.6 to 1.6 at least; none, and so powers of ten, if that were
/// too many.
fn near_ticks(series: &[Series]) -> Vec<f64> {
    let points = series.iter().flat_map(|series| &series.points);
    let ends = points.flat_map(|point| point.interval.unwrap_or([point.value; 2]));
    let [low, high] =
        ends.fold([0.6, 1.6], |[low, high]: [f64; 2], end| [low.min(end), high.max(end)]);
    let [first, last] = [(low * 5.0 + 1e-9).floor() as i32, (high * 5.0 - 1e-9).ceil() as i32];
    if first < 1 || last > 15 {
        return Vec::new();
    }
    (first..=last).map(|fifths| f64::from(fifths) / 5.0).collect()
}

/// The three numbers to remember.
fn headline(study: &Study) -> String {
    let depth = study.plan.depth();
    let box_of = |big: String, words: String| format!("<div><b>{big}</b>{words}</div>");
    let mut out = String::from("<div class=\"big\">");
    for (setting, words) in [TEXTBOOK, FULL].map(|setting| (setting, tables::title(setting))) {
        let found = study.row(setting, "scout", depth).and_then(|row| row.to_base);
        if let Some(found) = found {
            let [low, high] = found.interval;
            let text = format!(
                "SCOUT’s nodes against alpha-beta’s at depth {depth}, {words}; 95 % interval \
                 {low:.2} to {high:.2}, n = {} positions",
                found.n
            );
            out += &box_of(format!("{:.2}×", found.mean), text);
        }
    }
    let equal = &study.matches[0];
    let text = format!(
        "SCOUT’s score against alpha-beta at equal depth, n = {} games; {} of {} searches chose \
         another move",
        grouped(equal.games),
        study.agreement.wrong_actions,
        grouped(study.agreement.searches as u64)
    );
    out += &box_of(format!("{:.1} %", equal.score.unwrap_or(0.5) * 100.0), text);
    out + "</div>\n"
}

/// The page.
#[must_use]
pub fn page(study: &Study) -> String {
    let mut out = format!(
        "<p class=\"quiet\">{}</p>\n\
         <p>The paper lets two programs play Othello on a phone and reports that SCOUT explores 76 \
         nodes where alpha-beta explores 26,264, and that it wins 20 of 30 games against people \
         where alpha-beta wins 6. Here both searches share one board, one evaluation, one order of \
         moves and one counter. Then little of the difference is left.</p>\n{}",
        escaped(study.paper),
        headline(study)
    );
    out += &table_html(&tables::reported(), "");
    out += "<h2>What the paper claims, and what we found</h2>\n";
    out.extend(study.all_verdicts().map(verdict_html));
    let _ = writeln!(
        out,
        "<h2>What was done</h2><p>{}</p><p>{}</p><p>A ratio compares two searches of the same \
         position; means are geometric, because effort varies by factors; intervals are 95 % \
         bootstrap intervals over positions. The sample may shrink with depth (column n), so \
         compare algorithms at one depth, not one algorithm across depths.</p>",
        escaped(&tables::method(study)),
        escaped(&tables::agreement(study))
    );
    out += "<h2>Nodes by depth</h2>\n";
    let words = "In the textbook form moves are tried as the board lists them. The dashed line is \
                 the smallest tree that proves the value: no correct search can go below it without \
                 a table. The pseudo-code as printed hardly grows with depth, because it does not \
                 search the tree. Where fewer positions were measured than for alpha-beta, the \
                 line follows the mean ratio over those; the table gives their own mean and n.";
    chart_section(&mut out, &nodes_chart(study, TEXTBOOK), words, &tables::nodes(study, TEXTBOOK));
    let words = "With a good order, a table and deepening all of them need a small part of that. \
                 This, not the choice between SCOUT and alpha-beta, is what saves nodes; what each \
                 of the three saves alone is in a table further down.";
    chart_section(&mut out, &nodes_chart(study, FULL), words, &tables::nodes(study, FULL));
    out += "<h2>Ratio to alpha-beta</h2>\n";
    let words = "Below 1 an algorithm needs fewer nodes than alpha-beta. SCOUT and principal \
                 variation search differ from it by a part, not by a factor of 346.";
    chart_section(&mut out, &near_chart(study), words, &tables::near(study));
    let words = "The same with MTD(f) and with the paper’s figures, on a scale that holds them. \
                 Without a table every pass of MTD(f) begins anew; it is not meant to be used so, \
                 and its sample is smaller.";
    chart_section(&mut out, &ratio_chart(study, TEXTBOOK), words, &tables::ratios(study, TEXTBOOK));
    chart_section(
        &mut out,
        &ratio_chart(study, FULL),
        "And with good order, table and deepening.",
        &tables::ratios(study, FULL),
    );
    for (title, table, class) in [
        ("What order, table and deepening save", tables::gains(study), ""),
        ("All settings", tables::deepest(study), ""),
        ("The smallest tree", tables::minimal(study), ""),
        ("Matches", tables::matches(study), ""),
        ("The agents", tables::agents(study), "code"),
    ] {
        let _ = write!(out, "<h2>{title}</h2>{}", table_html(&table, class));
    }
    let _ = writeln!(
        out,
        "<p class=\"quiet\">Made by <code>{}</code>, version {}, in {:.0} s on {} threads. \
         Everything but times and the match at equal time repeats exactly. Every search is in \
         <code>othello-nodes.csv</code>, every mean in <code>othello-summary.csv</code>; \
         <code>{PRINTED}</code> is the agent that follows the printed pseudo-code.</p>",
        tables::command(study),
        study.version,
        study.timing.seconds,
        study.timing.threads
    );
    document("SCOUT against alpha-beta, done again", &out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_close_chart_holds_what_it_shows() {
        let ticks = |value: f64| {
            let points = vec![Point { step: 2, value, interval: None }];
            near_ticks(&[Series { label: String::new(), style: 0, points }])
        };
        assert_eq!(ticks(1.0), [0.6, 0.8, 1.0, 1.2, 1.4, 1.6]);
        assert_eq!((ticks(0.55)[0], ticks(1.65).last()), (0.4, Some(&1.8)));
        assert!(ticks(0.01).is_empty() && ticks(50.0).is_empty());
    }
}
