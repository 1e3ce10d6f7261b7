//! Compares tuners on random landscapes whose best point is known, and prints what their choices lose
//! against it, with 95 % intervals:
//!
//! ```sh
//! cargo run --release --package tune --example landscapes -- 600 1
//! ```
//!
//! The numbers are landscapes and seed, and optionally evaluations asked for at a time (1).

#![allow(clippy::print_stdout)]

use tune::Tally;
use tune::landscape::{Contender, TABLE_GAMES, table_landscape};

fn main() {
    let numbers: Vec<u64> = std::env::args()
        .skip(1)
        .map(|text| text.parse().unwrap_or_else(|_| panic!("{text} is not a whole number")))
        .collect();
    let number = |place: usize, default| numbers.get(place).copied().unwrap_or(default);
    let (count, seed, batch) = (number(0, 600), number(1, 1), number(2, 1));

    let (mut best, mut average) = (Tally::default(), Tally::default());
    for number in 0..count {
        let landscape = table_landscape(seed, number);
        best.add(landscape.best());
        average.add(landscape.average());
    }
    println!("{count} landscapes: best point {:.3}, average {:.3}\n", best.mean, average.mean);
    println!("| tuner | {} games | {} | {} |", TABLE_GAMES[0], TABLE_GAMES[1], TABLE_GAMES[2]);
    println!("|---|---|---|---|");
    for contender in Contender::all() {
        let mut lost = [Tally::default(); TABLE_GAMES.len()];
        for number in 0..count {
            let losses = contender.losses(batch as usize, seed, number);
            for (tally, loss) in lost.iter_mut().zip(losses) {
                tally.add(loss);
            }
        }
        let cell = |tally: &Tally| {
            let half = 1.96 * tally.sd().unwrap_or(0.0) / (tally.n as f64).sqrt();
            format!("{:.3} ±{half:.3}", tally.mean)
        };
        println!("| {} | {} |", contender.name, lost.each_ref().map(cell).join(" | "));
    }
}
