//! Plain minimax: the answer that every faster search must give.
//!
//! Conventions: a finished game is worth [`Evaluator::terminal`]; at depth 0 a position where a
//! seat acts is worth [`Evaluator::evaluate`]; a chance node is worth the weighted mean of its
//! outcomes, rounded by [`weighted_mean`], and consumes no depth, at the horizon neither. The sign
//! follows the seat, never the ply.

use gamecore::{Buf, Evaluator, Game, Score, Seat, Turn, weighted_mean};

/// How far a search looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Horizon {
    /// Decisions looked ahead.
    pub depth: u32,
    /// Noisy decisions looked at beyond that.
    pub quiescence: u32,
}

impl From<u32> for Horizon {
    fn from(depth: u32) -> Self {
        Self { depth, quiescence: 0 }
    }
}

/// The minimax value of `state` for `seat`, whoever acts in it. Beyond the depth, if the evaluator
/// has noisy actions and quiescence is left, the seat to act takes the static value or plays a
/// noisy action.
pub fn reference_value<G: Game, E: Evaluator<G> + ?Sized>(
    game: &G,
    evaluator: &E,
    state: &G::State,
    horizon: impl Into<Horizon>,
    seat: Seat,
) -> Score {
    let horizon = horizon.into();
    match game.turn(state) {
        Turn::Over => evaluator.terminal(game, state, seat),
        Turn::Chance => {
            mean_value(game, state, |next| reference_value(game, evaluator, next, horizon, seat))
        }
        _ if horizon.depth == 0 => {
            quiescent_value(game, evaluator, state, horizon.quiescence, seat)
        }
        Turn::Player(actor) => {
            let below = Horizon { depth: horizon.depth - 1, ..horizon };
            let values = list(game, state).into_iter().map(|action| {
                reference_value(game, evaluator, &after(game, state, action), below, seat)
            });
            let best = if actor == seat { values.max() } else { values.min() };
            best.expect("a position that is not over has an action")
        }
    }
}

/// The first best action in the game's order and its value for the seat that acts.
///
/// # Panics
/// If no player acts in `state`, or the depth is 0.
pub fn reference_decision<G: Game, E: Evaluator<G> + ?Sized>(
    game: &G,
    evaluator: &E,
    state: &G::State,
    horizon: impl Into<Horizon>,
) -> (G::Action, Score) {
    let horizon = horizon.into();
    let Turn::Player(seat) = game.turn(state) else {
        panic!("only a player decides, in {state:?}");
    };
    assert!(horizon.depth > 0, "a decision needs a depth above 0");
    let below = Horizon { depth: horizon.depth - 1, ..horizon };
    let mut best: Option<(G::Action, Score)> = None;
    for action in list(game, state) {
        let value = reference_value(game, evaluator, &after(game, state, action), below, seat);
        if best.is_none_or(|(_, so_far)| value > so_far) {
            best = Some((action, value));
        }
    }
    best.expect("a position that is not over has an action")
}

/// The value at the horizon.
fn quiescent_value<G: Game, E: Evaluator<G> + ?Sized>(
    game: &G,
    evaluator: &E,
    state: &G::State,
    quiescence: u32,
    seat: Seat,
) -> Score {
    let actor = match game.turn(state) {
        Turn::Over => return evaluator.terminal(game, state, seat),
        Turn::Chance => {
            return mean_value(game, state, |next| {
                quiescent_value(game, evaluator, next, quiescence, seat)
            });
        }
        Turn::Player(actor) => actor,
    };
    let stand_pat = evaluator.evaluate(game, state, seat);
    if quiescence == 0 || !evaluator.has_noisy_actions() {
        return stand_pat;
    }
    list(game, state)
        .into_iter()
        .filter(|&action| evaluator.is_noisy(game, state, action))
        .map(|action| {
            quiescent_value(game, evaluator, &after(game, state, action), quiescence - 1, seat)
        })
        .fold(
            stand_pat,
            |best, value| if actor == seat { best.max(value) } else { best.min(value) },
        )
}

/// The weighted mean of `value` over the outcomes of a chance node.
fn mean_value<G: Game>(game: &G, state: &G::State, value: impl Fn(&G::State) -> Score) -> Score {
    let (mut sum, mut total) = (0, 0);
    for outcome in list(game, state) {
        let weight = i64::from(game.weight(state, outcome));
        sum += weight * i64::from(value(&after(game, state, outcome)).0);
        total += weight;
    }
    Score(weighted_mean(sum, total))
}

fn list<G: Game>(game: &G, state: &G::State) -> Vec<G::Action> {
    let mut actions = Buf::new();
    game.actions(state, &mut actions);
    actions.to_vec()
}

fn after<G: Game>(game: &G, state: &G::State, action: G::Action) -> G::State {
    let mut next = state.clone();
    game.apply(&mut next, action);
    next
}
