//! All integration tests of this crate, one program: each of its own would link everything again.

mod fuzz;
mod othello_texts;
mod presets;
mod scenes;
mod shop;
mod stopping;
mod tables;
