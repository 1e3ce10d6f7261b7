//! The field of a round robin as a matrix of results, and its analysis.

use stats::{Analysis, AnalysisOptions, GameResult, Matrix, analyse};

use crate::evidence::Played;
use crate::experiment::{Kind, Spec};

/// Ratings, cycles and the rest, where everybody met everybody. Tests of single pairings are over pairs of
/// games and stand with the cells.
pub(super) fn of(spec: &Spec, rows: &[&Played]) -> Option<Analysis> {
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
    analyse(&matrix, &options).ok()
}
