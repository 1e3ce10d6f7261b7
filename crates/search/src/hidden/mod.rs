//! Search where part of the state is hidden. All agents get a view and their own random stream,
//! nothing else, so equal views give equal decisions. What cannot be seen is drawn from the view
//! (`Game::sample`); one such complete state is a *world*.
//!
//! [`Ismcts`] grows one tree over all worlds, [`Pimc`] searches each world as if it were known, and so
//! does [`Voting`], with searches that value one line instead of all actions.

mod config;
mod ismcts;
mod pimc;
mod report;
mod shares;
mod tree;
mod vote;

pub use config::{IsmctsConfig, PimcConfig};
pub use ismcts::Ismcts;
pub use pimc::Pimc;
pub use vote::{KnownSearch, Voting};

use gamecore::{Buf, Game, Rng, Seat, Turn};

/// Who is to decide, and between what: the same in every world of a view, so any one tells.
fn decision_of<G: Game>(game: &G, view: &G::View, rng: &mut Rng) -> (Seat, Buf<G::Action>) {
    let world = game.sample(view, rng);
    let Turn::Player(seat) = game.turn(&world) else {
        panic!("asked to decide where nobody decides: {view:?}");
    };
    let mut actions = Buf::new();
    game.actions(&world, &mut actions);
    (seat, actions)
}
