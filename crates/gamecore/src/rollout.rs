//! Rollouts whose actions are drawn with a preference: one call for a whole rollout, so that the
//! step in it is compiled for the game and its heuristic together.

use crate::game::{Buf, Game, Horizon, Progressing, Turn, draw_outcome};
use crate::math::exp;
use crate::rng::Rng;

/// Scores the actions of a position without searching: the higher, the sooner it is tried.
///
/// Scores are thousandths of the unit interval: 1000 is as good as it gets, 0 not worth a try.
/// Depth-first search looks at their order only. Where the size matters (rollouts, priors,
/// progressive bias, "worth expanding" as a score above 0), what lies outside 0 to 1000 counts as
/// the nearer end.
pub trait ActionScore<G: Game>: Send + Sync {
    /// Appends one score for each action. `depth` is the number of decisions still to be searched,
    /// so that an expensive score can be kept for where it pays; in rollouts it is 0.
    fn score(
        &self,
        game: &G,
        state: &G::State,
        actions: &[G::Action],
        depth: u32,
        out: &mut Buf<i32>,
    );

    /// Plays to the horizon, each seat by its policy over these scores; says how many actions were
    /// made. There is no reason to write it again: the provided body is compiled for each
    /// implementation, so a rollout costs one virtual call.
    fn rollout(
        &self,
        game: &G,
        state: &mut G::State,
        rng: &mut Rng,
        horizon: Horizon,
        policies: &[RolloutPolicy; 2],
    ) -> u32 {
        rollout_by_score(self, game, state, rng, horizon, policies)
    }

    /// Whether a decision in the middle of a turn deserves a search of its own although the turn
    /// was planned as a whole, because these scores keep actions out of the plan that may matter
    /// here.
    fn reconsiders(&self, _game: &G, _state: &G::State) -> bool {
        false
    }
}

/// Scores of actions in rollouts are taken from 0 to this.
pub const FULL_SCORE: i32 = 1000;

/// The relative weight of an action by its score, in thousandths.
pub type ScoreWeights = [u32; FULL_SCORE as usize + 1];

/// The largest weight: 512 of them still fit into 32 bits.
const FULL_WEIGHT: f64 = (1u32 << 22) as f64;

/// How a seat chooses its actions in rollouts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RolloutPolicy {
    /// Every action is equally likely.
    Uniform,
    /// Each action with the weight of its score.
    Weighted(Box<ScoreWeights>),
    /// The best score, equal ones at random; sometimes any action.
    Greedy {
        /// How often any action, of 2³².
        uniform: u32,
    },
}

impl RolloutPolicy {
    /// Probability ∝ e^(score / temperature), where scores are from 0 to 1.
    #[must_use]
    pub fn boltzmann(temperature: f64) -> Self {
        let weight = |score: usize| {
            let below_best = (score as f64 / f64::from(FULL_SCORE) - 1.0) / temperature;
            ((FULL_WEIGHT * exp(below_best)).round() as u32).max(1)
        };
        Self::Weighted(Box::new(std::array::from_fn(weight)))
    }

    /// Probability ∝ score; actions that score 0 are never chosen while another scores more.
    #[must_use]
    pub fn proportional() -> Self {
        Self::Weighted(Box::new(std::array::from_fn(|score| score as u32)))
    }

    /// The best action, except that with this probability any is played.
    #[must_use]
    pub fn epsilon_greedy(epsilon: f64) -> Self {
        Self::Greedy { uniform: (epsilon * f64::from(u32::MAX)).round() as u32 }
    }

    /// The position in `actions` of the one chosen. A single option takes no draw.
    #[inline]
    pub fn choose<G: Game, S: ActionScore<G> + ?Sized>(
        &self,
        score: &S,
        game: &G,
        state: &G::State,
        actions: &[G::Action],
        rng: &mut Rng,
    ) -> usize {
        let count = actions.len() as u32;
        if count == 1 {
            return 0;
        }
        let mut scores = Buf::new();
        match self {
            Self::Uniform => rng.below(count) as usize,
            Self::Greedy { uniform } => {
                if ((rng.next_u64() >> 32) as u32) < *uniform {
                    return rng.below(count) as usize;
                }
                score.score(game, state, actions, 0, &mut scores);
                first_best_at_random(&scores, rng)
            }
            Self::Weighted(weights) => {
                score.score(game, state, actions, 0, &mut scores);
                let weight = |&score: &i32| weights[score.clamp(0, FULL_SCORE) as usize];
                let total: u32 = scores.iter().map(weight).sum();
                if total == 0 {
                    return rng.below(count) as usize;
                }
                let mut left = rng.below(total);
                for (index, score) in scores.iter().enumerate() {
                    let weight = weight(score);
                    if left < weight {
                        return index;
                    }
                    left -= weight;
                }
                unreachable!("the weights of the actions add up to their total")
            }
        }
    }
}

/// One of the best, each with the same probability; no draw where only one is best.
fn first_best_at_random(scores: &[i32], rng: &mut Rng) -> usize {
    let (mut best, mut ties) = (0, 0);
    for (index, &score) in scores.iter().enumerate() {
        if ties == 0 || score > scores[best] {
            (best, ties) = (index, 1);
        } else if score == scores[best] {
            ties += 1;
            if rng.below(ties) == 0 {
                best = index;
            }
        }
    }
    best
}

/// The body of [`ActionScore::rollout`]: list, score, draw, apply. `policies` are by seat.
pub fn rollout_by_score<G: Game, S: ActionScore<G> + ?Sized>(
    score: &S,
    game: &G,
    state: &mut G::State,
    rng: &mut Rng,
    horizon: Horizon,
    policies: &[RolloutPolicy; 2],
) -> u32 {
    let mut progress = Progressing::new(horizon);
    let mut actions = Buf::new();
    loop {
        let turn = game.turn(state);
        if !progress.goes_on(turn) {
            return progress.actions();
        }
        let action = match turn {
            Turn::Player(seat) => {
                actions.clear();
                game.actions(state, &mut actions);
                let policy = &policies[seat.index()];
                actions[policy.choose(score, game, state, &actions, rng)]
            }
            Turn::Chance | Turn::Over => draw_outcome(game, state, rng),
        };
        game.apply(state, action);
        progress.played();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boltzmann_weights_have_the_ratio_of_the_formula() {
        for temperature in [0.2, 1.0, 5.0] {
            let RolloutPolicy::Weighted(weights) = RolloutPolicy::boltzmann(temperature) else {
                panic!("weights");
            };
            let ratio = f64::from(weights[1000]) / f64::from(weights[500]);
            let expected = (0.5 / temperature).exp();
            assert!((ratio / expected - 1.0).abs() < 1e-3, "{ratio} instead of {expected}");
        }
    }

    #[test]
    fn the_largest_weights_of_a_full_buffer_fit() {
        let RolloutPolicy::Weighted(weights) = RolloutPolicy::boltzmann(0.01) else {
            panic!("weights");
        };
        assert!(weights[1000].checked_mul(crate::game::MAX_BRANCHING as u32 - 1).is_some());
        assert!(weights[0] > 0, "every action stays possible");
    }

    #[test]
    fn ties_are_broken_evenly() {
        let mut rng = Rng::new(1);
        let mut counts = [0; 4];
        for _ in 0..30_000 {
            counts[first_best_at_random(&[3, 7, 7, 7], &mut rng)] += 1;
        }
        assert_eq!(counts[0], 0);
        assert!(counts[1..].iter().all(|count| (9_500..10_500).contains(count)), "{counts:?}");
    }
}
