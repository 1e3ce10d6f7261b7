//! A small table of one thread for positions near the end. It lives in the second-level cache,
//! where a look costs less than searching; the large table would miss the cache every time.

use gamecore::key::mix;

/// What is known of a position: bounds on its score and its best move.
#[derive(Clone, Copy)]
pub(crate) struct Known {
    own: u64,
    opp: u64,
    pub(crate) lower: i8,
    pub(crate) upper: i8,
    pub(crate) best: u8,
}

const SLOTS: usize = 1 << 14;
const UNKNOWN: Known = Known { own: 0, opp: 0, lower: -64, upper: 64, best: 64 };

/// Direct-mapped, always replaced. Whole boards are compared, so answers are never mistaken.
pub(crate) struct LocalTable(Box<[Known]>);

impl LocalTable {
    pub(crate) fn new() -> Self {
        Self(vec![UNKNOWN; SLOTS].into_boxed_slice())
    }

    #[inline]
    pub(crate) fn slot(&self, own: u64, opp: u64) -> usize {
        (mix(own ^ opp.rotate_left(32).wrapping_mul(0x9e37_79b9_7f4a_7c15)) as usize) & (SLOTS - 1)
    }

    #[inline]
    pub(crate) fn get(&self, slot: usize, own: u64, opp: u64) -> Option<Known> {
        let known = self.0[slot & (SLOTS - 1)];
        (known.own == own && known.opp == opp).then_some(known)
    }

    /// Remembers the fail-soft answer `score` to the question "above alpha?".
    #[inline]
    pub(crate) fn put(
        &mut self,
        slot: usize,
        own: u64,
        opp: u64,
        alpha: i32,
        score: i32,
        best: u8,
    ) {
        let known = &mut self.0[slot & (SLOTS - 1)];
        if known.own != own || known.opp != opp {
            *known = Known { own, opp, ..UNKNOWN };
        }
        if score > alpha {
            known.lower = known.lower.max(score as i8);
        } else {
            known.upper = known.upper.min(score as i8);
        }
        known.best = best;
    }
}
