//! What positions and actions are worth. Knows the games' internals; no game knows this crate.

pub mod after_action;
pub mod conquest;
pub mod factors;
pub mod lords_of_war;
pub mod othello;
