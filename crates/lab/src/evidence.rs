//! What the games of one pairing show: the one count behind matches, runs and reports.

use gamecore::Seat;
use std::collections::BTreeSet;

use serde::Serialize;
use stats::{PairCounts, Side, clopper_pearson, elo_interval, sign_test, wilson};
use store::GameRow;

/// What of a game decides what it shows, without its texts, so that a million of them fit into memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Played {
    pub(crate) number: u64,
    pub(crate) pair: u64,
    /// Equal for equal games.
    pub(crate) moves_hash: u64,
    pub(crate) entropy: f64,
    pub(crate) cell: u32,
    pub(crate) turns: u32,
    pub(crate) decisions: u32,
    pub(crate) choices: u32,
    pub(crate) entropy_decisions: u32,
    pub(crate) game: u8,
    /// Half points of seat 0; `None` if the game does not count.
    pub(crate) result: Option<u8>,
    pub(crate) first_seat: Option<u8>,
    pub(crate) half_leader: Option<u8>,
    /// What the game counts of its own, in an order that whoever reads the rows keeps.
    pub(crate) counts: Box<[Option<u32>]>,
}

impl From<&GameRow> for Played {
    fn from(row: &GameRow) -> Self {
        let whole = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        Self {
            number: row.number,
            pair: row.pair,
            moves_hash: row.moves_hash,
            entropy: row.entropy,
            cell: whole(row.cell),
            turns: whole(row.turns),
            decisions: whole(row.decisions),
            choices: whole(row.choices),
            entropy_decisions: whole(row.entropy_decisions),
            game: row.game,
            result: row.outcome.points(Seat::Zero).map(|points| (2.0 * points) as u8),
            first_seat: row.first_seat,
            half_leader: row.half_leader,
            counts: Box::default(),
        }
    }
}

impl Played {
    /// Points of player A, who has seat 0 in the first game of a pair; `None` if it does not count.
    pub(crate) fn points_of_a(&self) -> Option<f64> {
        let of_seat_zero = f64::from(self.result?) / 2.0;
        Some(if self.game == 0 { of_seat_zero } else { 1.0 - of_seat_zero })
    }

    /// The seat that won.
    pub(crate) fn winner(&self) -> Option<u8> {
        match self.result? {
            2 => Some(0),
            0 => Some(1),
            _ => None,
        }
    }
}

/// The games of one pairing. Repeats are no evidence: what was played is counted whole, and what it
/// says counts each distinct pair once.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Evidence {
    /// Different games among those that have a result.
    pub distinct_games: u64,
    /// Games played that have a result.
    pub games: u64,
    /// Pairs of which both have.
    pub pairs: u64,
    /// Won by A.
    pub a_wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Won by B.
    pub b_wins: u64,
    /// Pairs that are the same as one before, move by move; nothing below counts them.
    pub repeated_pairs: u64,
    /// Points of A a game.
    pub score: Option<f64>,
    /// 95 % interval on the score (Wilson); of a sequential test, at its stop.
    pub wilson: [f64; 2],
    /// 95 % interval on the score from the variance of pairs (Student); `null` below two pairs, or
    /// where all pairs ended alike.
    pub pair_interval: Option<[f64; 2]>,
    /// The exact one over games (Clopper–Pearson), where none was drawn.
    pub exact: Option<[f64; 2]>,
    /// Elo of A over B: lower end, estimate, upper end; `null` where infinite.
    pub elo: [Option<f64>; 3],
    /// Exact sign test over decided pairs. Not for a sequential test, whose stop it does not know,
    /// nor for a player against the like.
    pub p_value: Option<f64>,
    /// Pairs by points of A: 0, ½, 1, 1½, 2.
    pub pentanomial: PairCounts,
}

impl Evidence {
    /// Counts games in schedule order; pairs in `known` are evidence for something else already.
    pub(crate) fn of(rows: &[&Played], known: &BTreeSet<[u64; 2]>) -> Self {
        let mut tally = [0u64; 3];
        for points in rows.iter().filter_map(|row| row.points_of_a()) {
            tally[(points * 2.0) as usize] += 1;
        }
        let [b_wins, draws, a_wins] = tally;
        let sound = rows.iter().filter(|row| row.result.is_some());
        let distinct_games: BTreeSet<u64> = sound.map(|row| row.moves_hash).collect();
        let (mut pentanomial, mut repeated_pairs, mut seen) =
            (PairCounts::default(), 0, known.clone());
        for pair in rows.chunk_by(|one, other| one.pair == other.pair) {
            let [first, second] = pair[..] else { continue };
            let [Some(points), Some(more)] = [first, second].map(Played::points_of_a) else {
                continue;
            };
            if seen.insert([first.moves_hash, second.moves_hash]) {
                pentanomial.add(points + more);
            } else {
                repeated_pairs += 1;
            }
        }
        let distinct = pentanomial.pairs();
        let score = pentanomial.mean();
        // In whole numbers: the exact interval counts wins.
        let half_points: u64 =
            (0u64..).zip(pentanomial.0).map(|(class, pairs)| class * pairs).sum();
        let points = half_points as f64 / 2.0;
        let interval = wilson(points, 2 * distinct);
        Self {
            games: a_wins + draws + b_wins,
            distinct_games: distinct_games.len() as u64,
            pairs: distinct + repeated_pairs,
            a_wins,
            draws,
            b_wins,
            repeated_pairs,
            score,
            wilson: interval,
            pair_interval: pentanomial.interval(0.95),
            exact: (draws == 0 && distinct > 0)
                .then(|| clopper_pearson(half_points / 2, 2 * distinct, 0.95)),
            elo: score.map_or([None; 3], |score| elo_interval(score, interval)),
            p_value: Some(sign_test(pentanomial.won(), pentanomial.lost())),
            pentanomial,
        }
    }

    /// Games that score and intervals rest on: those of distinct pairs.
    #[must_use]
    pub fn counted_games(&self) -> u64 {
        2 * (self.pairs - self.repeated_pairs)
    }

    /// Who is shown to be stronger, by a p-value over all pairings together.
    #[must_use]
    pub fn stronger(&self, p: Option<f64>) -> Option<Side> {
        self.pentanomial.stronger(p?)
    }
}

/// The games of the pairs that count: both games have a result, and the pair was not played before, move
/// by move. Deterministic agents from few starts play the same games again and again, which says
/// nothing new.
pub(crate) fn without_repeats<'a>(
    rows: &[&'a Played],
    known: &BTreeSet<[u64; 2]>,
) -> Vec<&'a Played> {
    let mut seen = known.clone();
    let is_new = |pair: &&[&Played]| match pair[..] {
        [first, second] if first.result.is_some() && second.result.is_some() => {
            seen.insert([first.moves_hash, second.moves_hash])
        }
        _ => false,
    };
    let pairs = rows.chunk_by(|one, other| one.pair == other.pair).filter(is_new);
    pairs.flatten().copied().collect()
}

/// Points of player A in a game; `None` if it does not count.
#[must_use]
pub fn points_of_a(row: &GameRow) -> Option<f64> {
    Played::from(row).points_of_a()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(pair: u64, game: u8, outcome: &str, moves_hash: u64) -> Played {
        let outcome = outcome.parse().unwrap();
        Played::from(&GameRow { pair, game, outcome, moves_hash, ..GameRow::default() })
    }

    /// Four pairs, one of them three times, one with a void game.
    #[test]
    fn repeats_are_played_but_prove_nothing() {
        let mut rows = Vec::new();
        for pair in 0..3 {
            rows.extend([row(pair, 0, "seat-0", 1), row(pair, 1, "seat-1", 2)]);
        }
        rows.extend([row(3, 0, "draw", 3), row(3, 1, "seat-0", 4)]);
        rows.extend([row(4, 0, "seat-0", 5), row(4, 1, "void", 6)]);
        let rows: Vec<&Played> = rows.iter().collect();
        let found = Evidence::of(&rows, &BTreeSet::new());
        assert_eq!((found.games, found.pairs, found.repeated_pairs), (9, 4, 2));
        assert_eq!((found.a_wins, found.draws, found.b_wins), (7, 1, 1));
        assert_eq!(found.pentanomial, PairCounts([0, 1, 0, 0, 1]));
        assert_eq!((found.score, found.counted_games()), (Some(0.625), 4));
        assert_eq!(found.wilson, wilson(2.5, 4));
        assert_eq!(found.p_value, Some(1.0));
        assert_eq!(without_repeats(&rows, &BTreeSet::new()).len(), 4);
        let known = BTreeSet::from([[1, 2]]);
        assert_eq!(Evidence::of(&rows, &known).pentanomial, PairCounts([0, 1, 0, 0, 0]));
    }

    /// 15 of 22: computed as a share and multiplied again it would be a little less.
    #[test]
    fn the_exact_interval_counts_whole_wins() {
        let outcome = |pair, game: u8| match pair {
            0..=3 => ["seat-0", "seat-1"][usize::from(game)],
            _ => "seat-0",
        };
        let rows: Vec<Played> =
            (0..22).map(|n| row(n / 2, (n % 2) as u8, outcome(n / 2, (n % 2) as u8), n)).collect();
        let found = Evidence::of(&rows.iter().collect::<Vec<_>>(), &BTreeSet::new());
        assert_eq!((found.a_wins, found.b_wins), (15, 7));
        assert_eq!(found.exact, Some(clopper_pearson(15, 22, 0.95)));
    }
}
