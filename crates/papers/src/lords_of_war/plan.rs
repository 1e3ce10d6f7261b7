//! What is played: the cells of the paper's figures, and the runs that they are played in.

use std::collections::BTreeMap;

use super::GAME;
use crate::{Planned, Scale};

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

/// The names of the two sides of a cell are joined by this.
pub(super) const VERSUS: &str = " v ";

impl Part {
    /// Names and parts.
    pub const ALL: [(&'static str, Self); 5] = [
        ("constant", Self::Constant),
        ("single", Self::Single),
        ("joined", Self::Joined),
        ("extrapolated", Self::Extrapolated),
        ("armies", Self::Armies),
    ];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        let named = Self::ALL.into_iter().find(|(_, part)| *part == self);
        named.expect("every part has a name").0
    }
}

/// One pairing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    /// Its name, unique in the experiment: `h4[15] v uct`.
    pub(super) name: String,
    /// Which part it belongs to.
    pub(super) part: Part,
    /// Both agents.
    pub(super) agents: [String; 2],
    /// Games to play.
    pub(super) games: u64,
}

impl Cell {
    /// The names of both sides.
    fn sides(&self) -> [&str; 2] {
        self.name.split_once(VERSUS).map(|(a, b)| [a, b]).expect("a cell has two sides")
    }
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
    format!("h{heuristic}[{limit}]{VERSUS}uct")
}

/// The name of the cell of h4 joined with another.
pub(super) fn joined(other: u32, against: &str) -> String {
    format!("h4h{other}{VERSUS}{against}")
}

/// The name of the cell of an extrapolating heuristic.
pub(super) fn extrapolated(heuristic: u32, against: &str) -> String {
    format!("h{heuristic}R{VERSUS}{against}")
}

/// The name of the cell of two armies.
pub(super) fn armies(zero: &str, one: &str) -> String {
    format!("{zero}{VERSUS}{one}")
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

/// Every cell of these parts, in the order of the figures.
#[must_use]
pub(super) fn cells(scale: Scale, parts: &[Part]) -> Vec<Cell> {
    let amounts = amounts(scale);
    let with_budget = |agent: &str| {
        let joint = if agent.contains(':') { ',' } else { ':' };
        format!("{agent}{joint}iterations={}", amounts.iterations)
    };
    let mut cells = Vec::new();
    let mut add = |part: Part, name: String, a: &str, b: &str| {
        let games = match part {
            Part::Constant => amounts.named_games,
            // Two armies are at both seats in turn: as many games in each seating.
            Part::Armies => 2 * amounts.games,
            _ if is_named(&name) => amounts.named_games,
            _ => amounts.games,
        };
        if parts.contains(&part) {
            cells.push(Cell { name, part, agents: [a, b].map(with_budget), games });
        }
    };
    let h4 = pruned("h4", JOINED_LIMIT);
    if amounts.sweep {
        for constant in OTHER_CONSTANTS {
            let [a, b] = [constant, CONSTANT].map(|value| format!("{PLAIN}:select.c={value}"));
            add(Part::Constant, format!("C {constant}{VERSUS}C {CONSTANT}"), &a, &b);
        }
    }
    for &heuristic in amounts.heuristics {
        for &limit in amounts.limits {
            let a = pruned(&format!("h{heuristic}"), limit);
            add(Part::Single, single(heuristic, limit), &a, PLAIN);
        }
    }
    if amounts.heuristics.contains(&2) {
        add(Part::Single, OPPOSITE_H2.into(), &pruned("-h2", JOINED_LIMIT), PLAIN);
    }
    for &other in amounts.partners {
        let a = pruned(&format!("h4+h{other}"), JOINED_LIMIT);
        add(Part::Joined, joined(other, "uct"), &a, PLAIN);
        add(Part::Joined, joined(other, "h4"), &a, &h4);
    }
    for &heuristic in amounts.extrapolated {
        let a = pruned(&format!("h{heuristic}"), JOINED_LIMIT) + ",extrapolate=1";
        add(Part::Extrapolated, extrapolated(heuristic, "uct"), &a, PLAIN);
        add(Part::Extrapolated, extrapolated(heuristic, "h4"), &a, &h4);
    }
    let met = &ARMIES[..amounts.armies];
    for (index, one) in met.iter().enumerate() {
        for other in &met[index..] {
            add(Part::Armies, armies(one, other), &h4, &h4);
        }
    }
    cells
}

/// The runs of these parts: cells of one part, opponent and number of games are played together. A
/// part never shares a run with another, so that parts can be asked for one after the other.
#[must_use]
pub fn planned(parts: &[Part], (scale, seed): (Scale, u64)) -> Vec<Planned> {
    let mut runs = Vec::new();
    for (_, part) in Part::ALL {
        let cells = if parts.contains(&part) { cells(scale, &[part]) } else { Vec::new() };
        if part == Part::Armies && !cells.is_empty() {
            runs.push(army_round_robin(scale, &cells[0], seed));
            continue;
        }
        let mut groups: BTreeMap<(&str, u64), Vec<&Cell>> = BTreeMap::new();
        for cell in &cells {
            groups.entry((cell.sides()[1], cell.games)).or_default().push(cell);
        }
        runs.extend(groups.values().map(|cells| gauntlet(cells, seed)));
    }
    runs
}

/// What the files of all runs begin with: the same deals for all cells.
fn common_fields(name: &str, about: &str, games: u64, seed: u64) -> String {
    format!(
        "name = \"{GAME}-{name}\"\nabout = \"{about}\"\ngame = \"{GAME}\"\ngames = {games}\nseed = \
         {seed}\nstarts = \"shared\"\nopening-plies = 0\n"
    )
}

/// Cells with one opponent and one number of games.
fn gauntlet(cells: &[&Cell], seed: u64) -> Planned {
    let Cell { part, games, agents: [_, opponent], .. } = cells[0];
    let [_, against] = cells[0].sides();
    let part = part.name();
    let name = format!("{part}-v-{}-{games}", against.replace(' ', ""));
    let about = format!("The Lords of War paper of 2014, part {part}, against {against}.");
    let player =
        |name: &str, spec: &str| format!("  {{ name = \"{name}\", spec = \"{spec}\" }},\n");
    let agents: String =
        cells.iter().map(|cell| player(cell.sides()[0], &cell.agents[0])).collect();
    let text = common_fields(&name, &about, *games, seed)
        + &format!(
            "kind = \"gauntlet\"\nsetups = {BOX:?}\nagents = [\n{agents}]\nopponents = [\n{}]\n",
            player(against, opponent)
        );
    Planned { what: part, text }
}

/// Every army against every army and against itself; `cell` is any of its cells.
fn army_round_robin(scale: Scale, cell: &Cell, seed: u64) -> Planned {
    let Cell { part, games, agents: [agent, _], .. } = cell;
    let part = part.name();
    let about = "The Lords of War paper of 2014: its armies against each other.";
    let text = common_fields(part, about, *games, seed)
        + &format!(
            "kind = \"round-robin\"\nover = \"setups\"\nmirror = true\nagents = [\"{agent}\"]\n\
             setups = {:?}\n",
            &ARMIES[..amounts(scale).armies]
        );
    Planned { what: part, text }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use lab::experiment::read_experiment;

    fn everything() -> [Part; 5] {
        Part::ALL.map(|(_, part)| part)
    }

    #[test]
    fn the_published_scale_plays_every_figure() {
        let all = cells(Scale::Standard, &everything());
        let count = |part| all.iter().filter(|cell| cell.part == part).count();
        assert_eq!(everything().map(count), [3, 89, 20, 22, 21]);
        let names: BTreeSet<&str> = all.iter().map(|cell| cell.name.as_str()).collect();
        assert_eq!(names.len(), all.len(), "names are unique");
        assert!(all.iter().all(|cell| cell.games % 4 == 0));
        let many = all.iter().filter(|cell| cell.games == 200).count();
        assert_eq!(many, 3 + 4 + 4 + 2);
        let paper = cells(Scale::Paper, &everything());
        let of_the_paper = paper.iter().filter(|cell| cell.part != Part::Armies);
        assert!(of_the_paper.into_iter().all(|cell| cell.games == PAPER_GAMES));
    }

    #[test]
    fn runs_hold_every_cell_once_and_parts_do_not_share_them() {
        let mut apart = Vec::new();
        for part in everything() {
            let runs = planned(&[part], (Scale::Standard, 7));
            let mut found = BTreeSet::new();
            for run in &runs {
                let spec = read_experiment("test", &run.text, &registry::no_files).unwrap().spec;
                assert!(spec.name.starts_with("lords-of-war-"), "{}", spec.name);
                for cell in 0..spec.cells.len() {
                    assert!(found.insert((spec.names(cell).join(VERSUS), spec.games)));
                }
            }
            let cells = cells(Scale::Standard, &[part]);
            let asked = cells.into_iter().map(|cell| (cell.name, cell.games)).collect();
            assert_eq!(found, asked, "{part:?}");
            apart.extend(runs);
        }
        assert_eq!(apart, planned(&everything(), (Scale::Standard, 7)));
    }
}
