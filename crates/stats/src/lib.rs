//! Statistics: intervals, ratings, tests over pairs of games, ratios over positions.

mod clusters;
mod interval;
mod pairs;
mod ratios;

pub use clusters::cluster_rate;
pub use interval::{elo, elo_interval, wilson};
pub use pairs::{PairCounts, sign_test};
pub use ratios::{Ratios, geometric_mean};
