//! Everything about a field of players at once, for a report. Single pairings are tested over pairs
//! of games, which a matrix does not know.

use gamecore::Rng;
use serde::Serialize;

use crate::intransitivity::{Intransitivity, logits_of};
use crate::matrix::{Matrix, Meeting, Tally};
use crate::nash::{NashAverage, nash_average};
use crate::null::{NullOptions, NullTest};
use crate::ratings::{Estimate, Fit, RatingError, RatingOptions, Ratings};
use crate::ratios::quantile;

/// Sets the draws for equilibria apart from those of fields without cycles.
const NASH_STREAM: u64 = 0x6e61_7368;

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
    /// 95 % of the weights in tournaments drawn anew from the results (bootstrap).
    pub nash_interval: [f64; 2],
    /// The payoff against that equilibrium, in logits: 0 at best.
    pub nash_payoff: f64,
}

/// Everything about a field.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Analysis {
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
        unbounded,
        players: player_reports(matrix, &ratings, &nash, &options.null),
        ranking,
        seat_advantage: ratings.seat_advantage(),
        fit: ratings.goodness(),
        null: NullTest::new(matrix, &ratings, &options.null),
        intransitivity,
    })
}

fn player_reports(
    matrix: &Matrix,
    ratings: &Ratings,
    nash: &NashAverage,
    options: &NullOptions,
) -> Vec<PlayerReport> {
    let intervals = nash_intervals(matrix, ratings, nash, options);
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
            nash_interval: intervals[player],
            nash_payoff: nash.payoffs[player],
        }
    };
    (0..matrix.players()).map(report).collect()
}

/// Points of as many games, each drawn from those that were played and half a win and half a loss, as in
/// the logits: who won everything may lose. Of very many games, by the normal distribution (a sum of
/// twelve uniform numbers).
fn drawn_points(tally: &Tally, rng: &mut Rng) -> f64 {
    let n = tally.games() as f64;
    let won = (tally.wins as f64 + 0.5) / (n + 1.0);
    let drawn = tally.draws as f64 / (n + 1.0);
    if tally.games() <= 1000 {
        let draw = |rng: &mut Rng| match rng.unit() {
            chance if chance < won => 1.0,
            chance if chance < won + drawn => 0.5,
            _ => 0.0,
        };
        return (0..tally.games()).map(|_| draw(rng)).sum();
    }
    let (mean, square) = (won + 0.5 * drawn, won + 0.25 * drawn);
    let normal = (0..12).map(|_| rng.unit()).sum::<f64>() - 6.0;
    (n * mean + normal * (n * (square - mean * mean)).sqrt()).clamp(0.0, n)
}

/// How far the weights of an equilibrium are known: every pairing is drawn anew from its own results
/// (Efron and Tibshirani, 1993), and the equilibrium found again.
fn nash_intervals(
    matrix: &Matrix,
    ratings: &Ratings,
    nash: &NashAverage,
    options: &NullOptions,
) -> Vec<[f64; 2]> {
    let mut rng = Rng::new(options.seed ^ NASH_STREAM);
    let mut weights: Vec<Vec<f64>> = vec![Vec::new(); matrix.players()];
    for _ in 0..options.resamples {
        let meetings: Vec<Meeting> = matrix
            .played()
            .map(|(i, j)| {
                let tally = matrix.both_seats(i, j);
                (i, j, drawn_points(&tally, &mut rng), tally.games())
            })
            .collect();
        let Some(drawn) = nash_average(&logits_of(&meetings, ratings)) else { continue };
        for (all, weight) in weights.iter_mut().zip(drawn.weights) {
            all.push(weight);
        }
    }
    let ends = |(drawn, found): (&mut Vec<f64>, &f64)| {
        drawn.sort_by(f64::total_cmp);
        if drawn.is_empty() {
            return [*found; 2];
        }
        [0.025, 0.975].map(|part| quantile(drawn, part))
    };
    weights.iter_mut().zip(&nash.weights).map(ends).collect()
}
