//! Properties of agents and evaluations, checked on random games.

use std::time::Duration;

use gamecore::{
    Agent, Decision, Evaluator, Game, Limits, Notation, Rng, Seat, StopToken, Turn, key,
    random_action,
};

use super::{Conformance, Place, for_each_start, require};
use crate::CountingClock;

/// Agents decide by what they see: in two states with equal views, agents built anew give equal
/// decisions, counters and explanations included. Checked at every decision of the random games.
///
/// # Panics
/// If two decisions differ.
pub fn check_equal_views<G: Notation>(
    game: &G,
    make_agent: &dyn Fn() -> Box<dyn Agent<G>>,
    options: &Conformance,
) {
    for_each_position(game, options, &mut |place, state| {
        let Turn::Player(seat) = game.turn(state) else { return };
        let view = game.view(state, seat);
        let mut rng = Rng::new(key::fold(place.seed, u64::from(place.ply)));
        let imagined = game.sample(&view, &mut rng);
        let in_truth = decide_anew(game, make_agent, &view);
        let in_sample = decide_anew(game, make_agent, &game.view(&imagined, seat));
        require!(
            place,
            "equal views, equal decisions",
            in_truth == in_sample,
            "{in_truth:?}, but {in_sample:?} in {imagined:?}"
        );
    });
}

/// What is good for one seat is exactly as bad for the other, in every position of the random
/// games, finished ones included.
///
/// # Panics
/// If two values do not add up to 0.
pub fn check_antisymmetric<G: Notation, E: Evaluator<G> + ?Sized>(
    game: &G,
    evaluator: &E,
    options: &Conformance,
) {
    for_each_position(game, options, &mut |place, state| {
        let [zero, one] = Seat::BOTH.map(|seat| evaluator.evaluate(game, state, seat));
        require!(place, "evaluation is antisymmetric", zero == -one, "{zero} and {one}");
        let small = zero.0.abs() < gamecore::Score::INFINITE.0;
        require!(place, "evaluation is finite", small, "{zero}");
        if game.turn(state) == Turn::Over {
            let [zero, one] = Seat::BOTH.map(|seat| evaluator.terminal(game, state, seat));
            require!(place, "terminal value is antisymmetric", zero == -one, "{zero} and {one}");
        }
    });
}

fn decide_anew<G: Game>(
    game: &G,
    make_agent: &dyn Fn() -> Box<dyn Agent<G>>,
    view: &G::View,
) -> Decision<G::Action> {
    let clock = CountingClock::new(Duration::from_micros(1));
    let stop = StopToken::default();
    let limits =
        Limits { clock: &clock, stop: &stop, time_left: None, progress: None, tree_nodes: 0 };
    make_agent().decide(game, view, &limits)
}

fn for_each_position<G: Notation>(
    game: &G,
    options: &Conformance,
    visit: &mut dyn FnMut(&Place, &G::State),
) {
    for_each_start(game, options, &mut |mut place, mut state, mut rng| {
        loop {
            place.position = game.position_text(&state);
            visit(&place, &state);
            if place.ply == options.max_plies {
                return;
            }
            let Some(action) = random_action(game, &state, &mut rng) else { return };
            game.apply(&mut state, action);
            place.ply += 1;
        }
    });
}
