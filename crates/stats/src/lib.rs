//! What results mean: pure functions of counts and a seed.
//!
//! One match: [`wilson`], [`clopper_pearson`], [`elo`], [`sign_test`]; pairs of
//! games: [`PairCounts`]; what may be claimed: [`PairCounts::stronger`], [`is_shown`]; stopping early: [`Sprt`]; before playing: [`score_found_by_pairs`]. A
//! field of players: [`Matrix`], from which [`Ratings`], [`Dominance`], [`Intransitivity`] and
//! [`nash_average`] follow, or all of them by [`analyse`]. Effort: [`Ratios`].

mod analysis;
mod claim;
mod clusters;
mod cycles;
mod distributions;
mod interval;
mod intransitivity;
mod logistic;
mod matrix;
mod multiple;
mod nash;
mod null;
mod pairs;
mod permutation;
mod power;
mod ratings;
mod ratios;
mod sprt;

pub use analysis::{Analysis, AnalysisOptions, PlayerReport, analyse};
pub use claim::{Side, is_shown};
pub use clusters::cluster_rate;
pub use cycles::{CycleCap, CycleCount, Dominance};
pub use interval::{clopper_pearson, difference, elo, elo_interval, score_of_elo, wilson};
pub use intransitivity::{Intransitivity, RotationPlane};
pub use logistic::{Sample, log_loss, logistic_fit};
pub use matrix::{GameResult, Matrix, Tally};
pub use multiple::{benjamini_hochberg, holm};
pub use nash::{NashAverage, nash_average};
pub use null::{Comparison, CycleTest, NullOptions, NullTest};
pub use pairs::{PairCounts, sign_test};
pub use power::{critical_wins, pair_power, score_found_by_pairs};
pub use ratings::{Estimate, Fit, RatingError, RatingOptions, Ratings};
pub use ratios::{Ratios, geometric_mean};
pub use sprt::{EloKind, ExpectedPairs, Sprt, SprtError, SprtStatus, SprtVerdict};
