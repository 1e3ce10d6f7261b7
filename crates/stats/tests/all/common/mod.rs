//! Fields whose truth is known.

use gamecore::Rng;
use stats::{GameResult, Matrix, score_of_elo};

/// Players 0, 1, 2, … without games.
pub(crate) fn field(players: usize) -> Matrix {
    Matrix::new((0..players).map(|player| player.to_string()).collect())
}

/// True ratings, their mean 0, and the true advantage of moving first.
pub(crate) struct Truth {
    pub(crate) elo: Vec<f64>,
    pub(crate) seat: f64,
}

impl Truth {
    /// Normal ratings with this standard deviation.
    pub(crate) fn random(players: usize, deviation: f64, seat: f64, rng: &mut Rng) -> Self {
        // The sum of twelve uniform numbers has variance 1.
        let mut normal = || (0..12).map(|_| rng.unit()).sum::<f64>() - 6.0;
        let mut elo: Vec<f64> = (0..players).map(|_| deviation * normal()).collect();
        let mean = elo.iter().sum::<f64>() / players.max(1) as f64;
        for elo in &mut elo {
            *elo -= mean;
        }
        Self { elo, seat }
    }
}

/// Everybody against everybody, half of the games with either seat, no draws.
pub(crate) fn simulate(truth: &Truth, games: usize, rng: &mut Rng) -> Matrix {
    let mut matrix = field(truth.elo.len());
    for i in 0..truth.elo.len() {
        for j in i + 1..truth.elo.len() {
            for game in 0..games {
                let (first, second) = if game % 2 == 0 { (i, j) } else { (j, i) };
                let chance = score_of_elo(truth.elo[first] - truth.elo[second] + truth.seat);
                let won = rng.unit() < chance;
                matrix.add(first, second, if won { GameResult::Win } else { GameResult::Loss });
            }
        }
    }
    matrix
}

/// How many cycles of three arise by chance if all `players` are equal and every pair plays `games`
/// games without draws: 2·C(players, 3)·P(at least `wins` of `games`)³. `wins` above half.
pub(crate) fn expected_three_cycles(players: u64, games: u64, wins: u64) -> f64 {
    let n = players as f64;
    // C(games, k) / 2^games from one k to the next.
    let mut chance = 0.5f64.powi(games as i32);
    let mut tail = 0.0;
    for k in 0..=games {
        tail += if k >= wins { chance } else { 0.0 };
        chance *= (games - k) as f64 / (k + 1) as f64;
    }
    n * (n - 1.0) * (n - 2.0) / 3.0 * tail.powi(3)
}
