//! One embedded database for many runs: manifests, games and their records, append-only.
//!
//! The store knows games as plain data. It runs nothing and never reads what a spec means.

mod error;
mod lock;
mod rows;
mod schema;
mod store;
#[cfg(test)]
mod tests;

pub use error::StoreError;
pub use lock::RunLock;
pub use rows::{GameRow, Manifest, Run, Visit};
pub use store::{Merged, Store};
