//! What can be chosen in a position, as sets of squares: one structure for counting, drawing and
//! listing, so that playouts list nothing.

use gamecore::{Buf, Rng, Seat};

use crate::board::{BOARD, HIGH, ONES, Square, around, bits, nth_bit};
use crate::isa::{Approach, Isa, Portable};
use crate::rules::LordsOfWar;
use crate::state::{Action, Deed, HAND, HAND_LIMIT, NO_CARD, Stage, State};
use crate::tables::{BLANK, KINDS, Side};

/// Start squares, by seat: the third column from the own left, the third row from the own edge.
pub(crate) const START: [u64; 2] = [1 << (2 * 8 + 2), 1 << (3 * 8 + 4)];

/// The options of one decision.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choices {
    kind: Kind,
    /// How many there are.
    pub(crate) count: u32,
    /// The hand.
    cards: [u8; HAND],
    /// Squares for each of its cards; none for a card equal to the one before it, because equal
    /// cards make one option. The first entry alone for shots and retreats.
    squares: [u64; HAND],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Deploy,
    /// Of this shooter; with `hold` as the last option or not.
    Shoot(Square, bool),
    /// After a draw, or after a pass.
    Retreat(Deed),
}

impl Choices {
    pub(crate) const NONE: Self =
        Self { kind: Kind::Deploy, count: 0, cards: [0; HAND], squares: [0; HAND] };

    /// The option of this number, in the order of the list.
    #[inline(always)]
    pub(crate) fn nth(&self, index: u32) -> Deed {
        let square = |set, index| Square(nth_bit(set, index) as u8);
        match self.kind {
            Kind::Deploy => {
                let (place, index) = place_of(&self.squares, index);
                Deed::Deploy(self.cards[place], square(self.squares[place], index))
            }
            Kind::Shoot(_, true) if index + 1 == self.count => Deed::Hold,
            Kind::Shoot(from, _) => Deed::Shoot(from, square(self.squares[0], index)),
            Kind::Retreat(instead) if index == 0 => instead,
            Kind::Retreat(_) => Deed::Retreat(square(self.squares[0], index - 1)),
        }
    }

    /// One of them, each equally likely. A single one takes no draw.
    #[inline(always)]
    pub(crate) fn draw(&self, rng: &mut Rng) -> Deed {
        self.nth(if self.count == 1 { 0 } else { rng.below(self.count) })
    }

    pub(crate) fn list(&self, out: &mut Buf<Action>) {
        match self.kind {
            Kind::Deploy => {
                for (&kind, &squares) in self.cards.iter().zip(&self.squares) {
                    let square = |bit| Deed::Deploy(kind, Square(bit as u8));
                    out.extend(bits(squares).map(square).map(Action::from));
                }
            }
            Kind::Shoot(..) | Kind::Retreat(_) => {
                out.extend((0..self.count).map(|index| self.nth(index).into()));
            }
        }
    }

    #[inline(always)]
    pub(crate) fn shoot(&mut self, from: usize, targets: u64, hold: bool) {
        self.kind = Kind::Shoot(Square(from as u8), hold);
        self.squares[0] = targets;
        self.count = targets.count_ones() + u32::from(hold);
    }
}

/// Which set has the `index`-th square of all sets in order, and its number there. Without a
/// branch: which set it is cannot be foreseen.
#[inline(always)]
pub(crate) fn place_of(sets: &[u64; HAND], index: u32) -> (usize, u32) {
    let (mut place, mut skipped, mut total) = (0, 0, 0);
    for set in &sets[..HAND_LIMIT] {
        total += set.count_ones();
        let passed = index >= total;
        place += usize::from(passed);
        skipped = if passed { total } else { skipped };
    }
    (place & (HAND - 1), index - skipped)
}

/// Where each card of the hand may go; for a card equal to the one before it nowhere.
#[inline(always)]
pub(crate) fn deployments(isa: impl Isa, state: &State, side: &Side, me: Seat) -> [u64; HAND] {
    let (own, enemy) = (state.held(me), state.held(me.other()));
    let empty = BOARD & !(own | enemy);
    let beside = around(own) & empty;
    let rows = counted_kinds(u64::from_le_bytes(state.hand[me.index()])).to_le_bytes();
    if enemy == 0 || state.stage == Stage::Open {
        let everywhere = match state.stage {
            Stage::Open => START[me.index()],
            _ if own != 0 => beside,
            _ => empty,
        };
        return rows.map(|row| if usize::from(row) == BLANK { 0 } else { everywhere });
    }
    let mut ways = [&side.ways[BLANK]; HAND_LIMIT];
    for (ways, row) in ways.iter_mut().zip(rows) {
        *ways = &side.ways[usize::from(row) % KINDS];
    }
    isa.reached(Approach { enemy, empty, beside }, ways)
}

/// A hand in which everything that makes no option of its own is blank: what is no card, and a
/// card equal to the one before it.
#[inline(always)]
fn counted_kinds(hand: u64) -> u64 {
    let change = hand ^ (hand << 8 | u64::from(NO_CARD));
    let changes = ((change & !HIGH) + !HIGH) | change;
    let blank = (((!changes | hand) & HIGH) >> 7) * 0xff;
    (hand & !blank) | ((BLANK as u64 * ONES) & blank)
}

impl LordsOfWar {
    /// Where the cards of the hand may go.
    #[inline(always)]
    pub(crate) fn find_deployments(&self, state: &State, choices: &mut Choices) {
        self.find_deployments_of(state, state.mover, choices);
    }

    /// Where the cards in the hand of a side could go, if it were to deploy now.
    #[must_use]
    pub fn deployable(&self, state: &State, seat: Seat) -> u64 {
        let mut choices = Choices::NONE;
        self.find_deployments_of(state, seat, &mut choices);
        choices.squares.iter().fold(0, |all, squares| all | squares)
    }

    #[inline(always)]
    fn find_deployments_of(&self, state: &State, me: Seat, choices: &mut Choices) {
        choices.kind = Kind::Deploy;
        choices.cards = state.hand[me.index()];
        choices.squares = deployments(Portable, state, self.side(state, me), me);
        choices.count = choices.squares.iter().map(|squares| squares.count_ones()).sum();
    }

    /// Draw or pass, and what may be taken back.
    #[inline(always)]
    pub(crate) fn find_retreats(&self, state: &State, choices: &mut Choices) {
        let me = state.mover;
        if !self.may_take_in_hand(state, me) {
            choices.count = 0;
            return;
        }
        let instead = if state.deck_size[me.index()] > 0 { Deed::Draw } else { Deed::Pass };
        let free = state.held(me) & !state.contributed & !state.placed_bit();
        let engaged = self.engaged(state, me);
        let mut able = free & !engaged;
        if self.options.cavalry_escapes {
            able |= self.escaping(state, me, free & engaged);
        }
        choices.kind = Kind::Retreat(instead);
        choices.squares[0] = able;
        choices.count = 1 + able.count_ones();
    }

    /// Whether a turn ends with a draw or a retreat.
    #[inline(always)]
    pub(crate) fn may_take_in_hand(&self, state: &State, me: Seat) -> bool {
        let room = usize::from(state.hand_size[me.index()]) < HAND_LIMIT;
        room && (state.turn > 2 || self.options.opening_draw)
    }

    /// Squares where a card of this side would be engaged.
    #[inline(always)]
    pub(crate) fn engaged(&self, state: &State, seat: Seat) -> u64 {
        if self.options.engaged_by_arrows {
            state.threatened(seat.other())
        } else {
            around(state.held(seat.other()))
        }
    }

    /// Engaged cavalry that no spear engages: it may leave the fight.
    fn escaping(&self, state: &State, seat: Seat, engaged: u64) -> u64 {
        let (side, other) = (self.side(state, seat), self.side(state, seat.other()));
        let enemies = state.held(seat.other());
        let cavalry = |&at: &usize| side.cavalry >> state.kind[at] & 1 != 0;
        let free_of_spears = |&at: &usize| {
            bits(around(1 << at) & enemies).all(|from| {
                let kind = state.kind[from];
                let reaches = !self.options.engaged_by_arrows || other.arrow(kind, from, at) > 0;
                other.spear >> kind & 1 == 0 || !reaches
            })
        };
        bits(engaged).filter(cavalry).filter(free_of_spears).fold(0, |set, at| set | 1 << at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_makes_no_option_of_its_own_is_blank() {
        const B: u8 = BLANK as u8;
        const N: u8 = NO_CARD;
        for (hand, counted) in [
            ([0, 0, 1, 1, 1, 35, N, N], [0, B, 1, B, B, 35, B, B]),
            ([0, 1, 2, 3, 4, 5, N, N], [0, 1, 2, 3, 4, 5, B, B]),
            ([7, N, N, N, N, N, N, N], [7, B, B, B, B, B, B, B]),
            ([N; HAND], [B; HAND]),
        ] {
            let word = counted_kinds(u64::from_le_bytes(hand));
            assert_eq!(word.to_le_bytes(), counted, "{hand:?}");
        }
    }
}
