//! Statistics of matches: intervals, ratings, and tests over pairs of games.

mod interval;
mod pairs;

pub use interval::{elo, elo_interval, wilson};
pub use pairs::{PairCounts, sign_test};
