//! One page for readers: words first, then charts, each with its table. Nothing is loaded from
//! elsewhere.

use std::fmt::Write as _;

use super::plan::{BASE, FULL, PRINTED, TEXTBOOK};
use super::svg::{Chart, Mark, Point, Series, escaped};
use super::tables::{self, ALGORITHMS, NEAR, Table, shown};
use super::{REPORTED, Ruling, Study, Verdict};
use crate::numbers::grouped;

/// A chart as a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// The name of the file.
    pub name: &'static str,
    /// Its content.
    pub svg: String,
}

/// All charts.
#[must_use]
pub fn figures(study: &Study) -> Vec<Figure> {
    vec![
        Figure { name: "nodes-fixed.svg", svg: nodes_chart(study, TEXTBOOK).svg() },
        Figure { name: "nodes-good.svg", svg: nodes_chart(study, FULL).svg() },
        Figure { name: "ratio-near.svg", svg: near_chart(study).svg() },
        Figure { name: "ratio-fixed.svg", svg: ratio_chart(study, TEXTBOOK).svg() },
        Figure { name: "ratio-good.svg", svg: ratio_chart(study, FULL).svg() },
    ]
}

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
                .map(|row| Point { depth: row.depth, value: mean(row), interval: None })
                .collect(),
        })
        .filter(|series| !series.points.is_empty())
        .collect();
    let smallest = |row: &super::MinimalRow| {
        let paired = |base: &super::Row| Some(base.nodes_mean / base.to_minimal?.mean);
        let other = base(row.depth).filter(|base| base.n != row.n);
        let value = other.and_then(paired).unwrap_or(row.nodes_mean);
        Point { depth: row.depth, value, interval: None }
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
        depths,
        series,
        marks,
        line: None,
        ticks: Vec::new(),
    }
}

fn ratio_series(study: &Study, setting: &str, name: &str) -> Series {
    let found = (2..=study.plan.depth()).filter_map(|depth| study.row(setting, name, depth));
    let point = |row: &super::Row| {
        let found = row.to_base?;
        Some(Point { depth: row.depth, value: found.mean, interval: Some(found.interval) })
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
        depths: study.plan.depth(),
        series: ["scout", "pvs", "mtdf"].map(|name| ratio_series(study, setting, name)).into(),
        marks: vec![Mark {
            label: ["76 / 26,264".into(), format!("= {claimed:.4}")],
            range: [claimed; 2],
        }],
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
        depths: study.plan.depth(),
        series: series.into(),
        marks: Vec::new(),
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

const STYLE: &str = "
:root{--fg:#1f2328;--quiet:#57606a;--bg:#fff;--line:#d8dee4;--soft:#f6f8fa;--good:#1a7f37;--bad:#cf222e;--open:#7d4e00}
@media(prefers-color-scheme:dark){:root{--fg:#e6edf3;--quiet:#9198a1;--bg:#0d1117;--line:#30363d;--soft:#161b22;--good:#3fb950;--bad:#ff7b72;--open:#e3b341}}
*{box-sizing:border-box}body{margin:0;background:var(--bg);color:var(--fg);font:17px/1.55 system-ui,sans-serif}
main{max-width:58rem;margin:0 auto;padding:1.5rem 1rem 4rem}p,ul{max-width:44rem}
h1{font-size:1.9rem;line-height:1.2;margin:.5rem 0}h2{margin:2.6rem 0 .6rem;font-size:1.35rem}
.quiet{color:var(--quiet);font-size:.93rem}
.claim{border:1px solid var(--line);border-left-width:5px;border-radius:6px;padding:.7rem 1rem;margin:.8rem 0;max-width:52rem}
.claim h3{margin:0;font-size:1.02rem}.claim p{margin:.35rem 0 0}
.ruling{font-weight:700;white-space:nowrap}.holds{border-left-color:var(--good)}.holds .ruling{color:var(--good)}
.no{border-left-color:var(--bad)}.no .ruling{color:var(--bad)}.open{border-left-color:var(--open)}.open .ruling{color:var(--open)}
figure{margin:1rem 0}figure svg{width:100%;max-width:46rem;height:auto;border:1px solid var(--line);border-radius:6px;display:block}
.wide{overflow-x:auto;margin:.6rem 0 1.4rem}table{border-collapse:collapse;font-size:.9rem;font-variant-numeric:tabular-nums}
caption{text-align:left;color:var(--quiet);padding:.3rem 0;font-size:.9rem}
th,td{border-bottom:1px solid var(--line);padding:.28rem .7rem .28rem 0;text-align:left;vertical-align:top}
th{font-weight:600}td.n,th.n{text-align:right}code,.code td:last-child{font-family:ui-monospace,monospace;font-size:.86em}
.big{display:grid;grid-template-columns:repeat(auto-fit,minmax(13rem,1fr));gap:.8rem;margin:1.2rem 0}
.big div{background:var(--soft);border-radius:8px;padding:.8rem 1rem}.big b{display:block;font-size:1.6rem;line-height:1.25}
.scroll{overflow-x:auto}@media(max-width:40rem){body{font-size:16px}figure svg{min-width:34rem}h1{font-size:1.5rem}}
";

/// A number, or a number and how many positions it rests on.
fn is_number(cell: &str) -> bool {
    let cell = cell.split_once(" (n = ").map_or(cell, |(number, _)| number);
    cell.chars().all(|c| c.is_ascii_digit() || ",.".contains(c)) && !cell.is_empty()
}

fn table_html(table: &Table, class: &str) -> String {
    let numeric: Vec<bool> = (0..table.head.len())
        .map(|column| {
            table.rows.iter().all(|row| is_number(&row[column]) || row[column].is_empty())
        })
        .collect();
    let cells = |tag: &str, row: &[String]| -> String {
        let cell = |(cell, numeric): (&String, &bool)| {
            let class = if *numeric { " class=\"n\"" } else { "" };
            format!("<{tag}{class}>{}</{tag}>", escaped(cell))
        };
        row.iter().zip(&numeric).map(cell).collect()
    };
    let rows: String =
        table.rows.iter().map(|row| format!("<tr>{}</tr>\n", cells("td", row))).collect();
    format!(
        "<div class=\"wide\"><table class=\"{class}\"><caption>{}</caption><thead><tr>{}</tr>\
         </thead><tbody>\n{rows}</tbody></table></div>\n",
        escaped(&table.caption),
        cells("th", &table.head)
    )
}

fn verdict_html(verdict: &Verdict) -> String {
    let class = match verdict.ruling {
        Ruling::Holds | Ruling::HoldsInPart => "holds",
        Ruling::DoesNotHold | Ruling::CannotBeSo => "no",
        Ruling::NotShown | Ruling::NotTestableHere => "open",
    };
    format!(
        "<section class=\"claim {class}\"><h3>{}</h3><p><span class=\"ruling\">{}.</span> \
         {}.</p><p class=\"quiet\">{}</p></section>\n",
        escaped(&verdict.claim),
        capitalised(verdict.ruling.words()),
        escaped(&capitalised(&verdict.measured)),
        escaped(&verdict.why)
    )
}

fn capitalised(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
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

fn chart_section(out: &mut String, chart: &Chart, words: &str, table: &Table) {
    let _ = write!(
        out,
        "<p>{words}</p><figure class=\"scroll\">{}</figure>\n{}",
        chart.svg(),
        table_html(table, "")
    );
}

/// The page.
#[must_use]
pub fn page(study: &Study) -> String {
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width,initial-scale=1\"><meta name=\"color-scheme\" content=\"light \
         dark\"><title>SCOUT against alpha-beta, done again</title><style>{STYLE}</style></head>\
         <body><main>\n<h1>SCOUT against alpha-beta, done again</h1>\n<p class=\"quiet\">{}</p>\n\
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
    let _ = write!(
        out,
        "<p class=\"quiet\">Made by <code>{}</code>, version {}, in {:.0} s on {} threads. \
         Everything but times and the match at equal time repeats exactly. Every search is in \
         <code>othello-nodes.csv</code>, every mean in <code>othello-summary.csv</code>; \
         <code>{PRINTED}</code> is the agent that follows the printed pseudo-code.</p>\n\
         </main></body></html>\n",
        tables::command(study),
        study.version,
        study.timing.seconds,
        study.timing.threads
    );
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_close_chart_holds_what_it_shows() {
        let ticks = |value: f64| {
            let points = vec![Point { depth: 2, value, interval: None }];
            near_ticks(&[Series { label: String::new(), style: 0, points }])
        };
        assert_eq!(ticks(1.0), [0.6, 0.8, 1.0, 1.2, 1.4, 1.6]);
        assert_eq!((ticks(0.55)[0], ticks(1.65).last()), (0.4, Some(&1.8)));
        assert!(ticks(0.01).is_empty() && ticks(50.0).is_empty());
    }
}
