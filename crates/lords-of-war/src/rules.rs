//! The rules bound to their options.

use std::sync::Arc;

use gamecore::Seat;
use gamecore::key::{fold, mix};

use crate::board::bits;
use crate::cards::{ARMY_SIZE, Army, core_armies};
use crate::options::Options;
use crate::state::{DECK, HAND_LIMIT, State};
use crate::tables::Side;

/// Lords of War under its rule options.
#[derive(Clone, Debug)]
pub struct LordsOfWar {
    pub(crate) options: Options,
    pub(crate) armies: Arc<[Army]>,
    sides: Arc<[[Side; 2]]>,
    /// The cards of each army without its general, in order.
    pub(crate) unshuffled: Arc<[[u8; ARMY_SIZE - 1]]>,
}

/// Which armies meet, by the places of their names in the game's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    pub(crate) armies: [u8; 2],
}

impl Default for Setup {
    /// Orcs at seat 0, dwarves at seat 1: the box that the paper cites.
    fn default() -> Self {
        Self { armies: [0, 1] }
    }
}

impl Default for LordsOfWar {
    fn default() -> Self {
        Self::new(Options::default())
    }
}

impl LordsOfWar {
    /// The game under these options.
    #[must_use]
    pub fn new(options: Options) -> Self {
        let mut armies = core_armies().to_vec();
        for own in &options.armies {
            match armies.iter_mut().find(|army| army.id == own.id) {
                Some(army) => *army = own.clone(),
                None => armies.push(own.clone()),
            }
        }
        let sides = armies.iter().map(|army| Seat::BOTH.map(|seat| Side::new(army, seat)));
        let unshuffled = armies.iter().map(without_general).collect();
        Self { options, sides: sides.collect(), unshuffled, armies: armies.into() }
    }

    /// The options it was made with.
    #[must_use]
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// Every army that can be played.
    #[must_use]
    pub fn armies(&self) -> &[Army] {
        &self.armies
    }

    /// The army of a seat.
    #[must_use]
    pub fn army(&self, state: &State, seat: Seat) -> &Army {
        &self.armies[usize::from(state.army[seat.index()])]
    }

    #[inline(always)]
    pub(crate) fn side(&self, state: &State, seat: Seat) -> &Side {
        &self.sides[usize::from(state.army[seat.index()])][seat.index()]
    }

    /// The place of an army in the list.
    pub(crate) fn army_index(&self, id: &str) -> Option<u8> {
        self.armies.iter().position(|army| army.id == id).map(|index| index as u8)
    }

    /// The first decision of a deal. `orders` are the shuffled kinds of both sides without the
    /// general: five go to the hand with it, the rest is the deck.
    #[must_use]
    pub(crate) fn deal(&self, army: [u8; 2], first: Seat, orders: [&[u8]; 2]) -> State {
        let mut state = State::empty(army, first);
        for (seat, order) in Seat::BOTH.into_iter().zip(orders) {
            let general = self.side(&state, seat).general;
            state.take_in_hand(seat, general, self.options.hidden);
            let (hand, deck) = order.split_at(HAND_LIMIT - 1);
            for &kind in hand {
                state.take_in_hand(seat, kind, false);
            }
            state.set_deck(seat, deck);
        }
        self.settle(&mut state);
        state
    }

    /// A name of the position. The turn is part of it, so positions never repeat within a game.
    pub(crate) fn key_of(&self, state: &State) -> u64 {
        let mut cards = 0u64;
        for seat in 0..2 {
            for at in bits(state.held[seat]) {
                let word = (at << 8 | seat << 7) as u64 | u64::from(state.kind[at]);
                cards = cards.wrapping_add(mix(word + 1));
            }
        }
        let mut key = cards;
        let word =
            |bytes: &[u8]| bytes.iter().fold(0u64, |word, &byte| word << 8 | u64::from(byte));
        for seat in 0..2 {
            key = fold(key, word(&state.hand[seat]));
            for part in state.deck[seat].chunks(8) {
                key = fold(key, word(part));
            }
            // Lost cards are what is nowhere else; how many decides with the rest who they were.
            key = fold(key, word(&[state.lost[seat], state.lost_commands[seat], state.army[seat]]));
        }
        let scalars = u64::from(state.turn) << 32
            | u64::from(state.placed) << 16
            | u64::from(state.known[0]) << 48
            | u64::from(state.known[1]) << 8
            | (state.stage as u64) << 4
            | (state.mover as u64) << 1
            | state.first as u64;
        key = fold(key, scalars);
        if state.waiting | state.fired | state.contributed != 0 {
            for set in [state.waiting, state.fired, state.contributed] {
                key = fold(key, set);
            }
            for (from, to) in state.shots() {
                key = fold(key, (from.index() << 8 | to.index()) as u64);
            }
        }
        key
    }
}

fn without_general(army: &Army) -> [u8; ARMY_SIZE - 1] {
    let mut cards = [0; ARMY_SIZE - 1];
    let others = army.physical().into_iter().filter(|&kind| kind != army.general());
    for (place, kind) in cards.iter_mut().zip(others) {
        *place = kind;
    }
    cards
}

impl State {
    /// Fills a deck, its top card first.
    pub(crate) fn set_deck(&mut self, seat: Seat, kinds: &[u8]) {
        let deck = &mut self.deck[seat.index()];
        *deck = [crate::state::NO_CARD; DECK];
        deck[DECK - kinds.len()..].copy_from_slice(kinds);
        self.deck_size[seat.index()] = kinds.len() as u8;
    }
}
