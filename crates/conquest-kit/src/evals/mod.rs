//! Conquest: an evaluation of our own, and the thesis's with its two action heuristics, each in two
//! readings of "can attack": within range, as its text has it, or strictly less, as its program.

mod factors;
mod heuristics;
mod position;

pub use factors::{ConquestFactors, MATERIAL, OUTLOOK};
pub use heuristics::{FullTurnHeuristic, RolloutHeuristic};
pub use position::ThesisEvaluation;

use conquest::{Conquest, State};
use gamecore::Seat;

/// When an enemy counts as attackable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttackReach {
    /// At a distance of at most the range: what the rules allow.
    Inclusive,
    /// At a distance below the range: the original program's slip. Melee troops never qualify.
    Strict,
}

impl AttackReach {
    /// The largest distance that counts for a troop of this range; `None` if none does.
    const fn distance(self, range: u8) -> Option<u8> {
        match self {
            Self::Inclusive => Some(range),
            Self::Strict if range > 1 => Some(range - 1),
            Self::Strict => None,
        }
    }

    /// Whether the selected troop could attack somebody from where it stands.
    fn threatens(self, game: &Conquest, state: &State, slot: usize, mover: Seat) -> bool {
        self.distance(game.range_of(state, slot))
            .is_some_and(|reach| state.enemies_within(mover, state.square(slot), reach) != 0)
    }
}
