//! Transposition table, shared by threads without locks.
//!
//! An entry is two words: the data, and the key XORed with the data. A torn write by two threads
//! then fails the comparison instead of giving a wrong answer (Hyatt and Mann, 2002). Pairs of
//! entries share a slot: the first keeps the deeper search, the second the newest.

use std::sync::atomic::{AtomicU64, Ordering};

use gamecore::{Bound, MachineFault, Score};

/// What the table remembers of a position. The value is for the seat to act there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The value or a bound on it.
    pub value: Score,
    /// What the value says.
    pub bound: Bound,
    /// Decisions that were searched below.
    pub depth: u32,
    /// Index of the best action in the game's order.
    pub best: usize,
    /// No leaf below was cut off by the horizon: the value holds for every greater depth.
    pub resolved: bool,
}

impl Entry {
    fn pack(self) -> u64 {
        let bound = match self.bound {
            Bound::Exact => 1,
            Bound::Lower => 2,
            Bound::Upper => 3,
            Bound::Estimate => unreachable!("depth-first search estimates nothing"),
        };
        u64::from(self.value.0 as u32)
            | (u64::from(self.depth) & 0xff) << 32
            | (self.best as u64 & 0x3ff) << 40
            | bound << 50
            | u64::from(self.resolved) << 52
    }

    fn unpack(data: u64) -> Option<Self> {
        let bound = match data >> 50 & 3 {
            1 => Bound::Exact,
            2 => Bound::Lower,
            3 => Bound::Upper,
            _ => return None,
        };
        Some(Self {
            value: Score(data as u32 as i32),
            bound,
            depth: (data >> 32 & 0xff) as u32,
            best: (data >> 40 & 0x3ff) as usize,
            resolved: data >> 52 & 1 == 1,
        })
    }
}

/// Two entries: key XOR data, data; key XOR data, data.
type Slot = [AtomicU64; 4];

const DEEP: usize = 0;
const RECENT: usize = 2;

#[inline]
fn load(slot: &Slot, at: usize, key: u64) -> Option<Entry> {
    let data = slot[at + 1].load(Ordering::Relaxed);
    if slot[at].load(Ordering::Relaxed) ^ data == key { Entry::unpack(data) } else { None }
}

/// A fixed number of entries by position key.
pub struct Table {
    slots: Box<[Slot]>,
    mask: u64,
}

impl Table {
    /// An empty table of at most `megabytes` MiB (the largest power of two that fits). Memory is
    /// taken from the system only as it is used; where it is refused, the machine failed.
    #[must_use]
    pub fn new(megabytes: usize) -> Self {
        let fitting = (megabytes.max(1) << 20) / size_of::<Slot>();
        let slots = 1usize << fitting.ilog2();
        let Ok(empty) = bytemuck::try_zeroed_slice_box(slots) else {
            MachineFault(format!("a table of {megabytes} MB was refused")).raise()
        };
        Self { slots: empty, mask: slots as u64 - 1 }
    }

    /// What is known of the position with this key, preferably from a search of `depth`.
    #[inline]
    #[must_use]
    pub fn get(&self, key: u64, depth: u32) -> Option<Entry> {
        let slot = &self.slots[(key & self.mask) as usize];
        match load(slot, DEEP, key) {
            Some(entry) if entry.depth != depth => {
                load(slot, RECENT, key).filter(|other| other.depth == depth).or(Some(entry))
            }
            None => load(slot, RECENT, key),
            found => found,
        }
    }

    /// Remembers an entry, in place of a shallower or an older one.
    #[inline]
    pub fn put(&self, key: u64, entry: Entry) {
        let slot = &self.slots[(key & self.mask) as usize];
        let at = match Entry::unpack(slot[DEEP + 1].load(Ordering::Relaxed)) {
            Some(held) if held.depth > entry.depth => RECENT,
            _ => DEEP,
        };
        let data = entry.pack();
        slot[at + 1].store(data, Ordering::Relaxed);
        slot[at].store(key ^ data, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(value: i32, depth: u32) -> Entry {
        Entry { value: Score(value), bound: Bound::Lower, depth, best: 511, resolved: true }
    }

    #[test]
    fn entries_survive_packing() {
        for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
            for value in [-1_000_000_000, -1, 0, 1, 1_000_000_000] {
                let entry = Entry { bound, ..entry(value, 120) };
                assert_eq!(Entry::unpack(entry.pack()), Some(entry));
            }
        }
        assert_eq!(Entry::unpack(0), None);
    }

    #[test]
    fn keeps_the_deeper_and_the_newest() {
        let table = Table::new(1);
        let clash = table.mask + 1;
        table.put(7, entry(1, 9));
        table.put(7 + clash, entry(2, 3));
        table.put(7 + 2 * clash, entry(3, 4));
        assert_eq!(table.get(7, 9), Some(entry(1, 9)));
        assert_eq!(table.get(7 + clash, 3), None);
        assert_eq!(table.get(7 + 2 * clash, 9), Some(entry(3, 4)));
        table.put(7, entry(5, 2));
        assert_eq!(table.get(7, 2), Some(entry(5, 2)), "the asked depth comes first");
        assert_eq!(table.get(7, 4), Some(entry(1, 9)));
    }
}
