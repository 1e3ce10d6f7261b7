//! What the tests of the evaluations share.

use gamecore::{Game, Rng, random_action};
use othello::{Board, Othello};
use othello_kit::evals::{OthelloFactors, WEIGHTS};
use registry::factors::{WeightError, Weights, factors_of};

pub(crate) fn parse(text: &str) -> Result<Weights, WeightError> {
    Weights::parse::<Othello, OthelloFactors>(text)
}

/// Every weight file that comes with the program.
pub(crate) fn shipped() -> Vec<(&'static str, Weights)> {
    WEIGHTS
        .iter()
        .map(|(name, content)| {
            (*name, parse(content).unwrap_or_else(|error| panic!("{name}: {error}")))
        })
        .collect()
}

pub(crate) fn factor_names() -> Vec<&'static str> {
    factors_of::<Othello, OthelloFactors>().map(|info| info.name).collect()
}

pub(crate) fn with(weights: &Weights, name: &str, weight: i32) -> Weights {
    let mut changed = weights.clone();
    changed.set::<Othello, OthelloFactors>(name, weight).expect("a factor and its range");
    changed
}

/// Positions of random games, one of each length, finished ones included.
pub(crate) fn positions(games: u64) -> Vec<Board> {
    let mut found = Vec::new();
    for seed in 0..games {
        let (mut rng, mut board) = (Rng::new(seed), Board::START);
        found.push(board);
        while let Some(action) = random_action(&Othello, &board, &mut rng) {
            Othello.apply(&mut board, action);
            found.push(board);
        }
    }
    found
}
