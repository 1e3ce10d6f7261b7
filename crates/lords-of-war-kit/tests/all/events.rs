//! What is told of actions is what they do, and no more than a seat may know.

use gamecore::{Buf, Game, Rng, Seat, Turn};
use lords_of_war::{LordsOfWar, Options, State};
use lords_of_war_kit::scene::appearance;
use protocol::Event;

/// Plays random games and hears of every action: the position before, what happened, the position after.
fn play(game: &LordsOfWar, games: u64, mut hear: impl FnMut(&State, lords_of_war::Action, &State)) {
    for seed in 0..games {
        let mut rng = Rng::new(seed);
        let mut state = game.start(&Default::default(), &mut rng);
        while game.turn(&state) != Turn::Over {
            let mut actions = Buf::new();
            game.actions(&state, &mut actions);
            let action = actions[rng.below(actions.len() as u32) as usize];
            let mut after = state;
            game.apply(&mut after, action);
            hear(&state, action, &after);
            state = after;
        }
    }
}

fn count(events: &[Event], verb: &str, seat: Seat) -> u8 {
    let of = |event: &&Event| event.verb == verb && usize::from(event.seat) == seat.index();
    events.iter().filter(of).count() as u8
}

#[test]
fn events_tell_what_is_put_down_lost_and_taken_back() {
    for rules in ["basic", "table", "intermediate"] {
        let game = LordsOfWar::new(Options::parse(rules).unwrap());
        let (mut lost, mut shots) = (0, 0);
        play(&game, 40, |before, action, after| {
            let events = (appearance().events)(&game, before, action, None);
            for seat in Seat::BOTH {
                let gone = after.lost(seat) - before.lost(seat);
                assert_eq!(count(&events, "eliminated", seat), gone, "{events:?}");
                let held = |state: &State| state.held(seat).count_ones() as i32;
                let change = i32::from(count(&events, "placed", seat))
                    - i32::from(count(&events, "retreated", seat))
                    - i32::from(gone);
                assert_eq!(held(after) - held(before), change, "{events:?}");
                let drawn = before.deck(seat).len() - after.deck(seat).len();
                assert_eq!(usize::from(count(&events, "drew", seat)), drawn, "{events:?}");
                lost += gone as usize;
                shots += usize::from(count(&events, "shot", seat));
            }
            for event in events.iter().filter(|event| event.verb == "eliminated") {
                assert!(event.amount.is_some_and(|amount| amount < 0), "{event:?}");
            }
        });
        assert!(lost > 300 && shots > 50, "{rules}: {lost} {shots}");
    }
}

#[test]
fn what_somebody_drew_is_told_to_nobody_else() {
    let game = LordsOfWar::new(Options::parse("hidden=yes").unwrap());
    let events_of = appearance().events;
    let mut compared = 0;
    play(&game, 20, |before, action, _| {
        let Turn::Player(actor) = game.turn(before) else { return };
        let eyes = actor.other();
        let told = events_of(&game, before, action, Some(eyes));
        // In every position that looks the same the same action tells the same.
        for seed in 0..3 {
            let imagined = game.sample(&game.view(before, eyes), &mut Rng::new(seed));
            let mut actions = Buf::new();
            game.actions(&imagined, &mut actions);
            if !actions.contains(&action) {
                continue;
            }
            let there = events_of(&game, &imagined, action, Some(eyes));
            let drew = |events: &[Event]| {
                let drawn = events.iter().filter(|event| event.verb == "drew");
                drawn.map(|event| (event.seat, event.piece.clone())).collect::<Vec<_>>()
            };
            let [told, there] = [drew(&told), drew(&there)];
            assert!(
                told.iter()
                    .all(|(seat, piece)| piece.is_none() || usize::from(*seat) == eyes.index())
            );
            // What the viewer itself draws may differ; what the other draws may not.
            let others = |events: Vec<(u8, Option<String>)>| {
                let others =
                    events.into_iter().filter(|(seat, _)| usize::from(*seat) != eyes.index());
                others.collect::<Vec<_>>()
            };
            assert_eq!(others(told), others(there));
            compared += 1;
        }
    });
    assert!(compared > 500, "{compared}");
}
