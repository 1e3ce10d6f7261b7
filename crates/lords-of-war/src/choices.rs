//! What can be chosen in a position, as sets of squares: one structure for counting, drawing and
//! listing, so that playouts list nothing.

use gamecore::{Buf, Rng, Seat};

use crate::board::{BOARD, STEPS, Square, around, bits, nth_bit, shift};
use crate::rules::LordsOfWar;
use crate::state::{Action, Deed, HAND_LIMIT, NO_CARD, Stage, State};

/// Start squares, by seat: the third column from the own left, the third row from the own edge.
pub(crate) const START: [u64; 2] = [1 << (2 * 8 + 2), 1 << (3 * 8 + 4)];

/// The options of one decision.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choices {
    kind: Kind,
    /// How many there are.
    pub(crate) count: u32,
    /// Different cards of the hand.
    cards: [u8; HAND_LIMIT],
    different: usize,
    /// Squares for each of those cards; the first entry alone for shots and retreats.
    squares: [u64; HAND_LIMIT],
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
    pub(crate) const NONE: Self = Self {
        kind: Kind::Deploy,
        count: 0,
        cards: [0; HAND_LIMIT],
        different: 0,
        squares: [0; HAND_LIMIT],
    };

    /// The option of this number, in the order of the list.
    #[inline(always)]
    pub(crate) fn nth(&self, mut index: u32) -> Deed {
        let square = |set, index| Square(nth_bit(set, index) as u8);
        match self.kind {
            Kind::Deploy => {
                let mut at = 0;
                loop {
                    let here = self.squares[at].count_ones();
                    if index < here || at + 1 == self.different {
                        return Deed::Deploy(self.cards[at], square(self.squares[at], index));
                    }
                    index -= here;
                    at += 1;
                }
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
                for (&kind, &squares) in
                    self.cards[..self.different].iter().zip(&self.squares[..self.different])
                {
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
        choices.squares[..choices.different].iter().fold(0, |all, squares| all | squares)
    }

    #[inline(always)]
    fn find_deployments_of(&self, state: &State, me: Seat, choices: &mut Choices) {
        let side = self.side(state, me);
        choices.kind = Kind::Deploy;
        choices.count = 0;
        choices.different = 0;
        let (own, enemy) = (state.held(me), state.held(me.other()));
        let empty = BOARD & !(own | enemy);
        let everywhere = if state.stage == Stage::Open {
            START[me.index()]
        } else if enemy != 0 {
            0
        } else if own != 0 {
            around(own) & empty
        } else {
            empty
        };
        let beside = around(own) & empty;
        // From where an arrow in each direction hits an enemy.
        let attacks = STEPS.map(|step| shift(enemy, -step) & empty);
        let mut last = NO_CARD;
        for &kind in &state.hand[me.index()][..HAND_LIMIT] {
            if kind == last {
                // Equal cards make one option; an empty place follows only on empty places.
                continue;
            }
            last = kind;
            if kind == NO_CARD {
                break;
            }
            let mut squares = everywhere;
            if everywhere == 0 {
                let points = &side.points[usize::from(kind)];
                let mut parts = [0; 8];
                for direction in 0..8 {
                    parts[direction] = attacks[direction] & points[direction];
                }
                squares = parts.iter().fold(0, |all, part| all | part);
                squares |= if side.support >> kind & 1 != 0 { beside } else { 0 };
            }
            choices.cards[choices.different] = kind;
            choices.squares[choices.different] = squares;
            choices.count += squares.count_ones();
            choices.different += 1;
        }
    }

    /// Draw or pass, and what may be taken back.
    #[inline(always)]
    pub(crate) fn find_retreats(&self, state: &State, choices: &mut Choices) {
        let me = state.mover;
        let full = usize::from(state.hand_size[me.index()]) >= HAND_LIMIT;
        if full || state.turn <= 2 && !self.options.opening_draw {
            choices.count = 0;
            return;
        }
        let instead = if state.deck_size[me.index()] > 0 { Deed::Draw } else { Deed::Pass };
        let mut free = state.held(me) & !state.contributed;
        if usize::from(state.placed) < 64 {
            free &= !(1 << state.placed);
        }
        let engaged = self.engaged(state, me);
        let mut able = free & !engaged;
        if self.options.cavalry_escapes {
            able |= self.escaping(state, me, free & engaged);
        }
        choices.kind = Kind::Retreat(instead);
        choices.squares[0] = able;
        choices.count = 1 + able.count_ones();
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
