//! What happens in Conquest, in words that are sent. Everything of it is public: who uses a secret command
//! shows it.

use conquest::{Action, Conquest, Event as Happened, State};
use gamecore::Seat;
use protocol::Event;

use super::{at, owner, spaced, troop_name};

/// What an action does.
pub(super) fn events(
    game: &Conquest,
    state: &State,
    action: Action,
    _eyes: Option<Seat>,
) -> Vec<Event> {
    game.events(state, action).into_iter().map(|it| event(state, it)).collect()
}

/// Squares are those before the action: whoever moves does nothing else in the same action.
fn event(state: &State, happened: Happened) -> Event {
    let place = |slot: usize| Some(at(state.square(slot)));
    let of = |verb, slot: usize| Event {
        piece: Some(troop_name(state.troop(slot))),
        to: place(slot),
        ..Event::new(verb, owner(state, slot).index() as u8)
    };
    let changed = |verb, slot, amount: i32| Event { amount: Some(amount), ..of(verb, slot) };
    match happened {
        Happened::Selected(slot) => of("selected", slot),
        Happened::Moved { slot, from, to } => {
            Event { from: Some(at(from)), to: Some(at(to)), ..of("moved", slot) }
        }
        Happened::Struck { by, slot, amount } => Event {
            from: place(by),
            to: place(slot),
            amount: Some(-i32::from(amount)),
            ..of("struck", by)
        },
        Happened::Commanded { command, seat, slot } => Event {
            piece: Some(spaced(command.name())),
            to: slot.and_then(place),
            ..Event::new("commanded", seat.index() as u8)
        },
        Happened::Hurt { slot, amount } => changed("hurt", slot, -i32::from(amount)),
        Happened::Boosted { slot, amount } => changed("boosted", slot, amount.into()),
        Happened::Healed { slot, amount } => changed("healed", slot, amount.into()),
        Happened::Died(slot) => of("died", slot),
        Happened::Gained { seat, amount } => {
            Event { amount: Some(amount as i32), ..Event::new("gained", seat.index() as u8) }
        }
        Happened::Readied(command) => Event {
            piece: Some(spaced(command.name())),
            ..Event::new("readied", state.player().index() as u8)
        },
        Happened::Freed(slot) => of("freed", slot),
        Happened::TurnEnded(seat) => Event::new("ended", seat.index() as u8),
    }
}
