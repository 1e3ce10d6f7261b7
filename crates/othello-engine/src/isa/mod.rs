//! The kernel for each instruction set, chosen once per call from the tree above it.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod portable;

use othello::bits::InstructionSet;

use crate::kernel::Worker;

/// Runs the kernel compiled for `set`, or the portable one where the processor lacks it.
#[inline]
pub(crate) fn null_window(
    set: InstructionSet,
    worker: &mut Worker,
    own: u64,
    opp: u64,
    alpha: i32,
    empties: u32,
) -> i32 {
    match set {
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx2 if set.is_available() => {
            // SAFETY: the guard has just found every feature that the function is compiled for.
            #[allow(unsafe_code)]
            unsafe {
                avx2::null_window(worker, own, opp, alpha, empties)
            }
        }
        _ => portable::null_window(worker, own, opp, alpha, empties),
    }
}
