//! How Conquest is put on the table: names, looks, and rule options in words.

use conquest::Conquest;
use gamecore::Seat;
use registry::{RuleWords, SquareMap, Tabled};
use scene::Look;

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
