//! What happens when an action is done, as it happens, with all that follows without a choice.

use gamecore::Seat;

use crate::board::Square;

/// Something that happened. Cards are told by their kind in the army of their side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A card was put on the board.
    Placed {
        /// Whose.
        seat: Seat,
        /// Which.
        kind: u8,
        /// Where.
        square: Square,
    },
    /// A card fired at another.
    Shot {
        /// Whose card fired.
        seat: Seat,
        /// Which.
        kind: u8,
        /// From where.
        from: Square,
        /// At what square.
        to: Square,
    },
    /// A card was removed by combat.
    Eliminated {
        /// Whose it was.
        seat: Seat,
        /// Which.
        kind: u8,
        /// Where it stood.
        square: Square,
        /// What attacked it, arrows and shots together.
        attack: u8,
    },
    /// A berserker followed into a square where a card fell.
    Advanced {
        /// Whose.
        seat: Seat,
        /// Which.
        kind: u8,
        /// From where.
        from: Square,
        /// Where to.
        to: Square,
    },
    /// A card was drawn; what it is only its owner may know.
    Drew {
        /// By whom.
        seat: Seat,
        /// Which.
        kind: u8,
    },
    /// A card was taken back into the hand.
    Retreated {
        /// Whose.
        seat: Seat,
        /// Which.
        kind: u8,
        /// From where.
        square: Square,
    },
    /// The turn of a seat ended.
    TurnEnded(Seat),
}
