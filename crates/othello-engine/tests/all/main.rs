//! All integration tests of this crate, one program: each of its own would link everything again.

mod agent;
mod scores;
