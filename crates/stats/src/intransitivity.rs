//! How much of a field's results no rating can explain: the antisymmetric logits A, split into a
//! transitive part (rᵢ − rⱼ, row means) and a cyclic part C (Balduzzi et al., 2018 and 2019). C is a
//! sum of rotations in planes ("disc games"): rock beats scissors because it stands a quarter turn
//! ahead.

use nalgebra::DMatrix;
use serde::Serialize;

use crate::matrix::{Matrix, Meeting};
use crate::ratings::Ratings;

/// A plane in which strength goes round.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RotationPlane {
    /// Its share of ‖C‖².
    pub share: f64,
    /// Where each player stands: the plane gives i against j the logit yᵢxⱼ − xᵢyⱼ. Turned so that the
    /// player farthest from the centre stands on the positive x axis.
    pub coordinates: Vec<[f64; 2]>,
}

/// The logits of a field and their parts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Intransitivity {
    /// A: ln((points + ½) / (points against + ½)) of row against column. The half points keep 0 of n
    /// and n of n finite. Who never met has the logit of the ratings.
    pub logits: Vec<Vec<f64>>,
    /// r: the mean logit of each player against the whole field, in which he counts as even.
    pub transitive: Vec<f64>,
    /// ‖C‖²/‖A‖². Noise is antisymmetric too: compare with what [`crate::NullTest`] finds without cycles.
    pub cyclic_share: f64,
    /// The strongest planes of C, the strongest first.
    pub planes: Vec<RotationPlane>,
}

impl Intransitivity {
    /// Splits the results of a field; at most so many planes.
    #[must_use]
    pub fn of(matrix: &Matrix, ratings: &Ratings, planes: usize) -> Self {
        let meetings: Vec<Meeting> = matrix
            .played()
            .map(|(i, j)| {
                let both = matrix.both_seats(i, j);
                (i, j, both.points(), both.games())
            })
            .collect();
        let logits = logits(&meetings, ratings);
        let transitive = row_means(&logits);
        let cyclic = cyclic_part(&logits, &transitive);
        Self {
            cyclic_share: share(cyclic.norm_squared(), logits.norm_squared()),
            planes: rotation_planes(cyclic, planes),
            logits: logits.row_iter().map(|row| row.iter().copied().collect()).collect(),
            transitive,
        }
    }
}

/// ‖C‖²/‖A‖² of one tournament.
pub(crate) fn cyclic_share(meetings: &[Meeting], ratings: &Ratings) -> f64 {
    let logits = logits(meetings, ratings);
    let cyclic = cyclic_part(&logits, &row_means(&logits));
    share(cyclic.norm_squared(), logits.norm_squared())
}

/// A part of a whole; 0 of nothing.
fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

fn logits(meetings: &[Meeting], ratings: &Ratings) -> DMatrix<f64> {
    let players = ratings.players();
    let mut logits = DMatrix::from_fn(players, players, |i, j| ratings.difference_in_logits(i, j));
    for &(i, j, points, games) in meetings {
        let odds = (points + 0.5) / (games as f64 - points + 0.5);
        logits[(i, j)] = gamecore::math::ln(odds);
        logits[(j, i)] = -logits[(i, j)];
    }
    logits
}

/// The same as rows.
pub(crate) fn logits_of(meetings: &[Meeting], ratings: &Ratings) -> Vec<Vec<f64>> {
    logits(meetings, ratings).row_iter().map(|row| row.iter().copied().collect()).collect()
}

fn row_means(logits: &DMatrix<f64>) -> Vec<f64> {
    let players = logits.nrows().max(1) as f64;
    logits.row_iter().map(|row| row.sum() / players).collect()
}

fn cyclic_part(logits: &DMatrix<f64>, transitive: &[f64]) -> DMatrix<f64> {
    DMatrix::from_fn(logits.nrows(), logits.ncols(), |i, j| {
        logits[(i, j)] - (transitive[i] - transitive[j])
    })
}

/// The planes of an antisymmetric matrix. With CᵀC·u = σ²u and v = Cu/σ, C turns u to v and v to −u;
/// what is left when the plane is taken out is treated in the same way.
fn rotation_planes(mut cyclic: DMatrix<f64>, most: usize) -> Vec<RotationPlane> {
    let whole = cyclic.norm_squared();
    let mut planes = Vec::new();
    for _ in 0..most.min(cyclic.nrows() / 2) {
        let square = cyclic.tr_mul(&cyclic);
        let Some(eigen) = square.try_symmetric_eigen(1e-14, 10_000) else { break };
        // The first of the largest, so that the choice does not depend on how ties are sorted.
        let mut best = 0;
        for index in 1..eigen.eigenvalues.len() {
            if eigen.eigenvalues[index] > eigen.eigenvalues[best] {
                best = index;
            }
        }
        let strength = eigen.eigenvalues[best].max(0.0).sqrt();
        if strength * strength <= 1e-12 * whole || strength == 0.0 {
            break;
        }
        let u = eigen.eigenvectors.column(best).clone_owned();
        let v = &cyclic * &u / strength;
        planes.push(RotationPlane {
            share: share(2.0 * strength * strength, whole),
            coordinates: coordinates(u.as_slice(), v.as_slice(), strength.sqrt()),
        });
        cyclic -= (&v * u.transpose() - &u * v.transpose()) * strength;
    }
    planes
}

/// Points of a plane, turned so that the farthest lies on the positive x axis.
fn coordinates(u: &[f64], v: &[f64], scale: f64) -> Vec<[f64; 2]> {
    let radius = |index: usize| u[index] * u[index] + v[index] * v[index];
    let mut farthest = 0;
    for index in 1..u.len() {
        if radius(index) > radius(farthest) + 1e-12 {
            farthest = index;
        }
    }
    let length = radius(farthest).sqrt().max(f64::MIN_POSITIVE);
    let (cosine, sine) = (u[farthest] / length, v[farthest] / length);
    u.iter()
        .zip(v)
        .map(|(x, y)| [scale * (cosine * x + sine * y), scale * (cosine * y - sine * x)])
        .collect()
}
