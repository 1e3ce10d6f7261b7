//! One page for readers: words first, then charts, each with its table.

use lab::grouped;
use lab::report::{Block, Chart, Data, Mark, Point, Series, short};
use serde::Serialize;
use serde_json::{Value, json};

use super::plan::{BASE, FULL, PRINTED, SETTINGS, TEXTBOOK};
use super::{MinimalRow, Results, Row, SHEET, alphabeta_nodes, scout_nodes, summary};

/// The algorithms in the order of the charts.
const ALGORITHMS: [&str; 6] = ["minimax", "alphabeta", "scout", "pvs", "mtdf", PRINTED];

/// The name of an algorithm for readers.
fn shown(algorithm: &str) -> &str {
    match algorithm {
        "alphabeta" => "alpha-beta",
        "scout" => "SCOUT",
        "pvs" => "PVS",
        "mtdf" => "MTD(f)",
        PRINTED => "as printed",
        other => other,
    }
}

/// A setting in words.
fn title(setting: &str) -> &'static str {
    SETTINGS.iter().find(|known| known.name == setting).map_or("", |known| &known.title)
}

/// A row with the names of its algorithm and setting for readers.
fn named(row: &impl Serialize, algorithm: &str, setting: &str) -> Value {
    json!({ "row": row, "name": shown(algorithm), "title": title(setting) })
}

fn words(key: &str) -> Block {
    Block::Words(SHEET.words(key, &json!({})))
}

/// What the paper reports.
pub(super) fn reported() -> Block {
    let of = |key: &str| SHEET.data::<[u64; 2]>(key).map(grouped).join(" to ");
    let rows = json!([
        ["SCOUT", of("scout_nodes"), of("scout_ms") + " ms", SHEET.published["scout_games"]],
        [
            "alpha-beta",
            format!("from {}", grouped(alphabeta_nodes())),
            "not given",
            SHEET.published["alphabeta_games"]
        ],
    ]);
    Block::Table(SHEET.table("reported", rows.as_array().into_iter().flatten(), &SHEET.published))
}

/// The three numbers to remember.
pub(super) fn facts(results: &Results) -> Vec<(String, String)> {
    let depth = results.plan.depth();
    let mut facts = Vec::new();
    for setting in [TEXTBOOK, FULL] {
        let found = results.row(setting, "scout", depth).and_then(|row| row.to_base);
        if let Some(found) = found {
            let values = json!({ "depth": depth, "title": title(setting), "found": found });
            facts.push((format!("{:.2}×", found.mean), SHEET.words("fact-ratio", &values)));
        }
    }
    let equal = &results.matches[0].result.evidence;
    let values = json!({ "games": equal.counted_games(), "agreement": results.agreement });
    let score = format!("{:.1} %", equal.score.unwrap_or(0.5) * 100.0);
    facts.push((score, SHEET.words("fact-score", &values)));
    facts
}

/// What stands below the claims.
pub(super) fn below(results: &Results) -> Vec<Block> {
    let heading = |words: &str| Block::Heading(words.to_owned());
    let agreement = Block::Words(SHEET.words("agreement", &json!(results.agreement)));
    let mut blocks = vec![heading("What was done"), method(results), agreement, words("ratios")];
    blocks.push(heading("Nodes by depth"));
    for (name, setting) in [("nodes-fixed", TEXTBOOK), ("nodes-good", FULL)] {
        blocks.push(figure(name, &nodes_chart(results, setting), nodes(results, name, setting)));
    }
    blocks.push(heading("Ratio to alpha-beta"));
    blocks.push(figure("ratio-near", &near_chart(results), near(results)));
    for (name, setting) in [("ratio-fixed", TEXTBOOK), ("ratio-good", FULL)] {
        blocks.push(figure(name, &ratio_chart(results, setting), ratios(results, setting)));
    }
    for (words, table) in [
        ("What order, table and deepening save", gains(results)),
        ("All settings", deepest(results)),
        ("The smallest tree", smallest(results)),
        ("Matches", matches(results)),
        ("The agents", agents(results)),
    ] {
        blocks.extend([heading(words), Block::Table(table)]);
    }
    blocks
}

/// What was measured, for programs: every search and every mean.
pub(super) fn data(results: &Results) -> Vec<Data> {
    let searches = results.searches.iter().map(|search| {
        let column = &results.plan.columns[search.column];
        let position = &results.plan.positions[search.position];
        let (setting, algorithm) = (column.setting, column.algorithm);
        json!({ "position": position, "setting": setting, "algorithm": algorithm, "search": search })
    });
    let none = json!({});
    vec![
        SHEET.table("othello-nodes", searches, &none),
        SHEET.table("othello-summary", &results.rows, &none),
    ]
}

fn figure(name: &str, chart: &Chart, data: Data) -> Block {
    Block::Figure {
        words: SHEET.words(name, &json!({})),
        drawing: chart.drawing(),
        data: Data { name: name.to_owned(), ..data },
    }
}

fn series(label: &str, algorithm: &str, points: impl Iterator<Item = Point>) -> Series {
    let style = ALGORITHMS.iter().position(|name| *name == algorithm).unwrap_or(6);
    Series { label: label.to_owned(), style, points: points.collect() }
}

/// What stands beside the lines: figures of the paper.
fn mark(label: [&str; 2], range: [f64; 2]) -> Mark {
    Mark { label: label.map(str::to_owned), range }
}

/// What all charts have in common.
fn chart(results: &Results, title: String, axis: &'static str) -> Chart {
    let (below, steps) = ("depth".to_owned(), results.plan.depth());
    Chart { title, axis, below, steps, marks_title: "the paper, depth 8", ..Chart::default() }
}

fn nodes_chart(results: &Results, setting: &str) -> Chart {
    let depths = results.plan.depth();
    let base = |depth| results.row(setting, BASE, depth);
    // Means over different positions do not compare. Where a sample is another than that of
    // alpha-beta, the point is the mean of alpha-beta times the mean ratio over the positions of
    // both.
    let point = |step, n, mean, ratio: &dyn Fn(&Row) -> Option<f64>| {
        let other = base(step).filter(|base| base.n != n);
        let paired = other.and_then(|base| Some(base.nodes_mean * ratio(base)?));
        Point { step, value: paired.unwrap_or(mean), interval: None }
    };
    let of_row = |row: &Row| {
        point(row.depth, row.n, row.nodes_mean, &|_| row.to_base.map(|found| found.mean))
    };
    let of_tree = |row: &MinimalRow| {
        let ratio = |base: &Row| base.to_minimal.map(|found| 1.0 / found.mean);
        point(row.depth, row.n, row.nodes_mean, &ratio)
    };
    let line = |name| {
        let rows = (1..=depths).filter_map(|depth| results.row(setting, name, depth));
        series(shown(name), name, rows.map(of_row))
    };
    let trees = results.minimal.iter().filter(|row| row.depth <= depths && row.n > 1);
    let lines = ALGORITHMS.map(line).into_iter().filter(|series| !series.points.is_empty());
    let (reported, first) = (scout_nodes(), alphabeta_nodes());
    Chart {
        series: lines.chain([series("smallest tree", "", trees.map(of_tree))]).collect(),
        marks: vec![
            mark(
                ["SCOUT", &reported.map(grouped).join(" to ")],
                reported.map(|nodes| nodes as f64),
            ),
            mark(["alpha-beta", &grouped(first)], [first as f64; 2]),
        ],
        ..chart(results, format!("Nodes by depth: {}", title(setting)), "nodes, geometric mean")
    }
}

fn ratio_series(results: &Results, setting: &str, name: &str) -> Series {
    let rows = (2..=results.plan.depth()).filter_map(|depth| results.row(setting, name, depth));
    let point = |row: &Row| {
        let found = row.to_base?;
        Some(Point { step: row.depth, value: found.mean, interval: Some(found.interval) })
    };
    series(shown(name), name, rows.filter_map(point))
}

fn ratio_chart(results: &Results, setting: &str) -> Chart {
    let claimed = scout_nodes()[0] as f64 / alphabeta_nodes() as f64;
    Chart {
        series: ["scout", "pvs", "mtdf"].map(|name| ratio_series(results, setting, name)).into(),
        marks: vec![mark(["76 / 26,264", &format!("= {claimed:.4}")], [claimed; 2])],
        line: Some(1.0),
        ..chart(results, format!("{RATIO}: {}", title(setting)), "ratio, 95 % intervals")
    }
}

const RATIO: &str = "Nodes divided by those of alpha-beta";

/// A line near 1: setting, algorithm, name, style.
type Near = (String, String, String, usize);

/// SCOUT and principal variation search alone, near 1.
fn near_chart(results: &Results) -> Chart {
    let line = |(setting, name, label, style): Near| Series {
        label,
        style,
        ..ratio_series(results, &setting, &name)
    };
    let series: Vec<Series> = SHEET.data::<Vec<Near>>("near").into_iter().map(line).collect();
    Chart {
        ticks: near_ticks(&series),
        series,
        line: Some(1.0),
        ..chart(results, format!("{RATIO}, enlarged"), "ratio, 95 % intervals")
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

/// Mean nodes by depth and algorithm.
fn nodes(results: &Results, name: &str, setting: &str) -> Data {
    let rows = (1..=results.plan.depth()).map(|depth| {
        let n = results.row(setting, BASE, depth).map_or(0, |row| row.n);
        // A mean over other positions than those of the row says so.
        let mean = |(nodes, of): (f64, usize)| match of {
            of if of == n => short(nodes),
            of => format!("{} (n = {of})", short(nodes)),
        };
        let tree = results.minimal.iter().find(|row| row.depth == depth && row.n > 1);
        let found = ALGORITHMS.map(|name| results.row(setting, name, depth));
        let means = found.map(|row| row.map(|row| (row.nodes_mean, row.n)));
        let means = means.into_iter().chain([tree.map(|row| (row.nodes_mean, row.n))]);
        let means: Vec<Option<String>> = means.map(|found| found.map(mean)).collect();
        json!({ "depth": depth, "n": n, "means": means })
    });
    SHEET.table(name, rows, &json!({ "title": title(setting) }))
}

/// The numbers of the chart near 1.
fn near(results: &Results) -> Data {
    let lines: Vec<Near> = SHEET.data("near");
    let rows = (2..=results.plan.depth()).map(|depth| {
        let found = |setting: &str, name: &str| results.row(setting, name, depth);
        let n = [TEXTBOOK, FULL].map(|setting| found(setting, "scout").map_or(0, |row| row.n));
        let ratio = |(setting, name, ..): &Near| found(setting, name)?.to_base;
        let ratios: Vec<_> = lines.iter().map(ratio).collect();
        json!({ "depth": depth, "n": n, "ratios": ratios })
    });
    SHEET.table("ratio-near", rows, &json!({}))
}

/// Ratios to alpha-beta, all depths of a setting.
fn ratios(results: &Results, setting: &str) -> Data {
    let rows = (2..=results.plan.depth())
        .flat_map(|depth| ALGORITHMS.map(|name| results.row(setting, name, depth)))
        .flatten()
        .filter(|row| !matches!(row.algorithm, "alphabeta" | "minimax"))
        .map(|row| named(row, row.algorithm, row.setting));
    SHEET.table("ratio", rows, &json!({ "title": title(setting) }))
}

/// Everything at the greatest depth of each algorithm.
fn deepest(results: &Results) -> Data {
    let deepest = |setting: &str, name: &str| {
        let row = (1..=results.plan.depth()).rev().find_map(|at| results.row(setting, name, at))?;
        Some(named(row, row.algorithm, row.setting))
    };
    let rows = SETTINGS.iter().flat_map(|it| ALGORITHMS.map(|name| deepest(&it.name, name)));
    SHEET.table("settings", rows.flatten(), &json!({}))
}

/// What order, table and deepening save, each alone.
fn gains(results: &Results) -> Data {
    let added = summary::added();
    let rows = results.gains.iter().map(|gain| {
        let step = added.iter().find(|step| step[1..] == [&gain.from[..], &gain.to[..]]);
        let mut row = named(gain, gain.algorithm, "");
        row["what"] = json!(step.map(|step| &step[0]));
        row
    });
    SHEET.table("gains", rows, &json!({}))
}

fn smallest(results: &Results) -> Data {
    let rows = results.minimal.iter().map(|row| {
        let above =
            [TEXTBOOK, FULL].map(|setting| results.row(setting, BASE, row.depth)?.to_minimal);
        json!({ "row": row, "mean": (row.n > 1).then_some(row.nodes_mean), "above": above })
    });
    SHEET.table("smallest-tree", rows, &json!({ "branching": results.branching }))
}

fn matches(results: &Results) -> Data {
    let rows = results.matches.iter().chain(&results.timed).map(|played| {
        let repeats = if played.repeatable { "yes" } else { "no: a clock decides" };
        json!({ "row": played, "repeats": repeats })
    });
    SHEET.table("matches", rows, &json!({}))
}

/// The agents, exactly.
fn agents(results: &Results) -> Data {
    let rows = results.plan.columns.iter().map(|column| {
        let mut row = named(column, column.algorithm, column.setting);
        row["depth"] = json!(column.max_depth());
        row
    });
    SHEET.table("agents", rows, &json!({}))
}

/// How many positions are measured how deep: `300 to depth 6, 150 at depth 7`.
fn sample(results: &Results, steps: &[usize]) -> String {
    let count = |step: &usize| results.plan.positions.len().div_ceil(*step);
    let mut last = 0;
    let part = |equal: &[usize]| {
        last += equal.len();
        let to = if equal.len() > 1 { "to" } else { "at" };
        format!("{} {to} depth {last}", count(&equal[0]))
    };
    let parts = steps.chunk_by(|one, other| count(one) == count(other)).map(part);
    parts.collect::<Vec<String>>().join(", ")
}

/// What was done, in a few sentences.
fn method(results: &Results) -> Block {
    let plan = &results.plan;
    let of_kind = |kind: &str| plan.positions.iter().filter(|it| it.id.starts_with(kind)).count();
    let tournament = match of_kind("wthor") {
        0 => String::new(),
        count => format!(", {count} positions of tournament games"),
    };
    let of = |algorithm: &str, setting: &str| {
        let column = plan.column(algorithm, setting);
        column.map_or_else(String::new, |at| sample(results, &plan.columns[at].steps))
    };
    let values = json!({
        "positions": results.positions,
        "ffo": of_kind("ffo"),
        "random": of_kind("random"),
        "tournament": tournament,
        "fixed": of(BASE, TEXTBOOK),
        "good": of(BASE, FULL),
        "forgetful": of("mtdf", TEXTBOOK),
        "minimal": sample(results, &plan.minimal_steps),
        "start": plan.start_depth,
        "scale": plan.scale,
        "seed": plan.seed,
    });
    Block::Words(SHEET.words("method", &values))
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
