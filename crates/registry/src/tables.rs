//! The tables of the three games: names, looks, and rule options in words.

use conquest::Conquest;
use evals::lords_of_war::HEAT_MAPS;
use evals::othello::SQUARE_VALUES;
use gamecore::Seat;
use lords_of_war::{COLS, LordsOfWar, SQUARES, Square};
use othello::Othello;
use scene::Look;

use crate::lenses::SquareMap;
use crate::table::{RuleWords, Tabled};

pub(crate) fn othello() -> Tabled<Othello> {
    Tabled {
        title: "Othello",
        toy: false,
        sighted: scene::othello(),
        presets: &[],
        rules: &[],
        rules_text: include_str!("../../../docs/rules/othello.md"),
        maps: |_, _, _| {
            let about =
                "what a disc on each square is worth to the evaluation and the order of moves";
            let squares = (0..).zip(SQUARE_VALUES.map(f64::from)).collect();
            vec![SquareMap { name: "values", about: about.to_owned(), squares }]
        },
    }
}

const CONQUEST_RULES: &[RuleWords] = &[
    (
        "regenerate",
        "Regenerate heals completely, or (the original program) does nothing",
        &["heals", "marks"],
    ),
    ("counter", "When a surviving defender strikes back", &["in-range", "always"]),
    ("shield-wall", "Whether Shield Wall limits a hit to 100", &["caps", "nothing"]),
    ("start-points", "Command points of the first player in the first turn", &[]),
    ("placement", "Which row of a loadout is the front", &["front-first", "back-first"]),
    ("bombard-kill", "When a Bombard that kills the last troop wins", &["at-once", "at-end"]),
    ("winds", "Which command Winds of Fate makes ready", &["hashed", "random"]),
    ("freed", "Which troop is freed when all are chastised", &["hashed", "random"]),
    ("turn-limit", "Turns until the game is drawn, or none", &[]),
    ("obstacles", "Squares on the middle rows that nobody can enter, up to 60", &[]),
    ("symmetric-obstacles", "The same obstacles seen from both sides", &["yes", "no"]),
    ("secret-commands", "Commands are unknown to the opponent until used", &["no", "yes"]),
    ("moves", "One move a turn, or moves while distance is left", &["one", "many"]),
];

pub(crate) fn conquest() -> Tabled<Conquest> {
    Tabled {
        title: "Conquest",
        toy: false,
        sighted: scene::conquest(),
        presets: &[
            ("intended", "the game as its thesis describes it"),
            ("original", "the original program, with its slips"),
            ("thesis", "what the thesis's own experiments probably played"),
        ],
        rules: CONQUEST_RULES,
        rules_text: include_str!("../../../docs/rules/conquest.md"),
        maps: conquest_danger,
    }
}

/// The squares that the enemy could strike in its next turn, as the scene marks them.
fn conquest_danger(game: &Conquest, state: &conquest::State, seat: Seat) -> Vec<SquareMap> {
    let scene = (scene::conquest().scene)(game, state, &Look { eyes: None, last: None });
    let id = format!("danger-{}", seat.other().index());
    let danger = scene.overlays.into_iter().filter(|overlay| overlay.id == id);
    danger
        .map(|overlay| SquareMap {
            name: "danger",
            about: overlay.about,
            squares: overlay.squares.into_iter().map(|marked| (marked.square, 1.0)).collect(),
        })
        .collect()
}

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
