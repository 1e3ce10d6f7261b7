//! Fits the weights that sort moves in the solver to games of the WTHOR data base:
//!
//! ```sh
//! cat FOLDER/*.wtb | cargo run --release --package othello-engine --example fit_order > order.txt
//! ```
//!
//! Least squares of the score with best play, as the data base gives it, over positions with 11 to
//! 24 empty squares, by AdaGrad (Duchi, Hazan and Singer, 2011). Mobility is fitted beside the
//! patterns; its weights go to `heuristic.rs` by hand. The same games give the same file, which is
//! `data/othello/order.txt`.

use std::io::{Read as _, Write as _};

use gamecore::{Game, Rng};
use othello::formats::wthor;
use othello::{Board, Move, Othello};
use othello_engine::{PATTERN_WEIGHTS, order_features, pattern_indices};

const EPOCHS: usize = 6;
const RATE: f32 = 0.5;
/// Patterns of a position; their steps add up.
const PATTERNS: usize = 8;
/// Mobility, potential mobility, the turn.
const LINEAR: usize = 3;

type Failure = Box<dyn std::error::Error>;

struct Sample {
    patterns: [usize; PATTERNS],
    linear: [f32; LINEAR],
    score: f32,
}

impl Sample {
    fn new(own: u64, opp: u64, score: f32) -> Self {
        let [mobility, potential] = order_features(own, opp).map(|count| count as f32);
        Self { patterns: pattern_indices(own, opp), linear: [mobility, potential, 1.0], score }
    }
}

/// The positions of a game, and their mirror images: a pattern has no left and right.
fn add_game(game: &wthor::Game, out: &mut Vec<Sample>) {
    let black_score = 2.0 * f32::from(game.theoretical_black_discs) - 64.0;
    let mut board = Board::START;
    for (ply, action) in game.actions.iter().map_while(|&number| Move::new(number)).enumerate() {
        if (11..=24).contains(&board.empties()) && board.moves() != 0 {
            let score = if ply % 2 == 0 { black_score } else { -black_score };
            let (own, opp) = (board.own(), board.opp());
            out.push(Sample::new(own, opp, score));
            out.push(Sample::new(own.swap_bytes(), opp.swap_bytes(), score));
        }
        Othello.apply(&mut board, action);
    }
}

/// Files one after the other: each says in its head how many games of 68 bytes it holds.
fn samples(mut bytes: &[u8]) -> Result<Vec<Sample>, Failure> {
    let mut out = Vec::new();
    while let Some(count) = bytes.get(4..8) {
        let games = u32::from_le_bytes(count.try_into()?) as usize;
        let (file, rest) = bytes.split_at_checked(16 + 68 * games).ok_or("a file ends early")?;
        wthor::read_games(file)?.games.iter().for_each(|game| add_game(game, &mut out));
        bytes = rest;
    }
    Ok(out)
}

/// A weight and the squares of its steps so far.
#[derive(Clone, Copy)]
struct Weight {
    value: f32,
    squares: f32,
}

impl Weight {
    fn step(&mut self, slope: f32, rate: f32) {
        self.squares += slope * slope;
        self.value += rate * slope / self.squares.sqrt();
    }
}

fn main() -> Result<(), Failure> {
    let mut bytes = Vec::new();
    std::io::stdin().lock().read_to_end(&mut bytes)?;
    let samples = samples(&bytes)?;
    let mut patterns = vec![Weight { value: 0.0, squares: 1e-3 }; PATTERN_WEIGHTS];
    let mut linear = [Weight { value: 0.0, squares: 1e3 }; LINEAR];
    let mut rng = Rng::new(1);
    let mut err = std::io::stderr().lock();
    for epoch in 1..=EPOCHS {
        let mut error = 0.0;
        for _ in 0..samples.len() {
            let sample = &samples[rng.below(samples.len() as u32) as usize];
            let by_pattern: f32 = sample.patterns.iter().map(|&index| patterns[index].value).sum();
            let terms = linear.iter().zip(sample.linear);
            let guess = by_pattern + terms.map(|(weight, count)| weight.value * count).sum::<f32>();
            let wrong = sample.score - guess;
            error += f64::from(wrong * wrong);
            for &index in &sample.patterns {
                patterns[index].step(wrong, RATE / 4.0);
            }
            for (weight, count) in linear.iter_mut().zip(sample.linear) {
                weight.step(wrong * count, RATE);
            }
        }
        let error = (error / samples.len() as f64).sqrt();
        let linear = linear.map(|weight| weight.value);
        writeln!(err, "{epoch}: {} samples, error {error:.2} discs, {linear:?}", samples.len())?;
    }
    let letter = |weight: &Weight| ((weight.value * 4.0).round().clamp(-46.0, 46.0) + 80.0) as u8;
    let letters: Vec<u8> = patterns.iter().map(letter).collect();
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "# Weights of edges and corners for the order of moves; source: fitted by \
         crates/othello-engine/examples/fit_order.rs to the games of the WTHOR data base of the \
         French Othello Federation, 1977 to 2025. One character a weight: its code less 80, in \
         quarters of a disc."
    )?;
    out.write_all(&letters)?;
    writeln!(out)?;
    Ok(())
}
