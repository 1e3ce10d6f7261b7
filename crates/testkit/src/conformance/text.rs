//! Properties of the text face.

use std::collections::BTreeMap;

use gamecore::{Buf, Horizon, Notation, Rng, Seat, Turn, key};

use super::{Conformance, Place, require};
use crate::fuzz::damaged;

/// Action texts are unique, readable, and nothing else is.
pub(super) fn check_actions<G: Notation>(
    game: &G,
    options: &Conformance,
    place: &Place,
    state: &G::State,
    actions: &Buf<G::Action>,
) {
    let mut action_of_text = BTreeMap::new();
    for &action in actions {
        let text = game.action_text(state, action);
        let plain = !text.is_empty() && !text.chars().any(char::is_control);
        require!(place, "action text is one line", plain, "{action:?} is {text:?}");
        let guessed = !options.guesses || game.guess_action(state, &text) == Some(action);
        require!(place, "legal actions are guessed", guessed, "'{text}' for {action:?}");
        match game.parse_action(state, &text) {
            Ok(read) => require!(
                place,
                "action text round trip",
                read == action || action_of_text.contains_key(&text),
                "{action:?} is written '{text}' and read as {read:?}"
            ),
            Err(error) => panic!("{place}: action text round trip: {action:?}: {error}"),
        }
        if let Some(other) = action_of_text.insert(text.clone(), action) {
            panic!("{place}: action texts are unique: '{text}' is {other:?} and {action:?}");
        }
    }
    let mut garbage: Vec<String> =
        ["", " ", "?", "\n", "\u{0}", "no such action", "💥", "-1", "99999999999999999999"]
            .map(str::to_owned)
            .to_vec();
    garbage.push("x".repeat(10_000));
    garbage.extend(action_of_text.keys().take(3).map(|text| format!("{text}~")));
    for text in garbage.iter().filter(|text| !action_of_text.contains_key(*text)) {
        let read = game.parse_action(state, text);
        require!(place, "garbage is no action", read.is_err(), "{text:?} was read as {read:?}");
    }
}

/// Texts of actions of other positions, and damaged texts, are read only if they are legal here too.
pub(super) fn check_foreign_actions<G: Notation>(
    game: &G,
    options: &Conformance,
    place: &Place,
    state: &G::State,
    texts: &[String],
) {
    let mut actions = Buf::new();
    if game.turn(state) != Turn::Over {
        game.actions(state, &mut actions);
    }
    let legal: Vec<String> =
        actions.iter().map(|&action| game.action_text(state, action)).collect();
    let ply = place.ply as usize;
    let edit = (place.ply as u16, (ply / 16) as u8, [' ', '0', '+', 'E'][ply % 4]);
    let near = legal.get(ply % legal.len().max(1)).map(|text| damaged(text, &[edit]));
    for text in texts.iter().chain(&near) {
        let read = game.parse_action(state, text);
        let allowed = read.as_ref().map_or(true, |action| actions.binary_search(action).is_ok());
        require!(place, "only legal actions are read", allowed, "'{text}' as {read:?}");
        if options.guesses {
            let found = legal.iter().position(|legal| legal == text.trim());
            let same = read.as_ref().ok() == found.map(|index| &actions[index]);
            require!(place, "an action has one text", same, "'{text}' as {read:?}");
        }
    }
}

/// The text of a position says everything about it; damaged texts are refused or mean a position
/// in which the game can go on.
pub(super) fn check_position<G: Notation>(game: &G, place: &Place, state: &G::State) {
    let text = game.position_text(state);
    let plain = !text.is_empty() && !text.chars().any(char::is_control);
    require!(place, "position text is one line", plain, "{text:?}");
    match game.parse_position(&text) {
        Ok(read) => {
            require!(place, "position text round trip", read == *state, "{read:?} for {state:?}");
            let keys = (game.key(&read), game.key(state));
            require!(place, "equal states have equal keys", keys.0 == keys.1, "{keys:x?}");
        }
        Err(error) => panic!("{place}: position text round trip: {error}"),
    }
    let over = game.turn(state) == Turn::Over;
    let ending = game.ending(state);
    require!(place, "no ending before the end", over || ending.is_empty(), "'{ending}'");
    drop(game.picture(state));
    let mut rng = Rng::new(key::fold(!place.seed, u64::from(place.ply)));
    // Drawing costs more than playing, and long games differ little from one action to the next.
    let drawn = game.traits().hidden && place.ply.is_multiple_of(8);
    for seat in Seat::BOTH.into_iter().filter(|_| drawn) {
        let view = game.view(state, seat);
        let imagined = game.sample(&view, &mut rng);
        // What is wrong with a sample is told where views are checked.
        if game.view(&imagined, seat) != view {
            continue;
        }
        let pictures = (game.picture_for(state, seat), game.picture_for(&imagined, seat));
        let equal = pictures.0 == pictures.1;
        require!(place, "equal views, equal pictures", equal, "{pictures:?} for {seat}");
    }
    for _ in 0..4 {
        let damaged = damage(&text, &mut rng);
        if let Ok(read) = game.parse_position(&damaged) {
            check_playable(game, place, &damaged, &read, &mut rng);
        }
    }
}

/// The text with one character left out, doubled or replaced, or cut short.
fn damage(text: &str, rng: &mut Rng) -> String {
    let letters: Vec<char> = text.chars().collect();
    let at = rng.below(letters.len() as u32) as usize;
    let (head, tail) = (&letters[..at], &letters[at + 1..]);
    let middle = match rng.below(4) {
        0 => vec![],
        1 => vec![letters[at]; 2],
        2 => vec![letters[rng.below(letters.len() as u32) as usize]],
        _ => return head.iter().collect(),
    };
    head.iter().chain(&middle).chain(tail).collect()
}

fn check_playable<G: Notation>(
    game: &G,
    place: &Place,
    text: &str,
    state: &G::State,
    rng: &mut Rng,
) {
    let canonical = game.parse_position(&game.position_text(state));
    let stable = canonical.is_ok_and(|again| again == *state);
    require!(place, "accepted positions are positions", stable, "'{text}' as {state:?}");
    let mut actions = Buf::new();
    if game.turn(state) != Turn::Over {
        game.actions(state, &mut actions);
        require!(place, "accepted positions go on", !actions.is_empty(), "'{text}'");
    }
    game.playout(&mut state.clone(), rng, Horizon::actions(20));
}
