//! All integration tests of this crate, one program: each of its own would link everything again.

mod common;
mod conquest_outlook;
mod fuzz;
mod othello;
mod othello_outlook;
mod weights;
