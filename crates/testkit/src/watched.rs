//! A game that counts what is done with it, and says stop in the middle of a search.

use std::sync::atomic::{AtomicU64, Ordering};

use gamecore::{Buf, Game, Horizon, Notation, NotationError, Rng, Seat, StopToken, Traits, Turn};

/// The same game; the action number `stop_at` that is applied to a state says stop, and not many
/// more may follow.
#[derive(Debug)]
pub struct Watched<G> {
    game: G,
    stop_at: u64,
    at_most: u64,
    stop: StopToken,
    applied: AtomicU64,
}

impl<G> Watched<G> {
    /// Says stop at the action with this number, and panics if more than `at_most` follow.
    #[must_use]
    pub fn new(game: G, stop_at: u64, at_most: u64) -> Self {
        Self { game, stop_at, at_most, stop: StopToken::default(), applied: AtomicU64::new(0) }
    }

    /// The token that is stopped.
    #[must_use]
    pub fn stop(&self) -> &StopToken {
        &self.stop
    }

    fn count(&self, made: u64) {
        let before = self.applied.fetch_add(made, Ordering::Relaxed);
        let after = before.saturating_sub(self.stop_at);
        assert!(after <= self.at_most, "{after} actions were applied after the stop");
        if before < self.stop_at && before + made >= self.stop_at {
            self.stop.stop();
        }
    }
}

impl<G: Clone> Clone for Watched<G> {
    fn clone(&self) -> Self {
        Self {
            game: self.game.clone(),
            stop_at: self.stop_at,
            at_most: self.at_most,
            stop: self.stop.clone(),
            applied: AtomicU64::new(self.applied.load(Ordering::Relaxed)),
        }
    }
}

impl<G: Game> Game for Watched<G> {
    type State = G::State;
    type Action = G::Action;
    type View = G::View;
    type Setup = G::Setup;

    const NAME: &'static str = G::NAME;
    const MAX_ACTIONS: usize = G::MAX_ACTIONS;
    const DEALT: bool = G::DEALT;

    fn traits(&self) -> Traits {
        self.game.traits()
    }

    fn start(&self, setup: &G::Setup, rng: &mut Rng) -> G::State {
        self.game.start(setup, rng)
    }

    fn turn(&self, state: &G::State) -> Turn {
        self.game.turn(state)
    }

    fn actions(&self, state: &G::State, out: &mut Buf<G::Action>) {
        self.game.actions(state, out);
    }

    fn weight(&self, state: &G::State, outcome: G::Action) -> u32 {
        self.game.weight(state, outcome)
    }

    fn apply(&self, state: &mut G::State, action: G::Action) {
        self.game.apply(state, action);
        self.count(1);
    }

    fn payoff(&self, state: &G::State, seat: Seat) -> f32 {
        self.game.payoff(state, seat)
    }

    fn key(&self, state: &G::State) -> u64 {
        self.game.key(state)
    }

    fn view(&self, state: &G::State, seat: Seat) -> G::View {
        self.game.view(state, seat)
    }

    fn sample(&self, view: &G::View, rng: &mut Rng) -> G::State {
        self.game.sample(view, rng)
    }

    fn is_pass(&self, action: G::Action) -> bool {
        self.game.is_pass(action)
    }

    fn playout(&self, state: &mut G::State, rng: &mut Rng, horizon: Horizon) -> u32 {
        let made = self.game.playout(state, rng, horizon);
        self.count(u64::from(made));
        made
    }
}

impl<G: Notation> Notation for Watched<G> {
    fn action_text(&self, state: &G::State, action: G::Action) -> String {
        self.game.action_text(state, action)
    }

    fn position_text(&self, state: &G::State) -> String {
        self.game.position_text(state)
    }

    fn parse_position(&self, text: &str) -> Result<G::State, NotationError> {
        self.game.parse_position(text)
    }

    fn picture(&self, state: &G::State) -> String {
        self.game.picture(state)
    }

    fn ending(&self, state: &G::State) -> String {
        self.game.ending(state)
    }
}
