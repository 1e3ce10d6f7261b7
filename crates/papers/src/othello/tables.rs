//! The results as tables.

use super::plan::{BASE, FULL, PRINTED, SETTINGS, TEXTBOOK};
use super::summary::ADDED;
use super::{PlayedMatch, REPORTED, Row, Study};
use crate::verdict::score;
use lab::grouped;
use lab::report::{Table, head, short, with_interval};

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
        // A mean over other positions than those of the row says so.
        let mean = |nodes, of: usize| match of {
            of if of == n => short(nodes),
            of => format!("{} (n = {of})", short(nodes)),
        };
        cells.extend(algorithms.iter().map(|name| {
            let row = study.row(setting, name, depth);
            row.map_or_else(String::new, |row| mean(row.nodes_mean, row.n))
        }));
        let minimal = study.minimal.iter().find(|row| row.depth == depth && row.n > 1);
        cells.push(minimal.map_or_else(String::new, |row| mean(row.nodes_mean, row.n)));
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

/// The lines of the chart near 1: setting, algorithm, name, style. All aids are good order, table
/// and deepening.
pub(super) const NEAR: [(&str, &str, &str, usize); 4] = [
    (TEXTBOOK, "scout", "SCOUT, fixed order", 2),
    (FULL, "scout", "SCOUT, all aids", 5),
    (TEXTBOOK, "pvs", "PVS, fixed order", 3),
    (FULL, "pvs", "PVS, all aids", 1),
];

/// The numbers of the chart near 1.
pub(super) fn near(study: &Study) -> Table {
    let row = |depth: u32| {
        let n = [TEXTBOOK, FULL]
            .map(|setting| study.row(setting, "scout", depth).map_or(0, |row| row.n).to_string());
        let mut cells = vec![depth.to_string()];
        cells.extend(n);
        cells.extend(NEAR.map(|(setting, name, ..)| {
            with_interval(study.row(setting, name, depth).and_then(|row| row.to_base))
        }));
        cells
    };
    let mut first = head(&["depth", "n, fixed order", "n, all aids"]);
    first.extend(NEAR.map(|(_, _, label, _)| label.to_owned()));
    Table {
        caption: "Nodes divided by those of alpha-beta in the same setting: geometric mean with \
                  95 % bootstrap interval; fixed order is without a table, all aids are good \
                  order, table and deepening"
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

/// What order, table and deepening save, each alone.
pub(super) fn gains(study: &Study) -> Table {
    let row = |gain: &super::Gain| {
        let added = ADDED.iter().find(|(_, from, to)| (*from, *to) == (gain.from, gain.to));
        let [q1, q2, q3] = gain.nodes.quartiles.map(short);
        vec![
            added.map_or("", |(what, ..)| what).to_owned(),
            shown(gain.algorithm).to_owned(),
            gain.depth.to_string(),
            gain.nodes.n.to_string(),
            with_interval(Some(gain.nodes)),
            format!("{q1} / {q2} / {q3}"),
        ]
    };
    Table {
        caption: "Nodes with it divided by nodes without it, the same algorithm and position: \
                  geometric mean with 95 % bootstrap interval, and quartiles. A good order uses \
                  the move of the table, if there is one; deepening counts the nodes of all its \
                  depths"
            .into(),
        head: head(&["what is added", "algorithm", "depth", "n", "nodes", "quartiles"]),
        rows: study.gains.iter().map(row).collect(),
    }
}

/// The smallest trees.
pub(super) fn minimal(study: &Study) -> Table {
    let row = |row: &super::MinimalRow| {
        let mean = if row.n > 1 { short(row.nodes_mean) } else { String::new() };
        let above = [TEXTBOOK, FULL].map(|setting| {
            let found = study.row(setting, BASE, row.depth).and_then(|row| row.to_minimal);
            found.map_or_else(String::new, |found| {
                format!("{} (n = {})", with_interval(Some(found)), found.n)
            })
        });
        let mut cells = vec![
            row.depth.to_string(),
            row.n.to_string(),
            mean,
            row.start.map_or_else(String::new, grouped),
            short(row.formula_nodes),
            short(row.formula_leaves),
        ];
        cells.extend(above);
        cells
    };
    Table {
        caption: format!(
            "The smallest tree that proves the value: measured, and by the formula for a uniform \
             tree with the mean branching b = {:.2}; beside it, nodes of alpha-beta divided by its \
             nodes where both were measured, in fixed order without a table and with good order, \
             table and deepening",
            study.branching
        ),
        head: head(&[
            "depth",
            "n",
            "mean nodes",
            "start position",
            "formula: nodes",
            "formula: leaves",
            "alpha-beta, fixed order",
            "alpha-beta, all aids",
        ]),
        rows: study.minimal.iter().map(row).collect(),
    }
}

/// The matches.
pub(super) fn matches(study: &Study) -> Table {
    let played = study.matches.iter().chain(&study.timing.matches);
    let row = |PlayedMatch { run, repeatable, distinct_games, result }: &PlayedMatch| {
        let repeats = if *repeatable { "yes" } else { "no: a clock decides" };
        vec![
            result.a.clone(),
            result.b.clone(),
            score(result),
            distinct_games.to_string(),
            repeats.to_owned(),
            run.clone(),
        ]
    };
    Table {
        caption: "Matches in pairs of games from one random opening, sides exchanged; score of A \
                  with 95 % Wilson interval"
            .into(),
        head: head(&["A", "B", "score of A", "distinct games", "repeatable", "run"]),
        rows: played.map(row).collect(),
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
        let spec = column.spec(column.max_depth());
        let spec = spec.replace(&format!("depth={}", column.max_depth()), "depth=N");
        let depths = format!("1 to {}", column.max_depth());
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

/// How many positions are measured how deep: `300 to depth 6, 150 at depth 7`.
fn sample(study: &Study, steps: &[usize]) -> String {
    let count = |step: usize| study.plan.positions.len().div_ceil(step);
    let mut parts: Vec<(usize, usize, usize)> = Vec::new();
    for (index, &step) in steps.iter().enumerate() {
        match parts.last_mut() {
            Some((of, _, last)) if *of == count(step) => *last = index + 1,
            _ => parts.push((count(step), index + 1, index + 1)),
        }
    }
    let part = |&(of, first, last): &(usize, usize, usize)| {
        let to = if first < last { "to" } else { "at" };
        format!("{of} {to} depth {last}")
    };
    parts.iter().map(part).collect::<Vec<String>>().join(", ")
}

/// What was done, in a few sentences.
pub(super) fn method(study: &Study) -> String {
    let tournament = match of_kind(study, "wthor") {
        0 => String::new(),
        count => format!(", {count} positions of tournament games"),
    };
    let of = |algorithm: &str, setting: &str| {
        let is =
            |column: &&super::Column| (column.algorithm, column.setting) == (algorithm, setting);
        let column = study.plan.columns.iter().find(is);
        column.map_or_else(String::new, |column| sample(study, &column.steps))
    };
    format!(
        "One board, one move generator with passes, one evaluation (the paper's factors, weight 1 \
         each), one counter that counts every position entered. {} positions: the start, {} FFO \
         endgame tests, {} random positions after 4 to 48 plies{tournament}. Searched in \
         fixed order: {}; in good order: {}; MTD(f) in fixed order without a table, the dearest: \
         {}; smallest trees: {}, the start position to depth {}. A smaller sample is part of the \
         larger ones, so every ratio compares searches of the same positions. A time is that of \
         one run, the making of the table included. Scale {}, seed {}.",
        study.positions,
        of_kind(study, "ffo"),
        of_kind(study, "random"),
        of(BASE, TEXTBOOK),
        of(BASE, FULL),
        of("mtdf", TEXTBOOK),
        sample(study, &study.plan.minimal_steps),
        study.plan.start_depth,
        study.scale,
        study.seed
    )
}

/// Whether the algorithms agree, in a sentence.
pub(super) fn agreement(study: &Study) -> String {
    let found = &study.agreement;
    format!(
        "{} searches of {} questions (position and depth) by correct algorithms in five \
         settings: {} with another value than alpha-beta in the plainest of them, {} with another \
         move.",
        grouped(found.searches as u64),
        grouped(found.questions as u64),
        found.wrong_values,
        found.wrong_actions
    )
}
