//! What all tuners on a grid have in common: they ask for evaluations and are told the results.

use serde::Serialize;
use thiserror::Error;

use crate::evidence::{Evidence, Tally};
use crate::space::{Point, Space};

/// A tuner on a grid. It asks; somebody evaluates, in any order and with any number of workers; it
/// is told all results of a question at once. What it asks depends on its settings and on what it
/// was told, on nothing else.
pub trait Tuner {
    /// The next points to evaluate, one evaluation each; a point may stand several times. Empty when
    /// the budget is spent. Asked again before results came, it gives the same answer.
    fn ask(&mut self) -> Vec<Point>;

    /// Takes the results of the last question, in its order: a reward in [0, 1], or `None` for a void
    /// evaluation, which spends its part of the budget and counts for nothing else.
    ///
    /// # Errors
    /// If these are not the points asked for, or a reward is out of range; then nothing is taken.
    fn tell(&mut self, results: &[(Point, Option<f64>)]) -> Result<(), TellError>;

    /// The best point as far as is known; `None` before the first reward.
    fn recommendation(&self) -> Option<Recommendation>;

    /// All rewards so far.
    fn evidence(&self) -> &Evidence;

    /// The space searched.
    fn space(&self) -> &Space {
        self.evidence().space()
    }

    /// Rewards by value of each dimension: `[dimension][value]`.
    fn marginals(&self) -> Vec<Vec<Tally>> {
        self.evidence().marginals()
    }

    /// Rewards by pair of values of two dimensions: `[value of first][value of second]`.
    fn pair_marginals(&self, first: usize, second: usize) -> Vec<Vec<Tally>> {
        self.evidence().pair_marginals(first, second)
    }
}

/// What a tuner would choose. Its estimate is the best of many and therefore too high on average:
/// a claim needs fresh games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Recommendation {
    /// The point.
    pub point: Point,
    /// What the tuner expects of it.
    pub estimate: f64,
    /// The rewards of this very point, possibly none.
    pub observed: Tally,
}

/// Why results are refused.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum TellError {
    /// Not as many results as questions.
    #[error("{found} results for {asked} evaluations asked for")]
    Count {
        /// Evaluations asked for.
        asked: usize,
        /// Results given.
        found: usize,
    },
    /// Not the points in question, or not in their order.
    #[error("result {place} is for point {found:?}, but {asked:?} was asked for")]
    OtherPoint {
        /// From 0.
        place: usize,
        /// The point asked for.
        asked: Point,
        /// The point given.
        found: Point,
    },
    /// Not a reward.
    #[error("result {place} is {reward}; it must lie in {low} to 1")]
    Reward {
        /// From 0.
        place: usize,
        /// What was given.
        reward: f64,
        /// The lowest allowed: 0 for rewards, −1 for differences of rewards.
        low: i8,
    },
}

/// Settings without sense.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum SettingsError {
    /// Nothing to spend.
    #[error("evaluations must be at least 1")]
    NoEvaluations,
    /// Nothing asked at a time.
    #[error("batch must be at least 1")]
    NoBatch,
    /// Nothing to compare.
    #[error("neighbours must be at least 1")]
    NoNeighbours,
    /// No model.
    #[error("tuples {0} give no model of a space of {1} dimensions")]
    NoTuples(String, usize),
    /// Sizes of tuples that are not understood.
    #[error("tuples {0}: write sizes among 1, 2, 3 and N with + between, for example 1+2")]
    Tuples(String),
    /// A number out of its range.
    #[error("{name} is {value}; it must be {must}")]
    Number {
        /// Which setting.
        name: String,
        /// What was given.
        value: f64,
        /// What would be right.
        must: &'static str,
    },
    /// Nothing to tune.
    #[error("there are no parameters to tune")]
    NoParameters,
    /// Two parameters that could not be told apart.
    #[error("two parameters are called {0}")]
    SameName(String),
    /// Nothing to do.
    #[error("iterations must be at least 1")]
    NoIterations,
}

/// Results against the question they answer.
pub(crate) fn check_results(
    asked: &[Point],
    results: &[(Point, Option<f64>)],
) -> Result<(), TellError> {
    if asked.len() != results.len() {
        return Err(TellError::Count { asked: asked.len(), found: results.len() });
    }
    for (place, (asked, (found, reward))) in asked.iter().zip(results).enumerate() {
        if asked != found {
            let (asked, found) = (asked.clone(), found.clone());
            return Err(TellError::OtherPoint { place, asked, found });
        }
        if let Some(reward) = *reward
            && !(0.0..=1.0).contains(&reward)
        {
            return Err(TellError::Reward { place, reward, low: 0 });
        }
    }
    Ok(())
}

/// What every tuner needs at least.
pub(crate) fn check_budget(evaluations: u64, batch: usize) -> Result<(), SettingsError> {
    match (evaluations, batch) {
        (0, _) => Err(SettingsError::NoEvaluations),
        (_, 0) => Err(SettingsError::NoBatch),
        _ => Ok(()),
    }
}
