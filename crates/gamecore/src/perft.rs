//! Counting the leaves of the game tree, the first test of any move generator.

use crate::game::{Buf, Game, Turn};

/// The reference for [`Game::perft`]: number of positions after exactly `depth` actions. A pass is an action, a chance outcome is an
/// action, and a game that ends earlier counts as one leaf, once.
pub fn perft_by_listing<G: Game>(game: &G, state: &G::State, depth: u32) -> u64 {
    if depth == 0 || game.turn(state) == Turn::Over {
        return 1;
    }
    let mut actions = Buf::new();
    game.actions(state, &mut actions);
    if depth == 1 {
        return actions.len() as u64;
    }
    actions
        .iter()
        .map(|&action| {
            let mut next = state.clone();
            game.apply(&mut next, action);
            perft_by_listing(game, &next, depth - 1)
        })
        .sum()
}
