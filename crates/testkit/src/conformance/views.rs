//! Properties of views and of the states drawn from them.

use gamecore::{Buf, Game, Rng, Seat, Turn, key};

use super::{Place, require};

/// A sampled state looks to the seat like the true one, and offers it the same choice. Says whether
/// some sample was another state, that is, whether the view kept a secret.
pub(super) fn check_view<G: Game>(game: &G, place: &Place, state: &G::State, seat: Seat) -> bool {
    let view = game.view(state, seat);
    let repeats = game.view(state, seat) == view;
    require!(place, "views repeat", repeats, "{seat} saw two things in one state");
    let mut kept_secret = false;
    for number in 0..3 {
        let seed = key::fold(key::fold(place.seed, u64::from(place.ply)), number);
        let sampled = game.sample(&view, &mut Rng::new(seed));
        let again = game.sample(&view, &mut Rng::new(seed));
        require!(place, "samples repeat", sampled == again, "one seed gave {seat} two states");
        let seen = game.view(&sampled, seat);
        require!(
            place,
            "samples fit the view",
            seen == view,
            "{seat} sees {view:?}, in the sample {seen:?}"
        );
        let keys = (game.key(&sampled), game.key_from_scratch(&sampled));
        require!(place, "samples have their key", keys.0 == keys.1, "{keys:x?}");
        if game.turn(state) == Turn::Player(seat) {
            let turn = game.turn(&sampled);
            let same = turn == Turn::Player(seat) && list(game, &sampled) == list(game, state);
            require!(place, "samples offer the same choice", same, "{seat} in {sampled:?}");
        }
        kept_secret |= sampled != *state;
        require!(
            place,
            "nothing is hidden",
            game.traits().hidden || sampled == *state,
            "traits say so, but {seat} cannot tell {sampled:?}"
        );
    }
    kept_secret
}

fn list<G: Game>(game: &G, state: &G::State) -> Buf<G::Action> {
    let mut actions = Buf::new();
    game.actions(state, &mut actions);
    actions
}
