//! Positions.

use gamecore::Seat;

pub use crate::action::{Action, Deed};
use crate::blocks::{BLOCK, Block};
use crate::board::{BOARD, HIGH, ONES, PLACES, Square, bits};
use crate::tables::{CENTRE, STAMP, Side};

/// Cards in a full hand.
pub const HAND_LIMIT: usize = 6;
/// Bytes of a hand; what is not a card is [`NO_CARD`].
pub(crate) const HAND: usize = 8;
/// Bytes of a deck, whose cards stand at its end.
pub(crate) const DECK: usize = 32;
/// No card has this kind.
pub(crate) const NO_CARD: u8 = 0xff;
/// No square has this number.
pub(crate) const NOWHERE: u8 = 0xff;

/// Bytes of attack sums: the window of a stamp fits from every square.
const SUMS: usize = 80;

/// What is to be decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The first card of a side, on its own square.
    Open,
    /// A card and its square.
    Deploy,
    /// The target of one shooter.
    Shoot,
    /// To draw a card, or to take one back.
    Retreat,
    /// Nothing any more.
    Over,
}

impl Stage {
    /// All stages.
    pub const ALL: [Self; 5] = [Self::Open, Self::Deploy, Self::Shoot, Self::Retreat, Self::Over];

    /// Its name in texts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Deploy => "deploy",
            Self::Shoot => "shoot",
            Self::Retreat => "retreat",
            Self::Over => "over",
        }
    }
}

/// Who has won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Nobody yet.
    Open,
    /// Seat 0.
    Zero,
    /// Seat 1.
    One,
    /// Nobody.
    Drawn,
}

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It is not.
    None,
    /// The loser has lost 20 cards.
    Cards,
    /// The loser has lost 4 command cards.
    Commands,
    /// Both.
    CardsAndCommands,
    /// Both sides passed a limit in the same combat.
    BothBeaten,
    /// It lasted too long.
    TurnLimit,
}

impl Reason {
    /// All of them that end a game.
    pub const ALL: [Self; 5] =
        [Self::Cards, Self::Commands, Self::CardsAndCommands, Self::BothBeaten, Self::TurnLimit];

    /// Its name in texts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Cards => "cards",
            Self::Commands => "commands",
            Self::CardsAndCommands => "cards+commands",
            Self::BothBeaten => "both-beaten",
            Self::TurnLimit => "turn-limit",
        }
    }

    /// What records keep of it.
    pub(crate) const fn kept(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Cards => "20 cards lost",
            Self::Commands => "4 command cards lost",
            Self::CardsAndCommands => "20 cards and 4 command cards lost",
            Self::BothBeaten => "both sides beaten at once",
            Self::TurnLimit => "turn limit",
        }
    }
}

/// Squares, empty or held by the enemy, under at least one arrow of a side (f4 of the paper).
#[must_use]
pub fn threatened_squares(state: &State, seat: Seat) -> u64 {
    state.threatened(seat) & BOARD & !state.held(seat)
}

/// For every square the sum of the arrows that one side has on it. What lies off the board is
/// summed up too, and never read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sums([u8; SUMS]);

impl Sums {
    pub(crate) const NONE: Self = Self([0; SUMS]);

    /// The bytes that a stamp at a square adds to.
    #[inline(always)]
    fn window(&mut self, at: usize) -> &mut [u8; STAMP] {
        (&mut self.0[at..at + STAMP]).try_into().expect("as many bytes as a stamp")
    }

    #[inline(always)]
    pub(crate) fn add(&mut self, stamp: &[u8; STAMP], at: usize) {
        let window = self.window(at);
        for place in 0..STAMP {
            window[place] = window[place].wrapping_add(stamp[place]);
        }
    }

    #[inline(always)]
    pub(crate) fn take(&mut self, stamp: &[u8; STAMP], at: usize) {
        let window = self.window(at);
        for place in 0..STAMP {
            window[place] = window[place].wrapping_sub(stamp[place]);
        }
    }

    #[inline(always)]
    pub(crate) fn at(&self, square: usize) -> u8 {
        self.0[square + CENTRE]
    }

    /// The sums of some squares. They are below 128: eight arrows of 9 make 72.
    #[inline(always)]
    fn block(&self, first: usize) -> Block {
        Block::load(&self.0, first + CENTRE)
    }

    /// Squares under at least one arrow.
    #[inline(always)]
    pub(crate) fn threatened(&self) -> u64 {
        gather(|first| self.block(first).plus(Block::of(127)))
    }

    /// Squares where the sum would exceed the defence that this slack belongs to, with so much
    /// more.
    #[inline(always)]
    pub(crate) fn exceeds_with(&self, slack: &[u8; PLACES], more: u8) -> u64 {
        let sum = |first| self.block(first).plus(Block::load(slack, first));
        gather(|first| sum(first).plus(Block::of(more)))
    }

    /// Squares where the sum exceeds the defence that this slack belongs to.
    #[inline(always)]
    pub(crate) fn exceeds(&self, slack: &[u8; PLACES]) -> u64 {
        gather(|first| self.block(first).plus(Block::load(slack, first)))
    }
}

/// The squares whose bytes are 128 or more; `block` gives those from a square on.
#[inline(always)]
fn gather(block: impl Fn(usize) -> Block) -> u64 {
    let mut set = 0;
    for first in (0..PLACES).step_by(BLOCK) {
        set |= block(first).high_bits() << first;
    }
    set
}

/// A position. Equal positions are equal in every byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// Squares held by each side.
    pub(crate) held: [u64; 2],
    /// Those of them that hold a shooter.
    pub(crate) shooters: [u64; 2],
    /// What each side's arrows come to.
    pub(crate) sums: [Sums; 2],
    /// The kind of the card on each square; 0 where there is none.
    pub(crate) kind: [u8; PLACES],
    /// 127 minus its defence; 0 where there is none.
    pub(crate) slack: [u8; PLACES],
    /// Kinds in ascending order.
    pub(crate) hand: [[u8; HAND]; 2],
    pub(crate) hand_size: [u8; 2],
    /// Places of the hand that the opponent knows; always 0 where nothing is hidden.
    pub(crate) known: [u8; 2],
    /// The last entries are the deck, its top card first.
    pub(crate) deck: [[u8; DECK]; 2],
    pub(crate) deck_size: [u8; 2],
    pub(crate) lost: [u8; 2],
    pub(crate) lost_commands: [u8; 2],
    /// Which army of the game each side plays.
    pub(crate) army: [u8; 2],
    /// Who had the first turn.
    pub(crate) first: Seat,
    /// Whose turn it is.
    pub(crate) mover: Seat,
    pub(crate) stage: Stage,
    pub(crate) standing: Standing,
    pub(crate) reason: Reason,
    /// The card placed in this turn.
    pub(crate) placed: u8,
    pub(crate) turn: u16,
    /// Shooters still to be asked in this turn.
    pub(crate) waiting: u64,
    /// Shooters that fired in this turn, and at what.
    pub(crate) fired: u64,
    pub(crate) target: [u8; PLACES],
    /// Own cards that took part in a kill in this turn.
    pub(crate) contributed: u64,
}

impl State {
    /// An empty board, empty hands and decks, at the first turn.
    pub(crate) fn empty(army: [u8; 2], first: Seat) -> Self {
        Self {
            held: [0; 2],
            shooters: [0; 2],
            sums: [Sums::NONE; 2],
            kind: [0; PLACES],
            slack: [0; PLACES],
            hand: [[NO_CARD; HAND]; 2],
            hand_size: [0; 2],
            known: [0; 2],
            deck: [[NO_CARD; DECK]; 2],
            deck_size: [0; 2],
            lost: [0; 2],
            lost_commands: [0; 2],
            army,
            first,
            mover: first,
            stage: Stage::Open,
            standing: Standing::Open,
            reason: Reason::None,
            placed: NOWHERE,
            turn: 1,
            waiting: 0,
            fired: 0,
            target: [0; PLACES],
            contributed: 0,
        }
    }

    /// Number of the turn, from 1.
    #[must_use]
    pub const fn turn(&self) -> u16 {
        self.turn
    }

    /// What is to be decided.
    #[must_use]
    pub const fn stage(&self) -> Stage {
        self.stage
    }

    /// Whose turn it is.
    #[must_use]
    pub const fn mover(&self) -> Seat {
        self.mover
    }

    /// Who has won.
    #[must_use]
    pub const fn standing(&self) -> Standing {
        self.standing
    }

    /// Why the game is over.
    #[must_use]
    pub const fn reason(&self) -> Reason {
        self.reason
    }

    /// Squares held by a side.
    #[must_use]
    pub const fn held(&self, seat: Seat) -> u64 {
        self.held[seat.index()]
    }

    /// Who stands on a square: owner and kind.
    #[must_use]
    pub fn card_at(&self, square: Square) -> Option<(Seat, u8)> {
        let owner = Seat::BOTH.into_iter().find(|seat| self.held(*seat) & square.bit() != 0)?;
        Some((owner, self.kind[usize::from(square.0)]))
    }

    /// Squares under at least one arrow of a side.
    #[must_use]
    pub fn threatened(&self, seat: Seat) -> u64 {
        self.sums[seat.index()].threatened()
    }

    /// The sum of the arrows of a side on a square.
    #[must_use]
    pub fn attack(&self, seat: Seat, square: Square) -> u8 {
        self.sums[seat.index()].at(usize::from(square.0))
    }

    /// Kinds of the cards in hand, ascending.
    #[must_use]
    pub fn hand(&self, seat: Seat) -> &[u8] {
        &self.hand[seat.index()][..usize::from(self.hand_size[seat.index()])]
    }

    /// Kinds of the cards in the deck, the top card first.
    #[must_use]
    pub fn deck(&self, seat: Seat) -> &[u8] {
        &self.deck[seat.index()][DECK - usize::from(self.deck_size[seat.index()])..]
    }

    /// Cards that a side has lost.
    #[must_use]
    pub const fn lost(&self, seat: Seat) -> u8 {
        self.lost[seat.index()]
    }

    /// Command cards among them, the general included.
    #[must_use]
    pub const fn lost_commands(&self, seat: Seat) -> u8 {
        self.lost_commands[seat.index()]
    }

    /// The sum of the defences of the cards of a side on the board.
    #[must_use]
    pub fn defence_on_board(&self, seat: Seat) -> u32 {
        bits(self.held(seat)).map(|at| u32::from(127 - self.slack[at])).sum()
    }

    /// The shooter now asked.
    #[must_use]
    pub fn shooter(&self) -> Option<Square> {
        (self.stage == Stage::Shoot).then(|| Square(self.waiting.trailing_zeros() as u8))
    }

    /// Shots decided in this turn, by shooter.
    pub fn shots(&self) -> impl Iterator<Item = (Square, Square)> {
        bits(self.fired).map(|from| (Square(from as u8), Square(self.target[from])))
    }

    /// The card placed in this turn, as a set.
    #[inline(always)]
    pub(crate) fn placed_bit(&self) -> u64 {
        // No square stands for nowhere.
        u64::from(self.placed < 64) << (self.placed & 63)
    }

    #[inline(always)]
    pub(crate) fn put(&mut self, side: &Side, seat: Seat, kind: u8, at: usize) {
        let seat = seat.index();
        self.held[seat] |= 1 << at;
        self.shooters[seat] |= u64::from(side.shot[usize::from(kind)] > 0) << at;
        self.sums[seat].add(&side.stamp[usize::from(kind)], at);
        self.kind[at] = kind;
        self.slack[at] = side.slack[usize::from(kind)];
    }

    /// Takes a card off the board; says its kind.
    #[inline(always)]
    pub(crate) fn lift(&mut self, side: &Side, seat: Seat, at: usize) -> u8 {
        let seat = seat.index();
        let kind = self.kind[at];
        self.held[seat] &= !(1 << at);
        self.shooters[seat] &= !(1 << at);
        self.sums[seat].take(&side.stamp[usize::from(kind)], at);
        self.kind[at] = 0;
        self.slack[at] = 0;
        kind
    }

    /// Puts a card into a hand that has room. `known`: the opponent knows of it.
    #[inline(always)]
    pub(crate) fn take_in_hand(&mut self, seat: Seat, kind: u8, known: bool) {
        let seat = seat.index();
        let hand = u64::from_le_bytes(self.hand[seat]);
        // Cards up to this kind: adding it to 128 less a card keeps the highest bit.
        let kinds = u64::from(kind) * ONES;
        let up_to = ((kinds | HIGH) - (hand & !HIGH)) & HIGH & !hand;
        let place = up_to.count_ones();
        let below = (1u64 << (8 * place)) - 1;
        let moved = (hand & !below) << 8 | u64::from(kind) << (8 * place);
        self.hand[seat] = (hand & below | moved).to_le_bytes();
        self.hand_size[seat] += 1;
        if known || self.known[seat] != 0 {
            let below = (1u8 << place) - 1;
            let marks = self.known[seat];
            let shifted = (marks & below) | (marks & !below) << 1;
            self.known[seat] = shifted | u8::from(known) << place;
            self.settle_known(seat);
        }
    }

    /// Takes a card of a kind out of a hand that has it.
    #[inline(always)]
    pub(crate) fn take_from_hand(&mut self, seat: Seat, kind: u8) {
        let hand = u64::from_le_bytes(self.hand[seat.index()]);
        // The first byte that differs from the kind in no bit.
        let differing = hand ^ (u64::from(kind) * ONES);
        let equal = differing.wrapping_sub(ONES) & !differing & HIGH;
        debug_assert_ne!(equal, 0, "the card is in hand");
        self.take_place_from_hand(seat, equal.trailing_zeros() / 8);
    }

    /// Takes the card at a place out of a hand.
    #[inline(always)]
    pub(crate) fn take_place_from_hand(&mut self, seat: Seat, place: u32) {
        let seat = seat.index();
        let hand = u64::from_le_bytes(self.hand[seat]);
        let below = (1u64 << (8 * place)) - 1;
        let moved = (hand >> 8 | u64::from(NO_CARD) << 56) & !below;
        self.hand[seat] = (hand & below | moved).to_le_bytes();
        self.hand_size[seat] -= 1;
        if self.known[seat] != 0 {
            // Of equal cards the known ones stand first, and are thought to go first.
            let below = (1u8 << place) - 1;
            let marks = self.known[seat];
            self.known[seat] = (marks & below) | (marks >> 1 & !below);
        }
    }

    /// Moves the marks of equal cards to the first of them, so that equal positions are equal.
    fn settle_known(&mut self, seat: usize) {
        let size = usize::from(self.hand_size[seat]);
        for place in (1..size).rev() {
            let equal = self.hand[seat][place] == self.hand[seat][place - 1];
            let marks = self.known[seat] >> (place - 1) & 3;
            if equal && marks == 0b10 {
                self.known[seat] ^= 0b11 << (place - 1);
            }
        }
    }

    /// Draws the top card of a deck that has one.
    #[inline(always)]
    pub(crate) fn draw_card(&mut self, seat: Seat) {
        let top = DECK - usize::from(self.deck_size[seat.index()]);
        let kind = self.deck[seat.index()][top];
        self.deck[seat.index()][top] = NO_CARD;
        self.deck_size[seat.index()] -= 1;
        self.take_in_hand(seat, kind, false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_of_a_hand_moves_with_its_cards() {
        let mut state = State::empty([0; 2], Seat::Zero);
        let seat = Seat::One;
        for (kind, known) in [(5, false), (3, true), (5, true), (9, false), (1, false)] {
            state.take_in_hand(seat, kind, known);
        }
        assert_eq!(state.hand(seat), [1, 3, 5, 5, 9]);
        assert_eq!(state.known[1], 0b00110, "of equal cards the known one stands first");
        state.take_from_hand(seat, 5);
        assert_eq!((state.hand(seat), state.known[1]), (&[1, 3, 5, 9][..], 0b0010));
        state.take_from_hand(seat, 1);
        assert_eq!((state.hand(seat), state.known[1]), (&[3, 5, 9][..], 0b001));
        state.take_from_hand(seat, 3);
        assert_eq!((state.hand(seat), state.known[1]), (&[5, 9][..], 0));
    }
}
