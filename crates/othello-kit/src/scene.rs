//! Othello: discs, and a square for every move.

mod events;

use gamecore::{Game, Notation, Seat, Turn, capital};
use othello::{Board, Move, Othello};
use protocol::scene::{Choice, Detail, Geometry, Piece, Placed, Scene, SceneForms, button, square};
use registry::{Appearance, Viewer, actions_for};
use serde::Serialize;
use utoipa::ToSchema;

/// What Othello alone shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct OthelloScene {
    /// Discs of both seats.
    pub discs: [u8; 2],
    /// Empty squares.
    pub empties: u8,
}

/// How Othello looks.
#[must_use]
pub fn appearance() -> Appearance<Othello> {
    Appearance {
        geometry: |_| Geometry {
            columns: 8,
            rows: 8,
            names: (0..64).map(|at| othello::square::name(at).to_owned()).collect(),
            row_zero_below: false,
            turned_for_seat_one: false,
        },
        scene: othello_scene,
        touched: |_, _, action| {
            let number = u16::from(action.number());
            if number < 64 { vec![number] } else { Vec::new() }
        },
        words,
        events: events::events,
        forms: || {
            SceneForms::default()
                .plain_piece("disc", "A disc of Othello.")
                .detail::<OthelloScene>(Othello::NAME, "Othello.")
        },
    }
}

/// The square alone: lines of many moves are read like transcripts.
fn words(game: &Othello, state: &Board, action: Move) -> String {
    if game.is_pass(action) { "Pass".to_owned() } else { game.action_text(state, action) }
}

fn othello_scene(game: &Othello, state: &Board, viewer: &Viewer<'_, Othello>) -> Scene {
    let discs = Seat::BOTH.map(|seat| state.discs(seat));
    let pieces = (0..64u8)
        .filter_map(|at| {
            let seat = Seat::BOTH.into_iter().find(|seat| discs[seat.index()] >> at & 1 != 0)?;
            Some(Placed {
                square: at.into(),
                seat: seat.index() as u8,
                label: format!("{} disc", colour(seat)),
                piece: Piece::plain("disc"),
            })
        })
        .collect();
    let choices = actions_for(game, state, viewer.eyes)
        .iter()
        .map(|&action| {
            let path = match game.is_pass(action) {
                true => vec![button("pass")],
                false => vec![square(action.number().into())],
            };
            Choice::new(game.action_text(state, action), path, words(game, state, action))
        })
        .collect();
    let status = match game.turn(state) {
        Turn::Player(seat) => format!("{} to move", capital(colour(seat))),
        _ => game.ending_words(state),
    };
    let detail = OthelloScene {
        discs: discs.map(|set| set.count_ones() as u8),
        empties: state.empties() as u8,
    };
    Scene {
        status,
        pieces,
        obstacles: Vec::new(),
        choices,
        overlays: Vec::new(),
        detail: Detail::new(Othello::NAME, &detail),
    }
}

/// A seat's colour; the letters of its discs are for drawings in letters.
const fn colour(seat: Seat) -> &'static str {
    match seat {
        Seat::Zero => "black",
        Seat::One => "white",
    }
}
