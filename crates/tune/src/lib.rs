//! Finding good settings by noisy evaluations: algorithms that ask for evaluations and are told the
//! results. They know no games, start nothing and measure no time.
//!
//! On a grid ([`Space`]) all share one face, [`Tuner`]: [`Ntbea`], and as baselines
//! [`SequentialHalving`] and [`UniformMarginals`]. For numbers without steps: [`Spsa`]. Landscapes with
//! known truth, to compare tuners: [`landscape`].

mod evidence;
mod halving;
pub mod landscape;
mod model;
mod ntbea;
mod space;
mod spsa;
mod tuner;
mod uniform;

pub use evidence::{Evidence, Tally};
pub use halving::{HalvingSettings, SequentialHalving};
pub use model::TupleSizes;
pub use ntbea::{Bonus, Ntbea, NtbeaSettings};
pub use space::{Dimension, Point, Space, SpaceError};
pub use spsa::{Perturbation, Spsa, SpsaParameter, SpsaSettings};
pub use tuner::{Recommendation, SettingsError, TellError, Tuner};
pub use uniform::{UniformMarginals, UniformSettings};
