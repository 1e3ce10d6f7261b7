//! Which program, and how long it may think.

use std::time::Duration;

use search::params::{Cost, Param, ParamError, Values};

use crate::words::split_words;

/// Time for one decision where a spec says nothing, in milliseconds.
const USUAL_MS: i64 = 10_000;
/// A day.
const MOST_MS: i64 = 86_400_000;

/// A program to be asked, checked as far as that is possible without starting it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramConfig {
    /// The command as written.
    pub command: String,
    /// The program and its arguments.
    pub words: Vec<String>,
    /// Time for one decision.
    pub limit: Duration,
}

impl ProgramConfig {
    /// The key that holds the command.
    pub const COMMAND: &'static str = "cmd";
    /// The key of the time for one decision.
    pub const LIMIT: &'static str = "ms";

    /// The tunables.
    #[must_use]
    pub fn params() -> Vec<Param> {
        vec![
            Param::text(
                Self::COMMAND,
                None,
                "the program and its arguments: everything after the colon",
            ),
            Param::integer(
                Self::LIMIT,
                1,
                MOST_MS,
                USUAL_MS,
                "milliseconds per decision; if the program takes longer, the game is void",
            )
            // Nobody knows what a program does.
            .costs(Cost::Clock(60_000)),
        ]
    }

    /// The program that resolved values describe.
    pub fn from_values(values: &Values) -> Result<Self, ParamError> {
        let Some(command) = values.text(Self::COMMAND) else {
            let reason = "say which program: exec:CMD, such as exec:python3 my_agent.py";
            return Err(ParamError::Combination(reason.into()));
        };
        let words = split_words(command).map_err(|error| {
            ParamError::Combination(format!("the command '{command}' cannot be started: {error}"))
        })?;
        let ms = values.number(Self::LIMIT).unwrap_or(USUAL_MS);
        let limit = Duration::from_millis(ms.unsigned_abs());
        Ok(Self { command: command.to_owned(), words, limit })
    }
}
