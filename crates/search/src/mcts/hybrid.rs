//! MCTS–minimax hybrids (Baier and Winands, 2013 and 2014): a shallow minimax where sampling is
//! blind. Two of their places are offered.
//!
//! * `cutoff` (their informed cut-offs with minimax, MCTS-IC-M): a rollout that is cut short is
//!   valued by minimax of depth d over the evaluation, instead of by the evaluation itself.
//! * `expand` (after MCTS-MS, with a visit limit of one): a node that is made is searched to depth d
//!   for a proven result, which the solver then uses.
//!
//! Each seat maximises its own reward; chance nodes take the weighted mean and cost no depth. There
//! is no pruning: rewards of the two seats need not mirror each other, and d is small.

use gamecore::{Buf, Evaluator, Game, Seat, Turn};

use super::store::Proven;

/// What each seat gets under best play for `depth` decisions.
pub(crate) fn minimax<G: Game>(
    game: &G,
    evaluator: &dyn Evaluator<G>,
    state: &G::State,
    depth: u32,
    calls: &mut u64,
) -> [f32; 2] {
    let turn = game.turn(state);
    let seat = match turn {
        Turn::Over => return evaluator.rewards(game, state),
        Turn::Player(_) if depth == 0 => return evaluator.rewards(game, state),
        Turn::Player(seat) => Some(seat),
        Turn::Chance => None,
    };
    let mut actions = Buf::new();
    game.actions(state, &mut actions);
    let (mut best, mut mean, mut total) = (None::<[f32; 2]>, [0.0f64; 2], 0.0);
    for &action in &actions {
        let mut next = state.clone();
        game.apply(&mut next, action);
        *calls += 1;
        let below = depth - u32::from(seat.is_some());
        let value = minimax(game, evaluator, &next, below, calls);
        match seat {
            Some(seat) => {
                if best.is_none_or(|best| value[seat.index()] > best[seat.index()]) {
                    best = Some(value);
                }
            }
            None => {
                let weight = f64::from(game.weight(state, action));
                mean = [
                    mean[0] + weight * f64::from(value[0]),
                    mean[1] + weight * f64::from(value[1]),
                ];
                total += weight;
            }
        }
    }
    best.unwrap_or([(mean[0] / total) as f32, (mean[1] / total) as f32])
}

/// The result of a position if `depth` decisions prove it.
pub(crate) fn prove<G: Game>(game: &G, state: &G::State, depth: u32, calls: &mut u64) -> Proven {
    let seat = match game.turn(state) {
        Turn::Over => return Proven::of_payoff(game.payoff(state, Seat::Zero)),
        // An outcome proves nothing alone.
        Turn::Chance => return Proven::Unknown,
        Turn::Player(_) if depth == 0 => return Proven::Unknown,
        Turn::Player(seat) => seat,
    };
    let mut actions = Buf::new();
    game.actions(state, &mut actions);
    let (win, loss) = (Proven::win_of(seat), Proven::win_of(seat.other()));
    let mut best = loss;
    for &action in &actions {
        let mut next = state.clone();
        game.apply(&mut next, action);
        *calls += 1;
        match prove(game, &next, depth - 1, calls) {
            proven if proven == win => return win,
            Proven::Unknown => best = Proven::Unknown,
            Proven::Drawn if best == loss => best = Proven::Drawn,
            _ => {}
        }
    }
    best
}
