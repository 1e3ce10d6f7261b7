//! What storing a game costs: `cargo run --release -p store --example write_cost -- [GAMES]`.
#![allow(clippy::print_stdout, reason = "an example prints its result")]

use std::collections::BTreeMap;

use cpu_time::ProcessTime;
use store::{GameRow, Manifest, Store};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let games: u64 = std::env::args().nth(1).map_or(Ok(20_000), |text| text.parse())?;
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("cost.sqlite");
    let store = Store::open(&path)?;
    let run = store.create("cost", &manifest(games))?;
    let began = ProcessTime::now();
    for number in 0..games {
        let row = GameRow {
            number,
            pair: number / 2,
            outcome: gamecore::Outcome::SeatZero,
            ..GameRow::default()
        };
        store.add(&run, &row, &record(number))?;
    }
    let written = began.elapsed().as_secs_f64();
    let began = ProcessTime::now();
    let read = store.games(&run)?.len();
    let reading = began.elapsed().as_secs_f64();
    drop(store);
    let bytes = std::fs::metadata(&path)?.len();
    println!(
        "{games} games, each its own transaction: {:.1} µs of processor a game",
        written / games as f64 * 1e6
    );
    println!("{:.0} bytes a game in the file", bytes as f64 / games as f64);
    println!("{read} rows read in {reading:.3} s of processor");
    Ok(())
}

/// Sixty moves that differ from game to game, as in a game of Othello.
fn record(number: u64) -> String {
    let moves: Vec<String> = (0..60u64)
        .map(|ply| {
            let mixed =
                number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(ply * 0x9E37_79B9);
            let square = (mixed >> 29) % 64;
            format!("\"{}{}\"", char::from(b'a' + (square % 8) as u8), square / 8 + 1)
        })
        .collect();
    format!(
        "{{\"schema\":\"warroom-game-1\",\"game\":\"othello\",\"actions\":[{}]}}",
        moves.join(",")
    )
}

fn manifest(games: u64) -> Manifest {
    Manifest {
        schema: "warroom-run-1".into(),
        name: "cost".into(),
        game: "othello".into(),
        spec: serde_json::Value::Null,
        spec_hash: String::new(),
        version: String::new(),
        rules: "standard".into(),
        data: BTreeMap::new(),
        cpu: String::new(),
        repeatable: true,
        games,
    }
}
