//! Every rule option and every army must leave a game that fulfils the contract.

use lords_of_war::{LordsOfWar, Options, core_armies};
use testkit::conformance::{Conformance, check};

fn conforms(rules: &str, setups: Vec<[String; 2]>, games: u32) {
    let game = LordsOfWar::new(Options::parse(rules).expect("rules of a test"));
    let options =
        Conformance { games, setups, max_plies: 20_000, guesses: true, ..Default::default() };
    check(&game, &options);
}

fn pairs(pairs: &[[&str; 2]]) -> Vec<[String; 2]> {
    pairs.iter().map(|pair| pair.map(str::to_owned)).collect()
}

#[test]
fn every_army_conforms_and_plays_alike_on_both_paths() {
    let ids: Vec<&str> = core_armies().iter().map(|army| army.id.as_str()).collect();
    // Each army at either seat, and one mirror match.
    let mut setups: Vec<[&str; 2]> =
        ids.iter().zip(ids.iter().cycle().skip(1)).map(|(&a, &b)| [a, b]).collect();
    setups.push(["dwarves", "dwarves"]);
    conforms("", pairs(&setups), 1);
}

#[test]
fn options_conform() {
    let mixed = [["orcs", "dwarves"], ["undead", "elves"], ["templars", "lizardmen"]];
    for rules in [
        "table",
        "intermediate",
        "engaged=adjacent",
        "hold=no",
        "opening-draw=no",
        "turn-limit=15",
        "intermediate,hidden=yes,engaged=adjacent,hold=no,opening-draw=no",
    ] {
        conforms(rules, pairs(&mixed), 1);
    }
}
