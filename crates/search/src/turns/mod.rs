//! Search by whole turns, for games whose seats act several times in a row: what one plans, and what
//! the other answers, is a turn. Where a turn is one action these are the searches known by action.

mod beam;
mod config;
mod effort;
mod generator;
mod memory;
mod oep;
mod report;
mod tree;

pub use beam::TurnBeam;
pub use config::{OepConfig, TurnBeamConfig, TurnMctsConfig, TurnSearch};
pub(crate) use generator::Rest;
pub use oep::Oep;
pub use tree::TurnMcts;
