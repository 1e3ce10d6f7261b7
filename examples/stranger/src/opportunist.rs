//! An agent for any game: it wins if one action is enough, gives the opponent no such chance if it can help it,
//! and does anything otherwise.

use warroom::gamecore::{Agent, Buf, Decision, Game, Limits, Rng, Turn};
use warroom::registry::AgentEntry;

/// The agent as every command names it.
pub fn opportunist<G: Game>() -> AgentEntry<G> {
    let about = "wins if one action is enough, and gives no such chance";
    AgentEntry::without_keys("opportunist", about, |seed| Box::new(Opportunist(Rng::new(seed))))
}

struct Opportunist(Rng);

impl<G: Game> Agent<G> for Opportunist {
    fn decide(
        &mut self,
        game: &G,
        view: &G::View,
        _limits: &Limits<'_, G::Action>,
    ) -> Decision<G::Action> {
        // Where something is hidden: a position that may be the true one.
        let state = game.sample(view, &mut self.0);
        let all = actions(game, &state);
        let safe: Vec<G::Action> =
            all.iter().copied().filter(|&action| !allows_a_win(game, &state, action)).collect();
        let choice = match winning(game, &state, &all) {
            Some(action) => action,
            None if safe.is_empty() => all[self.0.below(all.len() as u32) as usize],
            None => safe[self.0.below(safe.len() as u32) as usize],
        };
        Decision::plain(choice)
    }
}

fn actions<G: Game>(game: &G, state: &G::State) -> Buf<G::Action> {
    let mut all = Buf::new();
    if matches!(game.turn(state), Turn::Player(_)) {
        game.actions(state, &mut all);
    }
    all
}

fn after<G: Game>(game: &G, state: &G::State, action: G::Action) -> G::State {
    let mut next = state.clone();
    game.apply(&mut next, action);
    next
}

/// The first action that ends the game with a win for whoever acts.
fn winning<G: Game>(game: &G, state: &G::State, all: &[G::Action]) -> Option<G::Action> {
    let Turn::Player(seat) = game.turn(state) else { return None };
    all.iter().copied().find(|&action| {
        let next = after(game, state, action);
        game.turn(&next) == Turn::Over && game.payoff(&next, seat) == 1.0
    })
}

/// Whether the opponent could win at once.
fn allows_a_win<G: Game>(game: &G, state: &G::State, action: G::Action) -> bool {
    let next = after(game, state, action);
    let theirs = game.turn(&next) != game.turn(state);
    theirs && winning(game, &next, &actions(game, &next)).is_some()
}
