//! One embedded database: many runs with manifests, games and their records, append-only; and the
//! games and loadouts of the app, which change.
//!
//! The store knows all of it as plain data. It runs nothing and never reads what a spec means.

mod app;
mod error;
mod file;
mod file_id;
mod lock;
mod merge;
mod pick;
mod rows;
mod schema;
mod store;
#[cfg(test)]
mod tests;

pub use app::{AppGame, AppGameRow, AppQuery, AppWrite};
pub use error::StoreError;
pub use lock::RunLock;
pub use merge::{Agreement, Merged};
pub use rows::{GameRow, Manifest, Run, Visit};
pub use store::Store;
