//! Agents for tests.

use gamecore::{Agent, Buf, Decision, Game, Limits, Rng};

/// Plays uniformly random legal actions.
#[derive(Clone, Debug)]
pub struct RandomAgent {
    rng: Rng,
}

impl RandomAgent {
    /// An agent that depends on `seed` alone.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { rng: Rng::new(seed) }
    }
}

impl<G: Game> Agent<G> for RandomAgent {
    /// Every state that fits the view has the same legal actions, so any of them will do.
    fn decide(
        &mut self,
        game: &G,
        view: &G::View,
        _limits: &Limits<'_, G::Action>,
    ) -> Decision<G::Action> {
        let imagined = game.sample(view, &mut self.rng);
        let mut actions = Buf::new();
        game.actions(&imagined, &mut actions);
        Decision::plain(actions[self.rng.below(actions.len() as u32) as usize])
    }
}
