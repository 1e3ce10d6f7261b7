//! What is played: the cells of the paper's figures, and the runs that they are played in.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};

use super::{GAME, SHEET};
use crate::sheet::fill;
use crate::{Order, Planned, Scale};

/// Limits of figure 2.
pub const LIMITS: [u32; 8] = [1, 2, 5, 10, 15, 20, 25, 30];

/// The limit of figures 5 to 7.
pub(super) const JOINED_LIMIT: u32 = 15;

/// Number of heuristics.
pub(super) const HEURISTICS: u32 = 11;

/// The six armies of the core boxes.
pub const ARMIES: [&str; 6] = ["orcs", "dwarves", "elves", "lizardmen", "templars", "undead"];

/// Armies of seats 0 and 1 in every cell of the paper: the box that it cites.
pub(super) const BOX: [&str; 2] = [ARMIES[0], ARMIES[1]];

/// The names of the two sides of a cell are joined by this.
pub(super) const VERSUS: &str = " v ";

/// One pairing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    /// Its name, unique in the experiment: `h4[15] v uct`.
    pub(super) name: String,
    /// Which part it belongs to.
    pub(super) part: &'static str,
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

/// Cells of one kind, as the file of the paper explains them.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Family {
    part: String,
    name: String,
    agents: [String; 2],
    /// The lists of the scale whose items are `{x}` and `{y}`.
    x: String,
    #[serde(default)]
    y: Option<String>,
    /// How many games, of the numbers of the scale.
    games: String,
}

/// An item of a list of the scale, and what follows it there.
fn following(list: &Value) -> impl Iterator<Item = (&Value, &[Value])> {
    let items = list.as_array().map_or(&[][..], Vec::as_slice);
    items.iter().enumerate().map(|(at, item)| (item, &items[at..]))
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

/// Every cell of these parts, in the order of the figures.
pub(super) fn cells(scale: Scale, parts: &[&'static str]) -> Vec<Cell> {
    let amounts: Value = SHEET.scale(scale);
    let named: Vec<String> = SHEET.data("named");
    let mut cells = Vec::new();
    for family in SHEET.data::<Vec<Family>>("cells") {
        let Some(part) = parts.iter().find(|part| **part == family.part) else { continue };
        for (x, rest) in following(&amounts[&family.x]) {
            // Within one list, each of two only once.
            let all = match &family.y {
                Some(y) if *y == family.x => rest,
                Some(y) => amounts[y].as_array().map_or(&[][..], Vec::as_slice),
                None => &[Value::Null],
            };
            for y in all {
                let values = json!({ "x": x, "y": y, "iterations": amounts["iterations"] });
                let name = fill(&family.name, &values);
                let games = if named.contains(&name) { "named-games" } else { &family.games };
                let games = amounts[games].as_u64().expect("a number of games");
                let agents = family.agents.each_ref().map(|agent| fill(agent, &values));
                cells.push(Cell { name, part, agents, games });
            }
        }
    }
    cells
}

/// The runs of these parts: cells of one part, opponent and number of games are played together. A
/// part never shares a run with another, so that parts can be asked for one after the other.
pub(super) fn planned(order: &Order) -> Vec<Planned> {
    let mut runs = Vec::new();
    for &part in &order.parts {
        let mut groups: BTreeMap<(&str, u64), Vec<&Cell>> = BTreeMap::new();
        let cells = cells(order.scale, &[part]);
        for cell in &cells {
            // All armies meet in one run.
            let against = if part == "armies" { "" } else { cell.sides()[1] };
            groups.entry((against, cell.games)).or_default().push(cell);
        }
        runs.extend(groups.values().map(|cells| run(part, cells, order)));
    }
    runs
}

/// Cells with one opponent and one number of games; or every army against every army.
fn run(part: &'static str, cells: &[&Cell], order: &Order) -> Planned {
    let Cell { games, agents: [agent, opponent], .. } = cells[0];
    let mut changes = json!({ "games": games, "seed": order.seed });
    if part == "armies" {
        changes["agents"] = json!([agent]);
        changes["setups"] = SHEET.scale::<Value>(order.scale)["armies"].clone();
        return SHEET.planned(part, part, changes);
    }
    let [_, against] = cells[0].sides();
    let player = |name: &str, spec: &str| json!({ "name": name, "spec": spec });
    let agents: Vec<Value> =
        cells.iter().map(|cell| player(cell.sides()[0], &cell.agents[0])).collect();
    let name = format!("{GAME}-{part}-v-{}-{games}", against.replace(' ', ""));
    changes["name"] = json!(name);
    changes["about"] =
        json!(format!("The Lords of War paper of 2014, part {part}, against {against}."));
    changes["agents"] = json!(agents);
    changes["opponents"] = json!([player(against, opponent)]);
    SHEET.planned(part, "gauntlet", changes)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::GAMES;
    use lab::experiment::read_experiment;

    fn everything() -> Vec<&'static str> {
        SHEET.parts.iter().map(String::as_str).collect()
    }

    fn planned(parts: &[&'static str]) -> Vec<Planned> {
        let (parts, scale) = (parts.to_vec(), Scale::Standard);
        super::planned(&Order { parts, scale, seed: 7, games: Vec::new() })
    }

    #[test]
    fn the_published_scale_plays_every_figure() {
        let all = cells(Scale::Standard, &everything());
        let count = |part| all.iter().filter(|cell| cell.part == part).count();
        assert_eq!(everything().into_iter().map(count).collect::<Vec<_>>(), [3, 89, 20, 22, 21]);
        let names: BTreeSet<&str> = all.iter().map(|cell| cell.name.as_str()).collect();
        assert_eq!(names.len(), all.len(), "names are unique");
        assert!(all.iter().all(|cell| cell.games % 4 == 0));
        let many = all.iter().filter(|cell| cell.games == 200).count();
        assert_eq!(many, 3 + 4 + 4 + 2);
        let paper = cells(Scale::Paper, &everything());
        let of_the_paper = paper.iter().filter(|cell| cell.part != "armies");
        assert!(of_the_paper.into_iter().all(|cell| cell.games == 500));
    }

    #[test]
    fn runs_hold_every_cell_once_and_parts_do_not_share_them() {
        let mut apart = Vec::new();
        for part in everything() {
            let runs = planned(&[part]);
            let mut found = BTreeSet::new();
            for run in &runs {
                let spec =
                    read_experiment(&GAMES, "test", &run.text, &registry::no_files).unwrap().spec;
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
        assert_eq!(apart, planned(&everything()));
    }
}
