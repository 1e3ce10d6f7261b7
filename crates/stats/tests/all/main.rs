//! All integration tests of this crate, one program: each of its own would link everything again.

mod analysis;
mod common;
mod cycles;
mod known_numbers;
mod multiple;
mod nash;
mod one_match;
mod ratings;
mod sprt;
