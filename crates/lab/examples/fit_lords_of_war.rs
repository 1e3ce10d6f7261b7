//! Fits the evaluation `outlook` of Lords of War to finished games: who wins, by the factors of
//! the position.
//!
//! ```sh
//! cargo run --release --package lab --example fit_lords_of_war -- 2000 200 > outlook.toml
//! ```
//!
//! The numbers are games and iterations a decision. Every game is one of a pruned UCT against
//! itself, with armies drawn from the six; its positions, all with the same weight, are data of a
//! logistic regression without a constant (the factors are differences, so the model is fair to
//! both seats). The last tenth of the games chooses nothing: what it is worth there is printed.

use arena::{Outcome, replay};
use evals::factors::Factors;
use evals::lords_of_war::LordsFactors;
use gamecore::{Rng, StopToken, Turn};
use lab::{MatchSpec, Openings, play_match};
use lords_of_war::{LordsOfWar, core_armies};
use registry::AgentSpec;
use standard::open_game;

/// Steps of the descent and their size. Factors that say nearly the same share their weight as the
/// steps happen to leave it.
const STEPS: usize = 3_000;
const RATE: f64 = 0.5;
/// Draws weights together a little, for factors that say the same.
const RIDGE: f64 = 1e-4;

const FACTORS: usize = LordsFactors::LIST.len();

/// Factors of a position, and what seat 0 got in the end.
type Sample = ([f64; FACTORS], f64);

fn samples(games: u64, iterations: u64) -> Vec<Vec<Sample>> {
    let game = open_game("lords-of-war", "").expect("a game");
    let rules = LordsOfWar::default();
    let no_file = |path: &str| Err(format!("no file {path}"));
    let text = format!("mcts:iterations={iterations},prune=h4,hpl=15,select.c=0.2");
    let spec = AgentSpec::parse(&text, &no_file).expect("a spec");
    let agent = game.resolve(&spec, &no_file).expect("an agent");
    let mut rng = Rng::new(1);
    let armies = core_armies();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut all = Vec::new();
    for seed in 0..games / 4 {
        let mut army = || armies[rng.below(armies.len() as u32) as usize].id.clone();
        let spec = MatchSpec {
            game: game.clone(),
            a: agent.clone(),
            b: agent.clone(),
            games: 4,
            seed,
            openings: Openings::Random(Some(0)),
            setups: [army(), army()],
            time: None,
        };
        let played = play_match(&spec, threads, &StopToken::default(), &|_| {}).expect("a match");
        for record in played.records {
            let result = match record.outcome {
                Outcome::SeatZero => 1.0,
                Outcome::SeatOne => 0.0,
                _ => 0.5,
            };
            let states = replay(&rules, &record).expect("a record of ours").states;
            let open = states
                .iter()
                .filter(|state| matches!(gamecore::Game::turn(&rules, state), Turn::Player(_)));
            all.push(
                open.map(|state| {
                    let mut out = [0; evals::factors::MAX_FACTORS];
                    LordsFactors::measure(&rules, state, evals::factors::Wanted::ALL, &mut out);
                    (std::array::from_fn(|factor| f64::from(out[factor])), result)
                })
                .collect(),
            );
        }
    }
    all
}

fn chance(weights: &[f64; FACTORS], factors: &[f64; FACTORS]) -> f64 {
    let sum: f64 = weights.iter().zip(factors).map(|(weight, factor)| weight * factor).sum();
    1.0 / (1.0 + (-sum).exp())
}

/// Mean surprise in bits: 1 is as good as a coin.
fn loss(weights: &[f64; FACTORS], samples: &[Sample]) -> f64 {
    let bits = |(factors, result): &Sample| {
        let chance = chance(weights, factors).clamp(1e-9, 1.0 - 1e-9);
        -(result * chance.log2() + (1.0 - result) * (1.0 - chance).log2())
    };
    samples.iter().map(bits).sum::<f64>() / samples.len() as f64
}

/// Gradient descent, every factor in units of its own spread.
fn fit(samples: &[Sample]) -> [f64; FACTORS] {
    let count = samples.len() as f64;
    let spread: [f64; FACTORS] = std::array::from_fn(|factor| {
        let squares = samples.iter().map(|(factors, _)| factors[factor].powi(2));
        (squares.sum::<f64>() / count).sqrt().max(1e-9)
    });
    let mut weights = [0.0; FACTORS];
    for _ in 0..STEPS {
        let mut slope: [f64; FACTORS] = std::array::from_fn(|f| -RIDGE * weights[f] * spread[f]);
        for (factors, result) in samples {
            let error = (result - chance(&weights, factors)) / count;
            for factor in 0..FACTORS {
                slope[factor] += error * factors[factor] / spread[factor];
            }
        }
        for factor in 0..FACTORS {
            weights[factor] += RATE * slope[factor] / spread[factor];
        }
    }
    weights
}

#[allow(clippy::print_stdout)]
fn main() {
    let number = |word: String| word.parse().unwrap_or_else(|_| panic!("{word}: no number"));
    let numbers: Vec<u64> = std::env::args().skip(1).map(number).collect();
    let [games, iterations] = numbers[..] else {
        panic!("expected two numbers: GAMES ITERATIONS");
    };
    let all = samples(games, iterations);
    let (train, held_out) = all.split_at(all.len() * 9 / 10);
    let (train, held_out) = (train.concat(), held_out.concat());
    let weights = fit(&train);
    println!("# who wins, by what was lost, what stands and what may come");
    println!(
        "# fitted to {} positions of {games} games, {iterations} iterations per decision; log loss {:.4} bits, \
         on {} positions of other games {:.4}",
        train.len(),
        loss(&weights, &train),
        held_out.len(),
        loss(&weights, &held_out),
    );
    println!("game = \"lords-of-war\"\n\n[weights]\nterminal = 100000");
    for (info, weight) in LordsFactors::LIST.iter().zip(weights) {
        println!("{} = {:.0}", info.name, 1000.0 * weight);
    }
}
