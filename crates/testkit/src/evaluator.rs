//! An evaluation without any sense, for every game.

use gamecore::{Evaluator, Game, Score, Seat, key};

/// Values a position by its key: antisymmetric, repeatable, and from so small a range that ties
/// are frequent.
#[derive(Clone, Copy, Debug)]
pub struct HashEvaluator {
    seed: u64,
    range: u16,
    noisy: bool,
}

impl HashEvaluator {
    /// Values from −50 to 50.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self::with_range(seed, 50)
    }

    /// Values from −`range` to `range`.
    #[must_use]
    pub fn with_range(seed: u64, range: u16) -> Self {
        Self { seed, range, noisy: false }
    }

    /// The same, with about a third of all actions noisy.
    #[must_use]
    pub fn noisy(self) -> Self {
        Self { noisy: true, ..self }
    }
}

impl<G: Game> Evaluator<G> for HashEvaluator {
    fn evaluate(&self, game: &G, state: &G::State, seat: Seat) -> Score {
        let range = i32::from(self.range);
        let drawn = key::fold(self.seed, game.key(state)) % (2 * u64::from(self.range) + 1);
        let value = Score(drawn as i32 - range);
        match seat {
            Seat::Zero => value,
            Seat::One => -value,
        }
    }

    fn has_noisy_actions(&self) -> bool {
        self.noisy
    }

    /// Actions have no number in general, so the position they lead to decides.
    fn is_noisy(&self, game: &G, state: &G::State, action: G::Action) -> bool {
        let mut next = state.clone();
        game.apply(&mut next, action);
        self.noisy && key::fold(!self.seed, game.key(&next)).is_multiple_of(3)
    }
}
