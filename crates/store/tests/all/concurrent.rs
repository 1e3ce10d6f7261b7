//! Several at the same time: locks of runs, and names of new ones.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use store::{Manifest, Store};

fn manifest() -> Manifest {
    Manifest {
        schema: "warroom-run-1".into(),
        name: "smoke".into(),
        game: "othello".into(),
        spec: serde_json::json!({}),
        spec_hash: "abc".into(),
        version: "0.1.0+1".into(),
        rules: "standard".into(),
        data: BTreeMap::new(),
        cpu: "any".into(),
        repeatable: true,
        games: 4,
    }
}

/// However many want it and however they come and go, one at a time has it.
#[test]
fn a_lock_is_held_once_though_its_file_comes_and_goes() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("runs.sqlite")).unwrap();
    let run = store.create("smoke-1", &manifest()).unwrap();
    let holders = AtomicU32::new(0);
    let taken = AtomicU32::new(0);
    let order = Ordering::SeqCst;
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..50 {
                    let Ok(lock) = store.lock(&run.id) else { continue };
                    assert_eq!(holders.fetch_add(1, order), 0, "two hold it");
                    taken.fetch_add(1, order);
                    thread::yield_now();
                    holders.fetch_sub(1, order);
                    drop(lock);
                }
            });
        }
    });
    assert!(taken.into_inner() > 0);
    assert!(!store.is_locked(&run.id));
    let _held = store.lock(&run.id).unwrap();
    assert!(store.is_locked(&run.id));
    assert!(!store.is_locked("another-run"));
}

#[test]
fn another_run_has_another_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.sqlite");
    let name = |number: u64| format!("smoke-{number}");
    let one = Store::open(&path).unwrap();
    let two = Store::open(&path).unwrap();
    one.create("smoke-1", &Manifest { spec_hash: "other".into(), ..manifest() }).unwrap();
    let made = thread::scope(|scope| {
        let make = |store| move || Store::create_another(store, &name, &manifest()).unwrap().id;
        let both = [scope.spawn(make(&one)), scope.spawn(make(&two))];
        both.map(|made| made.join().unwrap())
    });
    assert_eq!(BTreeSet::from(made).len(), 2);
    assert_eq!(one.runs().unwrap().len(), 3);
}

/// Programs that open a new file at the same moment all find its tables.
#[test]
fn a_new_file_is_made_once() {
    for round in 0..20 {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("runs.sqlite");
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let store =
                        Store::open(&path).unwrap_or_else(|error| panic!("{round}: {error}"));
                    store.create("smoke-1", &manifest()).unwrap();
                });
            }
        });
        assert_eq!(Store::open(&path).unwrap().runs().unwrap().len(), 1);
    }
}
