//! MCTS–minimax hybrids (Baier and Winands, 2013 and 2014): a shallow minimax where sampling is
//! blind. Two of their places are offered.
//!
//! * `cutoff` (their informed cut-offs with minimax, MCTS-IC-M): a rollout that is cut short is
//!   valued by minimax of depth d over the evaluation, instead of by the evaluation itself.
//! * `expand` (after MCTS-MS, with a visit limit of one): a node that is made is searched to depth d
//!   for a proven result, which the solver then uses.
//!
//! Each seat maximises its own reward; chance nodes take the weighted mean and cost no depth. There
//! is no pruning: rewards of the two seats need not mirror each other, and d is small. It may still be
//! long, so both look whether the search must end, and give up then.

use gamecore::{Buf, Evaluator, Game, Seat, Turn};

use super::ending::Halt;
use super::store::Proven;

/// What a shallow minimax costs, and what ends it early.
pub(crate) struct Effort<'e, 'a> {
    pub(crate) calls: &'e mut u64,
    pub(crate) halt: &'e mut Halt<'a>,
}

impl Effort<'_, '_> {
    /// Counts one call; `None` if the search must end.
    #[inline]
    fn spend(&mut self) -> Option<()> {
        *self.calls += 1;
        (!self.halt.is_due(*self.calls)).then_some(())
    }
}

/// What each seat gets under best play for `depth` decisions; `None` if the search must end.
pub(crate) fn minimax<G: Game>(
    game: &G,
    evaluator: &dyn Evaluator<G>,
    state: &G::State,
    depth: u32,
    effort: &mut Effort<'_, '_>,
) -> Option<[f32; 2]> {
    let turn = game.turn(state);
    let seat = match turn {
        Turn::Over => return Some(evaluator.rewards(game, state)),
        Turn::Player(_) if depth == 0 => return Some(evaluator.rewards(game, state)),
        Turn::Player(seat) => Some(seat),
        Turn::Chance => None,
    };
    let mut actions = Buf::new();
    game.actions(state, &mut actions);
    let (mut best, mut mean, mut total) = (None::<[f32; 2]>, [0.0f64; 2], 0.0);
    for &action in &actions {
        let mut next = state.clone();
        game.apply(&mut next, action);
        effort.spend()?;
        let below = depth - u32::from(seat.is_some());
        let value = minimax(game, evaluator, &next, below, effort)?;
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
    Some(best.unwrap_or([(mean[0] / total) as f32, (mean[1] / total) as f32]))
}

/// The result of a position if `depth` decisions prove it before the search must end.
pub(crate) fn prove<G: Game>(
    game: &G,
    state: &G::State,
    depth: u32,
    effort: &mut Effort<'_, '_>,
) -> Proven {
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
        if effort.spend().is_none() {
            return Proven::Unknown;
        }
        match prove(game, &next, depth - 1, effort) {
            proven if proven == win => return win,
            Proven::Unknown => best = Proven::Unknown,
            Proven::Drawn if best == loss => best = Proven::Drawn,
            _ => {}
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use gamecore::{ResultOnly, Rng, Score, StopToken, random_action};
    use testkit::minimax::reference_value;
    use testkit::toys::{RandomTree, StagedNim};
    use testkit::{CountingClock, HashEvaluator};

    /// Nobody says stop.
    fn unhurried<T>(search: impl FnOnce(&mut Effort<'_, '_>) -> T) -> T {
        let (clock, stop) = (CountingClock::new(Duration::ZERO), StopToken::default());
        search(&mut Effort { calls: &mut 0, halt: &mut Halt::new(&clock, &stop, None) })
    }

    fn states<G: Game>(game: &G) -> Vec<G::State> {
        let mut rng = Rng::new(1);
        let mut state = game.start(&G::Setup::default(), &mut rng);
        let mut states = vec![state.clone()];
        while let Some(action) = random_action(game, &state, &mut rng) {
            game.apply(&mut state, action);
            states.push(state.clone());
        }
        states
    }

    fn check<G: Game>(game: &G) {
        let evaluator = HashEvaluator::new(3);
        for state in states(game) {
            for depth in 0..4 {
                let Score(value) = reference_value(game, &evaluator, &state, depth, Seat::Zero);
                let expected = (1.0 / (1.0 + (-f64::from(value) / 1000.0).exp())) as f32;
                let found =
                    unhurried(|effort| minimax(game, &evaluator, &state, depth, effort)).unwrap();
                assert!((found[0] - expected).abs() < 1e-6, "{found:?} {expected}");
                assert!((found[0] + found[1] - 1.0).abs() < 1e-6);
            }
            let Score(truth) = reference_value(game, &ResultOnly, &state, 99, Seat::Zero);
            let truth = Proven::of_payoff((truth.signum() as f32 + 1.0) / 2.0);
            assert_eq!(unhurried(|effort| prove(game, &state, 99, effort)), truth);
            for depth in 0..4 {
                let found = unhurried(|effort| prove(game, &state, depth, effort));
                assert!(found == Proven::Unknown || found == truth, "{found:?} {truth:?}");
            }
        }
    }

    #[test]
    fn agrees_with_exhaustive_minimax() {
        check(&StagedNim::new(&[2, 3]));
        for seed in 0..8 {
            check(&RandomTree::new(seed, 8));
        }
    }

    #[test]
    fn chance_is_a_weighted_mean() {
        for seed in 0..8 {
            let game = RandomTree::with_chance(seed, 8);
            for state in states(&game) {
                let searched = unhurried(|effort| minimax(&game, &ResultOnly, &state, 99, effort));
                let [zero, one] = searched.unwrap();
                let value = reference_value(&game, &ResultOnly, &state, 99, Seat::Zero).0 as f32;
                let expected = (value / Score::WIN.0 as f32 + 1.0) / 2.0;
                assert!((zero - expected).abs() < 1e-4 && (zero + one - 1.0).abs() < 1e-5);
            }
        }
    }
}
