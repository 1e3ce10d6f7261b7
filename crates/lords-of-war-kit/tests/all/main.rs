//! All integration tests of this crate, one program: each of its own would link everything again.

mod events;
#[path = "../../../registry/tests/all/scene_checks/mod.rs"]
mod scene_checks;
mod scenes;
mod squares;
