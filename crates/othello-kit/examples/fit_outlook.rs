//! Fits the evaluation `outlook` to games of the WTHOR data base and to games against itself:
//!
//! ```sh
//! cat FOLDER/*.wtb | cargo run --release --package othello-kit --example fit_outlook > outlook.toml
//! ```
//!
//! Logistic regression of who wins with best play, by AdaGrad (Duchi, Hazan and Singer, 2011). Of
//! tournament games best play is known with 24 empty squares from the data base, with 16 and 10
//! from the solver; a position is labelled by the nearest of them. People rarely make gross
//! mistakes, so the evaluation then plays games that begin with random moves, which the solver
//! ends, and is fitted again to both. The same games give the same file, which is
//! `data/othello/outlook.toml`. It is told on every tenth game, which is not fitted to.

use std::io::{Read as _, Write as _};

use gamecore::math::{exp, ln};
use gamecore::{Buf, Evaluator, Game, Rng, Seat, Turn, random_action};
use othello::bits::InstructionSet;
use othello::formats::wthor;
use othello::{Board, Move, Othello};
use othello_engine::{Solver, SolverOptions};
use othello_kit::evals::outlook::{
    Outlook, OutlookText, PHASES, PhaseText, STEP, Seen, pattern_weights, seen,
};

const EPOCHS: usize = 4;
/// Rounds of games against itself, and games in each.
const ROUNDS: usize = 3;
const OWN_GAMES: u64 = 60_000;
/// Empty squares of positions that are solved in tournament games, and in own ones.
const SOLVED: [u32; 2] = [16, 10];
const OWN_SOLVED: u32 = 12;
/// Positions with fewer empty squares are left to solvers.
const LEAST_EMPTIES: u32 = 5;
/// How far a weight goes in a step, and what keeps it from going far by few positions.
const RATE: f64 = 0.1;
const CAUTION: f64 = 30.0;

type Failure = Box<dyn std::error::Error>;

struct Sample {
    own: u64,
    opp: u64,
    /// What best play gives the mover: 1, ½ or 0.
    won: f32,
    held_out: bool,
}

fn won(score: i32) -> f32 {
    (score.signum() as f32 + 1.0) / 2.0
}

/// Positions of a game with the score of black by best play in each of them.
fn add(line: &[(Board, i32)], held_out: bool, out: &mut Vec<Sample>) {
    for (board, black) in line {
        let score = if board.mover() == Seat::Zero { *black } else { -black };
        if board.moves() != 0 {
            out.push(Sample { own: board.own(), opp: board.opp(), won: won(score), held_out });
        }
    }
}

/// The score of black with best play.
fn solved(solver: &Solver, board: &Board) -> i32 {
    let score = solver.solve(board, &|| false).expect("nobody stops it").score;
    if board.mover() == Seat::Zero { score } else { -score }
}

fn add_tournament_game(game: &wthor::Game, solver: &Solver, held_out: bool, out: &mut Vec<Sample>) {
    let mut black = 2 * i32::from(game.theoretical_black_discs) - 64;
    let (mut board, mut line) = (Board::START, Vec::new());
    for action in game.actions.iter().map_while(|&number| Move::new(number)) {
        Othello.apply(&mut board, action);
        if board.is_over() || board.empties() < LEAST_EMPTIES {
            break;
        }
        // Half way between two positions of which best play is known.
        for empties in SOLVED {
            if board.empties() == empties + 3 {
                black = ahead(game, &board, empties, line.len() + 1, solver).unwrap_or(black);
            }
        }
        line.push((board, black));
    }
    add(&line, held_out, out);
}

/// The score with best play where the game has so many empty squares.
fn ahead(
    game: &wthor::Game,
    from: &Board,
    empties: u32,
    played: usize,
    solver: &Solver,
) -> Option<i32> {
    let mut board = *from;
    let mut rest = game.actions.iter().skip(played).map_while(|&number| Move::new(number));
    while board.empties() > empties {
        Othello.apply(&mut board, rest.next()?);
    }
    (!board.is_over()).then(|| solved(solver, &board))
}

/// Files one after the other: each says in its head how many games of 68 bytes it holds.
fn tournament_games(mut bytes: &[u8], solver: &Solver) -> Result<Vec<Sample>, Failure> {
    let mut out = Vec::new();
    let mut number = 0;
    while let Some(count) = bytes.get(4..8) {
        let games = u32::from_le_bytes(count.try_into()?) as usize;
        let (file, rest) = bytes.split_at_checked(16 + 68 * games).ok_or("a file ends early")?;
        for game in &wthor::read_games(file)?.games {
            number += 1;
            add_tournament_game(game, solver, number % 10 == 0, &mut out);
        }
        bytes = rest;
    }
    Ok(out)
}

/// The value for the mover, so many plies ahead.
fn search(outlook: &Outlook, board: &Board, depth: u32, mut alpha: i32, beta: i32) -> i32 {
    if board.is_over() {
        return outlook.terminal(&Othello, board, board.mover()).0;
    }
    if depth == 0 {
        return outlook.evaluate(&Othello, board, board.mover()).0;
    }
    let mut actions = Buf::new();
    Othello.actions(board, &mut actions);
    for action in actions {
        let mut next = *board;
        Othello.apply(&mut next, action);
        alpha = alpha.max(-search(outlook, &next, depth - 1, -beta, -alpha));
        if alpha >= beta {
            break;
        }
    }
    alpha
}

fn best(outlook: &Outlook, board: &Board) -> Move {
    let mut actions = Buf::new();
    Othello.actions(board, &mut actions);
    let (mut chosen, mut most) = (actions[0], -i32::MAX);
    for action in actions {
        let mut next = *board;
        Othello.apply(&mut next, action);
        let value = -search(outlook, &next, 1, -i32::MAX, -most);
        if value > most {
            (chosen, most) = (action, value);
        }
    }
    chosen
}

/// A game from a random beginning, up to where the solver says how it ends.
fn add_own_game(outlook: &Outlook, seed: u64, solver: &Solver, out: &mut Vec<Sample>) {
    let mut rng = Rng::new(seed);
    let random_plies = 2 + rng.below(24);
    let (mut board, mut line) = (Board::START, Vec::new());
    while Othello.turn(&board) != Turn::Over && board.empties() > OWN_SOLVED {
        let at_random = (line.len() as u32) < random_plies || rng.below(20) == 0;
        let action = match random_action(&Othello, &board, &mut rng) {
            Some(action) if at_random => action,
            _ => best(outlook, &board),
        };
        line.push((board, 0));
        Othello.apply(&mut board, action);
    }
    let black = if board.is_over() {
        let discs = board.own().count_ones() as i32 - board.opp().count_ones() as i32;
        if board.mover() == Seat::Zero { discs } else { -discs }
    } else {
        solved(solver, &board)
    };
    // Whatever came before the last random moves says little of the result.
    let fair = line.split_off(line.len().min(random_plies as usize));
    let fair: Vec<(Board, i32)> = fair.into_iter().map(|(board, _)| (board, black)).collect();
    add(&fair, seed.is_multiple_of(10), out);
}

/// A weight and the squares of its slopes so far.
#[derive(Clone, Copy)]
struct Weight {
    value: f64,
    squares: f64,
}

impl Weight {
    const NEW: Self = Self { value: 0.0, squares: CAUTION };

    fn step(&mut self, slope: f64, rate: f64) {
        self.squares += slope * slope;
        self.value += rate * slope / self.squares.sqrt();
    }
}

struct Model {
    patterns: Vec<Vec<Weight>>,
    mobility: [[Weight; 2]; PHASES],
}

impl Model {
    fn new() -> Self {
        let far = Weight { squares: 1e4, ..Weight::NEW };
        Self {
            patterns: vec![vec![Weight::NEW; pattern_weights()]; PHASES],
            mobility: [[far; 2]; PHASES],
        }
    }

    fn log_odds(&self, seen: &Seen) -> f64 {
        let weights = &self.patterns[seen.phase];
        let patterns: f64 = seen.patterns.iter().map(|&at| weights[at as usize].value).sum();
        let mobility = self.mobility[seen.phase].iter().zip(seen.mobility);
        patterns + mobility.map(|(weight, count)| weight.value * f64::from(count)).sum::<f64>()
    }

    fn learn(&mut self, sample: &Sample, rate: f64) {
        let seen = seen(sample.own, sample.opp);
        let slope = f64::from(sample.won) - (1.0 + exp(-self.log_odds(&seen))).recip();
        for at in seen.patterns {
            self.patterns[seen.phase][at as usize].step(slope, rate);
        }
        for (weight, count) in self.mobility[seen.phase].iter_mut().zip(seen.mobility) {
            weight.step(slope * f64::from(count), rate);
        }
    }

    /// The model that both kinds of games give.
    fn fitted(tournaments: &[Sample], own: &[Sample], rng: &mut Rng) -> Self {
        let mut model = Self::new();
        let samples = tournaments.len() + own.len();
        for epoch in 0..EPOCHS {
            let rate = RATE / (1.0 + epoch as f64);
            for _ in 0..samples {
                let drawn = rng.below(samples as u32) as usize;
                let sample =
                    tournaments.get(drawn).unwrap_or_else(|| &own[drawn - tournaments.len()]);
                if !sample.held_out {
                    model.learn(sample, rate);
                }
            }
        }
        model
    }

    fn text(&self) -> OutlookText {
        let thousandths = |weight: Weight| (weight.value * 1e3).round() as i32;
        let steps = |weight: &Weight| (weight.value * 1e3 / f64::from(STEP)).round() as i8;
        let phase = |(patterns, [moves, potential]): (&Vec<Weight>, [Weight; 2])| PhaseText {
            mobility: thousandths(moves),
            potential_mobility: thousandths(potential),
            patterns: PhaseText::letters(patterns.iter().map(steps)),
        };
        OutlookText { phase: self.patterns.iter().zip(self.mobility).map(phase).collect() }
    }
}

/// Mean surprise in bits by phase, fitted positions and held out ones.
fn tell(outlook: &Outlook, what: &str, samples: &[Sample]) -> Result<(), Failure> {
    if samples.is_empty() {
        return Ok(());
    }
    let mut sums = [[(0.0, 0_u64); PHASES]; 2];
    for sample in samples {
        let board = Board::new(sample.own, sample.opp, Seat::Zero);
        let points = outlook.evaluate(&Othello, &board, Seat::Zero).0;
        let chance = (1.0 + exp(-f64::from(points) / 1e3)).recip().clamp(1e-6, 1.0 - 1e-6);
        let won = f64::from(sample.won);
        let bits = -(won * ln(chance) + (1.0 - won) * ln(1.0 - chance)) / ln(2.0);
        let (sum, count) =
            &mut sums[usize::from(sample.held_out)][seen(sample.own, sample.opp).phase];
        (*sum, *count) = (*sum + bits, *count + 1);
    }
    let mean = |(sum, count): &(f64, u64)| format!("{:.3}", sum / *count as f64);
    let [fitted, held_out] = sums.map(|sums| sums.iter().map(mean).collect::<Vec<_>>().join(" "));
    writeln!(
        std::io::stderr(),
        "{what}: {} positions, bits {fitted}; held out {held_out}",
        samples.len()
    )?;
    Ok(())
}

fn main() -> Result<(), Failure> {
    let mut bytes = Vec::new();
    std::io::stdin().lock().read_to_end(&mut bytes)?;
    let options = SolverOptions { table_mb: 1, threads: 1, set: InstructionSet::detect() };
    let solver = Solver::new(options);
    let mut rng = Rng::new(1);
    let tournaments = tournament_games(&bytes, &solver)?;
    let mut own = Vec::new();
    let mut model = Model::fitted(&tournaments, &own, &mut rng);
    for round in 1..=ROUNDS {
        let outlook = Outlook::new(&model.text())?;
        tell(&outlook, "tournaments", &tournaments)?;
        tell(&outlook, "own games before", &own)?;
        let first = round as u64 * OWN_GAMES;
        let before = own.len();
        for seed in first..first + OWN_GAMES {
            add_own_game(&outlook, seed, &solver, &mut own);
        }
        tell(&outlook, "own games now", &own[before..])?;
        model = Model::fitted(&tournaments, &own, &mut rng);
    }
    let text = model.text();
    let outlook = Outlook::new(&text)?;
    tell(&outlook, "tournaments", &tournaments)?;
    tell(&outlook, "own games", &own)?;
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "# Weights of patterns and mobility for the chance to win in Othello, in six phases of ten plies; source: \
         fitted by crates/othello-kit/examples/fit_outlook.rs to the games of the WTHOR data base of the \
         French Othello Federation, 1977 to 2025, and to {} games against itself. One letter a pattern: its code \
         less 83, in fiftieths of the log-odds.",
        ROUNDS as u64 * OWN_GAMES
    )?;
    for phase in &text.phase {
        let PhaseText { mobility, potential_mobility, patterns } = phase;
        write!(
            out,
            "\n[[phase]]\nmobility = {mobility}\npotential_mobility = {potential_mobility}\npatterns = '{patterns}'\n"
        )?;
    }
    Ok(())
}
