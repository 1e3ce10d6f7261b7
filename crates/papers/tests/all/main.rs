//! All integration tests of this crate, one program: each of its own would link everything again.

mod lords_of_war;
mod othello;
mod places;

use lab::run::Host;
use store::Store;

fn database() -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(&folder.path().join("runs.sqlite")).expect("a database");
    (folder, store)
}

fn host() -> Host {
    Host { program: "1.0.0+aaaaaaaa".into(), cpu: "any".into() }
}
