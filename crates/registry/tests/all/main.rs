//! All integration tests of this crate, one program: each of its own would link everything again.

mod plain_scenes;
mod scene_checks;
