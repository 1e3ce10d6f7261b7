//! Tables that were computed elsewhere, by exact sums.

use stats::{PairCounts, clopper_pearson, critical_wins, elo_interval, sign_test, wilson};

fn close(found: f64, expected: f64, by: f64) {
    assert!((found - expected).abs() <= by, "{found} instead of {expected}");
}

/// Wins, games, Wilson, Clopper–Pearson, p, Elo and its ends.
type OneMatch = (u64, u64, [f64; 2], [f64; 2], f64, [f64; 3]);

#[test]
fn one_match() {
    let table: [OneMatch; 9] = [
        (13, 25, [0.335, 0.700], [0.313, 0.722], 1.00, [-119.0, 14.0, 147.0]),
        (18, 25, [0.524, 0.857], [0.506, 0.879], 0.043, [17.0, 164.0, 311.0]),
        (25, 50, [0.366, 0.634], [0.355, 0.645], 1.00, [-95.0, 0.0, 95.0]),
        (28, 50, [0.423, 0.688], [0.413, 0.700], 0.48, [-54.0, 42.0, 138.0]),
        (29, 50, [0.442, 0.706], [0.432, 0.718], 0.32, [-40.0, 56.0, 152.0]),
        (30, 50, [0.462, 0.724], [0.452, 0.736], 0.20, [-27.0, 70.0, 167.0]),
        (33, 50, [0.522, 0.776], [0.512, 0.788], 0.033, [15.0, 115.0, 215.0]),
        (413, 500, [0.790, 0.857], [0.790, 0.858], 0.0, [230.0, 271.0, 311.0]),
        (450, 500, [0.871, 0.923], [0.870, 0.925], 0.0, [331.0, 382.0, 432.0]),
    ];
    for (wins, games, by_wilson, exact, p, elos) in table {
        let found = wilson(wins as f64, games);
        let found_exact = clopper_pearson(wins, games, 0.95);
        let score = wins as f64 / games as f64;
        for end in 0..2 {
            close(found[end], by_wilson[end], 6e-4);
            close(found_exact[end], exact[end], 6e-4);
        }
        close(sign_test(wins, games - wins), p, if p < 0.1 { 5e-4 } else { 5e-3 });
        for (elo, expected) in elo_interval(score, found).into_iter().zip(elos) {
            close(elo.unwrap(), expected, 0.6);
        }
    }
    assert!(sign_test(413, 87) < 1e-6 && sign_test(450, 50) < 1e-6);
}

/// The ends of the exact interval are where the tails are 2.5 %: checked by summing the binomial.
#[test]
fn clopper_pearson_inverts_the_tails() {
    let tail = |n: u64, p: f64, from: u64, to: u64| -> f64 {
        let term = |k: u64| {
            let choose: f64 = (0..k).map(|i| ((n - i) as f64 / (i + 1) as f64).ln()).sum();
            (choose + k as f64 * p.ln() + (n - k) as f64 * (1.0 - p).ln()).exp()
        };
        (from..=to).map(term).sum()
    };
    for (k, n) in [(1, 7), (5, 9), (20, 30), (99, 100), (3, 400)] {
        for level in [0.8, 0.95, 0.999] {
            let [low, high] = clopper_pearson(k, n, level);
            close(tail(n, low, k, n), (1.0 - level) / 2.0, 1e-9);
            close(tail(n, high, 0, k), (1.0 - level) / 2.0, 1e-9);
        }
    }
    assert_eq!(clopper_pearson(0, 0, 0.95), [0.0, 1.0]);
    assert_eq!(clopper_pearson(0, 10, 0.95)[0], 0.0);
    assert_eq!(clopper_pearson(10, 10, 0.95)[1], 1.0);
    // (α/2)^(1/n) for all of n.
    close(clopper_pearson(10, 10, 0.95)[0], 0.025f64.powf(0.1), 1e-12);
}

/// 12 pairs won, 6 drawn, 2 lost: mean .75, sample variance by hand, t(19) = 2.0930.
#[test]
fn draws_make_the_interval_narrower() {
    let [low, high] = PairCounts([2, 0, 6, 0, 12]).interval(0.95).unwrap();
    let variance = (12.0 * 0.25f64.powi(2) + 6.0 * 0.25f64.powi(2) + 2.0 * 0.75f64.powi(2)) / 19.0;
    let half = 2.093_024 * (variance / 20.0).sqrt();
    close(low, 0.75 - half, 1e-6);
    close(high, 0.75 + half, 1e-6);
    let [wilson_low, wilson_high] = wilson(15.0, 20);
    assert!(high - low < wilson_high - wilson_low);
    for nothing in [[0; 5], [0, 0, 0, 0, 1], [0, 0, 8, 0, 0]] {
        assert_eq!(PairCounts(nothing).interval(0.95), None);
    }
}

#[test]
fn one_cell_among_many() {
    let wins_needed = |games| critical_wins(games, 0.05 / 465.0);
    assert_eq!([50, 100, 200].map(wins_needed), [Some(39), Some(70), Some(128)]);
    assert_eq!([10, 0].map(wins_needed), [None, None]);
}

#[test]
fn wins_that_are_more_than_chance() {
    for (games, wins) in [(10, 9), (25, 18), (50, 33), (100, 61), (200, 115), (500, 273)] {
        assert_eq!(critical_wins(games, 0.05), Some(wins), "{games}");
        assert!(sign_test(wins, games - wins) <= 0.05);
        assert!(sign_test(wins - 1, games - wins + 1) > 0.05);
    }
}

/// The power of the sign test over pairs, by going through all numbers of won and lost pairs.
#[test]
fn the_power_over_pairs_is_that_of_all_outcomes() {
    for (pairs, score, alpha) in
        [(5u64, 0.95, 0.05), (8, 0.8, 0.05), (20, 0.7, 0.05), (25, 0.75, 0.003)]
    {
        let (won, lost): (f64, f64) = (score * score, (1.0 - score) * (1.0 - score));
        let mut found = 0.0;
        for wins in 0..=pairs {
            for losses in 0..=pairs - wins {
                let split = pairs - wins - losses;
                let mut chance = 1.0;
                // The multinomial coefficient and its powers, factor by factor.
                for (count, each, before) in
                    [(wins, won, 0), (losses, lost, wins), (split, 1.0 - won - lost, wins + losses)]
                {
                    for step in 1..=count {
                        chance *= each * (before + step) as f64 / step as f64;
                    }
                }
                if wins > losses && sign_test(wins, losses) <= alpha {
                    found += chance;
                }
            }
        }
        let told = stats::pair_power(pairs, score, alpha);
        assert!((told - found).abs() < 1e-9, "{pairs} {score}: {told} {found}");
    }
    // Five pairs never reach 5 %, whatever the score.
    assert_eq!(stats::score_found_by_pairs(5, 0.05, 0.8), None);
    let score = stats::score_found_by_pairs(50, 0.05, 0.8).unwrap();
    assert!((stats::pair_power(50, score, 0.05) - 0.8).abs() < 1e-6);
}
