//! Evolves a heat map for pruning in Lords of War, instead of drawing one by hand (future work of
//! Sephton et al. 2014):
//!
//! ```sh
//! cargo run --release --package lab --example evolve_heat_map -- 12 40 200 > map.toml
//! ```
//!
//! The numbers are generations, games a map and generation, and iterations a decision. Maps are
//! symmetric from left to right, with weights from 0 to 9. A generation plays every map against
//! plain UCT on deals of its own; a map's fitness is its score over all its games so far, so that
//! luck wears off. The better half lives on and has as many children: two parents, each weight from
//! either, some of them changed. In the end the best plays games that chose nothing.

use gamecore::{Rng, StopToken};
use lab::run::Threads;
use lab::{MatchSpec, Openings, play_in_memory};
use registry::{AgentSpec, AnyGame, no_files};
use standard::registry;
use std::sync::Arc;

const ROWS: usize = 6;
/// Columns of a half and the middle; the rest mirrors them.
const COLS: usize = 4;
const POPULATION: usize = 8;
const HOTTEST: u32 = 9;
/// One weight of this many changes in a child.
const CHANGES: u32 = 8;
/// Held-out games, on a seed that no generation uses.
const CONFIRMING_GAMES: u64 = 400;
const CONFIRMING_SEED: u64 = 1_000_000;

type Genes = [[u32; COLS]; ROWS];

#[derive(Clone)]
struct Individual {
    genes: Genes,
    points: f64,
    games: u64,
}

impl Individual {
    fn new(genes: Genes) -> Self {
        Self { genes, points: 0.0, games: 0 }
    }

    fn fitness(&self) -> f64 {
        self.points / self.games.max(1) as f64
    }
}

fn full_rows(genes: &Genes) -> [[u32; 7]; ROWS] {
    genes.map(|[a, b, c, d]| [a, b, c, d, c, b, a])
}

fn map_text(genes: &Genes) -> String {
    let row = |row: [u32; 7]| row.map(|weight| weight.to_string()).join(":");
    full_rows(genes).map(row).join("/")
}

/// Score of an agent against plain UCT: points and games.
fn play(game: &Arc<dyn AnyGame>, pruning: &str, games: u64, iterations: u64, seed: u64) -> f64 {
    let agent = |text: &str| {
        let spec = AgentSpec::parse(text, &no_files).expect("a spec");
        game.resolve(&spec, &no_files).unwrap_or_else(|error| panic!("{text}: {error}"))
    };
    let spec = MatchSpec {
        game: game.clone(),
        a: agent(&format!("uct:iterations={iterations},hpl=15,{pruning}")),
        b: agent(&format!("uct:iterations={iterations}")),
        games,
        seed,
        openings: Openings::Random(Some(0)),
        setups: Default::default(),
        time: None,
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let spec = spec.experiment().expect("an even number of games");
    let played = play_in_memory(&spec, &Threads::new(threads), &StopToken::default(), &|_| {});
    let found = &played.expect("a match").0.cells[0].evidence;
    found.a_wins as f64 + 0.5 * found.draws as f64
}

fn by_map(genes: &Genes) -> String {
    format!("prune=map,eval=map,eval.map={}", map_text(genes))
}

fn child(rng: &mut Rng, parents: [&Genes; 2]) -> Genes {
    let mut genes = *parents[0];
    for (row, line) in genes.iter_mut().enumerate() {
        for (col, gene) in line.iter_mut().enumerate() {
            if rng.below(2) == 0 {
                *gene = parents[1][row][col];
            }
            if rng.below(CHANGES) == 0 {
                *gene = (*gene + rng.below(5)).saturating_sub(2).min(HOTTEST);
            }
        }
    }
    genes
}

#[allow(clippy::print_stdout)]
fn main() {
    let number = |word: String| word.parse().unwrap_or_else(|_| panic!("{word}: no number"));
    let numbers: Vec<u64> = std::env::args().skip(1).map(number).collect();
    let [generations, games, iterations] = numbers[..] else {
        panic!("expected three numbers: GENERATIONS GAMES ITERATIONS");
    };
    let game = registry().open("lords-of-war", "").expect("a game");
    let mut rng = Rng::new(1);
    let random = |rng: &mut Rng| [[0; COLS]; ROWS].map(|row| row.map(|_| rng.below(HOTTEST + 1)));
    let mut population: Vec<Individual> =
        (0..POPULATION).map(|_| Individual::new(random(&mut rng))).collect();
    for generation in 0..generations {
        for individual in &mut population {
            let pruning = by_map(&individual.genes);
            individual.points += play(&game, &pruning, games, iterations, 1 + generation);
            individual.games += games;
        }
        population.sort_by(|a, b| b.fitness().total_cmp(&a.fitness()));
        let best = &population[0];
        println!("# generation {generation}: {:.3} of {} games", best.fitness(), best.games);
        if generation + 1 < generations {
            population.truncate(POPULATION / 2);
            for _ in 0..POPULATION / 2 {
                let parent = |rng: &mut Rng| rng.below(POPULATION as u32 / 2) as usize;
                let (one, two) = (parent(&mut rng), parent(&mut rng));
                let genes = child(&mut rng, [&population[one].genes, &population[two].genes]);
                population.push(Individual::new(genes));
            }
        }
    }
    let best = population[0].genes;
    let confirm =
        |pruning: &str| play(&game, pruning, CONFIRMING_GAMES, iterations, CONFIRMING_SEED);
    for (name, pruning) in
        [("evolved", by_map(&best)), ("h6", "prune=h6".into()), ("h10", "prune=h10".into())]
    {
        let points = confirm(&pruning);
        let [low, high] = stats::wilson(points, CONFIRMING_GAMES).map(|end| 100.0 * end);
        let score = 100.0 * points / CONFIRMING_GAMES as f64;
        println!(
            "# {name}: {score:.1} % [{low:.1}, {high:.1}] of {CONFIRMING_GAMES} held-out games"
        );
    }
    println!("heat = [");
    for row in full_rows(&best) {
        println!("  {row:?},");
    }
    println!("]");
}
