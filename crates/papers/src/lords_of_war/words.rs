//! The experiment as pages, charts and tables.

use std::fmt::Write as _;

use super::claims::measured;
use super::plan::{
    ARMIES, FIGURE_2, HEURISTICS, LIMITS, PAPER_GAMES, armies, extrapolated, joined, single,
};
use super::{CONSTANT, CellResult, Study};
use lab::grouped;
use lab::report::{Block, Data, Document, DocumentFile};
use lab::report::{Chart, Point, Series};
use lab::report::{Table, head};
use stats::wilson;

/// A score and its interval, short.
fn percent(cell: Option<&CellResult>) -> String {
    cell.map_or_else(
        || MISSING.to_owned(),
        |cell| {
            let [low, high] = cell.wilson().map(|end| end * 100.0);
            format!("{:.1} [{low:.0}, {high:.0}]", cell.score() * 100.0)
        },
    )
}

/// The rows of figure 2 for some heuristics.
fn figure_2(study: &Study, heuristics: &[u32]) -> Table {
    let mut rows = Vec::new();
    for &heuristic in heuristics {
        let cells = LIMITS.map(|limit| study.cell(&single(heuristic, limit)));
        if cells.iter().all(Option::is_none) {
            continue;
        }
        let mut ours = vec![format!("h{heuristic}")];
        ours.extend(cells.map(percent));
        rows.push(ours);
        let mut theirs = vec!["paper".to_owned()];
        theirs.extend(FIGURE_2.map(|row| format!("{:.1}", row[heuristic as usize - 1])));
        rows.push(theirs);
    }
    let games = study.cell(&single(3, 15)).or(study.cell(&single(4, 1))).map_or(0, |c| c.games);
    let named = study.cell(&single(4, 15)).map_or(games, |cell| cell.games);
    let caption = format!(
        "Figure 2: percent of points of UCT(h[limit]) against plain UCT, ours with its 95 % \
         interval (n = {games}; where a claim names the cell, n = {named}) above the paper's (n = \
         {PAPER_GAMES})"
    );
    let limits = LIMITS.map(|limit| format!("limit {limit}"));
    Table { caption, head: std::iter::once("heuristic".into()).chain(limits).collect(), rows }
}

/// Figures 5 to 7: a row a heuristic, against plain UCT and against h4.
fn duel_table(study: &Study, caption: &str, label: &str, name: fn(u32, &str) -> String) -> Table {
    let rows = (1..=HEURISTICS).filter_map(|heuristic| {
        let plain = study.cell(&name(heuristic, "uct"));
        let h4 = study.cell(&name(heuristic, "h4"));
        let any = plain.or(h4)?;
        let agent = any.name.split(' ').next().unwrap_or_default().to_owned();
        let shown = |cell: Option<&CellResult>| cell.map_or_else(|| MISSING.into(), measured);
        Some(vec![agent, shown(plain), shown(h4)])
    });
    let rows = rows.collect();
    let heads = [label, "against plain UCT", "against h4"];
    Table { caption: caption.into(), head: head(&heads), rows }
}

fn joined_table(study: &Study) -> Table {
    let caption = "Figure 5: h4 joined with another heuristic, limit 15 each";
    duel_table(study, caption, "pair", joined)
}

fn extrapolated_table(study: &Study) -> Table {
    let caption = "Figures 6 and 7: with one random continuation of the turn, limit 15";
    duel_table(study, caption, "heuristic", extrapolated)
}

/// Every army against every army: percent of the army of the row.
fn army_table(study: &Study) -> Table {
    let rows = ARMIES.iter().filter_map(|row| {
        let (mut all, mut games) = (0.0, 0);
        let mut cells = vec![(*row).to_owned()];
        for column in ARMIES {
            let (points, played) = army_points(study, row, column);
            if *row != column {
                all += points;
                games += played;
            }
            cells.push(interval(points, played));
        }
        cells.push(interval(all, games));
        cells[1..].iter().any(|cell| cell != MISSING).then_some(cells)
    });
    let rows = rows.collect();
    let caption = "Every army against every army, h4[15] on both sides, percent of points of the \
                   army of the row, with the armies on either side, with 95 % intervals; on the \
                   diagonal, the percent of player 1";
    let heads = std::iter::once("").chain(ARMIES).chain(["all others"]);
    Table { caption: caption.into(), head: heads.map(str::to_owned).collect(), rows }
}

const MISSING: &str = "–";

/// Points of one army against another, against itself those of seat 0, and in how many games.
fn army_points(study: &Study, army: &str, other: &str) -> (f64, u64) {
    if let Some(cell) = study.cell(&armies(army, other)) {
        let own = if army == other {
            cell.seats[0] as f64 + 0.5 * cell.seats[1] as f64
        } else {
            cell.points()
        };
        return (own, cell.games);
    }
    let exchanged = study.cell(&armies(other, army));
    exchanged.map_or((0.0, 0), |cell| (cell.games as f64 - cell.points(), cell.games))
}

fn interval(points: f64, games: u64) -> String {
    if games == 0 {
        return MISSING.to_owned();
    }
    let [low, high] = wilson(points, games).map(|end| end * 100.0);
    format!("{:.1} [{low:.0}, {high:.0}] (n = {games})", 100.0 * points / games as f64)
}

fn constant_table(study: &Study) -> Table {
    let cells = study.cells.iter().filter(|cell| cell.name.starts_with("C "));
    let rows = cells.map(|cell| vec![cell.name.clone(), measured(cell)]).collect();
    let caption = format!(
        "The exploration constant, which the paper does not give: plain UCT against plain UCT with \
         C = {CONSTANT}, which every other cell uses"
    );
    Table { caption, head: head(&["match", "score"]), rows }
}

/// The curves of figures 3 and 4: some heuristics over the limit.
fn curves(study: &Study, title: &str, heuristics: &[u32]) -> Chart {
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
        marks: Vec::new(),
        marks_title: "",
        line: Some(50.0),
        ticks: vec![0.0, 20.0, 40.0, 60.0, 80.0, 100.0],
        linear: true,
        names: LIMITS.iter().map(u32::to_string).collect(),
    }
}

/// Curves with their table, and the other tables.
fn results(study: &Study) -> Vec<Block> {
    let mut blocks = vec![Block::Heading("One heuristic (figures 2 to 4)".into())];
    for (name, title, heuristics) in [
        ("figure-3", "State heuristics (figure 3)", &[1, 2, 3, 4, 5][..]),
        ("figure-4", "Heat maps (figure 4)", &[6, 7, 8, 9, 10, 11][..]),
    ] {
        let chart = curves(study, title, heuristics);
        if !chart.series.is_empty() {
            let words = format!(
                "{title}: points against plain UCT over the number of actions that survive, with \
                 95 % intervals; the dotted line is even."
            );
            let data = Data::plain(name, figure_2(study, heuristics));
            blocks.push(Block::Figure { words, drawing: chart.drawing(), data });
        }
    }
    for (title, name, table) in [
        ("Joined heuristics (figure 5)", "joined", joined_table(study)),
        ("State extrapolation (figures 6 and 7)", "extrapolated", extrapolated_table(study)),
        ("The exploration constant", "constant", constant_table(study)),
        ("Armies", "armies", army_table(study)),
    ] {
        if !table.rows.is_empty() {
            blocks.push(Block::Heading(title.into()));
            blocks.push(Block::Table(Data::plain(name, table)));
        }
    }
    if blocks.len() > 1 && matches!(blocks[1], Block::Heading(_)) {
        blocks.remove(0);
    }
    blocks
}

fn command(study: &Study) -> String {
    let Study { scale, seed, parts, .. } = study;
    format!(
        "warroom reproduce lords-of-war --part {} --scale {scale} --seed {seed}",
        parts.join(",")
    )
}

fn setting(study: &Study) -> String {
    let games: u64 = study.cells.iter().map(|cell| cell.games).sum();
    format!(
        "{} games, {} iterations per decision on both sides without tree reuse, C = {CONSTANT}, \
         {} for player 1 against {} for player 2 unless stated otherwise; both agents play every \
         deal from both sides, with either side first, and all cells use the same deals. Runs: \
         {}.",
        grouped(games),
        grouped(study.iterations),
        study.armies[0],
        study.armies[1],
        study.runs.iter().map(|run| format!("`{run}`")).collect::<Vec<_>>().join(", ")
    )
}

const TITLE: &str = "Lords of War: the 2014 paper reproduced";

/// The study for readers.
#[must_use]
pub fn document(study: &Study) -> Document {
    let mut blocks = Vec::new();
    if !study.verdicts.is_empty() {
        blocks.push(Block::Heading("Claims".into()));
    }
    blocks.extend(study.verdicts.iter().cloned().map(Block::Verdict));
    blocks.extend(results(study));
    let made = format!(
        "Made by `{}`, version {}, {}. {}",
        command(study),
        study.version,
        study.timing.words(),
        setting(study)
    );
    Document {
        title: TITLE.into(),
        lead: vec![format!("{}.", study.paper), made],
        facts: Vec::new(),
        blocks,
    }
}

fn csv(study: &Study) -> String {
    let mut text = "cell,a,b,games,a_wins,draws,b_wins,score,wilson_low,wilson_high,p_value,\
                    mean_turns,mean_deployments,mean_options\n"
        .to_owned();
    for cell in &study.cells {
        let CellResult { name, a, b, games, a_wins, draws, b_wins, .. } = cell;
        let ([low, high], score) = (cell.wilson(), cell.score());
        let _ = writeln!(
            text,
            "\"{name}\",\"{a}\",\"{b}\",{games},{a_wins},{draws},{b_wins},{score:.4},{low:.4},\
             {high:.4},{:.6},{:.2},{:.2},{:.2}",
            cell.p_value(),
            cell.turns,
            cell.deployments,
            cell.branching
        );
    }
    text
}

/// What was measured, for programs: every match.
#[must_use]
pub fn data_files(study: &Study) -> Vec<DocumentFile> {
    vec![DocumentFile { name: "lords-of-war-cells.csv".into(), content: csv(study) }]
}
