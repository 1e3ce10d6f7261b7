//! What happens when an action is done, as it happens.

use gamecore::Seat;

use crate::units::Command;

/// Something that happened. Troops are told by their slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A troop was chosen to act.
    Selected(usize),
    /// A troop walked.
    Moved {
        /// Which.
        slot: usize,
        /// From this square, by column and row.
        from: (u8, u8),
        /// To this one.
        to: (u8, u8),
    },
    /// A troop lost health or a boost to a blow.
    Struck {
        /// Who struck.
        by: usize,
        /// Who was struck.
        slot: usize,
        /// How much it lost; of one that died, all it had.
        amount: u16,
    },
    /// A command was given, to a troop if it needs one.
    Commanded {
        /// Which.
        command: Command,
        /// By whom.
        seat: Seat,
        /// To which troop.
        slot: Option<usize>,
    },
    /// A command took health or a boost.
    Hurt {
        /// From whom.
        slot: usize,
        /// How much; of one that died, all it had.
        amount: u16,
    },
    /// A command gave a boost for a turn.
    Boosted {
        /// To whom.
        slot: usize,
        /// How much.
        amount: u16,
    },
    /// A command gave back health.
    Healed {
        /// To whom.
        slot: usize,
        /// How much.
        amount: u16,
    },
    /// A troop died.
    Died(usize),
    /// Points were won by a kill.
    Gained {
        /// By whom.
        seat: Seat,
        /// How many.
        amount: u32,
    },
    /// A command that cooled down is ready again.
    Readied(Command),
    /// A troop is no longer held by Chastise.
    Freed(usize),
    /// The turn of a seat ended.
    TurnEnded(Seat),
}
