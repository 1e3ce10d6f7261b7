//! Why something was not done.

use registry::SpecError;

/// What was wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The input.
    BadInput,
    /// There is no such thing.
    Missing,
    /// The game is not in a state for it.
    Conflict,
    /// What was kept cannot be read.
    Storage,
}

/// A refusal: its cause, and a reason that names the input and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Refusal {
    /// What was wrong.
    pub cause: Cause,
    /// In words.
    pub reason: String,
}

impl Refusal {
    fn new(cause: Cause, reason: impl Into<String>) -> Self {
        Self { cause, reason: reason.into() }
    }

    pub(crate) fn bad(reason: impl Into<String>) -> Self {
        Self::new(Cause::BadInput, reason)
    }

    pub(crate) fn missing(reason: impl Into<String>) -> Self {
        Self::new(Cause::Missing, reason)
    }

    pub(crate) fn conflict(reason: impl Into<String>) -> Self {
        Self::new(Cause::Conflict, reason)
    }

    pub(crate) fn storage(reason: impl Into<String>) -> Self {
        Self::new(Cause::Storage, reason)
    }
}

impl From<SpecError> for Refusal {
    fn from(error: SpecError) -> Self {
        Self::bad(error.to_string())
    }
}
