//! The field of a round robin as a matrix of results, and its analysis.

use serde::Serialize;
use stats::{
    AnalysisOptions, Estimate, Fit, GameResult, Intransitivity, Matrix, NullTest, PlayerReport,
    RatingError, analyse,
};

use crate::evidence::Played;
use crate::experiment::{Kind, Spec};

/// What a field of more than two players says. Tests of single pairings are over pairs of games and
/// stand with the cells.
#[derive(Clone, Debug, Serialize)]
pub struct FieldAnalysis {
    /// Why ratings needed a prior (a virtual draw of everybody against a mean player), if they did.
    pub unbounded: Option<RatingError>,
    /// Ratings and Nash averages, in the order of the players.
    pub players: Vec<PlayerReport>,
    /// Indices of the players, the best first.
    pub ranking: Vec<usize>,
    /// What acting first is worth.
    pub seat_advantage: Option<Estimate>,
    /// Whether ratings alone explain the results.
    pub fit: Fit,
    /// Cycles, beside those of fields without any true one.
    pub null: NullTest,
    /// The part of the results that no ratings explain.
    pub intransitivity: Intransitivity,
}

/// Ratings, cycles and the rest, where everybody met everybody.
pub(super) fn of(spec: &Spec, rows: &[&Played]) -> Option<FieldAnalysis> {
    let names: Vec<String> = spec.players.iter().map(|player| player.name.clone()).collect();
    if !matches!(spec.kind, Kind::RoundRobin { .. }) || names.len() < 3 || rows.is_empty() {
        return None;
    }
    let mut matrix = Matrix::new(names);
    for row in rows {
        let [a, b] = spec.cells[row.cell as usize].players();
        let Some(points) = row.points_of_a() else { continue };
        // Nobody is better than oneself.
        if a == b {
            continue;
        }
        let a_first = row.first_seat.is_none_or(|first| first == row.game);
        let ((first, second), points) =
            if a_first { ((a, b), points) } else { ((b, a), 1.0 - points) };
        let result = match points {
            1.0 => GameResult::Win,
            0.0 => GameResult::Loss,
            _ => GameResult::Draw,
        };
        matrix.add(first, second, result);
    }
    let mut options = AnalysisOptions::default();
    options.null.seed = spec.seed;
    let found = analyse(&matrix, &options).ok()?;
    Some(FieldAnalysis {
        unbounded: found.unbounded,
        players: found.players,
        ranking: found.ranking,
        seat_advantage: found.seat_advantage,
        fit: found.fit,
        null: found.null,
        intransitivity: found.intransitivity,
    })
}
