//! The results as tables, and tables as plain text and Markdown.

use super::plan::{PRINTED, SETTINGS};
use super::verdicts::score;
use super::{REPORTED, Row, Study, StudyTiming};
use crate::numbers::grouped;
use crate::stats::Ratios;

/// A table, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Table {
    pub(super) caption: String,
    pub(super) head: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
}

/// The algorithms in the order of the charts.
pub(super) const ALGORITHMS: [&str; 6] = ["minimax", "alphabeta", "scout", "pvs", "mtdf", PRINTED];

/// The name of an algorithm for readers.
pub(super) fn shown(algorithm: &str) -> &str {
    match algorithm {
        "alphabeta" => "alpha-beta",
        "scout" => "SCOUT",
        "pvs" => "PVS",
        "mtdf" => "MTD(f)",
        PRINTED => "as printed",
        other => other,
    }
}

/// A number of about three digits.
pub(super) fn short(value: f64) -> String {
    match value {
        _ if value >= 100.0 => grouped(value.round() as u64),
        _ if value >= 10.0 => format!("{value:.1}"),
        _ if value >= 0.1 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

fn with_interval(found: Option<Ratios>) -> String {
    found.map_or_else(String::new, |Ratios { mean, interval: [low, high], .. }| {
        format!("{} [{}, {}]", short(mean), short(low), short(high))
    })
}

fn head(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

/// Rows of one setting, by depth and then in the order of [`ALGORITHMS`].
fn of_setting<'a>(study: &'a Study, setting: &str) -> Vec<&'a Row> {
    let mut rows = Vec::new();
    for depth in 1..=study.plan.depth() {
        rows.extend(ALGORITHMS.iter().filter_map(|name| study.row(setting, name, depth)));
    }
    rows
}

/// Mean nodes by depth and algorithm.
pub(super) fn nodes(study: &Study, setting: &str) -> Table {
    let algorithms: Vec<&str> =
        ALGORITHMS.into_iter().filter(|name| study.row(setting, name, 1).is_some()).collect();
    let mut first = head(&["depth", "n"]);
    first.extend(algorithms.iter().map(|name| shown(name).to_owned()));
    first.push("smallest tree".into());
    let row = |depth: u32| {
        let n = study.row(setting, "alphabeta", depth).map_or(0, |row| row.n);
        let mut cells = vec![depth.to_string(), n.to_string()];
        cells.extend(algorithms.iter().map(|name| {
            study.row(setting, name, depth).map_or_else(String::new, |row| short(row.nodes_mean))
        }));
        let minimal = study.minimal.iter().find(|row| row.depth == depth && row.n >= n);
        cells.push(minimal.map_or_else(String::new, |row| short(row.nodes_mean)));
        cells
    };
    Table {
        caption: format!("Nodes per search, geometric mean over n positions; {}", title(setting)),
        head: first,
        rows: (1..=study.plan.depth()).map(row).collect(),
    }
}

/// A setting in words.
pub(super) fn title(setting: &str) -> &'static str {
    SETTINGS.iter().find(|known| known.name == setting).map_or("", |known| known.title)
}

/// Ratios to alpha-beta, all depths of a setting.
pub(super) fn ratios(study: &Study, setting: &str) -> Table {
    let rows = of_setting(study, setting)
        .into_iter()
        .filter(|row| !matches!(row.algorithm, "alphabeta" | "minimax") && row.depth > 1);
    let rows = rows
        .map(|row| {
            let [q1, q2, q3] = row.to_base.map_or([0.0; 3], |found| found.quartiles).map(short);
            vec![
                row.depth.to_string(),
                shown(row.algorithm).to_owned(),
                row.n.to_string(),
                with_interval(row.to_base),
                format!("{q1} / {q2} / {q3}"),
                with_interval(row.timing.to_base),
            ]
        })
        .collect();
    Table {
        caption: format!(
            "Effort divided by that of alpha-beta, position by position: geometric mean with 95 % \
             bootstrap interval, and quartiles; {}",
            title(setting)
        ),
        head: head(&["depth", "algorithm", "n", "nodes", "quartiles", "time"]),
        rows,
    }
}

/// The lines of the chart near 1: setting, algorithm, name, style.
pub(super) const NEAR: [(&str, &str, &str, usize); 4] = [
    ("fixed", "scout", "SCOUT, fixed order", 2),
    ("good-table", "scout", "SCOUT, good order, table", 5),
    ("fixed", "pvs", "PVS, fixed order", 3),
    ("good-table", "pvs", "PVS, good order, table", 1),
];

/// The numbers of the chart near 1.
pub(super) fn near(study: &Study) -> Table {
    let row = |depth: u32| {
        let n = study.row("fixed", "scout", depth).map_or(0, |row| row.n);
        let mut cells = vec![depth.to_string(), n.to_string()];
        cells.extend(NEAR.map(|(setting, name, ..)| {
            with_interval(study.row(setting, name, depth).and_then(|row| row.to_base))
        }));
        cells
    };
    let mut first = head(&["depth", "n"]);
    first.extend(NEAR.map(|(_, _, label, _)| label.to_owned()));
    Table {
        caption: "Nodes divided by those of alpha-beta in the same setting: geometric mean with \
                  95 % bootstrap interval"
            .into(),
        head: first,
        rows: (2..=study.plan.depth()).map(row).collect(),
    }
}

/// Everything at the greatest depth of each algorithm.
pub(super) fn deepest(study: &Study) -> Table {
    let mut rows = Vec::new();
    for setting in SETTINGS {
        for name in ALGORITHMS {
            let found = (1..=study.plan.depth())
                .rev()
                .find_map(|depth| study.row(setting.name, name, depth));
            let Some(row) = found else { continue };
            rows.push(vec![
                setting.title.to_owned(),
                shown(name).to_owned(),
                row.depth.to_string(),
                row.n.to_string(),
                grouped(row.nodes_total),
                short(row.nodes_mean),
                short(row.leaves_mean),
                with_interval(row.to_base),
                format!("{} ms", short(row.timing.ms_mean)),
                with_interval(row.timing.to_base),
            ]);
        }
    }
    Table {
        caption: "Each algorithm at its greatest depth; means are geometric, ratios are to \
                  alpha-beta in the same setting, with 95 % bootstrap intervals over positions"
            .into(),
        head: head(&[
            "setting",
            "algorithm",
            "depth",
            "n",
            "nodes",
            "mean nodes",
            "mean leaves",
            "node ratio",
            "mean time",
            "time ratio",
        ]),
        rows,
    }
}

/// The smallest trees.
pub(super) fn minimal(study: &Study) -> Table {
    let row = |row: &super::MinimalRow| {
        let mean = if row.n > 1 { short(row.nodes_mean) } else { String::new() };
        vec![
            row.depth.to_string(),
            row.n.to_string(),
            mean,
            row.start.map_or_else(String::new, grouped),
            short(row.formula_nodes),
            short(row.formula_leaves),
        ]
    };
    Table {
        caption: format!(
            "The smallest tree that proves the value: measured, and by the formula for a uniform \
             tree with the mean branching b = {:.2}",
            study.branching
        ),
        head: head(&[
            "depth",
            "n",
            "mean nodes",
            "start position",
            "formula: nodes",
            "formula: leaves",
        ]),
        rows: study.minimal.iter().map(row).collect(),
    }
}

/// The matches.
pub(super) fn matches(study: &Study) -> Table {
    let reports = study.matches.iter().chain(&study.timing.matches);
    let row = |report: &crate::MatchReport| {
        let repeats = if report.repeatable { "yes" } else { "no: a clock decides" };
        vec![
            report.a.clone(),
            report.b.clone(),
            score(report),
            report.distinct_games.to_string(),
            repeats.to_owned(),
        ]
    };
    Table {
        caption: "Matches in pairs of games from one random opening, sides exchanged; score of A \
                  with 95 % Wilson interval"
            .into(),
        head: head(&["A", "B", "score of A", "distinct games", "repeatable"]),
        rows: reports.map(row).collect(),
    }
}

/// What the paper reports.
pub(super) fn reported() -> Table {
    let [fewest, most] = REPORTED.scout_nodes;
    let [shortest, longest] = REPORTED.scout_ms;
    let games = |[won, drawn, lost]: [u64; 3]| format!("+{won} ={drawn} −{lost} (n = 30)");
    Table {
        caption: format!(
            "What the paper reports: depth {}, {} machine moves of one game, and games against \
             three people",
            REPORTED.depth, REPORTED.moves
        ),
        head: head(&["algorithm", "nodes a move", "time a move", "games against people"]),
        rows: vec![
            vec![
                "SCOUT".into(),
                format!("{fewest} to {}", grouped(most)),
                format!("{shortest} to {} ms", grouped(longest)),
                games(REPORTED.scout_games),
            ],
            vec![
                "alpha-beta".into(),
                format!("from {}", grouped(REPORTED.alphabeta_nodes)),
                "not given".into(),
                games(REPORTED.alphabeta_games),
            ],
        ],
    }
}

/// The agents, exactly.
pub(super) fn agents(study: &Study) -> Table {
    let row = |column: &super::Column| {
        let spec = column.spec(column.max_depth);
        let spec = spec.replace(&format!("depth={}", column.max_depth), "depth=N");
        let depths = format!("1 to {}", column.max_depth);
        vec![shown(column.algorithm).to_owned(), title(column.setting).to_owned(), depths, spec]
    };
    Table {
        caption: "The agents, exactly; N is the depth".into(),
        head: head(&["algorithm", "setting", "depths", "agent"]),
        rows: study.plan.columns.iter().map(row).collect(),
    }
}

/// How many positions are of one kind.
fn of_kind(study: &Study, kind: &str) -> usize {
    study.plan.positions.iter().filter(|position| position.id.starts_with(kind)).count()
}

/// The command that does the same again.
pub(super) fn command(study: &Study) -> String {
    let games = if of_kind(study, "wthor") > 0 { " --wthor DIR" } else { "" };
    format!("warroom reproduce othello --scale {} --seed {}{games}", study.scale, study.seed)
}

/// What was done, in a few sentences.
pub(super) fn method(study: &Study) -> String {
    let tournament = match of_kind(study, "wthor") {
        0 => String::new(),
        count => format!(", {count} positions of tournament games"),
    };
    let counts: Vec<String> = (1..=study.plan.depth())
        .map(|depth| format!("{} at depth {depth}", study.plan.at_depth(depth).count()))
        .collect();
    format!(
        "One board, one move generator with passes, one evaluation (the paper's factors, weight 1 \
         each), one counter that counts every position entered. {} positions: the start, {} FFO \
         endgame tests, {} random positions after 4 to 48 plies{tournament}; searched: {}. A time \
         is that of one run, the making of the table included. Scale {}, seed {}.",
        study.positions,
        of_kind(study, "ffo"),
        of_kind(study, "random"),
        counts.join(", "),
        study.scale,
        study.seed
    )
}

/// Whether the algorithms agree, in a sentence.
pub(super) fn agreement(study: &Study) -> String {
    let found = &study.agreement;
    format!(
        "{} searches of {} questions (position and depth) by correct algorithms: {} with another \
         value than alpha-beta, {} with another move.",
        grouped(found.searches as u64),
        grouped(found.questions as u64),
        found.wrong_values,
        found.wrong_actions
    )
}

impl Table {
    fn as_text(&self) -> String {
        let all = || std::iter::once(&self.head).chain(&self.rows);
        let width = |column: usize| all().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..self.head.len()).map(width).collect();
        let line = |row: &Vec<String>| {
            let cells = row.iter().zip(&widths).map(|(cell, width)| {
                let number = cell.starts_with(|first: char| first.is_ascii_digit());
                if number { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
            });
            cells.collect::<Vec<String>>().join("  ").trim_end().to_owned()
        };
        let lines: Vec<String> = all().map(line).collect();
        format!("{}\n\n{}\n", self.caption, lines.join("\n"))
    }

    fn as_markdown(&self) -> String {
        let line = |row: &Vec<String>| format!("| {} |", row.join(" | "));
        let rule = format!("|{}", "---|".repeat(self.head.len()));
        let rows: Vec<String> = self.rows.iter().map(line).collect();
        format!("{}.\n\n{}\n{rule}\n{}\n", self.caption, line(&self.head), rows.join("\n"))
    }
}

/// The experiment for a terminal.
#[must_use]
pub fn text(study: &Study) -> String {
    let mut text = format!("{}\n\n{}\n{}\n\n", study.paper, method(study), agreement(study));
    for table in [deepest(study), minimal(study), matches(study)] {
        text += &table.as_text();
        text.push('\n');
    }
    for verdict in study.all_verdicts() {
        text += &format!(
            "{}: {}\n    {}\n    {}\n",
            verdict.ruling.words().to_uppercase(),
            verdict.claim,
            verdict.measured,
            verdict.why
        );
    }
    let StudyTiming { seconds, threads, .. } = &study.timing;
    text + &format!("\n{seconds:.0} s on {threads} threads")
}

/// The experiment as a page of Markdown that names the figures beside it.
#[must_use]
pub fn markdown(study: &Study) -> String {
    let StudyTiming { seconds, threads, .. } = &study.timing;
    let mut text = format!(
        "# SCOUT against alpha-beta, done again\n\n{}.\n\nMade by `{} --out DIR`, version {}, in \
         {seconds:.0} s on {threads} threads. All but the times and the match at equal time \
         repeats exactly.\n\n## Verdicts\n\n",
        study.paper,
        command(study),
        study.version
    );
    for verdict in study.all_verdicts() {
        text += &format!(
            "- **{}** {}  \n  Measured: {}.  \n  {}\n",
            verdict.claim,
            verdict.ruling.words().to_uppercase(),
            verdict.measured,
            verdict.why
        );
    }
    text += &format!(
        "\n## What was done\n\n{}\n\n{}\n\n{}\n",
        method(study),
        agreement(study),
        reported().as_markdown()
    );
    text += "## Nodes\n\n";
    for (file, setting) in [("nodes-fixed.svg", "fixed"), ("nodes-good.svg", "good-table")] {
        let table = nodes(study, setting);
        text += &format!("![{}]({file})\n\n{}\n", table.caption, table.as_markdown());
    }
    text += &format!(
        "## Ratio to alpha-beta\n\n![SCOUT and PVS divided by alpha-beta](ratio-near.svg)\n\n{}\n",
        near(study).as_markdown()
    );
    for (file, setting) in [("ratio-fixed.svg", "fixed"), ("ratio-good.svg", "good-table")] {
        let table = ratios(study, setting);
        text += &format!("![{}]({file})\n\n{}\n", table.caption, table.as_markdown());
    }
    for (title, table) in [
        ("All settings", deepest(study)),
        ("The smallest tree", minimal(study)),
        ("Matches", matches(study)),
        ("Agents", agents(study)),
    ] {
        text += &format!("## {title}\n\n{}\n", table.as_markdown());
    }
    text.trim_end().to_owned() + "\n"
}
