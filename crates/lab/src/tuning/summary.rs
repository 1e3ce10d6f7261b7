//! What a tuning found, and what it saw on the way.

use serde::Serialize;
use stats::wilson;
use tune::Tally;

use super::{Engine, Keys, Tuning};

/// Points that are listed.
const LISTED: usize = 20;

/// Evaluations of one value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ValueSummary {
    /// The value.
    pub value: String,
    /// Evaluations with it.
    pub n: u64,
    /// Their mean reward.
    pub mean: f64,
    /// 95 % interval (Wilson) over the games of these evaluations.
    pub wilson: [f64; 2],
}

/// One dimension.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DimensionSummary {
    /// Its key.
    pub name: String,
    /// Its values.
    pub values: Vec<ValueSummary>,
}

/// A tuning so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TuningSummary {
    /// The method.
    pub method: &'static str,
    /// Points of the grid; `null` without one.
    pub points: Option<u64>,
    /// Different points evaluated.
    pub visited: u64,
    /// Evaluations made, and planned.
    pub evaluations: [u64; 2],
    /// The keys it would choose; `null` before the first game.
    pub recommendation: Option<Keys>,
    /// What it expects them to score. The best of many is expected too high.
    pub estimate: Option<f64>,
    /// Evaluations of this very point, and their mean.
    pub observed: Option<ValueSummary>,
    /// Rewards by value.
    pub dimensions: Vec<DimensionSummary>,
    /// The points evaluated most.
    pub most_visited: Vec<ValueSummary>,
    /// The way of a method without a grid: the values after each step, about a hundred of them.
    pub path: Vec<Vec<f64>>,
}

/// `games` are those of one evaluation.
fn value_summary(value: String, tally: &Tally, games: u64) -> ValueSummary {
    let n = tally.n * games;
    let interval = wilson(tally.mean * n as f64, n);
    ValueSummary { value, n: tally.n, mean: tally.mean, wilson: interval }
}

impl Tuning {
    /// What it found so far.
    #[must_use]
    pub fn summary(&self) -> TuningSummary {
        let mut summary = TuningSummary {
            method: self.spec.method.name(),
            evaluations: [self.told as u64, self.spec.evaluations],
            recommendation: self.recommendation(),
            ..TuningSummary::default()
        };
        let games = 2 * self.pairs_of_evaluation;
        match &self.engine {
            Engine::Grid(tuner) => {
                let space = tuner.space();
                summary.points = Some(space.size());
                let mut visited: Vec<ValueSummary> = tuner
                    .evidence()
                    .visited()
                    .map(|(point, tally)| value_summary(space.describe(&point), &tally, games))
                    .collect();
                summary.visited = visited.len() as u64;
                visited.sort_by(|one, other| {
                    other.n.cmp(&one.n).then(other.mean.total_cmp(&one.mean))
                });
                visited.truncate(LISTED);
                summary.most_visited = visited;
                if let Some(found) = tuner.recommendation() {
                    summary.estimate = Some(found.estimate);
                    let name = space.describe(&found.point);
                    summary.observed = Some(value_summary(name, &found.observed, games));
                }
                let dimensions = space.dimensions().iter().zip(tuner.marginals());
                summary.dimensions = dimensions
                    .map(|(dimension, tallies)| DimensionSummary {
                        name: dimension.name.clone(),
                        values: dimension
                            .values
                            .iter()
                            .zip(&tallies)
                            .map(|(value, tally)| value_summary(value.clone(), tally, games))
                            .collect(),
                    })
                    .collect();
            }
            Engine::Spsa(spsa) => {
                let path = spsa.path();
                let stride = path.len().div_ceil(100).max(1);
                summary.path = path.iter().step_by(stride).cloned().collect();
                summary.visited = 2 * self.told as u64;
                let parameters = spsa.parameters().iter();
                summary.dimensions = parameters
                    .map(|known| DimensionSummary { name: known.name.clone(), values: Vec::new() })
                    .collect();
            }
        }
        summary
    }
}
