//! What a field without any cycle would show: tournaments drawn from the ratings.
//!
//! Noise makes cycles too. So the same tournament is played many times by players whose strength is
//! one number each (parametric bootstrap; Efron and Tibshirani, 1993), and what was observed is
//! compared with what they show. The ratings are first drawn together by what their errors add to
//! their spread: otherwise a field of equals would be compared with one of unequals, and its cycles,
//! which are noise, would stand out.

use gamecore::Rng;
use serde::Serialize;

use crate::cycles::{CycleCap, Dominance};
use crate::intransitivity::cyclic_share;
use crate::matrix::{Matrix, Meeting};
use crate::ratings::Ratings;
use crate::ratios::quantile;

/// How the comparison is made.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NullOptions {
    /// Shares of points from which on a player dominates another: 0.56 for 28 of 50.
    pub thresholds: Vec<f64>,
    /// How many tournaments are drawn.
    pub resamples: usize,
    /// Decides the draws.
    pub seed: u64,
    /// Where counting of all cycles stops.
    pub cap: CycleCap,
    /// At most so many cycles of three are listed.
    pub listed: usize,
}

impl Default for NullOptions {
    fn default() -> Self {
        let cap = CycleCap::default();
        Self { thresholds: vec![0.56, 0.58, 0.6], resamples: 200, seed: 1, cap, listed: 20 }
    }
}

/// A number that was observed, beside the same number in tournaments without cycles.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// In the data.
    pub observed: f64,
    /// Mean without cycles.
    pub mean: f64,
    /// 10 %, 50 % and 90 % quantile without cycles.
    pub quantiles: [f64; 3],
    /// The share of tournaments without cycles that show at least as much, the data counted in:
    /// (1 + those) / (1 + all).
    pub p: f64,
}

impl Comparison {
    /// Compares with numbers in any order.
    fn new(observed: f64, mut null: Vec<f64>) -> Self {
        let at_least = null.iter().filter(|&&number| number >= observed).count();
        let p = (1 + at_least) as f64 / (1 + null.len()) as f64;
        if null.is_empty() {
            return Self { observed, mean: observed, quantiles: [observed; 3], p };
        }
        let mean = null.iter().sum::<f64>() / null.len() as f64;
        null.sort_by(f64::total_cmp);
        Self { observed, mean, quantiles: [0.1, 0.5, 0.9].map(|part| quantile(&null, part)), p }
    }
}

/// Cycles at one threshold.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CycleTest {
    /// The share of points from which on a player dominates another.
    pub threshold: f64,
    /// How many dominate whom.
    pub arrows: Comparison,
    /// Cycles of three.
    pub three: Comparison,
    /// The first cycles of three in the data: each player dominates the next, the last the first.
    pub listed: Vec<[usize; 3]>,
    /// Cycles of any length, up to the cap.
    pub all: Comparison,
    /// The cap was reached in the data: there may be more.
    pub at_least: bool,
    /// The share of drawn tournaments that reached the cap. Where it is large, the mean and the upper
    /// quantiles are too small.
    pub null_at_least: f64,
}

/// The data beside tournaments without cycles.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NullTest {
    /// Cycles, for each threshold.
    pub cycles: Vec<CycleTest>,
    /// The cyclic share of the logits, see [`crate::Intransitivity`].
    pub cyclic_share: Comparison,
}

impl NullTest {
    /// Compares a field with what its ratings alone would show.
    #[must_use]
    pub fn new(matrix: &Matrix, ratings: &Ratings, options: &NullOptions) -> Self {
        let field = NullField::new(matrix, ratings);
        let observed: Vec<Meeting> = matrix
            .played()
            .map(|(i, j)| {
                let both = matrix.both_seats(i, j);
                (i, j, both.points(), both.games())
            })
            .collect();
        let seen = Counts::of(&observed, ratings, options);
        let mut rng = Rng::new(options.seed);
        let null: Vec<Counts> = (0..options.resamples)
            .map(|_| Counts::of(&field.draw(&mut rng), ratings, options))
            .collect();
        let cycles = (0..options.thresholds.len())
            .map(|index| {
                let compare = |number: &dyn Fn(&Counts) -> f64| {
                    Comparison::new(number(&seen), null.iter().map(number).collect())
                };
                let capped = null.iter().filter(|counts| counts.graphs[index].at_least).count();
                let threshold = options.thresholds[index];
                let graph = Dominance::of(matrix, threshold);
                CycleTest {
                    threshold,
                    listed: graph.three_cycles().take(options.listed).collect(),
                    arrows: compare(&|counts| counts.graphs[index].arrows),
                    three: compare(&|counts| counts.graphs[index].three),
                    all: compare(&|counts| counts.graphs[index].all),
                    at_least: seen.graphs[index].at_least,
                    null_at_least: capped as f64 / null.len().max(1) as f64,
                }
            })
            .collect();
        let shares = null.iter().map(|counts| counts.cyclic_share).collect();
        Self { cycles, cyclic_share: Comparison::new(seen.cyclic_share, shares) }
    }
}

/// What is counted in one tournament.
struct Counts {
    graphs: Vec<GraphCounts>,
    cyclic_share: f64,
}

struct GraphCounts {
    arrows: f64,
    three: f64,
    all: f64,
    at_least: bool,
}

impl Counts {
    fn of(meetings: &[Meeting], ratings: &Ratings, options: &NullOptions) -> Self {
        let players = ratings.players();
        let graph = |&threshold: &f64| {
            let graph = Dominance::from_points(players, meetings.iter().copied(), threshold);
            let all = graph.count_cycles(options.cap);
            GraphCounts {
                arrows: graph.arrows() as f64,
                three: graph.three_cycles().count() as f64,
                all: all.count as f64,
                at_least: all.at_least,
            }
        };
        Self {
            graphs: options.thresholds.iter().map(graph).collect(),
            cyclic_share: cyclic_share(meetings, ratings),
        }
    }
}

/// A field whose players spread as the ratings say, with as many games as were played.
struct NullField {
    meetings: Vec<(usize, usize, [Series; 2])>,
}

/// Games under equal conditions.
struct Series {
    games: u64,
    win: f64,
    draw: f64,
}

impl NullField {
    fn new(matrix: &Matrix, ratings: &Ratings) -> Self {
        let total = matrix.total();
        // Everybody draws as often as the field does, as far as the expected score leaves room.
        let draws = total.draws as f64 / total.games().max(1) as f64;
        let spread = ratings.true_spread();
        let score = |first, second| ratings.expected_score_with_spread(first, second, spread);
        let series = |games: u64, score: f64| {
            let draw = draws.min(2.0 * score).min(2.0 * (1.0 - score));
            Series { games, win: score - draw / 2.0, draw }
        };
        let meetings = matrix
            .played()
            .map(|(i, j)| {
                let first = series(matrix.by_seat(i, j).games(), score(i, j));
                let second = series(matrix.by_seat(j, i).games(), 1.0 - score(j, i));
                (i, j, [first, second])
            })
            .collect();
        Self { meetings }
    }

    fn draw(&self, rng: &mut Rng) -> Vec<Meeting> {
        let mut drawn = Vec::with_capacity(self.meetings.len());
        for (i, j, both) in &self.meetings {
            let mut half_points = 0u64;
            for series in both {
                for _ in 0..series.games {
                    let chance = rng.unit();
                    half_points += u64::from(chance < series.win)
                        + u64::from(chance < series.win + series.draw);
                }
            }
            let games = both[0].games + both[1].games;
            drawn.push((*i, *j, half_points as f64 / 2.0, games));
        }
        drawn
    }
}
