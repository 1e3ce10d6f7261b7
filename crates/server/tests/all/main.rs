//! All integration tests of this crate, one program: each of its own would link everything again.

mod analysis;
mod common;
mod description;
mod door;
mod explain;
mod fuzz;
mod games;
mod interface;
mod play;
mod pondering;
mod robust;
mod runs;
