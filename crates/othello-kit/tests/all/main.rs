//! All integration tests of this crate, one program: each of its own would link everything again.

mod boards;
mod chances;
mod common;
mod events;
mod factors;
mod fuzz;
#[allow(dead_code, reason = "what searches keep to is said once, and not all of it is asked here")]
#[path = "../../../search/tests/all/mcts_common/mod.rs"]
mod mcts_common;
mod outlook;
#[path = "../../../registry/tests/all/scene_checks/mod.rs"]
mod scene_checks;
mod scenes;
#[allow(dead_code, reason = "what searches keep to is said once, and not all of it is asked here")]
#[path = "../../../search/tests/all/common/mod.rs"]
mod search_common;
mod searches;
mod weights;
