//! All integration tests of this crate, one program: each of its own would link everything again.

mod common;
mod examples;
mod fuzz;
mod matches;
mod plan;
mod resuming;
mod run;
mod soak;
mod sweep;
mod tuning;
