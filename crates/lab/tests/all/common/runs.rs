//! Experiments and databases for tests of runs.

use lab::experiment::{Experiment, read_experiment};
use lab::run::{Host, Threads, manifest, open_run};
use store::{Run, Store};

pub(crate) fn read(text: &str) -> Result<Experiment, String> {
    read_experiment(&standard::registry(), "test.toml", text, &registry::no_files)
        .map_err(|error| error.to_string())
}

pub(crate) fn experiment(text: &str) -> Experiment {
    read(text).unwrap_or_else(|error| panic!("{error}"))
}

pub(crate) fn database() -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(&folder.path().join("runs.sqlite")).expect("a database");
    (folder, store)
}

pub(crate) fn begun(store: &Store, experiment: &Experiment) -> Run {
    open_run(store, &manifest(experiment, &host()), false).expect("a run")
}

pub(crate) fn host() -> Host {
    Host { program: "1.0.0+aaaaaaaa".into(), cpu: "any".into() }
}

pub(crate) fn threads(count: usize) -> Threads {
    Threads { program: host().program, ..Threads::new(count) }
}
