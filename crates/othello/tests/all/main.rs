//! All integration tests of this crate, one program: each of its own would link everything again.

mod bits;
mod common;
mod conformance;
mod fuzz;
mod ggf;
mod notation;
mod perft;
mod text_formats;
mod wthor;
