//! What is tuned and how, as plain data: a part of the manifest of a run.

use gamecore::{Purpose, seed};
use serde::{Deserialize, Serialize};
use tune::{
    Dimension, HalvingSettings, Ntbea, NtbeaSettings, SequentialHalving, SettingsError, Space,
    SpaceError, Spsa, SpsaParameter, SpsaSettings, Tuner, UniformMarginals, UniformSettings,
};

/// How points are chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "name", deny_unknown_fields)]
pub enum Method {
    /// The N-tuple bandit evolutionary algorithm.
    Ntbea(NtbeaSettings),
    /// Sequential halving.
    Halving,
    /// Uniform draws and additive marginals.
    Uniform,
    /// Simultaneous perturbation, for numbers that may take any value.
    Spsa(SpsaSettings),
}

impl Method {
    /// Its name in a file.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Ntbea(_) => "ntbea",
            Self::Halving => "halving",
            Self::Uniform => "uniform",
            Self::Spsa(_) => "spsa",
        }
    }
}

/// A tuning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TuneSpec {
    /// How points are chosen.
    pub method: Method,
    /// Evaluations: a pair of games against every opponent each, or one that compares two agents.
    pub evaluations: u64,
    /// Evaluations that are chosen together; part of the spec, so that threads decide nothing.
    pub batch: u64,
    /// The grid; empty for a method without one.
    pub space: Vec<Dimension>,
}

impl TuneSpec {
    /// Keys with every value that may be tried, or with the ends of their range.
    pub fn values_tried(&self) -> impl Iterator<Item = (String, String)> {
        let grid = self.space.iter().flat_map(|dimension| {
            dimension.values.iter().map(|value| (dimension.name.clone(), value.clone()))
        });
        let parameters: &[SpsaParameter] = match &self.method {
            Method::Spsa(SpsaSettings { parameters, .. }) => parameters,
            _ => &[],
        };
        let ranges = parameters.iter().flat_map(|parameter| {
            let SpsaParameter { min, max, integer, .. } = *parameter;
            let ends = if integer { [min.ceil(), max.floor()] } else { [min, max] };
            ends.map(|end| (parameter.name.clone(), end.to_string()))
        });
        grid.chain(ranges)
    }
}

/// More than this is a slip of the pen.
const MOST_EVALUATIONS: u64 = 10_000_000;

/// Why a tuning makes no sense.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TuneError {
    /// The budget.
    #[error("evaluations = {evaluations}: expected at most {MOST_EVALUATIONS}")]
    TooMany {
        /// The budget.
        evaluations: u64,
    },
    /// Batches that do not fit into the budget.
    #[error("batch = {batch}: expected {expected} evaluations = {evaluations}")]
    Batch {
        /// The batch.
        batch: u64,
        /// The budget.
        evaluations: u64,
        /// What it should be to the budget.
        expected: &'static str,
    },
    /// The grid.
    #[error(transparent)]
    Space(#[from] SpaceError),
    /// The settings.
    #[error(transparent)]
    Settings(#[from] SettingsError),
}

/// What chooses.
pub(super) enum Engine {
    /// Points of a grid.
    Grid(Box<dyn Tuner + Send + Sync>),
    /// Any numbers.
    Spsa(Box<Spsa>),
}

impl TuneSpec {
    /// Begins the tuning of a run with this seed.
    pub(super) fn engine(&self, run_seed: u64) -> Result<Engine, TuneError> {
        // No cell of a schedule has this number.
        let seed = seed(run_seed, u64::MAX, Purpose::Cell);
        let (evaluations, batch) = (self.evaluations, self.batch as usize);
        let space = || Ok::<_, TuneError>(Space::new(self.space.clone())?);
        Ok(match &self.method {
            Method::Ntbea(settings) => {
                let settings = NtbeaSettings { evaluations, batch, seed, ..settings.clone() };
                Engine::Grid(Box::new(Ntbea::new(space()?, settings)?))
            }
            Method::Halving => {
                let settings = HalvingSettings { evaluations, batch, seed };
                Engine::Grid(Box::new(SequentialHalving::new(space()?, settings)?))
            }
            Method::Uniform => {
                let settings = UniformSettings { evaluations, batch, seed };
                Engine::Grid(Box::new(UniformMarginals::new(space()?, settings)?))
            }
            Method::Spsa(settings) => {
                let iterations = (evaluations / self.batch.max(1)).max(1);
                let settings = SpsaSettings { iterations, batch, seed, ..settings.clone() };
                Engine::Spsa(Box::new(Spsa::new(settings)?))
            }
        })
    }

    /// Whether it can be begun.
    pub fn check(&self) -> Result<(), TuneError> {
        let Self { evaluations, batch, .. } = *self;
        if evaluations > MOST_EVALUATIONS {
            return Err(TuneError::TooMany { evaluations });
        }
        if batch > evaluations {
            return Err(TuneError::Batch { batch, evaluations, expected: "at most" });
        }
        // Every step needs all its comparisons.
        let steps = matches!(self.method, Method::Spsa(_));
        if steps && batch > 0 && !evaluations.is_multiple_of(batch) {
            return Err(TuneError::Batch { batch, evaluations, expected: "a divisor of" });
        }
        self.engine(0).map(|_| ())
    }

    /// Shrinks the budget to a share, to at least one batch; all of it stays as it is.
    pub(crate) fn scale(&mut self, share: f64) {
        if share >= 1.0 {
            return;
        }
        let batches = (self.evaluations as f64 * share / self.batch as f64) as u64;
        self.evaluations = (batches.max(1) * self.batch).min(self.evaluations);
    }
}
