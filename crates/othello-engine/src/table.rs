//! The large table: exact bounds by position, shared by threads without locks.
//!
//! An entry holds the whole board, so on one thread two positions are never mistaken for each
//! other. Its three words are the boards, each XORed with the data, and the data (Hyatt and Mann,
//! 2002): where two threads write one entry at once, a mixture of both passes the comparison only
//! if the boards and the data of two positions differ by the same bits, which is possible and so
//! unlikely that it is not guarded against.

use std::sync::atomic::{AtomicU64, Ordering};

use gamecore::key::mix;

/// What is known of a position: bounds on its final score, and good moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    pub(crate) lower: i8,
    pub(crate) upper: i8,
    /// The best move found; 64 if none.
    pub(crate) best: u8,
    /// The best move before that one; 64 if none.
    pub(crate) second: u8,
}

impl Bounds {
    const UNKNOWN: Self = Self { lower: -64, upper: 64, best: 64, second: 64 };
}

const WORDS: usize = 3;
/// Two entries: one that keeps the position with more empty squares, one for the newest.
type Slot = [AtomicU64; 2 * WORDS];

/// Bounds by position.
pub(crate) struct Table {
    slots: Box<[Slot]>,
    mask: u64,
}

fn pack(bounds: Bounds, empties: u32) -> u64 {
    let Bounds { lower, upper, best, second } = bounds;
    u64::from_le_bytes([lower as u8, upper as u8, best, second, empties as u8, 1, 0, 0])
}

fn unpack(data: u64) -> Bounds {
    let [lower, upper, best, second, ..] = data.to_le_bytes();
    Bounds { lower: lower as i8, upper: upper as i8, best, second }
}

fn empties_of(data: u64) -> u32 {
    u32::from(data.to_le_bytes()[4])
}

impl Table {
    /// An empty table of at most `megabytes` MiB, in memory taken as it is used; `None` if the
    /// system does not promise so much.
    pub(crate) fn new(megabytes: usize) -> Option<Self> {
        let fitting = megabytes.max(1).checked_mul(1 << 20)? / size_of::<Slot>();
        let slots = 1usize << fitting.ilog2();
        let empty = bytemuck::try_zeroed_slice_box(slots).ok()?;
        Some(Self { slots: empty, mask: slots as u64 - 1 })
    }

    #[inline]
    fn slot(&self, own: u64, opp: u64) -> &Slot {
        &self.slots[(mix(own.wrapping_add(mix(opp))) & self.mask) as usize]
    }

    #[inline]
    fn load(entry: &[AtomicU64], own: u64, opp: u64) -> Option<u64> {
        let data = entry[2].load(Ordering::Relaxed);
        let same = entry[0].load(Ordering::Relaxed) ^ data == own
            && entry[1].load(Ordering::Relaxed) ^ data == opp;
        (same && data != 0).then_some(data)
    }

    #[inline]
    pub(crate) fn get(&self, own: u64, opp: u64) -> Option<Bounds> {
        let (large, recent) = self.slot(own, opp).split_at(WORDS);
        Self::load(large, own, opp).or_else(|| Self::load(recent, own, opp)).map(unpack)
    }

    /// Narrows what is known by a fail-soft result of the window (alpha, beta).
    pub(crate) fn put(
        &self,
        own: u64,
        opp: u64,
        empties: u32,
        (alpha, beta): (i32, i32),
        score: i32,
        best: u8,
    ) {
        let (large, recent) = self.slot(own, opp).split_at(WORDS);
        let (entry, held) = if let Some(data) = Self::load(large, own, opp) {
            (large, Some(data))
        } else if let Some(data) = Self::load(recent, own, opp) {
            (recent, Some(data))
        } else if empties_of(large[2].load(Ordering::Relaxed)) > empties {
            (recent, None)
        } else {
            (large, None)
        };
        let mut bounds = held.map_or(Bounds::UNKNOWN, unpack);
        if score < beta {
            bounds.upper = bounds.upper.min(score as i8);
        }
        if score > alpha {
            bounds.lower = bounds.lower.max(score as i8);
        }
        if best != bounds.best && best < 64 {
            bounds.second = bounds.best;
            bounds.best = best;
        }
        let data = pack(bounds, empties);
        entry[2].store(data, Ordering::Relaxed);
        entry[0].store(own ^ data, Ordering::Relaxed);
        entry[1].store(opp ^ data, Ordering::Relaxed);
    }
}
