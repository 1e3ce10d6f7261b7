//! Actions.

use crate::board::Square;

/// One decision, in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// A card of this kind goes to a square.
    Deploy(u8, Square),
    /// The shooter on the first square fires at the second.
    Shoot(Square, Square),
    /// The shooter now asked does not fire.
    Hold,
    /// The top card of the deck.
    Draw,
    /// Nothing, because the deck is empty.
    Pass,
    /// The card on this square comes back.
    Retreat(Square),
}

/// One decision. Ordered as actions are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Action(u32);

impl From<Deed> for Action {
    fn from(deed: Deed) -> Self {
        let (group, first, second) = match deed {
            Deed::Deploy(kind, square) => (0, kind, square.0),
            Deed::Shoot(from, to) => (1, from.0, to.0),
            Deed::Hold => (2, 0, 0),
            Deed::Draw => (3, 0, 0),
            Deed::Pass => (4, 0, 0),
            Deed::Retreat(square) => (5, 0, square.0),
        };
        Self(group << 16 | u32::from(first) << 8 | u32::from(second))
    }
}

impl Action {
    /// The action in words.
    #[must_use]
    pub const fn deed(self) -> Deed {
        let (first, second) = ((self.0 >> 8) as u8, Square(self.0 as u8));
        match self.0 >> 16 {
            0 => Deed::Deploy(first, second),
            1 => Deed::Shoot(Square(first), second),
            2 => Deed::Hold,
            3 => Deed::Draw,
            4 => Deed::Pass,
            _ => Deed::Retreat(second),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_are_their_deeds_in_order() {
        let square = |col, row| Square::new(col, row).unwrap();
        let deeds = [
            Deed::Deploy(2, square(6, 5)),
            Deed::Deploy(10, square(0, 0)),
            Deed::Deploy(10, square(6, 0)),
            Deed::Deploy(10, square(0, 1)),
            Deed::Shoot(square(3, 1), square(3, 4)),
            Deed::Shoot(square(3, 1), square(2, 5)),
            Deed::Hold,
            Deed::Draw,
            Deed::Pass,
            Deed::Retreat(square(4, 2)),
        ];
        let actions = deeds.map(Action::from);
        assert!(actions.is_sorted());
        assert_eq!(actions.map(Action::deed), deeds);
    }
}
