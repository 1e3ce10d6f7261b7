//! What `turn-beam` remembers of positions between two turns, within its memory.

use gamecore::{Bound, Score};
use rustc_hash::FxHashMap;

use super::config::{ENTRY_BYTES, TURN_BYTES};

/// A turn of a position that was searched before.
pub(super) struct Known<A> {
    pub(super) actions: Box<[A]>,
    pub(super) value: Score,
}

/// What is remembered of a position between two turns.
pub(super) struct Entry<A> {
    pub(super) turns: Vec<Known<A>>,
    /// Turns looked ahead by the search below, and what it came to; 0 for none.
    pub(super) depth: u32,
    pub(super) value: Score,
    pub(super) bound: Bound,
    /// Whether that search ended anywhere before the game did.
    pub(super) cut: bool,
    /// How often beams had been doubled, and whether they left turns out, here or below.
    pub(super) doubled: u32,
    pub(super) left_out: bool,
}

impl<A> Entry<A> {
    fn bytes(&self) -> usize {
        ENTRY_BYTES + TURN_BYTES * self.turns.len()
    }
}

/// The entries by key. Lists of wide beams count as long as they are.
pub(super) struct Memory<A> {
    entries: FxHashMap<u64, Entry<A>>,
    bytes: usize,
    most_bytes: usize,
}

impl<A> Memory<A> {
    pub(super) fn new(megabytes: usize) -> Self {
        Self { entries: FxHashMap::default(), bytes: 0, most_bytes: megabytes << 20 }
    }

    /// Forgets everything if less than half is free.
    pub(super) fn make_room(&mut self) {
        if self.bytes > self.most_bytes / 2 {
            self.entries.clear();
            self.bytes = 0;
        }
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn get(&self, key: u64) -> Option<&Entry<A>> {
        self.entries.get(&key)
    }

    /// The turns of a position, if its beams were doubled so often at least. They are taken out
    /// while its children are searched, which may look at the memory, too.
    pub(super) fn take_turns(&mut self, key: u64, doubled: u32) -> Vec<Known<A>> {
        let entry = self.entries.get_mut(&key).filter(|entry| entry.doubled >= doubled);
        let turns = entry.map(|entry| std::mem::take(&mut entry.turns)).unwrap_or_default();
        self.bytes -= TURN_BYTES * turns.len();
        turns
    }

    /// Remembers a position, if there is room.
    pub(super) fn put(&mut self, key: u64, entry: Entry<A>) {
        let before = self.entries.get(&key).map_or(0, Entry::bytes);
        let after = self.bytes - before + entry.bytes();
        if after <= self.most_bytes {
            self.bytes = after;
            self.entries.insert(key, entry);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(turns: usize, doubled: u32) -> Entry<u8> {
        let turn = |_| Known { actions: Box::new([]), value: Score(0) };
        Entry {
            turns: (0..turns).map(turn).collect(),
            depth: 1,
            value: Score(0),
            bound: Bound::Exact,
            cut: false,
            doubled,
            left_out: false,
        }
    }

    fn counted(memory: &Memory<u8>) -> usize {
        memory.entries.values().map(Entry::bytes).sum()
    }

    /// Narrow lists that are replaced by wide ones keep to the room as well.
    #[test]
    fn wide_lists_keep_to_the_room() {
        let mut memory = Memory::new(1);
        for key in 0..600 {
            memory.put(key, entry(8, 0));
        }
        assert_eq!((memory.len(), memory.bytes), (600, 600 * (128 + 8 * 64)));
        for key in 0..600 {
            memory.put(key, entry(800, 3));
            assert_eq!(memory.take_turns(key, 4).len(), 0, "too narrow");
            assert!(counted(&memory) <= 1 << 20);
        }
        for key in 600..5_000 {
            memory.put(key, entry(8, 0));
        }
        assert!(counted(&memory) <= 1 << 20 && memory.len() < 2_000, "{} entries", memory.len());
        assert_eq!(memory.bytes, counted(&memory));
        let full = memory.bytes;
        let key = *memory.entries.iter().find(|(_, entry)| entry.doubled == 3).expect("some").0;
        assert_eq!(memory.take_turns(key, 3).len(), 800);
        assert_eq!(memory.bytes, full - 800 * TURN_BYTES);
        memory.make_room();
        assert_eq!((memory.len(), memory.bytes), (0, 0));
    }
}
