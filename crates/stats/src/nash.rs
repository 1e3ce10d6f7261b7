//! Nash averaging (Balduzzi, Tuyls, Pérolat and Graepel, 2018): players weighted as in the
//! equilibrium of the game "choose a player". Copies of a player share his weight, so a field cannot be
//! won by entering an easy victim ten times. Where there are several equilibria, the one of greatest
//! entropy is taken.

use nalgebra::{DMatrix, DVector};
use serde::Serialize;

/// The equilibrium of a field.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NashAverage {
    /// How often each player is chosen; they sum up to 1.
    pub weights: Vec<f64>,
    /// The payoff of each player against the equilibrium, in the unit of the input: 0 for those who
    /// are in it, and not above 0 for anybody.
    pub payoffs: Vec<f64>,
}

/// The equilibrium of greatest entropy of an antisymmetric game: `payoffs[i][j]` is what i gets from j.
/// Only the antisymmetric part counts. `None` if a row has another length than the matrix, or a number
/// is not finite.
#[must_use]
pub fn nash_average(payoffs: &[Vec<f64>]) -> Option<NashAverage> {
    let n = payoffs.len();
    let usable = |row: &Vec<f64>| row.len() == n && row.iter().all(|number| number.is_finite());
    if !payoffs.iter().all(usable) {
        return None;
    }
    let game = DMatrix::from_fn(n, n, |i, j| (payoffs[i][j] - payoffs[j][i]) / 2.0);
    let largest = game.amax();
    let weights = if n == 0 || largest == 0.0 {
        DVector::from_element(n, 1.0 / n.max(1) as f64)
    } else {
        equilibrium(&(-&game / largest))?
    };
    let payoffs = &game * &weights;
    Some(NashAverage {
        weights: weights.iter().copied().collect(),
        payoffs: payoffs.iter().map(|payoff| payoff + 0.0).collect(),
    })
}

/// Weights p ≥ 0 with sum 1 and losses·p ≥ 0, of greatest entropy.
fn equilibrium(losses: &DMatrix<f64>) -> Option<DVector<f64>> {
    // 1. Everybody who is in some equilibrium is in the one that the central path leads to, and
    //    everybody else loses against it (Goldman and Tucker, 1956).
    let (weights, loss) = central_path(losses)?;
    let members: Vec<usize> = (0..weights.len()).filter(|&i| weights[i] > loss[i]).collect();
    let others: Vec<usize> = (0..weights.len()).filter(|&i| weights[i] <= loss[i]).collect();
    let total: f64 = members.iter().map(|&i| weights[i]).sum();
    let start = DVector::from_iterator(members.len(), members.iter().map(|&i| weights[i] / total));
    // 2. Members lose nothing, in any equilibrium: equations, of which the entropy chooses.
    let within = |rows: &[usize]| {
        DMatrix::from_fn(rows.len(), members.len(), |i, j| losses[(rows[i], members[j])])
    };
    let chosen = greatest_entropy(&within(&members), &within(&others), start)?;
    let mut all = DVector::zeros(weights.len());
    for (&member, &weight) in members.iter().zip(chosen.iter()) {
        all[member] = weight;
    }
    Some(all)
}

/// A strictly complementary solution of p ≥ 0, s = M·p ≥ 0, pᵢsᵢ = 0 for antisymmetric M, by following
/// the central path pᵢsᵢ = μ → 0 of the self-dual embedding (Roos, Terlaky and Vial, 2005, chapter 2).
/// Its start, all ones, is on the path, so there is no first phase and no failure to find one.
fn central_path(losses: &DMatrix<f64>) -> Option<(DVector<f64>, DVector<f64>)> {
    let n = losses.nrows();
    let rest = DVector::from_fn(n, |i, _| 1.0 - losses.row(i).sum());
    let embedded = DMatrix::from_fn(n + 1, n + 1, |i, j| match (i < n, j < n) {
        (true, true) => losses[(i, j)],
        (true, false) => rest[i],
        (false, true) => -rest[j],
        (false, false) => 0.0,
    });
    let mut p = DVector::from_element(n + 1, 1.0);
    let mut s = p.clone();
    for _ in 0..500 {
        let gap = p.dot(&s) / (n + 1) as f64;
        if gap < 1e-15 {
            break;
        }
        let mut system = embedded.clone();
        for i in 0..=n {
            system[(i, i)] += s[i] / p[i];
        }
        // Towards a tenth of the gap.
        let wanted = DVector::from_fn(n + 1, |i, _| 0.1 * gap / p[i] - s[i]);
        let Some(step) = system.lu().solve(&wanted) else { break };
        let loss_step = &embedded * &step;
        let room = |now: &DVector<f64>, step: &DVector<f64>| {
            now.iter().zip(step.iter()).fold(1.0f64, |room, (now, step)| {
                if *step < 0.0 { room.min(-0.9 * now / step) } else { room }
            })
        };
        let length = room(&p, &step).min(room(&s, &loss_step));
        p += length * step;
        s += length * loss_step;
    }
    let finite = p.iter().chain(s.iter()).all(|number| number.is_finite());
    finite.then(|| (p.rows(0, n).clone_owned(), s.rows(0, n).clone_owned()))
}

/// Among p > 0 with sum 1, equal·p = 0 and above·p ≥ 0, the one of greatest entropy; `start` is one of
/// them, up to rounding.
fn greatest_entropy(
    equal: &DMatrix<f64>,
    above: &DMatrix<f64>,
    start: DVector<f64>,
) -> Option<DVector<f64>> {
    let n = start.len();
    let equations = equal.clone().insert_row(n, 1.0);
    let svd = equations.clone().try_svd(true, true, 1e-15, 100_000)?;
    let (u, v) = (svd.u.as_ref()?, svd.v_t.as_ref()?);
    let tolerance = 1e-9 * svd.singular_values.max();
    let solid = |&index: &usize| svd.singular_values[index] > tolerance;
    // 1. Mend what rounding left of the equations.
    let mut p = start;
    let wrong = &equations * &p - DVector::from_fn(n + 1, |i, _| f64::from(i == n));
    for index in (0..n).filter(solid) {
        let amount = u.column(index).dot(&wrong) / svd.singular_values[index];
        p -= v.row(index).transpose() * amount;
    }
    // 2. Directions that keep them. None: there is one equilibrium only.
    let free: Vec<usize> = (0..n).filter(|index| !solid(index)).collect();
    if free.is_empty() {
        return Some(p);
    }
    let directions = DMatrix::from_fn(n, free.len(), |i, j| v[(free[j], i)]);
    // 3. Newton's method, the inequalities kept by a barrier that fades.
    let mut barrier = 1.0;
    while barrier > 1e-13 {
        barrier *= 0.1;
        for _ in 0..50 {
            let Some(next) = entropy_step(above, &directions, &p, barrier) else { break };
            let moved = (&next - &p).amax();
            p = next;
            if moved < 1e-14 {
                break;
            }
        }
    }
    Some(p)
}

/// −entropy and barrier; `None` outside.
fn cost(above: &DMatrix<f64>, p: &DVector<f64>, barrier: f64) -> Option<f64> {
    let losses = above * p;
    if p.iter().chain(losses.iter()).any(|number| *number <= 0.0) {
        return None;
    }
    let entropy: f64 = p.iter().map(|p| p * p.ln()).sum();
    Some(entropy - barrier * losses.iter().map(|loss| loss.ln()).sum::<f64>())
}

/// One damped step; `None` where there is nothing to gain.
fn entropy_step(
    above: &DMatrix<f64>,
    directions: &DMatrix<f64>,
    p: &DVector<f64>,
    barrier: f64,
) -> Option<DVector<f64>> {
    let now = cost(above, p, barrier)?;
    let inverse_losses = (above * p).map(|loss| 1.0 / loss);
    let slope = p.map(|p| p.ln() + 1.0) - above.tr_mul(&inverse_losses) * barrier;
    let mut curvature = DMatrix::from_diagonal(&p.map(|p| 1.0 / p));
    for (row, inverse) in above.row_iter().zip(inverse_losses.iter()) {
        curvature += row.transpose() * row * (barrier * inverse * inverse);
    }
    let slope = directions.tr_mul(&slope);
    let reduced = directions.tr_mul(&(curvature * directions));
    let step = -(directions * reduced.cholesky()?.solve(&slope));
    let mut share = 1.0;
    while share > 1e-10 {
        let next = p + &step * share;
        if cost(above, &next, barrier).is_some_and(|cost| cost < now) {
            return Some(next);
        }
        share *= 0.5;
    }
    None
}
