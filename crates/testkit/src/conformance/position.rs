//! Properties of a position: actions, payoffs, keys, clones and playouts.

use std::collections::BTreeMap;

use gamecore::{
    Buf, Game, Horizon, Notation, Rng, Seat, Turn, key, perft_by_listing, playout_by_listing,
};

use super::{Conformance, Place, require};

/// More than a game of any kind is worth: enough states to meet collisions, not enough to fill
/// the memory.
const MOST_KEYS: usize = 200_000;

pub(super) fn check_actions<G: Game>(place: &Place, actions: &Buf<G::Action>) {
    require!(place, "actions exist", !actions.is_empty(), "the game is not over");
    let (count, most) = (actions.len(), G::MAX_ACTIONS);
    require!(place, "MAX_ACTIONS", count <= most, "{count} actions, at most {most} announced");
    for pair in actions.windows(2) {
        let rising = pair[0] < pair[1];
        require!(place, "actions ascend", rising, "{:?} comes before {:?}", pair[0], pair[1]);
    }
}

pub(super) fn check_weights<G: Game>(
    game: &G,
    place: &Place,
    state: &G::State,
    outcomes: &Buf<G::Action>,
) {
    let mut total = 0u32;
    for &outcome in outcomes {
        let weight = game.weight(state, outcome);
        require!(place, "weights are above 0", weight > 0, "{outcome:?} has none");
        let sum = total.checked_add(weight);
        require!(place, "weights add up", sum.is_some(), "their sum does not fit 32 bits");
        total = sum.unwrap_or(total);
    }
}

pub(super) fn check_payoff<G: Notation>(game: &G, place: &Place, state: &G::State) {
    let [zero, one] = Seat::BOTH.map(|seat| game.payoff(state, seat));
    let fair = (0.0..=1.0).contains(&zero) && (0.0..=1.0).contains(&one) && zero + one == 1.0;
    require!(place, "payoffs add up to 1", fair, "seat 0 gets {zero}, seat 1 gets {one}");
    let ending = game.ending(state);
    let told = !ending.is_empty() && !ending.contains('\n');
    require!(place, "ending is told", told, "the game is over, the ending is '{ending}'");
}

/// The key is the one computed afresh, and tells states apart.
pub(super) fn check_key<G: Game>(
    game: &G,
    options: &Conformance,
    place: &Place,
    state: &G::State,
    state_of_key: &mut BTreeMap<u64, G::State>,
) {
    let name = game.key(state);
    let afresh = game.key_from_scratch(state);
    require!(place, "key from scratch", name == afresh, "key {name:x}, from scratch {afresh:x}");
    let Some(known) = state_of_key.get(&name) else {
        if state_of_key.len() < MOST_KEYS {
            state_of_key.insert(name, state.clone());
        }
        return;
    };
    let same_choice = game.turn(known) == game.turn(state) && {
        let [mut ours, mut theirs] = [Buf::new(), Buf::new()];
        if game.turn(state) != Turn::Over {
            game.actions(state, &mut ours);
            game.actions(known, &mut theirs);
        }
        ours == theirs
    };
    require!(
        place,
        "keys tell states apart",
        same_choice && (known == state || !options.distinct_keys),
        "key {name:x} is also that of {known:?}"
    );
}

/// Acting on a copy leaves the original alone, and every action changes the state.
pub(super) fn check_clones<G: Notation>(
    game: &G,
    place: &Place,
    state: &G::State,
    actions: &Buf<G::Action>,
) {
    let kept = (state.clone(), game.key(state), game.position_text(state));
    for &action in actions {
        let mut next = state.clone();
        game.apply(&mut next, action);
        let same = (state.clone(), game.key(state), game.position_text(state)) == kept;
        require!(place, "copies are deep", same, "{action:?} on a copy changed the original");
        let changed = next != *state && game.key(&next) != kept.1;
        require!(place, "actions change state and key", changed, "{action:?} does not");
        let mut again = state.clone();
        game.apply(&mut again, action);
        let repeats = again == next && game.key(&again) == game.key(&next);
        require!(place, "actions repeat", repeats, "{action:?} led to two states or keys");
    }
}

/// Counting in bulk gives what listing gives.
pub(super) fn check_perft<G: Game>(game: &G, place: &Place, state: &G::State) {
    for depth in 0..=2 {
        let (fast, listed) = (game.perft(state, depth), perft_by_listing(game, state, depth));
        require!(
            place,
            "perft equals listing",
            fast == listed,
            "depth {depth}: {fast} leaves, expected {listed}"
        );
    }
}

/// The fast playout draws exactly as the reference does.
pub(super) fn check_playout<G: Game>(game: &G, place: &Place, state: &G::State) {
    let actions = [0, 1, 2, 7, 5_000].map(Horizon::actions);
    let turns = [0, 1, 3].map(Horizon::turns);
    let both = [Horizon { actions: 3, turns: 2 }];
    for horizon in actions.into_iter().chain(turns).chain(both) {
        let mut fast = (state.clone(), Rng::new(key::fold(place.seed, u64::from(place.ply))));
        let mut listed = fast.clone();
        let fast_count = game.playout(&mut fast.0, &mut fast.1, horizon);
        let listed_count = playout_by_listing(game, &mut listed.0, &mut listed.1, horizon);
        require!(
            place,
            "playout equals listing",
            fast_count == listed_count && fast == listed,
            "{horizon:?}: {fast_count} actions to {:?}, expected {listed_count} to {:?}{}",
            fast.0,
            listed.0,
            if fast.1 == listed.1 { "" } else { "; the random streams differ" }
        );
        let keys = (game.key(&fast.0), game.key_from_scratch(&fast.0));
        require!(place, "playout keeps the key", keys.0 == keys.1, "{horizon:?}: {keys:x?}");
    }
}
