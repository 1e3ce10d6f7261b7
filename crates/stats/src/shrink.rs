//! Cells for display: drawn towards what the ratings expect, as far as their games are few.

use serde::Serialize;

use crate::matrix::Matrix;
use crate::ratings::Ratings;

/// Shrunken scores of a field.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Shrunken {
    /// How many games the ratings are worth in each cell. `None`: the results vary no more than by
    /// chance, and the ratings alone are the best guess.
    pub strength: Option<f64>,
    /// The score of row against column, both seats equally; `None` against oneself.
    pub scores: Vec<Vec<Option<f64>>>,
}

impl Shrunken {
    /// Mean of the posterior: (points + k·p) / (games + k), with p what the ratings expect: a beta
    /// distribution with mean p and the weight of k games. k is estimated from how much more the cells
    /// vary than by chance (moments of the beta-binomial: a cell's χ² is 1 + (n−1)/(k+1) on average).
    #[must_use]
    pub fn of(matrix: &Matrix, ratings: &Ratings) -> Self {
        Self::with_strength(matrix, ratings, estimated_strength(matrix, ratings))
    }

    /// The same, with the weight of the ratings given in games; `None` is infinitely much.
    #[must_use]
    pub fn with_strength(matrix: &Matrix, ratings: &Ratings, strength: Option<f64>) -> Self {
        let score = |i: usize, j: usize| {
            if i == j {
                return None;
            }
            let both = matrix.both_seats(i, j);
            let expected = expected(ratings, i, j);
            Some(match strength {
                Some(k) if both.games() > 0 => {
                    (both.points() + k * expected) / (both.games() as f64 + k)
                }
                _ => expected,
            })
        };
        let players = matrix.players();
        let row = |i| (0..players).map(|j| score(i, j)).collect();
        Self { strength, scores: (0..players).map(row).collect() }
    }
}

/// What the ratings expect of i against j, seats equally.
fn expected(ratings: &Ratings, i: usize, j: usize) -> f64 {
    0.5 * (ratings.expected_score(i, j) + 1.0 - ratings.expected_score(j, i))
}

fn estimated_strength(matrix: &Matrix, ratings: &Ratings) -> Option<f64> {
    let (mut excess, mut room, mut cells) = (0.0, 0.0, 0usize);
    for (i, j) in matrix.played() {
        let both = matrix.both_seats(i, j);
        let (n, p) = (both.games() as f64, expected(ratings, i, j));
        let variance = n * p * (1.0 - p);
        if variance > 1e-9 {
            excess += (both.points() - n * p).powi(2) / variance;
            room += n - 1.0;
            cells += 1;
        }
    }
    // Fitted ratings take away some of the variation.
    let freedom = cells.saturating_sub(ratings.players().saturating_sub(1));
    if freedom == 0 || room <= 0.0 {
        return None;
    }
    let variation = (excess / freedom as f64 - 1.0) / (room / cells as f64);
    (variation > 0.0).then(|| (1.0 / variation.min(1.0) - 1.0).max(0.0))
}
