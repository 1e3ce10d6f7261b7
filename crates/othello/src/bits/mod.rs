//! Legal moves, flips, random games and leaf counts on two 64-bit boards.
//!
//! Bit `i` is square `row * 8 + column`: a1 is bit 0, b1 is bit 1, h8 is bit 63. `own` holds the
//! discs of the side to move, `opp` those of the other side; the two never overlap.
//!
//! [`moves`] and [`flips`] run on every processor. The two long loops, [`playout`] and [`perft`],
//! are compiled once per [`InstructionSet`] as a whole, so that choosing one costs a single test
//! per call and not one per move. Every instruction set gives the same answers.

#[cfg(target_arch = "x86_64")]
pub mod avx2;
mod kernels;
pub mod portable;
mod rays;

use gamecore::Rng;

pub use portable::{flips, moves};

/// Discs of the side to move first (black) at the start of a game: e4 and d5.
pub const START_OWN: u64 = 1 << 28 | 1 << 35;
/// Discs of the side to move second (white) at the start of a game: d4 and e5.
pub const START_OPP: u64 = 1 << 27 | 1 << 36;

/// Where a random game stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Playout {
    /// Discs of the side to move where it stopped.
    pub own: u64,
    /// Discs of the other side.
    pub opp: u64,
    /// Actions made, passes included.
    pub actions: u32,
    /// Whether neither side has a move left. False only when the limit stopped the game.
    pub over: bool,
}

impl Playout {
    /// Whether `own` belongs to the player that was *not* to move at the beginning. Every action,
    /// a pass too, hands the turn over.
    #[must_use]
    #[inline]
    pub fn swapped(&self) -> bool {
        self.actions & 1 == 1
    }
}

/// A set of processor instructions for which the loops are compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstructionSet {
    /// Plain integer code, on any processor.
    Portable,
    /// x86-64 with AVX2, BMI1, BMI2, LZCNT and POPCNT.
    Avx2,
}

impl InstructionSet {
    /// The fastest one that this processor has.
    #[must_use]
    #[inline]
    pub fn detect() -> Self {
        if has_avx2() { Self::Avx2 } else { Self::Portable }
    }

    /// Whether this processor has it.
    #[must_use]
    #[inline]
    pub fn is_available(self) -> bool {
        match self {
            Self::Portable => true,
            Self::Avx2 => has_avx2(),
        }
    }

    /// All that this processor has, slowest first.
    #[must_use]
    pub fn all_available() -> Vec<Self> {
        let mut sets = vec![Self::Portable];
        if has_avx2() {
            sets.push(Self::Avx2);
        }
        sets
    }

    /// A short lower-case name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Avx2 => "avx2",
        }
    }
}

/// Whether the functions in `avx2` may be called. The standard library remembers the answer.
#[inline]
fn has_avx2() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        false
    }
}

/// Calls one function of the module compiled for `$set`; of the portable one where the processor
/// lacks `$set`.
macro_rules! dispatch {
    ($set:expr, $function:ident($($argument:expr),*)) => {
        match $set {
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 if has_avx2() => {
                // SAFETY: the guard has just found every feature that the function is compiled
                // for on this processor.
                #[allow(unsafe_code)]
                unsafe {
                    avx2::$function($($argument),*)
                }
            }
            _ => portable::$function($($argument),*),
        }
    };
}

/// [`moves`] by the code of one instruction set; portable where the processor lacks it.
#[must_use]
pub fn moves_with(set: InstructionSet, own: u64, opp: u64) -> u64 {
    dispatch!(set, moves(own, opp))
}

/// [`flips`] by the code of one instruction set; portable where the processor lacks it.
#[must_use]
pub fn flips_with(set: InstructionSet, square: u8, own: u64, opp: u64) -> u64 {
    dispatch!(set, flips(square, own, opp))
}

/// [`stable`](crate::stable) by the code of one instruction set; portable where the processor lacks
/// it.
#[must_use]
pub fn stable_with(set: InstructionSet, discs: u64, others: u64) -> u64 {
    match set {
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx2 if has_avx2() => {
            // SAFETY: the guard has just found every feature that the function is compiled for on
            // this processor.
            #[allow(unsafe_code)]
            unsafe {
                avx2::stable(discs, others)
            }
        }
        _ => crate::stable(discs, others),
    }
}

/// Plays uniformly random actions until the game is over or `limit` actions were made.
///
/// The draws are part of the contract: with two moves or more, one call of `rng.below(count)`
/// chooses in ascending square order; a single move and a pass draw nothing. A pass is an action.
#[inline]
pub fn playout(own: u64, opp: u64, rng: &mut Rng, limit: u32) -> Playout {
    playout_with(InstructionSet::detect(), own, opp, rng, limit)
}

/// [`playout`] by the code of one instruction set; portable where the processor lacks it.
pub fn playout_with(set: InstructionSet, own: u64, opp: u64, rng: &mut Rng, limit: u32) -> Playout {
    dispatch!(set, playout(own, opp, rng, limit))
}

/// The number of action sequences of length `depth`. A pass is one action; a finished game counts
/// once, whatever depth remains.
#[must_use]
pub fn perft(own: u64, opp: u64, depth: u32) -> u64 {
    perft_with(InstructionSet::detect(), own, opp, depth)
}

/// [`perft`] by the code of one instruction set; portable where the processor lacks it.
#[must_use]
pub fn perft_with(set: InstructionSet, own: u64, opp: u64, depth: u32) -> u64 {
    dispatch!(set, perft(own, opp, depth))
}
