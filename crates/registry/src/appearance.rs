//! How a game is shown to people; for any game, as a drawing in letters and a button for every action.

use gamecore::{Buf, Game, Notation, Seat, Turn};
use protocol::Event;
use protocol::scene::{Choice, Detail, Geometry, PlainScene, Scene, SceneForms, button};

/// Who looks at a position, and what happened just before.
pub struct Viewer<'a, G: Notation> {
    /// Whose eyes they are; `None` for all.
    pub eyes: Option<Seat>,
    /// The last action of a player and the position before it.
    pub last: Option<(&'a G::State, G::Action)>,
}

/// Tells what an action does to the eyes of a seat, or to all.
pub type TellEvents<G> =
    fn(&G, &<G as Game>::State, <G as Game>::Action, Option<Seat>) -> Vec<Event>;

/// How a game is shown to people.
pub struct Appearance<G: Notation> {
    /// Its board.
    pub geometry: fn(&G) -> Geometry,
    /// A position as it looks.
    pub scene: fn(&G, &G::State, &Viewer<'_, G>) -> Scene,
    /// The squares that an action touches, to show what was done last.
    pub touched: fn(&G, &G::State, G::Action) -> Vec<u16>,
    /// What an action does, in words for people; they tell no more than its text does.
    pub words: fn(&G, &G::State, G::Action) -> String,
    /// What an action does, step by step, as far as the eyes of a seat may know; all for none.
    pub events: TellEvents<G>,
    /// What its pieces and its detail hold.
    pub forms: fn() -> SceneForms,
}

impl<G: Notation> Appearance<G> {
    /// What every game can do: letters and buttons.
    #[must_use]
    pub fn plain() -> Self {
        Self {
            geometry: |_| Geometry {
                columns: 0,
                rows: 0,
                names: Vec::new(),
                row_zero_below: false,
                turned_for_seat_one: false,
            },
            scene: plain_scene,
            touched: |_, _, _| Vec::new(),
            words: G::action_text,
            events: |_, _, _, _| Vec::new(),
            forms: SceneForms::default,
        }
    }
}

fn plain_scene<G: Notation>(game: &G, state: &G::State, viewer: &Viewer<'_, G>) -> Scene {
    let eyes = viewer.eyes;
    let picture = match eyes {
        Some(seat) => game.picture_for(state, seat),
        None => game.picture(state),
    };
    let choices = actions_for(game, state, eyes)
        .iter()
        .map(|&action| {
            let text = game.action_text(state, action);
            Choice::new(text.clone(), vec![button(&text)], text)
        })
        .collect();
    let status = match game.turn(state) {
        Turn::Player(seat) => format!("{} to act", game.seat_name(seat)),
        Turn::Chance | Turn::Over => game.ending_words(state),
    };
    Scene {
        status,
        pieces: Vec::new(),
        obstacles: Vec::new(),
        choices,
        overlays: Vec::new(),
        detail: Detail::new("plain", &PlainScene { picture }),
    }
}

/// The legal actions that these eyes may see: those of the seat itself, or, for all eyes, of
/// whoever is to act.
#[must_use]
pub fn actions_for<G: Notation>(game: &G, state: &G::State, eyes: Option<Seat>) -> Buf<G::Action> {
    let mut actions = Buf::new();
    if let Turn::Player(seat) = game.turn(state)
        && eyes.is_none_or(|eyes| eyes == seat)
    {
        game.actions(state, &mut actions);
    }
    actions
}
