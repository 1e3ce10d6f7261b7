//! Rollouts: from the edge of a tree to the horizon, and what their end is worth.

use gamecore::{ActionScore, Evaluator, Game, Horizon, Rng, RolloutPolicy, Seat, Turn};

use super::config::{Policy, Rollout, RolloutEnd};

/// How the seat that searches and its opponent act in rollouts.
pub(crate) struct Policies {
    own: RolloutPolicy,
    opponent: RolloutPolicy,
}

impl Policies {
    pub(crate) fn new(rollout: &Rollout) -> Self {
        Self { own: rollout.own.in_rollouts(), opponent: rollout.opponent.in_rollouts() }
    }

    /// By seat, when `seat` searches.
    pub(crate) fn by_seat(&self, seat: Seat) -> [RolloutPolicy; 2] {
        let mut policies = [self.own.clone(), self.opponent.clone()];
        if seat == Seat::One {
            policies.reverse();
        }
        policies
    }
}

impl Policy {
    fn in_rollouts(self) -> RolloutPolicy {
        match self {
            Self::Uniform => RolloutPolicy::Uniform,
            Self::Boltzmann(temperature) | Self::Mast(temperature) => {
                RolloutPolicy::boltzmann(temperature)
            }
            Self::EpsilonGreedy(epsilon) | Self::MastGreedy(epsilon) => {
                RolloutPolicy::epsilon_greedy(epsilon)
            }
            Self::Proportional => RolloutPolicy::proportional(),
        }
    }
}

/// The heuristic that rollouts by these policies ask, if they ask one at all.
pub(crate) fn asked<'a, G: Game>(
    score: Option<&'a dyn ActionScore<G>>,
    policies: &[RolloutPolicy; 2],
) -> Option<&'a dyn ActionScore<G>> {
    score.filter(|_| policies.iter().any(|policy| *policy != RolloutPolicy::Uniform))
}

/// Plays on to the horizon, uniformly where no heuristic is asked; says how many actions it made.
pub(crate) fn play<G: Game>(
    game: &G,
    asked: Option<&dyn ActionScore<G>>,
    policies: &[RolloutPolicy; 2],
    state: &mut G::State,
    rng: &mut Rng,
    horizon: Horizon,
) -> u32 {
    match asked {
        Some(score) => score.rollout(game, state, rng, horizon, policies),
        None => game.playout(state, rng, horizon),
    }
}

/// What each seat gets out of the position where a rollout ended.
pub(crate) fn worth<G: Game>(
    game: &G,
    evaluator: &dyn Evaluator<G>,
    end: RolloutEnd,
    state: &G::State,
) -> [f32; 2] {
    match end {
        RolloutEnd::Evaluation => evaluator.rewards(game, state),
        RolloutEnd::Result if game.turn(state) == Turn::Over => {
            Seat::BOTH.map(|seat| game.payoff(state, seat))
        }
        RolloutEnd::Result => [0.5; 2],
    }
}
