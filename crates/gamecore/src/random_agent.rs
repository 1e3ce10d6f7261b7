//! The agent without a plan: uniformly random legal actions.

use crate::{Agent, Decision, Game, Limits, Rng, random_action};

/// Plays a uniformly random legal action.
#[derive(Clone, Debug)]
pub struct RandomAgent {
    rng: Rng,
}

impl RandomAgent {
    /// An agent with its own random stream.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { rng: Rng::new(seed) }
    }
}

impl<G: Game> Agent<G> for RandomAgent {
    fn decide(
        &mut self,
        game: &G,
        view: &G::View,
        _limits: &Limits<'_, G::Action>,
    ) -> Decision<G::Action> {
        // Legal actions depend on the view alone, so any consistent state will do.
        let state = game.sample(view, &mut Rng::new(0));
        let action = random_action(game, &state, &mut self.rng);
        Decision::plain(action.expect("asked to decide a game that goes on"))
    }
}
