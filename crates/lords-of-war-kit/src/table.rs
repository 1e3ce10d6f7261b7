//! How Lords of War is put on the table: names, looks, and rule options in words.

use evals::lords_of_war::HEAT_MAPS;
use lords_of_war::{COLS, LordsOfWar, SQUARES, Square};
use registry::{RuleWords, SquareMap, Tabled};

const LORDS_RULES: &[RuleWords] = &[
    ("hidden", "Hands and decks are known to both, or hidden as at a table", &["no", "yes"]),
    ("cavalry", "Engaged cavalry may retreat, unless a spear engages it", &["plain", "escapes"]),
    ("berserker", "A berserker follows its victim", &["plain", "advances"]),
    ("engaged", "Engaged by an enemy arrow, or by any enemy next to it", &["arrow", "adjacent"]),
    ("hold", "A shooter with a useful target may hold its shot", &["yes", "no"]),
    ("opening-draw", "A card is drawn in the first two turns too", &["yes", "no"]),
    ("turn-limit", "Turns until the game is drawn, 1 to 10000", &[]),
];

pub(crate) fn lords_of_war() -> Tabled<LordsOfWar> {
    Tabled {
        title: "Lords of War",
        toy: false,
        sighted: scene::lords_of_war(),
        presets: &[
            ("basic", "open cards, as in the paper"),
            ("table", "hands and decks hidden, as at a table"),
            ("intermediate", "open cards, with the rules of cavalry and berserkers"),
        ],
        rules: LORDS_RULES,
        rules_text: include_str!("../../../docs/rules/lords-of-war.md"),
        maps: |_, _, seat| {
            let square = |number: usize| Square::new(number % COLS, number / COLS);
            let map = |(name, about, map): (&'static str, &str, evals::lords_of_war::HeatMap)| {
                let weighed = (0..SQUARES).filter_map(|number| {
                    Some((number as u16, f64::from(map.weight(square(number)?, seat))))
                });
                SquareMap { name, about: about.to_owned(), squares: weighed.collect() }
            };
            HEAT_MAPS.into_iter().map(map).collect()
        },
    }
}
