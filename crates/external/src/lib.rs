//! Agents from outside: a program of any language that is asked for actions over its standard input
//! and output, one JSON object a line. `docs/exec-agents.md` defines what is said.
//!
//! Nothing that such a program does may harm a match: what it says is read by a thread that takes a
//! limited amount, every wait has an end, and whatever is wrong becomes [`gamecore::Agent::failure`].

mod agent;
mod config;
mod process;
mod words;

pub use agent::ProgramAgent;
pub use config::ProgramConfig;
pub use words::{SplitError, split_words};
