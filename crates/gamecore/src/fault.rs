//! When the machine fails.

use std::panic::resume_unwind;

/// The machine could not give what an agent needs: a process, a thread, memory. That is no fact of the
/// game, so it is no result of it either: it unwinds to whoever plays games, who tries again or
/// stops and stores nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the machine failed: {0}")]
pub struct MachineFault(pub String);

impl MachineFault {
    /// Unwinds with it; unlike a panic, without a word on the terminal.
    pub fn raise(self) -> ! {
        resume_unwind(Box::new(self))
    }
}
