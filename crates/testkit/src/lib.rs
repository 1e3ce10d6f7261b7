//! What tests of games and searches share: toy games, exhaustive reference answers, and the
//! properties that every game must have.

mod clock;
pub mod conformance;
mod evaluator;
pub mod fuzz;
pub mod minimax;
mod slice;
pub mod toys;
mod watched;

pub use clock::CountingClock;
pub use evaluator::HashEvaluator;
pub use slice::{SLICE_VARIABLE, slice};
pub use watched::Watched;
