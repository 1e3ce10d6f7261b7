//! How Conquest is put on the table: its name and looks.

use conquest::Conquest;
use gamecore::Seat;
use registry::{Presentation, SquareMap, Viewer};

use crate::scene;

pub(crate) fn conquest() -> Presentation<Conquest> {
    Presentation {
        title: "Conquest",
        toy: false,
        appearance: scene::appearance(),
        rules_text: include_str!("../../../docs/rules/conquest.md"),
        maps: conquest_danger,
        ..Presentation::plain()
    }
}

/// The squares that the enemy could strike in its next turn, as the scene marks them.
fn conquest_danger(game: &Conquest, state: &conquest::State, seat: Seat) -> Vec<SquareMap> {
    let scene = (scene::appearance().scene)(game, state, &Viewer { eyes: None, last: None });
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
