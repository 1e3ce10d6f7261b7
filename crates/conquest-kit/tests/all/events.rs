//! What is told of actions is what they do.

use conquest::{Conquest, Options, State};
use conquest_kit::scene::appearance;
use gamecore::{Buf, Game, Notation, Rng, Seat, Turn};
use protocol::Event;

fn at((col, row): (u8, u8)) -> u16 {
    u16::from(row) * 20 + u16::from(col)
}

/// Health and boost of the living troops of both sides, by square.
fn strengths(state: &State) -> Vec<(u16, i32)> {
    let living = state.living(Seat::Zero) | state.living(Seat::One);
    let slots = (0..32).filter(|slot| living >> slot & 1 != 0);
    let strength = |slot| i32::from(state.health(slot)) + i32::from(state.boost(slot));
    slots.map(|slot| (at(state.square(slot)), strength(slot))).collect()
}

/// The strengths that events make of those before.
fn foretold(before: Vec<(u16, i32)>, events: &[Event]) -> Vec<(u16, i32)> {
    let mut strengths = before;
    for event in events {
        let place = strengths.iter().position(|(square, _)| Some(*square) == event.to);
        match (event.verb, place) {
            ("struck" | "hurt" | "boosted" | "healed", Some(place)) => {
                strengths[place].1 += event.amount.expect("by how much");
            }
            ("died", Some(place)) => {
                assert_eq!(strengths.remove(place).1, 0, "who dies has nothing left: {events:?}");
            }
            ("moved", None) => {
                let from = strengths.iter().position(|(square, _)| Some(*square) == event.from);
                strengths[from.expect("it stood there")].0 = event.to.expect("a target");
            }
            ("selected" | "commanded" | "gained" | "readied" | "freed" | "ended", _) => {}
            other => panic!("{other:?} in {events:?}"),
        }
    }
    strengths
}

#[test]
fn events_tell_every_change_of_strength_and_place() {
    for rules in ["", "original", "regenerate=heals,shield-wall=caps", "winds=chance,freed=chance"]
    {
        let Ok(options) = Options::parse(rules) else { continue };
        let game = Conquest::new(options);
        let events_of = appearance().events;
        let (mut told, mut died) = (0, 0);
        for seed in 0..12 {
            let mut rng = Rng::new(seed);
            let mut state = game.start(&game.parse_setup(["", ""]).unwrap(), &mut rng);
            for _ in 0..1_500 {
                if game.turn(&state) == Turn::Over {
                    break;
                }
                let mut actions = Buf::new();
                game.actions(&state, &mut actions);
                let action = actions[rng.below(actions.len() as u32) as usize];
                let events = events_of(&game, &state, action, None);
                let before = strengths(&state);
                let mut after = state;
                game.apply(&mut after, action);
                // Boosts of whoever is next end with the turn; nobody does that.
                if !events.iter().any(|event| event.verb == "ended") {
                    let mut found = strengths(&after);
                    let mut expected = foretold(before, &events);
                    found.sort_unstable();
                    expected.sort_unstable();
                    assert_eq!(found, expected, "{}", game.action_text(&state, action));
                }
                let points = |state: &State| Seat::BOTH.map(|seat| i64::from(state.points(seat)));
                for event in events.iter().filter(|event| event.verb == "gained") {
                    let seat = usize::from(event.seat);
                    let gained = points(&after)[seat] - points(&state)[seat];
                    assert_eq!(gained, i64::from(event.amount.unwrap()));
                }
                told += events.len();
                died += events.iter().filter(|event| event.verb == "died").count();
                state = after;
            }
        }
        assert!(told > 5_000 && died > 20, "{rules}: {told} {died}");
    }
}
