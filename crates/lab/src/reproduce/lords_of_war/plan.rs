//! What is played: the cells of the paper's figures.

use crate::reproduce::Scale;

/// Limits of figure 2.
pub const LIMITS: [u32; 8] = [1, 2, 5, 10, 15, 20, 25, 30];

/// The limit of figures 5 to 7.
pub(super) const JOINED_LIMIT: u32 = 15;

/// Number of heuristics.
pub(super) const HEURISTICS: u32 = 11;

/// Figure 2 of the paper: percent won by `UCT(h[limit])` against plain UCT; a row a limit, h1 first.
pub const FIGURE_2: [[f64; 11]; 8] = [
    [6.0, 0.0, 2.4, 11.6, 6.2, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [22.0, 0.0, 7.8, 24.8, 15.8, 0.8, 2.2, 0.6, 1.2, 3.2, 2.8],
    [58.0, 0.0, 18.8, 60.8, 50.0, 3.8, 3.8, 4.0, 3.4, 0.0, 0.0],
    [77.6, 0.0, 35.6, 82.6, 77.6, 13.8, 14.4, 17.0, 17.0, 6.8, 11.2],
    [86.8, 0.2, 47.8, 90.0, 81.4, 30.8, 25.8, 29.6, 28.8, 14.2, 16.6],
    [85.4, 0.0, 47.6, 88.6, 83.6, 25.6, 31.8, 28.6, 33.6, 29.0, 33.4],
    [80.0, 0.0, 58.6, 83.2, 83.6, 39.6, 41.0, 35.4, 34.2, 44.2, 27.8],
    [79.4, 0.8, 56.0, 79.0, 82.8, 38.0, 38.8, 42.0, 40.4, 50.0, 41.6],
];

/// Games a cell of the paper.
pub const PAPER_GAMES: u64 = 500;

/// The exploration constant, which the paper does not give: swept once ([`Part::Constant`]) and
/// then left alone.
pub const CONSTANT: &str = "0.5";

/// Other constants that were tried.
const OTHER_CONSTANTS: [&str; 3] = ["0.35", "0.7", "1"];

/// The six armies of the core boxes.
pub const ARMIES: [&str; 6] = ["orcs", "dwarves", "elves", "lizardmen", "templars", "undead"];

/// Armies of seats 0 and 1 in every cell of the paper: the box that it cites.
pub(super) const BOX: [&str; 2] = [ARMIES[0], ARMIES[1]];

/// A part of the experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The exploration constant.
    Constant,
    /// Figures 2 to 4: one heuristic, against plain UCT.
    Single,
    /// Figure 5: h4 joined with another, against plain UCT and against h4.
    Joined,
    /// Figures 6 and 7: with extrapolation, against plain UCT and against h4.
    Extrapolated,
    /// Every army against every army, the same agent on both sides; not in the paper.
    Armies,
}

impl Part {
    /// Names and parts.
    pub const ALL: [(&'static str, Self); 5] = [
        ("constant", Self::Constant),
        ("single", Self::Single),
        ("joined", Self::Joined),
        ("extrapolated", Self::Extrapolated),
        ("armies", Self::Armies),
    ];
}

/// One match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Its name, unique in the experiment: `h4[15] v uct`.
    pub name: String,
    /// Which part it belongs to.
    pub part: Part,
    /// Both agents, without their budget.
    pub agents: [String; 2],
    /// Armies of seats 0 and 1.
    pub armies: [&'static str; 2],
    /// Games to play.
    pub games: u64,
}

/// How much a scale plays.
pub(super) struct Amounts {
    pub(super) iterations: u64,
    /// Games a cell, and games of a cell that a claim names.
    games: u64,
    named_games: u64,
    heuristics: &'static [u32],
    limits: &'static [u32],
    partners: &'static [u32],
    extrapolated: &'static [u32],
    sweep: bool,
    /// How many of [`ARMIES`].
    armies: usize,
}

const ALL: &[u32] = &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];

pub(super) const fn amounts(scale: Scale) -> Amounts {
    match scale {
        Scale::Tiny => Amounts {
            iterations: 20,
            games: 4,
            named_games: 4,
            heuristics: &[1, 4],
            limits: &[1, 15],
            partners: &[5],
            extrapolated: &[4],
            sweep: false,
            armies: 2,
        },
        Scale::Quick => Amounts {
            iterations: 300,
            games: 24,
            named_games: 24,
            heuristics: &[1, 4, 5, 6, 10],
            limits: &[1, 2, 5, 15, 30],
            partners: &[5, 6],
            extrapolated: &[4],
            sweep: false,
            armies: 2,
        },
        Scale::Standard => Amounts {
            iterations: 1_000,
            games: 40,
            named_games: 200,
            heuristics: ALL,
            limits: &LIMITS,
            partners: &[1, 2, 3, 5, 6, 7, 8, 9, 10, 11],
            extrapolated: ALL,
            sweep: true,
            armies: 6,
        },
        Scale::Paper => Amounts {
            iterations: 10_000,
            games: PAPER_GAMES,
            named_games: PAPER_GAMES,
            heuristics: ALL,
            limits: &LIMITS,
            partners: &[1, 2, 3, 5, 6, 7, 8, 9, 10, 11],
            extrapolated: ALL,
            sweep: true,
            armies: 6,
        },
    }
}

const PLAIN: &str = "uct";

fn pruned(heuristics: &str, limit: u32) -> String {
    format!("uct:prune={heuristics},hpl={limit}")
}

/// The name of the cell of one heuristic and limit against plain UCT.
pub(super) fn single(heuristic: u32, limit: u32) -> String {
    format!("h{heuristic}[{limit}] v uct")
}

/// The name of the cell of h4 joined with another.
pub(super) fn joined(other: u32, against: &str) -> String {
    format!("h4h{other} v {against}")
}

/// The name of the cell of an extrapolating heuristic.
pub(super) fn extrapolated(heuristic: u32, against: &str) -> String {
    format!("h{heuristic}R v {against}")
}

/// The name of the cell of two armies.
pub(super) fn armies(zero: &str, one: &str) -> String {
    format!("{zero} v {one}")
}

/// The name of the cell of the opposite of h2.
pub(super) const OPPOSITE_H2: &str = "-h2[15] v uct";

/// Cells that a claim of the paper names; they get more games.
fn is_named(name: &str) -> bool {
    let singles = [1, 2, 4, 5].map(|heuristic| single(heuristic, JOINED_LIMIT));
    let pairs = [5, 6, 7, 10].map(|other| joined(other, "h4"));
    let extrapolating = [extrapolated(4, "h4"), extrapolated(1, "h4")];
    singles.iter().chain(&pairs).chain(&extrapolating).any(|named| named == name)
}

/// Every cell of these parts, in the order of play.
#[must_use]
pub fn cells(scale: Scale, parts: &[Part]) -> Vec<Cell> {
    let amounts = amounts(scale);
    let mut cells = Vec::new();
    let mut add = |part: Part, name: String, a: String, b: String| {
        let many = is_named(&name) || part == Part::Constant;
        let games = if many { amounts.named_games } else { amounts.games };
        if parts.contains(&part) {
            cells.push(Cell { name, part, agents: [a, b], armies: BOX, games });
        }
    };
    let h4 = || pruned("h4", JOINED_LIMIT);
    if amounts.sweep {
        for constant in OTHER_CONSTANTS {
            let a = format!("{PLAIN}:select.c={constant}");
            let b = format!("{PLAIN}:select.c={CONSTANT}");
            add(Part::Constant, format!("C {constant} v C {CONSTANT}"), a, b);
        }
    }
    for &heuristic in amounts.heuristics {
        for &limit in amounts.limits {
            let a = pruned(&format!("h{heuristic}"), limit);
            add(Part::Single, single(heuristic, limit), a, PLAIN.into());
        }
    }
    if amounts.heuristics.contains(&2) {
        add(Part::Single, OPPOSITE_H2.into(), pruned("-h2", JOINED_LIMIT), PLAIN.into());
    }
    for &other in amounts.partners {
        let a = pruned(&format!("h4+h{other}"), JOINED_LIMIT);
        add(Part::Joined, joined(other, "uct"), a.clone(), PLAIN.into());
        add(Part::Joined, joined(other, "h4"), a, h4());
    }
    for &heuristic in amounts.extrapolated {
        let a = pruned(&format!("h{heuristic}"), JOINED_LIMIT) + ",extrapolate=1";
        let part = Part::Extrapolated;
        add(part, extrapolated(heuristic, "uct"), a.clone(), PLAIN.into());
        add(part, extrapolated(heuristic, "h4"), a, h4());
    }
    if parts.contains(&Part::Armies) {
        let meet = |zero, one| (ARMIES[zero], ARMIES[one]);
        let all = 0..amounts.armies;
        let pairs = all.clone().flat_map(|zero| all.clone().map(move |one| meet(zero, one)));
        cells.extend(pairs.map(|(zero, one)| Cell {
            name: armies(zero, one),
            part: Part::Armies,
            agents: [h4(), h4()],
            armies: [zero, one],
            games: amounts.games,
        }));
    }
    cells
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_published_scale_plays_every_figure() {
        let parts = Part::ALL.map(|(_, part)| part);
        let all = cells(Scale::Standard, &parts);
        let count = |part| all.iter().filter(|cell| cell.part == part).count();
        assert_eq!(Part::ALL.map(|(_, part)| count(part)), [3, 89, 20, 22, 36]);
        let names: BTreeSet<&str> = all.iter().map(|cell| cell.name.as_str()).collect();
        assert_eq!(names.len(), all.len(), "names are unique");
        assert!(all.iter().all(|cell| cell.games % 4 == 0));
        let many = all.iter().filter(|cell| cell.games == 200).count();
        assert_eq!(many, 3 + 4 + 4 + 2);
        let paper = cells(Scale::Paper, &parts);
        assert!(paper.iter().all(|cell| cell.games == PAPER_GAMES));
    }
}
