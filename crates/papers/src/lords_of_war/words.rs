//! The experiment as pages, charts and tables.

use lab::report::{Block, Chart, Data, Point, Series};
use serde_json::json;
use stats::wilson;

use super::claims::measured;
use super::plan::{ARMIES, HEURISTICS, LIMITS, armies, extrapolated, joined, single};
use super::{Results, SHEET};

/// A score and its interval, short.
fn percent(points: f64, games: u64) -> String {
    if games == 0 {
        return MISSING.to_owned();
    }
    let [low, high] = wilson(points, games).map(|end| end * 100.0);
    format!("{:.1} [{low:.0}, {high:.0}]", 100.0 * points / games as f64)
}

/// The rows of figure 2 for some heuristics.
fn figure_2(study: &Results, heuristics: &[u32]) -> Data {
    let (mut rows, published) = (Vec::new(), super::figure_2());
    for &heuristic in heuristics {
        let cells = LIMITS.map(|limit| study.cell(&single(heuristic, limit)));
        if cells.iter().all(Option::is_none) {
            continue;
        }
        let mut ours = vec![format!("h{heuristic}")];
        ours.extend(
            cells.map(|cell| cell.map_or(percent(0.0, 0), |it| percent(it.points, it.counted))),
        );
        rows.push(ours);
        let mut theirs = vec!["paper".to_owned()];
        theirs.extend(published.iter().map(|row| format!("{:.1}", row[heuristic as usize - 1])));
        rows.push(theirs);
    }
    let games = study.cell(&single(3, 15)).or(study.cell(&single(4, 1))).map_or(0, |c| c.games);
    let named = study.cell(&single(4, 15)).map_or(games, |cell| cell.games);
    let limits = LIMITS.map(|limit| format!("limit {limit}"));
    let head = std::iter::once("heuristic".to_owned()).chain(limits);
    SHEET.grid("figure-2", head, rows, &json!({ "games": games, "named": named }))
}

/// Figures 5 to 7: a row a heuristic, against plain UCT and against h4.
fn duels(study: &Results, table: &str, name: fn(u32, &str) -> String) -> Data {
    let rows = (1..=HEURISTICS).filter_map(|heuristic| {
        let [plain, h4] = ["uct", "h4"].map(|against| study.cell(&name(heuristic, against)));
        let agent = plain.or(h4)?.name.split(' ').next();
        Some(json!({ "agent": agent, "plain": plain.map(measured), "h4": h4.map(measured) }))
    });
    SHEET.table(table, rows, &json!({}))
}

/// Every army against every army: percent of the army of the row.
fn army_table(study: &Results) -> Data {
    let rows = ARMIES.iter().filter_map(|row| {
        let mut all = (0.0, 0);
        let mut cells = vec![(*row).to_owned()];
        for column in ARMIES {
            let (points, played) = army_points(study, row, column);
            if *row != column {
                all = (all.0 + points, all.1 + played);
            }
            cells.push(counted((points, played)));
        }
        cells.push(counted(all));
        cells[1..].iter().any(|cell| cell != MISSING).then_some(cells)
    });
    let head = std::iter::once("").chain(ARMIES).chain(["all others"]);
    SHEET.grid("armies", head, rows, &json!({}))
}

const MISSING: &str = "–";

/// Points of one army against another, against itself those of seat 0, and in how many games.
fn army_points(study: &Results, army: &str, other: &str) -> (f64, u64) {
    if let Some(cell) = study.cell(&armies(army, other)) {
        if army == other {
            return (cell.seats[0] as f64 + 0.5 * cell.seats[1] as f64, cell.games);
        }
        return (cell.points, cell.counted);
    }
    let exchanged = study.cell(&armies(other, army));
    exchanged.map_or((0.0, 0), |cell| (cell.counted as f64 - cell.points, cell.counted))
}

/// With the number of games.
fn counted((points, games): (f64, u64)) -> String {
    let n = if games == 0 { String::new() } else { format!(" (n = {games})") };
    percent(points, games) + &n
}

fn constant_table(study: &Results) -> Data {
    let cells = study.cells.iter().filter(|cell| cell.name.starts_with("C "));
    let rows = cells.map(|cell| json!({ "name": cell.name, "score": measured(cell) }));
    SHEET.table("constant", rows, &json!({}))
}

/// The curves of figures 3 and 4: some heuristics over the limit.
fn curves(study: &Results, title: &str, heuristics: &[u32]) -> Chart {
    let series = heuristics.iter().enumerate().map(|(style, &heuristic)| {
        let points = (1u32..).zip(LIMITS).filter_map(|(step, limit)| {
            let cell = study.cell(&single(heuristic, limit))?;
            let interval = Some(cell.wilson().map(|end| end * 100.0));
            Some(Point { step, value: cell.score() * 100.0, interval })
        });
        Series { label: format!("h{heuristic}"), style, points: points.collect() }
    });
    Chart {
        title: title.to_owned(),
        axis: "percent of points against plain UCT",
        below: "limit (HPL)".into(),
        steps: LIMITS.len() as u32,
        series: series.filter(|series| !series.points.is_empty()).collect(),
        line: Some(50.0),
        ticks: vec![0.0, 20.0, 40.0, 60.0, 80.0, 100.0],
        linear: true,
        names: LIMITS.iter().map(u32::to_string).collect(),
        ..Chart::default()
    }
}

/// Curves with their table, and the other tables.
pub(super) fn results(study: &Results) -> Vec<Block> {
    let mut blocks = Vec::new();
    for (name, title, heuristics) in [
        ("figure-3", "State heuristics (figure 3)", &[1, 2, 3, 4, 5][..]),
        ("figure-4", "Heat maps (figure 4)", &[6, 7, 8, 9, 10, 11][..]),
    ] {
        let chart = curves(study, title, heuristics);
        if !chart.series.is_empty() {
            let words = SHEET.words("figure", &json!({ "title": title }));
            let data = Data { name: name.to_owned(), ..figure_2(study, heuristics) };
            blocks.push(Block::Figure { words, drawing: chart.drawing(), data });
        }
    }
    if !blocks.is_empty() {
        blocks.insert(0, Block::Heading("One heuristic (figures 2 to 4)".into()));
    }
    for (title, data) in [
        ("Joined heuristics (figure 5)", duels(study, "joined", joined)),
        ("State extrapolation (figures 6 and 7)", duels(study, "extrapolated", extrapolated)),
        ("The exploration constant", constant_table(study)),
        ("Armies", army_table(study)),
    ] {
        if !data.table.rows.is_empty() {
            blocks.extend([Block::Heading(title.into()), Block::Table(data)]);
        }
    }
    blocks
}

/// What was measured, for programs: every match.
pub(super) fn cells(study: &Results) -> Data {
    let rows = study.cells.iter().map(|cell| {
        let (score, wilson, p_value) = (cell.score(), cell.wilson(), cell.p_value());
        json!({ "cell": cell, "score": score, "wilson": wilson, "p_value": p_value })
    });
    SHEET.table("lords-of-war-cells", rows, &json!({}))
}
