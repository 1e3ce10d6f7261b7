//! Everything about a field of players at once, for a report.

use serde::Serialize;

use crate::interval::{clopper_pearson, wilson};
use crate::intransitivity::Intransitivity;
use crate::matrix::{Matrix, Tally};
use crate::multiple::{benjamini_hochberg, holm};
use crate::nash::{NashAverage, nash_average};
use crate::null::{NullOptions, NullTest};
use crate::pairs::sign_test;
use crate::power::{Design, Reach};
use crate::ratings::{Estimate, Fit, RatingError, RatingOptions, Ratings};
use crate::shrink::Shrunken;

/// What an analysis does.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AnalysisOptions {
    /// Fit the advantage of moving first.
    pub seat: bool,
    /// The error over all cells together for a claim.
    pub alpha: f64,
    /// Comparison with fields without cycles.
    pub null: NullOptions,
    /// At most so many planes of rotation.
    pub planes: usize,
}

impl Default for AnalysisOptions {
    fn default() -> Self {
        Self { seat: true, alpha: 0.05, null: NullOptions::default(), planes: 2 }
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

/// Two players who met.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CellReport {
    /// The numbers of both players, the smaller first.
    pub players: [usize; 2],
    /// Their games, seen from the first.
    pub games: Tally,
    /// Wilson's 95 % interval on the score of the first.
    pub wilson: [f64; 2],
    /// The exact 95 % interval on the share of decided games that the first won.
    pub exact: [f64; 2],
    /// How much better the ratings say the first is.
    pub difference: Estimate,
    /// The score of the first, drawn towards the ratings.
    pub shrunken: f64,
    /// Exact two-sided test of equal strength, over decided games.
    pub p: f64,
    /// The same for all cells together (Holm).
    pub holm: f64,
    /// The same as a rate of false discoveries (Benjamini and Hochberg).
    pub false_discovery: f64,
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
    /// All pairs who met, in order.
    pub cells: Vec<CellReport>,
    /// How many cells are a claim over all cells together.
    pub claims: usize,
    /// How many games the ratings are worth in a shrunken cell; `None`: they are all that counts.
    pub shrink_strength: Option<f64>,
    /// What the smallest cell can show.
    pub reach: Option<Reach>,
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
    let shrunken = Shrunken::of(matrix, &ratings);
    let cells = cell_reports(matrix, &ratings, &shrunken);
    let mut ranking: Vec<usize> = (0..matrix.players()).collect();
    ranking.sort_by(|&a, &b| ratings.rating(b).elo.total_cmp(&ratings.rating(a).elo));
    let smallest = cells.iter().map(|cell| cell.games.games()).min();
    Ok(Analysis {
        options: options.clone(),
        unbounded,
        players: player_reports(matrix, &ratings, &nash),
        ranking,
        seat_advantage: ratings.seat_advantage(),
        fit: ratings.goodness(),
        claims: cells.iter().filter(|cell| cell.holm <= options.alpha).count(),
        shrink_strength: shrunken.strength,
        reach: smallest.map(|games| {
            let design = Design::new(games, cells.len() as u64);
            Design { alpha: options.alpha, ..design }.reach()
        }),
        cells,
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

fn cell_reports(matrix: &Matrix, ratings: &Ratings, shrunken: &Shrunken) -> Vec<CellReport> {
    let played: Vec<(usize, usize, Tally)> =
        matrix.played().map(|(i, j)| (i, j, matrix.both_seats(i, j))).collect();
    let p: Vec<f64> =
        played.iter().map(|(_, _, games)| sign_test(games.wins, games.losses)).collect();
    let (holm, false_discovery) = (holm(&p), benjamini_hochberg(&p));
    let report = |(index, &(i, j, games)): (usize, &(usize, usize, Tally))| CellReport {
        players: [i, j],
        games,
        wilson: wilson(games.points(), games.games()),
        exact: clopper_pearson(games.wins, games.wins + games.losses, 0.95),
        difference: ratings.difference(i, j),
        shrunken: shrunken.scores[i][j].unwrap_or(0.5),
        p: p[index],
        holm: holm[index],
        false_discovery: false_discovery[index],
    };
    played.iter().enumerate().map(report).collect()
}
