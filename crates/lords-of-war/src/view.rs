//! What a seat knows: everything, or, with hidden cards, what lies open on the table.

use gamecore::{Rng, Seat};

use crate::board::bits;
use crate::cards::ARMY_SIZE;
use crate::rules::LordsOfWar;
use crate::state::{DECK, HAND, NO_CARD, State};

/// The knowledge of one seat: the board, both eliminated piles, the own hand, how many cards are
/// in the other hand and in both decks, both army lists, and the cards of the other hand that were
/// seen to go there (its general, and what it took back).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// The state without its secrets. Of the other hand the known cards stand first.
    known: State,
    /// For each side, kinds of the cards that may be where the viewer cannot look, ascending:
    /// the own deck; the other deck and the unknown part of its hand.
    unseen: [Vec<u8>; 2],
    /// Whose view it is.
    seat: Seat,
}

impl View {
    pub(crate) fn new(game: &LordsOfWar, state: &State, seat: Seat) -> Self {
        let mut known = *state;
        let mut unseen = [Vec::new(), Vec::new()];
        if game.options.hidden {
            for side in Seat::BOTH {
                let mut hidden = state.deck(side).to_vec();
                if side != seat {
                    hidden.extend(hidden_in_hand(state, side));
                    let index = side.index();
                    let open: Vec<u8> = open_in_hand(state, side).collect();
                    known.hand[index] = [NO_CARD; HAND];
                    known.hand[index][..open.len()].copy_from_slice(&open);
                    known.known[index] = (1 << open.len()) - 1;
                }
                known.deck[side.index()] = [NO_CARD; DECK];
                hidden.sort_unstable();
                unseen[side.index()] = hidden;
            }
        }
        Self { known, unseen, seat }
    }

    /// The state as far as it is known: decks and unknown hand cards are blank.
    #[must_use]
    pub const fn known(&self) -> &State {
        &self.known
    }

    /// Whose view it is.
    #[must_use]
    pub const fn seat(&self) -> Seat {
        self.seat
    }

    /// Kinds of the cards of a side that may be where the viewer cannot look, ascending; none where
    /// nothing is hidden.
    #[must_use]
    pub fn unseen(&self, side: Seat) -> &[u8] {
        &self.unseen[side.index()]
    }

    /// Kinds of the eliminated cards of a side, ascending: what is nowhere else.
    #[must_use]
    pub fn eliminated(&self, game: &LordsOfWar, side: Seat) -> Vec<u8> {
        let mut counts = [0i8; ARMY_SIZE];
        for kind in game.army(&self.known, side).physical() {
            counts[usize::from(kind)] += 1;
        }
        let board = bits(self.known.held(side)).map(|at| self.known.kind[at]);
        let hand = self.known.hand[side.index()].into_iter();
        let deck = self.known.deck[side.index()].into_iter();
        let hidden = self.unseen[side.index()].iter().copied();
        for kind in board.chain(hand).chain(deck).chain(hidden).filter(|&kind| kind != NO_CARD) {
            counts[usize::from(kind)] -= 1;
        }
        let kinds = (0u8..).zip(counts);
        kinds.flat_map(|(kind, count)| std::iter::repeat_n(kind, count.max(0) as usize)).collect()
    }

    /// A state that looks like this: what is not seen, shuffled.
    pub(crate) fn sample(&self, game: &LordsOfWar, rng: &mut Rng) -> State {
        let mut state = self.known;
        if !game.options.hidden {
            return state;
        }
        for side in Seat::BOTH {
            let index = side.index();
            let mut hidden = self.unseen[index].clone();
            rng.shuffle(&mut hidden);
            if side != self.seat {
                let size = usize::from(state.hand_size[index]);
                let open = state.known[index].count_ones() as usize;
                let kinds: Vec<u8> = state.hand[index][..open].to_vec();
                state.hand[index] = [NO_CARD; HAND];
                (state.hand_size[index], state.known[index]) = (0, 0);
                for kind in hidden.drain(..size - open) {
                    state.take_in_hand(side, kind, false);
                }
                for kind in kinds {
                    state.take_in_hand(side, kind, true);
                }
            }
            state.set_deck(side, &hidden);
        }
        state
    }
}

fn open_in_hand(state: &State, side: Seat) -> impl Iterator<Item = u8> {
    let marks = state.known[side.index()];
    (0..).zip(state.hand(side)).filter(move |(place, _)| marks >> place & 1 != 0).map(|(_, &k)| k)
}

fn hidden_in_hand(state: &State, side: Seat) -> impl Iterator<Item = u8> {
    let marks = state.known[side.index()];
    (0..).zip(state.hand(side)).filter(move |(place, _)| marks >> place & 1 == 0).map(|(_, &k)| k)
}
