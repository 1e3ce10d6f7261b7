//! Fits how many points of Conquest's evaluation make winning e times as likely as losing, to
//! finished games.
//!
//! ```sh
//! cargo run --release --package lab --example fit_conquest -- 200
//! ```
//!
//! The number is that of the games: half of them random search against itself, half the best agent
//! against a stronger random search, every pair from another random opening. Every position in which
//! a player is to act is a sample, all with the same weight. The model has one number and no
//! constant, so it is fair to both seats. The last tenth of the games of either half chooses nothing:
//! what the number is worth there is printed, too.

use arena::replay;
use conquest::{Conquest, Options};
use conquest_kit::evals::ThesisEvaluation;
use gamecore::{Evaluator, Game, Outcome, Seat, StopToken, Turn};
use lab::run::Threads;
use lab::{MatchSpec, Openings, play_in_memory};
use registry::{AgentSpec, no_files};
use standard::registry;

/// Who plays whom.
const PAIRINGS: [[&str; 2]; 2] = [
    ["random-search:calls=300", "random-search:calls=300"],
    ["conquest-best-1:calls=100", "random-search:calls=700"],
];
/// Random actions before a game.
const OPENING: u32 = 12;
/// Halvings of the interval in which the best number lies.
const HALVINGS: u32 = 60;

/// Points for seat 0, and what it got in the end.
type Sample = (f64, f64);

fn samples(pairing: [&str; 2], games: u64, seed: u64) -> Vec<Vec<Sample>> {
    let game = registry().open(Conquest::NAME, "").expect("a game");
    let rules = Conquest::new(Options::default());
    let [a, b] = pairing.map(|text| {
        let spec = AgentSpec::parse(text, &no_files).expect("a spec");
        game.resolve(&spec, &no_files).expect("an agent")
    });
    let openings = Openings::Random(Some(OPENING));
    let setups = [String::new(), String::new()];
    let spec = MatchSpec { game, a, b, games, seed, openings, setups, time: None };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let spec = spec.experiment().expect("an even number of games");
    let played = play_in_memory(&spec, &Threads::new(threads), &StopToken::default(), &|_| {});
    let (_, records) = played.expect("a match");
    let sample = |record: arena::GameRecord| {
        let result = match record.outcome {
            Outcome::SeatZero => 1.0,
            Outcome::SeatOne => 0.0,
            _ => 0.5,
        };
        let states = replay(&rules, &record).expect("a record of ours").states;
        let open = states.iter().filter(|state| matches!(rules.turn(state), Turn::Player(_)));
        let points = open.map(|state| {
            let score = ThesisEvaluation::INTENDED.evaluate(&rules, state, Seat::Zero);
            (f64::from(score.0), result)
        });
        points.collect()
    };
    records.into_iter().map(sample).collect()
}

fn chance(per_e: f64, points: f64) -> f64 {
    1.0 / (1.0 + (-points / per_e).exp())
}

/// Mean surprise in bits: 1 is as good as a coin.
fn loss(per_e: f64, samples: &[Sample]) -> f64 {
    let bits = |(points, result): &Sample| {
        let chance = chance(per_e, *points).clamp(1e-9, 1.0 - 1e-9);
        -(result * chance.log2() + (1.0 - result) * (1.0 - chance).log2())
    };
    samples.iter().map(bits).sum::<f64>() / samples.len() as f64
}

/// The loss is convex in 1 / number, so its slope says on which side the best one lies.
fn fit(samples: &[Sample]) -> f64 {
    let slope = |rate: f64| {
        let error = |(points, result): &Sample| (chance(1.0 / rate, *points) - result) * points;
        samples.iter().map(error).sum::<f64>()
    };
    let (mut low, mut high) = (1e-7, 1e-1);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if slope(middle) > 0.0 { high = middle } else { low = middle }
    }
    1.0 / low
}

#[allow(clippy::print_stdout)]
fn main() {
    let games = std::env::args().nth(1).and_then(|word| word.parse::<u64>().ok());
    let games = games.expect("expected a number: GAMES");
    let (mut train, mut held_out) = (Vec::new(), Vec::new());
    for (seed, pairing) in (1..).zip(PAIRINGS) {
        let all = samples(pairing, games / 2, seed);
        let (most, rest) = all.split_at(all.len() * 9 / 10);
        println!("{} against {}: {} positions", pairing[0], pairing[1], all.concat().len());
        train.extend(most.concat());
        held_out.extend(rest.concat());
    }
    let per_e = fit(&train);
    println!(
        "{per_e:.0} points make winning e times as likely; {} positions, log loss {:.4} bits, on {} \
         positions of other games {:.4}",
        train.len(),
        loss(per_e, &train),
        held_out.len(),
        loss(per_e, &held_out),
    );
}
