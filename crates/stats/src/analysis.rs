//! Everything about a field of players at once, for a report. Single pairings are tested over pairs
//! of games, which a matrix does not know.

use serde::Serialize;

use crate::intransitivity::Intransitivity;
use crate::matrix::{Matrix, Tally};
use crate::nash::{NashAverage, nash_average};
use crate::null::{NullOptions, NullTest};
use crate::ratings::{Estimate, Fit, RatingError, RatingOptions, Ratings};

/// What an analysis does.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AnalysisOptions {
    /// Fit the advantage of moving first.
    pub seat: bool,
    /// Comparison with fields without cycles.
    pub null: NullOptions,
    /// At most so many planes of rotation.
    pub planes: usize,
}

impl Default for AnalysisOptions {
    fn default() -> Self {
        Self { seat: true, null: NullOptions::default(), planes: 2 }
    }
}

/// One player.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlayerReport {
    /// The name.
    pub name: String,
    /// All games.
    pub games: Tally,
    /// The rating, relative to the mean of the field.
    pub rating: Estimate,
    /// The weight in the equilibrium of greatest entropy.
    pub nash_weight: f64,
    /// The payoff against that equilibrium, in logits: 0 at best.
    pub nash_payoff: f64,
}

/// Everything about a field.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Analysis {
    /// How it was made.
    pub options: AnalysisOptions,
    /// Why the results alone have no finite ratings, if so; the ratings then hold a virtual draw of
    /// every player against the mean.
    pub unbounded: Option<RatingError>,
    /// The players, in the order of the matrix.
    pub players: Vec<PlayerReport>,
    /// Players from the highest to the lowest rating.
    pub ranking: Vec<usize>,
    /// The advantage of moving first.
    pub seat_advantage: Option<Estimate>,
    /// Whether ratings explain the results.
    pub fit: Fit,
    /// Cycles and cyclic share beside those of a field without cycles.
    pub null: NullTest,
    /// The parts of the logits.
    pub intransitivity: Intransitivity,
}

/// Analyses a field. The same matrix and options give the same analysis.
///
/// # Errors
/// If the ratings cannot be computed even with virtual draws, which takes absurdly many games.
pub fn analyse(matrix: &Matrix, options: &AnalysisOptions) -> Result<Analysis, RatingError> {
    let rating_options = RatingOptions { seat: options.seat, prior: false };
    let (ratings, unbounded) = match Ratings::fit(matrix, rating_options) {
        Ok(ratings) => (ratings, None),
        Err(reason) => {
            let held = RatingOptions { prior: true, ..rating_options };
            (Ratings::fit(matrix, held)?, Some(reason))
        }
    };
    let intransitivity = Intransitivity::of(matrix, &ratings, options.planes);
    let nash = nash_average(&intransitivity.logits).ok_or(RatingError::NoConvergence)?;
    let mut ranking: Vec<usize> = (0..matrix.players()).collect();
    ranking.sort_by(|&a, &b| ratings.rating(b).elo.total_cmp(&ratings.rating(a).elo));
    Ok(Analysis {
        options: options.clone(),
        unbounded,
        players: player_reports(matrix, &ratings, &nash),
        ranking,
        seat_advantage: ratings.seat_advantage(),
        fit: ratings.goodness(),
        null: NullTest::new(matrix, &ratings, &options.null),
        intransitivity,
    })
}

fn player_reports(matrix: &Matrix, ratings: &Ratings, nash: &NashAverage) -> Vec<PlayerReport> {
    let report = |player: usize| {
        let mut games = Tally::default();
        for other in 0..matrix.players() {
            games.add(matrix.both_seats(player, other));
        }
        PlayerReport {
            name: matrix.names()[player].clone(),
            games,
            rating: ratings.rating(player),
            nash_weight: nash.weights[player],
            nash_payoff: nash.payoffs[player],
        }
    };
    (0..matrix.players()).map(report).collect()
}
