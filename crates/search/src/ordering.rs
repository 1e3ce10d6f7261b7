//! The order in which actions are tried: table move, then a game's own action score together with
//! killers (Huberman, 1968; Slate and Atkin, 1977) and history (Schaeffer, 1983).

use std::hash::{Hash, Hasher};

use gamecore::{Buf, Seat};

const HISTORY_SLOTS: usize = 4096;
const TABLE_MOVE: i32 = 1 << 30;
const KILLER: i32 = 1 << 12;
const HISTORY_LIMIT: i32 = 1 << 11;

/// The hash of `rustc_hash` as it is where a pointer has 64 bits, on every machine: which actions share a
/// slot decides how many nodes a search enters.
struct SlotHasher(u64);

impl SlotHasher {
    const FACTOR: u64 = 0xf135_7aea_2e62_a9c5;

    fn add(&mut self, word: u64) {
        self.0 = self.0.wrapping_add(word).wrapping_mul(Self::FACTOR);
    }
}

impl Hasher for SlotHasher {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.add(byte.into()));
    }

    fn write_u8(&mut self, word: u8) {
        self.add(word.into());
    }

    fn write_u16(&mut self, word: u16) {
        self.add(word.into());
    }

    fn write_u32(&mut self, word: u32) {
        self.add(word.into());
    }

    fn write_u64(&mut self, word: u64) {
        self.add(word);
    }

    /// Which variant of an enum it is, among others.
    fn write_usize(&mut self, word: usize) {
        self.add(word as u64);
    }

    fn finish(&self) -> u64 {
        self.0.rotate_left(26)
    }
}

/// What earlier cut-offs teach about actions. It influences effort only, never values.
pub(crate) struct Memory<A> {
    killers: Vec<[Option<A>; 2]>,
    history: Vec<i32>,
}

impl<A: Copy + Eq + Hash> Memory<A> {
    pub(crate) fn new() -> Self {
        Self { killers: Vec::new(), history: vec![0; HISTORY_SLOTS] }
    }

    /// Actions of any game share the slots by a fixed hash; a clash costs effort only.
    fn slot(seat: Seat, action: A) -> usize {
        let mut hasher = SlotHasher(0);
        (seat.index() as u8).hash(&mut hasher);
        action.hash(&mut hasher);
        (hasher.finish() >> 52) as usize % HISTORY_SLOTS
    }

    /// `action` closed the window after `depth` decisions were searched below it.
    pub(crate) fn reward(&mut self, seat: Seat, action: A, depth: u32, ply: usize) {
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [None; 2]);
        }
        let killers = &mut self.killers[ply];
        if killers[0] != Some(action) {
            *killers = [Some(action), killers[0]];
        }
        let credit = &mut self.history[Self::slot(seat, action)];
        *credit += (depth * depth) as i32;
        if *credit > HISTORY_LIMIT {
            for credit in &mut self.history {
                *credit /= 2;
            }
        }
    }

    pub(crate) fn bonus(&self, seat: Seat, action: A, ply: usize) -> i32 {
        let killer = self.killers.get(ply).is_some_and(|killers| killers.contains(&Some(action)));
        self.history[Self::slot(seat, action)] + if killer { KILLER } else { 0 }
    }
}

/// Hands out indices of actions, best first, equal scores in the game's order.
pub(crate) struct Picker {
    /// One score per action; empty for the game's own order. Filled in place: a copy of the whole
    /// buffer at every node would cost more than the order saves.
    pub(crate) scores: Buf<i32>,
    next: usize,
    len: usize,
}

const TAKEN: i32 = i32::MIN;

impl Picker {
    #[inline]
    pub(crate) fn new(len: usize) -> Self {
        Self { scores: Buf::new(), next: 0, len }
    }

    /// Tries this action before all others, if there are scores.
    #[inline]
    pub(crate) fn put_first(&mut self, index: Option<usize>) {
        if let Some(score) = index.and_then(|index| self.scores.get_mut(index)) {
            *score = TABLE_MOVE;
        }
    }

    #[inline]
    pub(crate) fn pick(&mut self) -> Option<usize> {
        if self.next == self.len {
            return None;
        }
        self.next += 1;
        if self.scores.is_empty() {
            return Some(self.next - 1);
        }
        let (mut best, mut best_score) = (0, TAKEN);
        for (index, &score) in self.scores.iter().enumerate() {
            if score > best_score {
                (best, best_score) = (index, score);
            }
        }
        self.scores[best] = TAKEN;
        Some(best)
    }
}
