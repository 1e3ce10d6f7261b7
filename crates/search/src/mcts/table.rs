//! Nodes by key: open addressing in a power of two of slots, at most half full. Its content depends
//! on what was inserted and in which order, on nothing else.

use super::store::NONE;

const FIRST_SLOTS: usize = 64;

/// From key to node.
#[derive(Debug, Default)]
pub(crate) struct KeyTable {
    slots: Vec<(u64, u32)>,
    used: usize,
}

impl KeyTable {
    pub(crate) fn clear(&mut self) {
        self.slots.clear();
        self.used = 0;
    }

    pub(crate) fn get(&self, key: u64) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let (_, node) = self.slots[self.slot(key)];
        (node != NONE).then_some(node)
    }

    /// Remembers a node; a key that is known keeps its node.
    pub(crate) fn insert(&mut self, key: u64, node: u32) {
        if 2 * self.used >= self.slots.len() {
            self.grow();
        }
        let slot = self.slot(key);
        if self.slots[slot].1 == NONE {
            self.slots[slot] = (key, node);
            self.used += 1;
        }
    }

    /// Where the key is, or where it would be put.
    fn slot(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = key as usize & mask;
        while self.slots[slot].1 != NONE && self.slots[slot].0 != key {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self) {
        let size = (2 * self.slots.len()).max(FIRST_SLOTS);
        let old = std::mem::replace(&mut self.slots, vec![(0, NONE); size]);
        for (key, node) in old.into_iter().filter(|(_, node)| *node != NONE) {
            let slot = self.slot(key);
            self.slots[slot] = (key, node);
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.slots[..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamecore::key;

    #[test]
    fn finds_what_was_inserted_and_nothing_else() {
        let mut table = KeyTable::default();
        assert_eq!(table.get(0), None);
        for number in 0..10_000 {
            table.insert(key::mix(u64::from(number)), number);
        }
        for number in 0..10_000 {
            assert_eq!(table.get(key::mix(u64::from(number))), Some(number));
        }
        assert!((10_000..20_000).all(|number| table.get(key::mix(number)).is_none()));
        table.insert(key::mix(7), 1);
        assert_eq!(table.get(key::mix(7)), Some(7), "the first one stays");
        table.clear();
        assert_eq!(table.get(key::mix(7)), None);
    }
}
