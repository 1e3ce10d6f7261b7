//! What readers of texts say that cannot read one.

use std::fmt::Display;

/// Why a text is not an action or a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} '{input}': {reason}")]
pub struct NotationError {
    /// What was expected: `action`, `position`, …
    pub what: &'static str,
    /// The text as given, shortened if long.
    pub input: String,
    /// What is wrong with it and what would be right.
    pub reason: String,
}

impl NotationError {
    /// An error about `input`, which should have been a `what`.
    #[must_use]
    pub fn new(what: &'static str, input: &str, reason: impl Display) -> Self {
        const SHOWN: usize = 100;
        let mut shown: String = input.chars().take(SHOWN).collect();
        if shown.len() < input.len() {
            shown.push('…');
        }
        Self { what, input: shown, reason: reason.to_string() }
    }
}

/// What a reader of texts returns.
pub type Read<T> = Result<T, NotationError>;

/// Makes the error of a whole text out of what is wrong with a part of it. Readers hand it to those
/// who read the parts.
pub type Wrong<'a> = &'a dyn Fn(&dyn Display) -> NotationError;

/// Leaves a reader with what is wrong: `refuse!(wrong, "turn {turn} is above {most}")`.
#[macro_export]
macro_rules! refuse {
    ($wrong:expr, $($reason:tt)+) => {
        return Err($wrong(&format_args!($($reason)+)))
    };
}
