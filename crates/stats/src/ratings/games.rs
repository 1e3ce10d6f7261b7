//! The matrix as a list of cells, as the model sees it.

use crate::matrix::Matrix;

/// Games of one player against another under equal conditions.
pub(super) struct Cell {
    pub(super) first: usize,
    pub(super) second: usize,
    /// 1 if `first` moved first, 0 if seats are not told apart.
    pub(super) seat: f64,
    /// Points of `first`.
    pub(super) points: f64,
    pub(super) games: f64,
}

/// All cells that were played: by seat, or both seats together.
pub(super) fn cells(matrix: &Matrix, by_seat: bool) -> Vec<Cell> {
    let mut cells = Vec::new();
    for (i, j) in matrix.played() {
        let meetings = if by_seat {
            vec![(i, j, matrix.by_seat(i, j)), (j, i, matrix.by_seat(j, i))]
        } else {
            vec![(i, j, matrix.both_seats(i, j))]
        };
        for (first, second, tally) in meetings {
            if tally.games() > 0 {
                let (points, games) = (tally.points(), tally.games() as f64);
                let seat = f64::from(u8::from(by_seat));
                cells.push(Cell { first, second, seat, points, games });
            }
        }
    }
    cells
}
