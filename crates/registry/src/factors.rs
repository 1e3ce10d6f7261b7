//! A heuristic of general factors (Hernandez et al., 2020, section 5.1, equation 2):
//! `score = Σ weight_f · f`. A factor with weight 0 is removed: it is not even measured.
//!
//! The mechanism is the same for every game; a game supplies only its list of factors and how to
//! measure them. The paper values a node for the machine alone; here every factor is a difference
//! between the seats, measured for seat 0 and negated for seat 1, so the sum is antisymmetric by
//! construction.

use std::collections::BTreeMap;
use std::marker::PhantomData;

use gamecore::{Evaluator, Game, Score, Seat, Term, Turn};
use serde::Deserialize;

/// A factor's name and meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FactorInfo {
    /// The name in weight files and agent specs.
    pub name: &'static str,
    /// What it measures, one line.
    pub about: &'static str,
}

/// More factors than any game has.
pub const MAX_FACTORS: usize = 24;

/// The factors that have a weight, by position in [`Factors::LIST`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted(u32);

impl Wanted {
    /// All of them.
    pub const ALL: Self = Self(u32::MAX);

    /// Whether the factor at this position of the list is to be measured.
    #[inline]
    #[must_use]
    pub fn has(self, position: usize) -> bool {
        self.0 >> position & 1 == 1
    }
}

/// What one game measures.
pub trait Factors<G: Game>: Send + Sync + 'static {
    /// The factors, at most [`MAX_FACTORS`].
    const LIST: &'static [FactorInfo];

    /// Writes the wanted factors for seat 0 into `out`, by position in the list.
    fn measure(game: &G, state: &G::State, wanted: Wanted, out: &mut [i32; MAX_FACTORS]);

    /// No factor measures more, either way, as far as that is known.
    const LARGEST: i32 = i32::MAX;

    /// See [`Evaluator::points_per_e`].
    const POINTS_PER_E: f64 = 1000.0;

    /// See [`Evaluator::has_noisy_actions`].
    const HAS_NOISY_ACTIONS: bool = false;

    /// See [`Evaluator::is_noisy`].
    fn is_noisy(_game: &G, _state: &G::State, _action: G::Action) -> bool {
        false
    }
}

/// The factor every game has: the result, at finished games only.
pub const TERMINAL: FactorInfo =
    FactorInfo { name: "terminal", about: "a finished game: +1 won, 0 drawn, −1 lost" };

/// The largest weight of an ordinary factor, either sign.
pub const MAX_WEIGHT: i32 = 1_000;
/// The largest weight of [`TERMINAL`].
pub const MAX_TERMINAL: i32 = 100_000_000;

/// A weight for every factor of a game, by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights(BTreeMap<String, i32>);

/// A weight file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WeightFile {
    game: String,
    weights: BTreeMap<String, i32>,
}

/// Why weights cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WeightError {
    /// Not a weight file.
    #[error("not a weight file (game = \"…\" and a table [weights] of whole numbers): {0}")]
    Format(String),
    /// Made for another game.
    #[error("weights for {found}, expected weights for {expected}")]
    Game {
        /// The file's game.
        found: String,
        /// The game being played.
        expected: &'static str,
    },
    /// No factor of that name.
    #[error("unknown factor '{name}'; the factors of {game}: {valid}")]
    Factor {
        /// The name given.
        name: String,
        /// The game.
        game: &'static str,
        /// The names it has.
        valid: String,
    },
    /// Too large.
    #[error("weight of {name} is {weight}: expected {min} to {max}")]
    Range {
        /// The factor.
        name: String,
        /// The weight given.
        weight: i32,
        /// Smallest allowed.
        min: i32,
        /// Largest allowed.
        max: i32,
    },
}

impl Weights {
    /// All factors of a game, none of them counted.
    #[must_use]
    pub fn zero<G: Game, F: Factors<G>>() -> Self {
        Self(factors_of::<G, F>().map(|info| (info.name.into(), 0)).collect())
    }

    /// Reads a weight file for game `G` with factors `F`; factors it leaves out weigh 0.
    pub fn parse<G: Game, F: Factors<G>>(text: &str) -> Result<Self, WeightError> {
        let file: WeightFile =
            toml::from_str(text).map_err(|error| WeightError::Format(error.to_string()))?;
        if file.game != G::NAME {
            return Err(WeightError::Game { found: file.game, expected: G::NAME });
        }
        let mut weights = Self::zero::<G, F>();
        for (name, weight) in &file.weights {
            weights.set::<G, F>(name, *weight)?;
        }
        Ok(weights)
    }

    /// Changes one weight.
    pub fn set<G: Game, F: Factors<G>>(
        &mut self,
        name: &str,
        weight: i32,
    ) -> Result<(), WeightError> {
        if !factors_of::<G, F>().any(|info| info.name == name) {
            let names: Vec<&str> = factors_of::<G, F>().map(|info| info.name).collect();
            return Err(WeightError::Factor {
                name: name.into(),
                game: G::NAME,
                valid: names.join(", "),
            });
        }
        let (min, max) = weight_range(name);
        if !(min..=max).contains(&weight) {
            return Err(WeightError::Range { name: name.into(), weight, min, max });
        }
        self.0.insert(name.into(), weight);
        Ok(())
    }

    /// The weight of a factor; 0 for names that are none.
    #[must_use]
    pub fn get(&self, name: &str) -> i32 {
        self.0.get(name).copied().unwrap_or(0)
    }
}

/// The allowed weights of a factor.
#[must_use]
pub fn weight_range(name: &str) -> (i32, i32) {
    if name == TERMINAL.name { (0, MAX_TERMINAL) } else { (-MAX_WEIGHT, MAX_WEIGHT) }
}

/// All factors of a game, [`TERMINAL`] first.
pub fn factors_of<G: Game, F: Factors<G>>() -> impl Iterator<Item = FactorInfo> {
    std::iter::once(TERMINAL).chain(F::LIST.iter().copied())
}

/// The weighted sum of a game's factors.
pub struct FactorEvaluator<G, F> {
    terminal: i32,
    weights: [i32; MAX_FACTORS],
    wanted: Wanted,
    game: PhantomData<fn(G, F)>,
}

impl<G: Game, F: Factors<G>> FactorEvaluator<G, F> {
    /// An evaluator with these weights.
    #[must_use]
    pub fn new(named: &Weights) -> Self {
        assert!(F::LIST.len() <= MAX_FACTORS, "{} has too many factors", G::NAME);
        let mut weights = [0; MAX_FACTORS];
        let mut wanted = 0;
        for (position, info) in F::LIST.iter().enumerate() {
            weights[position] = named.get(info.name);
            wanted |= u32::from(weights[position] != 0) << position;
        }
        let terminal = named.get(TERMINAL.name);
        Self { terminal, weights, wanted: Wanted(wanted), game: PhantomData }
    }

    #[inline]
    fn sum(&self, game: &G, state: &G::State) -> i32 {
        let mut values = [0; MAX_FACTORS];
        F::measure(game, state, self.wanted, &mut values);
        values[..F::LIST.len()]
            .iter()
            .zip(&self.weights)
            .map(|(value, weight)| value * weight)
            .sum()
    }
}

/// +1 if seat 0 has won, −1 if it has lost.
fn result_for_zero<G: Game>(game: &G, state: &G::State) -> i32 {
    (game.payoff(state, Seat::Zero) - 0.5).total_cmp(&0.0) as i32
}

fn sign_of(seat: Seat) -> i32 {
    match seat {
        Seat::Zero => 1,
        Seat::One => -1,
    }
}

impl<G: Game, F: Factors<G>> Evaluator<G> for FactorEvaluator<G, F> {
    #[inline]
    fn evaluate(&self, game: &G, state: &G::State, seat: Seat) -> Score {
        Score(sign_of(seat) * self.sum(game, state))
    }

    /// Equation 2 with the terminal factor: the other factors still count, so that of two wins
    /// the greater one is preferred.
    fn terminal(&self, game: &G, state: &G::State, seat: Seat) -> Score {
        let result = result_for_zero(game, state);
        Score(sign_of(seat) * (self.terminal * result + self.sum(game, state)))
    }

    fn explain(&self, game: &G, state: &G::State, seat: Seat) -> Vec<Term> {
        // Also what weighs nothing: who fits weights wants to know it.
        let mut values = [0; MAX_FACTORS];
        F::measure(game, state, Wanted::ALL, &mut values);
        let result = if game.turn(state) == Turn::Over { result_for_zero(game, state) } else { 0 };
        let measured = F::LIST.iter().zip(values).zip(self.weights);
        std::iter::once((TERMINAL.name, result, self.terminal))
            .chain(measured.map(|((info, value), weight)| (info.name, value, weight)))
            .map(|(name, value, weight)| Term { name, value: sign_of(seat) * value, weight })
            .collect()
    }

    fn points_per_e(&self) -> f64 {
        F::POINTS_PER_E
    }

    /// A result keeps the other factors, so won games are worth `terminal` more or less; where that
    /// may be as much as an unfinished game, no score tells a win.
    fn won_from(&self) -> Score {
        let weights: i32 = self.weights.iter().map(|weight| weight.abs()).sum();
        let most = weights.saturating_mul(F::LARGEST);
        match self.terminal.saturating_sub(most) {
            least if least > most => Score(least),
            _ => Score::INFINITE,
        }
    }

    fn has_noisy_actions(&self) -> bool {
        F::HAS_NOISY_ACTIONS
    }

    fn is_noisy(&self, game: &G, state: &G::State, action: G::Action) -> bool {
        F::is_noisy(game, state, action)
    }
}
