//! Tuning: games that decide which games come next. The order of evaluations, the batches and the
//! seeds are fixed by the spec, and results are folded in the order of the schedule; so a tuning
//! can be stopped, taken up and repeated like any other run.

mod spec;
mod summary;

use serde::Serialize;
use store::GameRow;
use tune::{Point, Spsa};

use crate::evidence::points_of_a;
use spec::Engine;

pub use spec::{Method, TuneError, TuneSpec};
pub use summary::{DimensionSummary, TuningSummary, ValueSummary};

/// Keys of an agent and their values.
pub type Keys = Vec<(String, String)>;

/// What one evaluation compares.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Trial {
    /// The keys of A.
    pub a: Keys,
    /// The keys of B, if B is tuned too; otherwise it is an opponent.
    pub b: Option<Keys>,
}

/// A tuning as far as its games tell.
pub struct Tuning {
    spec: TuneSpec,
    pairs_of_evaluation: u64,
    engine: Engine,
    /// Every evaluation that was asked for, in order.
    trials: Vec<Trial>,
    /// How many of them were told.
    told: usize,
    /// The points of the last question, if there is a grid.
    asked: Vec<Point>,
}

impl Tuning {
    /// Begins a tuning and tells it what the rows of a run, in schedule order, say.
    pub fn of(
        spec: &TuneSpec,
        run_seed: u64,
        pairs_of_evaluation: u64,
        rows: &[GameRow],
    ) -> Result<Self, TuneError> {
        let mut tuning = Self {
            engine: spec.engine(run_seed)?,
            spec: spec.clone(),
            pairs_of_evaluation,
            trials: Vec::new(),
            told: 0,
            asked: Vec::new(),
        };
        tuning.ask();
        tuning.hear(rows);
        Ok(tuning)
    }

    /// Tells it all complete questions among the rows of the run.
    pub fn hear(&mut self, rows: &[GameRow]) {
        while self.told < self.trials.len() {
            let mut rewards = Vec::new();
            for evaluation in self.told as u64..self.trials.len() as u64 {
                let games = 2 * self.pairs_of_evaluation;
                let numbers = evaluation * games..(evaluation + 1) * games;
                let first = rows.partition_point(|row| row.number < numbers.start);
                let there = rows[first..].partition_point(|row| row.number < numbers.end);
                if (there as u64) < games {
                    return;
                }
                // A void game says nothing about either side.
                let points: Option<Vec<f64>> =
                    rows[first..first + there].iter().map(points_of_a).collect();
                rewards.push(points.map(|points| points.iter().sum::<f64>() / games as f64));
            }
            self.tell(&rewards);
            self.told = self.trials.len();
            self.ask();
        }
    }

    fn tell(&mut self, rewards: &[Option<f64>]) {
        let fine = match &mut self.engine {
            Engine::Grid(tuner) => {
                let points = self.asked.drain(..);
                let results: Vec<(Point, Option<f64>)> =
                    points.zip(rewards.iter().copied()).collect();
                tuner.tell(&results)
            }
            Engine::Spsa(spsa) => {
                let differences: Vec<Option<f64>> =
                    rewards.iter().map(|reward| reward.map(|score| 2.0 * score - 1.0)).collect();
                spsa.tell(&differences)
            }
        };
        fine.expect("these are the results that were asked for");
    }

    fn ask(&mut self) {
        match &mut self.engine {
            Engine::Grid(tuner) => {
                let points = tuner.ask();
                let keys = |point: &Point| owned(tuner.space().settings(point));
                self.trials.extend(points.iter().map(|point| Trial { a: keys(point), b: None }));
                self.asked = points;
            }
            Engine::Spsa(spsa) => {
                for two in spsa.ask() {
                    let [a, b] = [two.plus, two.minus].map(|values| keys_of(spsa, &values));
                    self.trials.push(Trial { a, b: Some(b) });
                }
            }
        }
    }

    /// The games of the question that is not answered yet; `None` when tuning is done.
    #[must_use]
    pub fn pending(&self) -> Option<std::ops::Range<u64>> {
        let games = 2 * self.pairs_of_evaluation;
        let pending = self.told as u64 * games..self.trials.len() as u64 * games;
        (!pending.is_empty()).then_some(pending)
    }

    /// What a pair of games compares, if it has been asked for.
    #[must_use]
    pub fn trial_of_pair(&self, pair: u64) -> Option<&Trial> {
        self.trials.get((pair / self.pairs_of_evaluation) as usize)
    }

    /// The keys that it would choose now; `None` before the first reward.
    #[must_use]
    pub fn recommendation(&self) -> Option<Keys> {
        match &self.engine {
            Engine::Grid(tuner) => {
                let found = tuner.recommendation()?;
                Some(owned(tuner.space().settings(&found.point)))
            }
            Engine::Spsa(spsa) => Some(keys_of(spsa, &spsa.recommendation())),
        }
    }
}

/// Keys as they stand in the spec of an agent.
#[must_use]
pub fn in_a_line(keys: &Keys) -> String {
    keys.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(",")
}

/// Values as keys of an agent.
fn keys_of(spsa: &Spsa, values: &[f64]) -> Keys {
    let named = spsa.parameters().iter().zip(values);
    named.map(|(known, value)| (known.name.clone(), number(*value))).collect()
}

fn owned(settings: Vec<(&str, &str)>) -> Keys {
    settings.into_iter().map(|(key, value)| (key.to_owned(), value.to_owned())).collect()
}

/// A number as an agent reads it: four digits are more than games can tell.
fn number(value: f64) -> String {
    let rounded = (value * 1e4).round() / 1e4;
    rounded.to_string()
}
