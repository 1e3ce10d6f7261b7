//! All integration tests of this crate, one program: each of its own would link everything again.

mod bad_input;
#[cfg(feature = "nats")]
mod cluster;
mod commands;
mod common;
mod conquest;
mod exec;
mod experiments;
mod fit;
mod lords_of_war;
mod machine;
mod matches;
mod old_data;
mod play;
mod report;
mod reproduce;
mod run;
mod serve;
mod shards;
mod solve;
mod tactics;
