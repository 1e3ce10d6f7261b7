//! The tuners on landscapes whose best point is known, against an independent simulation of the same
//! kind of landscapes, done on 600 of them. What was measured here on 600 is in
//! `docs/algorithms/tuning.md`.

use tune::Tally;
use tune::landscape::{Contender, TABLE_GAMES, table_landscape};

const LANDSCAPES: u64 = 48;
const SEED: u64 = 1;
/// How far means may lie apart, besides their noise.
const TOLERANCE: f64 = 0.012;

/// Losses after 100, 300 and 1000 games as simulated independently.
const INDEPENDENT: [(&str, [f64; 3]); 8] = [
    ("published bonus, k=1, ε=.5, tuples 1+2", [0.127, 0.071, 0.032]),
    ("published bonus, k=.3, tuples 1+2+N", [0.118, 0.073, 0.030]),
    ("published bonus, k=1, tuples 1+2+N", [0.133, 0.085, 0.044]),
    ("published bonus, k=100, tuples 1+2+N", [0.154, 0.089, 0.051]),
    ("TAG bonus, k=1, ε=.1, tuples 1+2", [0.135, 0.081, 0.043]),
    ("TAG simple regret, k=1, ε=.1, tuples 1+2", [0.142, 0.087, 0.041]),
    ("uniform sampling, additive marginals", [0.139, 0.086, 0.054]),
    ("sequential halving on the grid", [0.158, 0.108, 0.057]),
];

fn losses(name: &str, landscapes: u64) -> [Tally; 3] {
    let contender = Contender::all().into_iter().find(|contender| contender.name == name).unwrap();
    let mut lost = [Tally::default(); TABLE_GAMES.len()];
    for number in 0..landscapes {
        for (tally, loss) in lost.iter_mut().zip(contender.losses(1, SEED, number)) {
            tally.add(loss);
        }
    }
    lost
}

#[test]
fn landscapes_are_as_described() {
    let (mut best, mut average) = (Tally::default(), Tally::default());
    for number in 0..1000 {
        let landscape = table_landscape(SEED, number);
        assert_eq!(landscape.space().size(), 360);
        best.add(landscape.best());
        average.add(landscape.average());
    }
    assert!((best.mean - 0.79).abs() < 0.015, "{best:?}");
    assert!((average.mean - 0.50).abs() < 0.01, "{average:?}");
}

/// Each mean is that of the independent simulation, and so is the order of the three groups that can
/// be told apart with so few landscapes.
#[test]
fn losses_and_their_order_are_those_of_an_independent_simulation() {
    // The rows are independent of each other, so they may share the machine.
    let rows: Vec<[Tally; 3]> = std::thread::scope(|scope| {
        let started: Vec<_> = INDEPENDENT
            .map(|(name, _)| scope.spawn(move || losses(name, LANDSCAPES)))
            .into_iter()
            .collect();
        started.into_iter().map(|row| row.join().unwrap()).collect()
    });
    for ((name, expected), found) in INDEPENDENT.iter().zip(&rows) {
        for (tally, expected) in found.iter().zip(expected) {
            let noise = 1.96 * tally.sd().unwrap() / (tally.n as f64).sqrt();
            let apart = (tally.mean - expected).abs();
            assert!(apart <= TOLERANCE + noise, "{name}: {} not {expected}", tally.mean);
        }
    }
    let over_all_budgets =
        |row: usize| rows[row].iter().map(|tally| tally.mean).sum::<f64>() / rows[row].len() as f64;
    let group = |members: &[usize]| {
        members.iter().map(|&row| over_all_budgets(row)).sum::<f64>() / members.len() as f64
    };
    let groups = [group(&[0, 1]), group(&[2, 4, 5]), group(&[3, 7])];
    assert!(groups[0] + 0.005 < groups[1] && groups[1] < groups[2], "{groups:?}");
    assert!(over_all_budgets(0) + 0.01 < over_all_budgets(6), "worse than uniform sampling");
}

/// Bits, not digits: the same seed asks the same questions on every machine and in every version.
#[test]
fn results_are_frozen() {
    let means = losses(INDEPENDENT[0].0, 5).map(|tally| tally.mean);
    let frozen = [0.09575076827696934, 0.09651629865198161, 0.031814722037958834];
    for (mean, frozen) in means.iter().zip(frozen) {
        assert!((mean - frozen).abs() < 1e-12, "{means:?}");
    }
}
