//! One page for readers: words first, then charts, each with its table. Nothing is loaded from
//! elsewhere.

use super::plan::{BASE, FULL, PRINTED, TEXTBOOK};
use super::tables::{self, ALGORITHMS, NEAR, shown};
use super::{REPORTED, Study};
use lab::grouped;
use lab::report::Table;
use lab::report::{Block, Data, Document};
use lab::report::{Chart, Mark, Point, Series};

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
        below: "depth".into(),
        steps: depths,
        series,
        marks,
        marks_title: MARKS,
        line: None,
        ticks: Vec::new(),
        linear: false,
        names: Vec::new(),
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
        below: "depth".into(),
        steps: study.plan.depth(),
        series: ["scout", "pvs", "mtdf"].map(|name| ratio_series(study, setting, name)).into(),
        marks: vec![Mark {
            label: ["76 / 26,264".into(), format!("= {claimed:.4}")],
            range: [claimed; 2],
        }],
        marks_title: MARKS,
        line: Some(1.0),
        ticks: Vec::new(),
        linear: false,
        names: Vec::new(),
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
        title: "Nodes divided by those of alpha-beta, enlarged".into(),
        axis: "ratio, 95 % intervals",
        below: "depth".into(),
        steps: study.plan.depth(),
        series: series.into(),
        marks: Vec::new(),
        marks_title: "",
        line: Some(1.0),
        ticks,
        linear: false,
        names: Vec::new(),
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
fn facts(study: &Study) -> Vec<(String, String)> {
    let depth = study.plan.depth();
    let mut facts = Vec::new();
    for (setting, words) in [TEXTBOOK, FULL].map(|setting| (setting, tables::title(setting))) {
        let found = study.row(setting, "scout", depth).and_then(|row| row.to_base);
        if let Some(found) = found {
            let [low, high] = found.interval;
            let text = format!(
                "SCOUT’s nodes against alpha-beta’s at depth {depth}, {words}; 95 % interval \
                 {low:.2} to {high:.2}, n = {} positions",
                found.n
            );
            facts.push((format!("{:.2}×", found.mean), text));
        }
    }
    let equal = &study.matches[0].result;
    let text = format!(
        "SCOUT’s score against alpha-beta at equal depth, n = {} games; {} of {} searches chose \
         another move",
        grouped(equal.evidence.counted_games()),
        study.agreement.wrong_actions,
        grouped(study.agreement.searches as u64)
    );
    facts.push((format!("{:.1} %", equal.evidence.score.unwrap_or(0.5) * 100.0), text));
    facts
}

fn figure(name: &str, chart: &Chart, words: &str, table: Table) -> Block {
    Block::Figure {
        words: words.to_owned(),
        drawing: chart.drawing(),
        data: Data::plain(name, table),
    }
}

/// The study for readers.
#[must_use]
pub fn document(study: &Study) -> Document {
    let heading = |words: &str| Block::Heading(words.to_owned());
    let mut blocks = vec![Block::Table(Data::plain("reported", tables::reported()))];
    blocks.push(heading("Claims of the paper, and verdicts"));
    blocks.extend(study.all_verdicts().cloned().map(Block::Verdict));
    blocks.extend([
        heading("What was done"),
        Block::Words(tables::method(study)),
        Block::Words(tables::agreement(study)),
        Block::Words(
            "A ratio compares two searches of the same position; means are geometric, because \
             effort varies by factors; intervals are 95 % bootstrap intervals over positions. The \
             sample may shrink with depth (column n), so compare algorithms at one depth, not one \
             algorithm across depths."
                .into(),
        ),
    ]);
    nodes_section(study, &mut blocks);
    ratio_section(study, &mut blocks);
    for (title, name, table) in [
        ("What order, table and deepening save", "gains", tables::gains(study)),
        ("All settings", "settings", tables::deepest(study)),
        ("The smallest tree", "smallest-tree", tables::minimal(study)),
        ("Matches", "matches", tables::matches(study)),
        ("The agents", "agents", tables::agents(study)),
    ] {
        blocks.push(heading(title));
        blocks.push(Block::Table(Data::plain(name, table)));
    }
    blocks.push(Block::Words(format!(
        "Made by `{}`, version {}, on {} threads, {}. Everything but times and the match at \
         equal time repeats exactly. Every search is in `othello-nodes.csv`, every mean in \
         `othello-summary.csv`; `{PRINTED}` is the agent that follows the printed pseudo-code.",
        tables::command(study),
        study.version,
        study.timing.threads,
        study.timing.whole.words()
    )));
    Document {
        title: "SCOUT against alpha-beta: the 2020 paper reproduced".into(),
        lead: vec![
            format!("{}.", study.paper),
            "The paper lets two programs play Othello on a phone and reports that SCOUT explores \
             76 nodes where alpha-beta explores 26,264, and that it wins 20 of 30 games against \
             people where alpha-beta wins 6. Here both searches share one board, one evaluation, \
             one order of moves and one counter. Then little of the difference is left."
                .into(),
        ],
        facts: facts(study),
        blocks,
    }
}

fn nodes_section(study: &Study, blocks: &mut Vec<Block>) {
    blocks.push(Block::Heading("Nodes by depth".into()));
    let words = "In the textbook form moves are tried as the board lists them. The dashed line is \
                 the smallest tree that proves the value: no correct search can go below it without \
                 a table. The pseudo-code as printed hardly grows with depth, because it does not \
                 search the tree. Where fewer positions were measured than for alpha-beta, the \
                 line follows the mean ratio over those; the table gives their own mean and n.";
    let table = tables::nodes(study, TEXTBOOK);
    blocks.push(figure("nodes-fixed", &nodes_chart(study, TEXTBOOK), words, table));
    let words = "With a good order, a table and deepening all of them need a small part of that. \
                 This, not the choice between SCOUT and alpha-beta, is what saves nodes; what each \
                 of the three saves alone is in a table further down.";
    let table = tables::nodes(study, FULL);
    blocks.push(figure("nodes-good", &nodes_chart(study, FULL), words, table));
}

fn ratio_section(study: &Study, blocks: &mut Vec<Block>) {
    blocks.push(Block::Heading("Ratio to alpha-beta".into()));
    let words = "Below 1 an algorithm needs fewer nodes than alpha-beta. SCOUT and principal \
                 variation search differ from it by a part, not by a factor of 346.";
    blocks.push(figure("ratio-near", &near_chart(study), words, tables::near(study)));
    let words = "The same with MTD(f) and with the paper’s figures, on a scale that holds them. \
                 Without a table every pass of MTD(f) starts over; it is not meant to be used \
                 that way, and its sample is smaller.";
    let table = tables::ratios(study, TEXTBOOK);
    blocks.push(figure("ratio-fixed", &ratio_chart(study, TEXTBOOK), words, table));
    let words = "And with good order, table and deepening.";
    let table = tables::ratios(study, FULL);
    blocks.push(figure("ratio-good", &ratio_chart(study, FULL), words, table));
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
