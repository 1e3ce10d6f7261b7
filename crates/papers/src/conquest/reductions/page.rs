//! The counts for readers, and as comma-separated values.

use std::fmt::Write as _;

use super::{DrawCost, ReductionsStudy, Row, WindsStudy};
use lab::report::{Block, Data};
use lab::report::{Table, head};

/// A number of any size in a few characters.
fn short(number: f64) -> String {
    if number >= 1e5 {
        format!("{number:.1e}")
    } else if number >= 100.0 {
        format!("{number:.0}")
    } else {
        format!("{number:.2}")
    }
}

const HEAD: [&str; 10] = [
    "reductions",
    "sequences a turn",
    "the most",
    "against all reductions",
    "nodes",
    "nodes against all",
    "branching",
    "merging",
    "counted",
    "the thesis",
];

impl Row {
    fn cells(&self) -> Vec<String> {
        vec![
            self.setting.to_owned(),
            short(self.sequences),
            short(self.most_sequences),
            format!("×{}", short(self.ratio)),
            short(self.nodes),
            format!("×{}", short(self.node_ratio)),
            format!("{:.1}", self.branching),
            self.merging.map_or_else(|| "–".to_owned(), short),
            self.counted.to_string(),
            self.thesis.to_owned(),
        ]
    }
}

fn table(name: &str, caption: String, rows: &[Row]) -> Block {
    let rows = rows.iter().map(Row::cells).collect();
    Block::Table(Data::plain(name, Table { caption, head: head(&HEAD), rows }))
}

impl DrawCost {
    fn words(&self) -> String {
        let Self { reduced, positions, sequences, nodes, branching: [before, after] } = self;
        let others = if *reduced { "With all other reductions" } else { "Without any other" };
        format!(
            "{others}, a chance event with one outcome for each command that cools down makes \
             ×{sequences:.2} sequences and ×{nodes:.2} nodes of a turn where the draw follows from \
             the position, and {after:.2} instead of {before:.2} actions at a node with a choice \
             (n = {positions} positions whose trees were counted both times)."
        )
    }
}

impl WindsStudy {
    fn blocks(&self) -> Vec<Block> {
        let Self { positions, turns, found, rows, costs } = self;
        let caption = format!(
            "Winds of Fate (6.1): positions at the beginning of a turn in which it can be paid \
             while at least two commands cool down, {found} of {turns} in games of the loadouts \
             that have it, {positions} of them counted"
        );
        let [together, alone] = costs.each_ref().map(DrawCost::words);
        vec![
            table("reductions-winds-of-fate", caption, rows),
            Block::Words(format!(
                "{together} {alone} The thesis calls the effect on the size of the tree negligible \
                 and means to reduce the variance of what follows; these are the positions where \
                 it has any effect, and in all others it has none."
            )),
        ]
    }
}

impl ReductionsStudy {
    /// The tables and what they say.
    pub(in super::super) fn blocks(&self) -> Vec<Block> {
        let Self { positions, loadouts, rows, winds } = self;
        let caption = format!("{positions} positions at the beginning of a turn");
        let mut blocks = vec![
            Block::Heading("Reductions of the search space".into()),
            Block::Words(format!(
                "{positions} positions at the beginning of a turn, from games of `fpu:calls=300` \
                 with {loadouts} loadouts. A sequence is one way to play the whole turn. \
                 **Merging** is the number of nodes for one different position: what uniting equal \
                 nodes (6.3) would save. **Branching** is the mean number of actions at nodes with \
                 a choice. **Counted** trees are exact, the others estimated by random probes. The \
                 thesis’s figures are upper bounds for a position where every command can be paid; \
                 the measured ones are what games meet."
            )),
            table("reductions", caption, rows),
        ];
        blocks.extend(winds.blocks());
        blocks
    }

    /// One line a setting and sample.
    pub(in super::super) fn csv(&self) -> String {
        let mut text = "sample,setting,rules,sequences,most_sequences,ratio,nodes,node_ratio,\
                        branching,merging,counted,positions\n"
            .to_owned();
        let samples = [
            ("all", self.positions, &self.rows),
            ("winds-of-fate", self.winds.positions, &self.winds.rows),
        ];
        for (sample, positions, rows) in samples {
            for row in rows {
                let _ = writeln!(
                    text,
                    "{sample},\"{}\",\"{}\",{:.6e},{:.6e},{:.6e},{:.6e},{:.6e},{:.3},{},{},{positions}",
                    row.setting,
                    row.rules,
                    row.sequences,
                    row.most_sequences,
                    row.ratio,
                    row.nodes,
                    row.node_ratio,
                    row.branching,
                    row.merging.map_or_else(String::new, |value| format!("{value:.3}")),
                    row.counted,
                );
            }
        }
        text
    }
}
