//! What happens in Lords of War, in words that are sent. Of a card that is drawn only its owner knows what
//! it is, where hands are hidden.

use gamecore::{Game, Seat};
use lords_of_war::{Action, Event as Happened, LordsOfWar, State};
use protocol::Event;

use super::at;

/// What an action does, for the eyes of a seat or for all.
pub(super) fn events(
    game: &LordsOfWar,
    state: &State,
    action: Action,
    eyes: Option<Seat>,
) -> Vec<Event> {
    game.events(state, action).into_iter().map(|it| event(game, state, it, eyes)).collect()
}

fn event(game: &LordsOfWar, state: &State, happened: Happened, eyes: Option<Seat>) -> Event {
    let of = |verb, seat: Seat, kind: u8| Event {
        piece: Some(game.army(state, seat).cards[usize::from(kind)].name.clone()),
        ..Event::new(verb, seat.index() as u8)
    };
    match happened {
        Happened::Placed { seat, kind, square } => {
            Event { to: Some(at(square)), ..of("placed", seat, kind) }
        }
        Happened::Shot { seat, kind, from, to } => {
            Event { from: Some(at(from)), to: Some(at(to)), ..of("shot", seat, kind) }
        }
        Happened::Eliminated { seat, kind, square, attack } => Event {
            to: Some(at(square)),
            amount: Some(-i32::from(attack)),
            ..of("eliminated", seat, kind)
        },
        Happened::Advanced { seat, kind, from, to } => {
            Event { from: Some(at(from)), to: Some(at(to)), ..of("moved", seat, kind) }
        }
        Happened::Drew { seat, kind } => {
            let secret = game.traits().hidden && eyes.is_some_and(|eyes| eyes != seat);
            if secret { Event::new("drew", seat.index() as u8) } else { of("drew", seat, kind) }
        }
        Happened::Retreated { seat, kind, square } => {
            Event { from: Some(at(square)), ..of("retreated", seat, kind) }
        }
        Happened::TurnEnded(seat) => Event::new("ended", seat.index() as u8),
    }
}
