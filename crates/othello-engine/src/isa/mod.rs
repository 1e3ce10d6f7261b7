//! The kernel for each instruction set, chosen once per call from the tree above it.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod portable;

use othello::bits::InstructionSet;

use crate::heuristic::CERTAIN;
use crate::kernel::Worker;

/// Calls one function of the module compiled for `$set`; of the portable one where the processor
/// lacks `$set`.
macro_rules! dispatch {
    ($set:expr, $function:ident($($argument:expr),*)) => {
        match $set {
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 if $set.is_available() => {
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

/// The kernel: is the score above `alpha`?
#[inline]
pub(crate) fn null_window(
    set: InstructionSet,
    worker: &mut Worker,
    own: u64,
    opp: u64,
    alpha: i32,
    empties: u32,
) -> i32 {
    dispatch!(set, null_window(worker, own, opp, alpha, empties))
}

/// The opinion after `depth` plies, for the side to move.
#[inline]
pub(crate) fn opinion(
    set: InstructionSet,
    worker: &mut Worker,
    own: u64,
    opp: u64,
    depth: u32,
) -> i32 {
    dispatch!(set, opinion(worker, own, opp, depth, -CERTAIN, CERTAIN))
}
