//! The vocabulary that every part shares: games, actions, views, agents, decisions.
//! No input or output, no clock, no threads, and no game by name.

mod rng;

pub use rng::{Purpose, Rng, seed, short_hash};
