//! How many games: what a number of games can show, before they are played.

use serde::Serialize;

use crate::distributions::{binomial_tail, bisect, normal_quantile};

/// The fewest wins out of `games` that the exact two-sided binomial test against ½ calls more than
/// chance at `alpha`; `None` if not even all of them.
#[must_use]
pub fn critical_wins(games: u64, alpha: f64) -> Option<u64> {
    let enough = |wins: u64| 2.0 * binomial_tail(games, 0.5, wins) <= alpha;
    if games == 0 || !enough(games) {
        return None;
    }
    // More wins are never less convincing, so halving finds the border.
    let (mut too_few, mut found) = (games / 2, games);
    while found - too_few > 1 {
        let middle = too_few + (found - too_few) / 2;
        if enough(middle) {
            found = middle;
        } else {
            too_few = middle;
        }
    }
    Some(found)
}

/// The exact power of that test: how likely it finds a true win rate of `score`. A find on the wrong
/// side does not count.
#[must_use]
pub fn power(games: u64, score: f64, alpha: f64) -> f64 {
    critical_wins(games, alpha).map_or(0.0, |wins| power_at(games, score, wins))
}

fn power_at(games: u64, score: f64, wins: u64) -> f64 {
    binomial_tail(games, score.max(1.0 - score), wins)
}

/// How many games find a true `score` with probability `power`, by the normal approximation
/// n = ((z₁₋α⸝₂·½ + z_power·√(p(1−p))) / (p − ½))². `None` at ½, which no number tells from itself.
#[must_use]
pub fn games_needed(score: f64, alpha: f64, power: f64) -> Option<u64> {
    let effect = (score - 0.5).abs();
    let chances = |part: f64| part > 0.0 && part < 1.0;
    if !(1e-9..=0.5).contains(&effect) || !chances(alpha) || !chances(power) {
        return None;
    }
    let error = normal_quantile(1.0 - alpha / 2.0) * 0.5;
    let miss = normal_quantile(power) * (score * (1.0 - score)).sqrt();
    Some((((error + miss) / effect).powi(2).ceil() as u64).max(1))
}

/// The smallest true score above ½ that `games` games find with probability `power` (exact);
/// `None` if not even a score of 1.
#[must_use]
pub fn detectable_score(games: u64, alpha: f64, power: f64) -> Option<f64> {
    let wins = critical_wins(games, alpha)?;
    if power_at(games, 1.0, wins) < power {
        return None;
    }
    Some(bisect(0.5, 1.0, |score| power_at(games, score, wins) < power))
}

/// The exact power of the sign test over pairs of independent games without draws: a pair is decided
/// with chance q = s² + (1−s)², and then won with chance s²/q. A find on the wrong side does not
/// count.
#[must_use]
pub fn pair_power(pairs: u64, score: f64, alpha: f64) -> f64 {
    let score = score.max(1.0 - score);
    let decided = score * score + (1.0 - score) * (1.0 - score);
    let won = score * score / decided;
    let spread = (pairs as f64 * decided * (1.0 - decided)).sqrt();
    let reach = |sign: f64| pairs as f64 * decided + sign * (9.0 * spread + 1.0);
    // Beyond nine standard deviations nothing is left that could be seen.
    let (from, to) = (reach(-1.0).max(0.0) as u64, (reach(1.0) as u64).min(pairs));
    let exactly = |count: u64| {
        binomial_tail(pairs, decided, count) - binomial_tail(pairs, decided, count + 1)
    };
    let found =
        |count: u64| critical_wins(count, alpha).map_or(0.0, |wins| power_at(count, won, wins));
    (from..=to).map(|count| exactly(count) * found(count)).sum()
}

/// The smallest true score above ½ that the sign test over so many pairs finds with probability
/// `power`; `None` if not even a score of 1.
#[must_use]
pub fn score_found_by_pairs(pairs: u64, alpha: f64, power: f64) -> Option<f64> {
    // Where all games are won, all pairs are decided.
    critical_wins(pairs, alpha)?;
    Some(bisect(0.5, 1.0, |score| pair_power(pairs, score, alpha) < power))
}

/// An experiment before it is run: so many games in each of so many cells.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Design {
    /// Games in each cell.
    pub games: u64,
    /// Cells that are tested together; 1 for a single match.
    pub cells: u64,
    /// The error over all cells together.
    pub alpha: f64,
    /// How likely a true effect shall be found.
    pub power: f64,
}

impl Design {
    /// The usual 5 % error and 80 % power.
    #[must_use]
    pub fn new(games: u64, cells: u64) -> Self {
        Self { games, cells, alpha: 0.05, power: 0.8 }
    }

    /// What the design can show.
    #[must_use]
    pub fn reach(&self) -> Reach {
        let family = self.alpha / self.cells.max(1) as f64;
        Reach {
            design: *self,
            one_cell: detectable_score(self.games, self.alpha, self.power),
            any_cell: detectable_score(self.games, family, self.power),
            wins_one_cell: critical_wins(self.games, self.alpha),
            wins_any_cell: critical_wins(self.games, family),
        }
    }
}

/// What a design can show. `None` means: nothing, however large the effect.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Reach {
    /// The design.
    pub design: Design,
    /// The smallest true score that it finds in a cell that was named beforehand.
    pub one_cell: Option<f64>,
    /// The smallest true score that it finds in whichever cell it is (Bonferroni over all cells).
    pub any_cell: Option<f64>,
    /// Wins needed in a cell that was named beforehand.
    pub wins_one_cell: Option<u64>,
    /// Wins needed in whichever cell it is.
    pub wins_any_cell: Option<u64>,
}
