//! Scores, evaluations of positions, and scores of actions for ordering and pruning.

use std::fmt;
use std::ops::Neg;

use serde::Serialize;

use crate::game::{Game, Seat, Turn};
use crate::math::exp;
use crate::reading::Reading;

/// The value of a position for one seat, in the units of its evaluator. Whole numbers, so that
/// "better than" has a smallest step and null windows are exact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(pub i32);

impl Score {
    /// The value of a won game where an evaluator says nothing else.
    pub const WIN: Self = Self(1_000_000);
    /// Above every value an evaluator may return.
    pub const INFINITE: Self = Self(1_000_000_000);

    /// The next higher value.
    #[inline]
    #[must_use]
    pub const fn above(self) -> Self {
        Self(self.0 + 1)
    }

    /// The next lower value.
    #[inline]
    #[must_use]
    pub const fn below(self) -> Self {
        Self(self.0 - 1)
    }
}

impl Neg for Score {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl fmt::Display for Score {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:+}", self.0)
    }
}

/// One part of an evaluation: `value · weight` is what it adds to the score.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Term {
    /// What was measured.
    pub name: &'static str,
    /// The measure for the seat that asks.
    pub value: i32,
    /// Its weight.
    pub weight: i32,
}

/// Values positions. Antisymmetric: what is good for one seat is exactly as bad for the other.
pub trait Evaluator<G: Game>: Send + Sync {
    /// The value for `seat` of a position that may be unfinished. Below [`Score::INFINITE`].
    fn evaluate(&self, game: &G, state: &G::State, seat: Seat) -> Score;

    /// The value for `seat` that pruning ranks by. Differs from [`Evaluator::evaluate`] only where
    /// a published heuristic looks at one side alone: there `evaluate` is this value minus the
    /// opponent's, and this is the value as it was published. The ordinary value also of a
    /// finished game.
    fn one_sided(&self, game: &G, state: &G::State, seat: Seat) -> Score {
        self.evaluate(game, state, seat)
    }

    /// The value for `seat` of a finished game.
    fn terminal(&self, game: &G, state: &G::State, seat: Seat) -> Score {
        score_of_payoff(game.payoff(state, seat))
    }

    /// What each seat gets out of this position, for searches that average: every seat wants its
    /// own entry high. By default won games give 1, lost ones 0, and the rest what the score says
    /// of the chance to win, as a logistic curve over [`Evaluator::points_per_e`].
    fn rewards(&self, game: &G, state: &G::State) -> [f32; 2] {
        if game.turn(state) == Turn::Over {
            return Seat::BOTH.map(|seat| game.payoff(state, seat));
        }
        let Score(points) = self.evaluate(game, state, Seat::Zero);
        let first = (1.0 + exp(-f64::from(points) / self.points_per_e())).recip() as f32;
        [first, 1.0 - first]
    }

    /// Whether [`Evaluator::rewards`] are chances to win that add up to 1, as they are by default.
    fn rewards_are_chances(&self) -> bool {
        true
    }

    /// The advantage in points that makes winning e times as likely as losing.
    fn points_per_e(&self) -> f64 {
        1000.0
    }

    /// Scores from here on are those of won games, and of them only.
    fn won_from(&self) -> Score {
        Score::WIN
    }

    /// How scores are to be read.
    fn reading(&self) -> Reading {
        Reading::Points { per_e: self.points_per_e(), won_from: f64::from(self.won_from().0) }
    }

    /// The parts of the value for `seat`, for evaluations that are sums.
    fn explain(&self, _game: &G, _state: &G::State, _seat: Seat) -> Vec<Term> {
        Vec::new()
    }

    /// Whether quiescence search means anything with this evaluation.
    fn has_noisy_actions(&self) -> bool {
        false
    }

    /// Whether the static value should not be trusted while this action is possible: quiescence
    /// search tries such actions beyond its horizon.
    fn is_noisy(&self, _game: &G, _state: &G::State, _action: G::Action) -> bool {
        false
    }
}

/// What pruning ranks a position by: [`Evaluator::one_sided`], with a won game above and a lost one
/// below everything else. A draw keeps its ordinary value.
pub fn rank_value<G: Game, E: Evaluator<G> + ?Sized>(
    evaluator: &E,
    game: &G,
    state: &G::State,
    seat: Seat,
) -> Score {
    if game.turn(state) == Turn::Over {
        let payoff = game.payoff(state, seat);
        if payoff != 0.5 {
            return if payoff > 0.5 { Score::INFINITE } else { -Score::INFINITE };
        }
    }
    evaluator.one_sided(game, state, seat)
}

/// Won, drawn or lost as a [`Score`].
#[must_use]
pub fn score_of_payoff(payoff: f32) -> Score {
    Score(((payoff - 0.5) * 2.0 * Score::WIN.0 as f32) as i32)
}

/// The mean, rounded half away from zero: negating the sum negates the mean, so a value is the
/// same seen from either seat. `total_weight` must be above 0.
#[must_use]
pub fn weighted_mean(sum: i64, total_weight: i64) -> i32 {
    let magnitude = (2 * sum.abs() + total_weight) / (2 * total_weight);
    (magnitude * sum.signum()) as i32
}

/// The evaluator that knows only the result: unfinished positions are all worth 0.
#[derive(Clone, Copy, Debug, Default)]
pub struct ResultOnly;

impl<G: Game> Evaluator<G> for ResultOnly {
    fn evaluate(&self, _game: &G, _state: &G::State, _seat: Seat) -> Score {
        Score(0)
    }
}
