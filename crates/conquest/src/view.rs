//! What a seat knows: everything, or everything but commands that the opponent has not used yet.

use gamecore::{Rng, Seat};

use crate::loadout::BUDGET;
use crate::options::Options;
use crate::state::{MAX_COMMANDS, State};
use crate::units::Command;

/// The knowledge of one seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// The state with the opponent's unseen commands taken away.
    known: State,
    /// Whose view it is.
    seat: Seat,
}

impl View {
    pub(crate) fn new(options: &Options, state: &State, seat: Seat) -> Self {
        let mut known = *state;
        if options.secret_commands {
            let other = seat.other().index();
            known.owned[other] &= known.revealed[other];
            known.ready[other] &= known.revealed[other];
        }
        Self { known, seat }
    }

    /// The state as far as it is known.
    #[must_use]
    pub const fn known(&self) -> &State {
        &self.known
    }

    /// A state that looks like this: the opponent's unseen commands are any that it could have
    /// paid for, every set equally likely. A command that was never used has no cooldown.
    pub(crate) fn sample(&self, options: &Options, rng: &mut Rng) -> State {
        let mut state = self.known;
        if !options.secret_commands {
            return state;
        }
        let other = self.seat.other();
        let seen = state.owned[other.index()];
        let spent = state.troop_points(options, other);
        let possible = |set: &u16| {
            let cost: u32 = Command::ALL
                .iter()
                .filter(|command| set & command.bit() != 0)
                .map(|&command| u32::from(options.units.command(command).cost))
                .sum();
            set & seen == seen && set.count_ones() <= MAX_COMMANDS && spent + cost <= BUDGET
        };
        let sets: Vec<u16> = (0..1 << Command::ALL.len()).filter(possible).collect();
        // A loadout above the limit of points has no possible set: then it is what was seen.
        let set = if sets.is_empty() { seen } else { sets[rng.below(sets.len() as u32) as usize] };
        state.owned[other.index()] = set;
        state.ready[other.index()] |= set & !seen;
        state
    }
}
