//! The field of a run as a matrix of results, and its analysis.

use stats::{Analysis, AnalysisOptions, GameResult, Matrix, analyse};
use store::GameRow;

use super::points_of_a;
use crate::experiment::Spec;

/// Ratings, cycles and the rest, where more than two players met and the games say something.
pub(super) fn of(spec: &Spec, rows: &[&GameRow]) -> Option<Analysis> {
    let names: Vec<String> = spec.players.iter().map(|player| player.name.clone()).collect();
    if names.len() < 3 {
        return None;
    }
    let mut matrix = Matrix::new(names);
    for row in rows {
        let [a, b] = spec.cells[row.cell as usize];
        let Some(points) = points_of_a(spec.by_seat, row) else { continue };
        // Nobody is better than oneself.
        if a == b {
            continue;
        }
        let seat_of_a = if spec.by_seat { 0 } else { row.game };
        let a_first = row.first_seat.is_none_or(|first| first == seat_of_a);
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
