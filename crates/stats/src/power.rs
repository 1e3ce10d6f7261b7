//! How many games: what a number of games can show, before they are played.

use crate::distributions::{binomial_tail, bisect};

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
fn power_at(games: u64, score: f64, wins: u64) -> f64 {
    binomial_tail(games, score.max(1.0 - score), wins)
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
