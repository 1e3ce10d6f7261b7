//! Ratings of many players at once: Bradley and Terry (1952), with a term for moving first.
//!
//! P(i beats j, i moving first) = 1 / (1 + e^−(θᵢ − θⱼ + h)); the ratings θ sum up to 0. A draw counts
//! as half a win and half a loss. That keeps one number a player; as draws vary less than wins and
//! losses do, intervals are then a little wide and the test of fit a little mild, never the reverse.
//! Fitted by Newton's method; the inverse of the information gives the covariance.

mod bounded;
mod games;

use std::collections::BTreeMap;

use nalgebra::{DMatrix, DVector};
use serde::Serialize;
use thiserror::Error;

use crate::distributions::{chi_squared_tail, logistic, normal_quantile};
use crate::matrix::Matrix;
use games::{Cell, cells};

/// Elo of one natural unit of the model.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;
const NEWTON_STEPS: usize = 300;
const LONGEST_STEP: f64 = 4.0;

/// What the model has beside a rating a player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RatingOptions {
    /// A term for the advantage of moving first.
    pub seat: bool,
    /// One virtual draw of every player against a player of mean strength (and, with a seat term,
    /// one between two such players): keeps who always won or always lost finite.
    pub prior: bool,
}

/// Why results have no likeliest ratings. All are impossible with a prior.
#[derive(Clone, Debug, Error, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "reason")]
pub enum RatingError {
    /// Nobody of one group met anybody of another.
    #[error("the players fall into {} groups that never met", groups.len())]
    Disconnected {
        /// The groups, each in order.
        groups: Vec<Vec<usize>>,
    },
    /// Some players never lost half a point to the rest, so their ratings grow for ever (Ford, 1957).
    #[error("{} players never lost half a point to the others", above.len())]
    Unbounded {
        /// Those players.
        above: Vec<usize>,
    },
    /// The seat term grows for ever, or cannot be told from ratings.
    #[error("the results do not bound the advantage of moving first")]
    SeatUnbounded,
    /// Numbers beyond what the calculation bears.
    #[error("the fit did not converge")]
    NoConvergence,
}

/// A number in Elo with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The likeliest value.
    pub elo: f64,
    /// Its standard error.
    pub error: f64,
    /// 95 % interval, by the normal approximation.
    pub interval: [f64; 2],
}

impl Estimate {
    /// From natural units.
    fn new(value: f64, variance: f64) -> Self {
        let error = ELO * variance.max(0.0).sqrt();
        let half = normal_quantile(0.975) * error;
        let elo = ELO * value + 0.0;
        Self { elo, error, interval: [elo - half, elo + half] }
    }
}

/// Whether ratings explain the results: the test of transitivity.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Fit {
    /// 2Σ k·ln(k/np) over wins and losses of all pairings, both seats together.
    pub deviance: f64,
    /// Pairings played, less the ratings that were fitted: 435 among 31 players.
    pub freedom: u64,
    /// How likely so bad a fit is if the model is true, by χ²; `None` where nothing is left to test.
    /// A small one says: not transitive. It is mild where cells hold few games.
    pub p: Option<f64>,
}

/// Ratings of a field.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    /// Natural units; they sum up to 0. The seat term, 0 if there is none, is the last.
    values: Vec<f64>,
    covariance: DMatrix<f64>,
    options: RatingOptions,
    fit: Fit,
}

impl Ratings {
    /// The likeliest ratings of a field.
    ///
    /// # Errors
    /// If no finite ratings are the likeliest, with the reason; never with a prior.
    pub fn fit(matrix: &Matrix, options: RatingOptions) -> Result<Self, RatingError> {
        let players = matrix.players();
        let cells = cells(matrix, options.seat);
        if !options.prior {
            bounded::check(players, &cells, options.seat)?;
        }
        let (values, covariance) = newton(players, &cells, options)?;
        let fit = goodness(players, &cells, &values);
        Ok(Self { values, covariance, options, fit })
    }

    /// How many players.
    #[must_use]
    pub fn players(&self) -> usize {
        self.values.len() - 1
    }

    /// What was fitted.
    #[must_use]
    pub fn options(&self) -> RatingOptions {
        self.options
    }

    /// A player's rating, relative to the mean of the field.
    #[must_use]
    pub fn rating(&self, player: usize) -> Estimate {
        Estimate::new(self.values[player], self.covariance[(player, player)])
    }

    /// How much better `one` is than `other`. Its error is not the sum of theirs: what both share,
    /// such as common opponents, cancels.
    #[must_use]
    pub fn difference(&self, one: usize, other: usize) -> Estimate {
        let v = &self.covariance;
        let variance = v[(one, one)] + v[(other, other)] - 2.0 * v[(one, other)];
        Estimate::new(self.values[one] - self.values[other], variance)
    }

    /// The advantage of moving first; `None` if it was not fitted.
    #[must_use]
    pub fn seat_advantage(&self) -> Option<Estimate> {
        let last = self.players();
        self.options.seat.then(|| Estimate::new(self.values[last], self.covariance[(last, last)]))
    }

    /// The expected score of `first`, who moves first, against `second`.
    #[must_use]
    pub fn expected_score(&self, first: usize, second: usize) -> f64 {
        self.expected_score_with_spread(first, second, 1.0)
    }

    /// The same, with all ratings drawn together by `spread`.
    pub(crate) fn expected_score_with_spread(
        &self,
        first: usize,
        second: usize,
        spread: f64,
    ) -> f64 {
        let seat = self.values[self.players()];
        logistic(spread * self.difference_in_logits(first, second) + seat)
    }

    /// By how much the ratings must be drawn together to spread as the true strengths do. Fitted
    /// ratings spread too far, as their errors come on top: var(fitted) = var(true) + mean error².
    pub(crate) fn true_spread(&self) -> f64 {
        let players = 0..self.players();
        let fitted: f64 = players.clone().map(|player| self.values[player].powi(2)).sum();
        let noise: f64 = players.map(|player| self.covariance[(player, player)]).sum();
        if fitted > 0.0 { (1.0 - noise / fitted).max(0.0).sqrt() } else { 0.0 }
    }

    /// θ of `one` less θ of `other`, without seat.
    pub(crate) fn difference_in_logits(&self, one: usize, other: usize) -> f64 {
        self.values[one] - self.values[other]
    }

    /// Whether the ratings explain the results.
    #[must_use]
    pub fn goodness(&self) -> Fit {
        self.fit
    }
}

/// A direction of parameters, as (index, factor): what a result depends on.
fn direction(cell: &Cell, players: usize) -> [(usize, f64); 3] {
    [(cell.first, 1.0), (cell.second, -1.0), (players, cell.seat)]
}

fn predictor(values: &[f64], cell: &Cell) -> f64 {
    let players = values.len() - 1;
    direction(cell, players).iter().map(|&(index, factor)| factor * values[index]).sum()
}

/// Maximises the likelihood. Parameters are all players but the last, who is minus the sum of the
/// others, and the seat term if there is one.
fn newton(
    players: usize,
    cells: &[Cell],
    options: RatingOptions,
) -> Result<(Vec<f64>, DMatrix<f64>), RatingError> {
    let mut values = vec![0.0; players + 1];
    let all = players + 1;
    let free = players.saturating_sub(1) + usize::from(options.seat);
    if free == 0 {
        return Ok((values, DMatrix::zeros(all, all)));
    }
    // Columns of this map are the free parameters.
    let map = DMatrix::from_fn(all, free, |row, column| {
        if column + 1 >= players {
            f64::from(row == players)
        } else {
            f64::from(row == column) - f64::from(row + 1 == players)
        }
    });
    let mut polished = 0;
    for _ in 0..NEWTON_STEPS {
        let (slope, information) = derivatives(cells, &values, options);
        let (slope, information) = (map.tr_mul(&slope), map.tr_mul(&(information * &map)));
        let Some(cholesky) = information.cholesky() else { break };
        let reduced = cholesky.solve(&slope);
        let step = &map * &reduced;
        // What the step gains, at first order.
        let gain = slope.dot(&reduced);
        if !gain.is_finite() {
            break;
        }
        if gain < 1e-8 {
            // At the top: convergence is quadratic, and rounding hides what is gained.
            add(&mut values, &step, 1.0);
            polished += 1;
            let largest = values.iter().fold(1.0f64, |largest, value| largest.max(value.abs()));
            if polished == 10 || step.amax() < 1e-13 * largest {
                return Ok((values, &map * cholesky.inverse() * map.transpose()));
            }
            continue;
        }
        // No expectation moves by more than a few logits at once: far out, the likelihood is flat.
        let moved = cells.iter().map(|cell| predictor(step.as_slice(), cell).abs());
        let longest = (LONGEST_STEP / moved.fold(0.0, f64::max)).min(1.0);
        let climb = Climb { step: &step, gain, longest };
        values = climb.from(&values, |values| likelihood(cells, values, options))?;
    }
    Err(RatingError::NoConvergence)
}

/// A step that may be too long.
struct Climb<'a> {
    step: &'a DVector<f64>,
    gain: f64,
    longest: f64,
}

impl Climb<'_> {
    /// Takes the step, halved until it gains a fair part of what its slope promises.
    fn from(
        &self,
        values: &[f64],
        likelihood: impl Fn(&[f64]) -> f64,
    ) -> Result<Vec<f64>, RatingError> {
        let now = likelihood(values);
        let mut share = self.longest;
        while share > 1e-12 {
            let mut tried = values.to_vec();
            add(&mut tried, self.step, share);
            if likelihood(&tried) >= now + 0.1 * share * self.gain - 1e-13 * (1.0 + now.abs()) {
                return Ok(tried);
            }
            share *= 0.5;
        }
        Err(RatingError::NoConvergence)
    }
}

fn add(values: &mut [f64], step: &DVector<f64>, share: f64) {
    for (value, step) in values.iter_mut().zip(step.iter()) {
        *value += share * step;
    }
}

/// ln p for logit x.
fn log_chance(x: f64) -> f64 {
    x.min(0.0) - (-x.abs()).exp().ln_1p()
}

fn likelihood(cells: &[Cell], values: &[f64], options: RatingOptions) -> f64 {
    let of = |x: f64, points: f64, games: f64| {
        points * log_chance(x) + (games - points) * log_chance(-x)
    };
    let played = cells.iter().map(|cell| of(predictor(values, cell), cell.points, cell.games));
    let virtual_draws = values.iter().map(|&value| of(value, 0.5, 1.0));
    played.sum::<f64>() + if options.prior { virtual_draws.sum() } else { 0.0 }
}

/// The slope of the likelihood and the information (minus its second derivatives).
fn derivatives(
    cells: &[Cell],
    values: &[f64],
    options: RatingOptions,
) -> (DVector<f64>, DMatrix<f64>) {
    let all = values.len();
    let mut slope = DVector::zeros(all);
    let mut information = DMatrix::zeros(all, all);
    for cell in cells {
        let x = predictor(values, cell);
        // Both chances by themselves: 1 − p has few digits where p is near 1.
        let (win, loss) = (logistic(x), logistic(-x));
        let weight = cell.games * win * loss;
        let surplus = cell.points * loss - (cell.games - cell.points) * win;
        let direction = direction(cell, all - 1);
        for (index, factor) in direction {
            slope[index] += factor * surplus;
            for (other, other_factor) in direction {
                information[(index, other)] += factor * other_factor * weight;
            }
        }
    }
    if options.prior {
        for (index, &value) in values.iter().enumerate() {
            let p = logistic(value);
            slope[index] += 0.5 - p;
            information[(index, index)] += p * (1.0 - p);
        }
    }
    (slope, information)
}

/// Both seats of a pairing: points of the player of the lower number, and what ratings expect.
#[derive(Default)]
struct Pairing {
    points: f64,
    games: f64,
    expected: f64,
    expected_against: f64,
}

fn goodness(players: usize, cells: &[Cell], values: &[f64]) -> Fit {
    let part = |seen: f64, log_expected: f64| {
        if seen > 0.0 { seen * (seen.ln() - log_expected) } else { 0.0 }
    };
    // Both seats of a pairing together: who moves first may matter more in one pairing than in
    // another, which is no cycle.
    let mut pairings: BTreeMap<[usize; 2], Pairing> = BTreeMap::new();
    for cell in cells {
        let x = predictor(values, cell);
        let first = cell.first < cell.second;
        let players = if first { [cell.first, cell.second] } else { [cell.second, cell.first] };
        let (points, chance, against) = if first {
            (cell.points, log_chance(x), log_chance(-x))
        } else {
            (cell.games - cell.points, log_chance(-x), log_chance(x))
        };
        let pairing = pairings.entry(players).or_default();
        pairing.points += points;
        pairing.games += cell.games;
        pairing.expected += cell.games * chance.exp();
        pairing.expected_against += cell.games * against.exp();
    }
    let of_pairing = |pairing: &Pairing| {
        part(pairing.points, pairing.expected.ln())
            + part(pairing.games - pairing.points, pairing.expected_against.ln())
    };
    let deviance = (2.0 * pairings.values().map(of_pairing).sum::<f64>()).max(0.0);
    let freedom = pairings.len().saturating_sub(players.saturating_sub(1)) as u64;
    Fit { deviance, freedom, p: (freedom > 0).then(|| chi_squared_tail(freedom, deviance)) }
}
