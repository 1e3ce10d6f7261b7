//! What the database promises, by breaking it.

use gamecore::{Outcome, Work};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use tempfile::TempDir;

use crate::{Agreement, GameRow, Manifest, Merged, Run, Store, StoreError};

fn folder() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.sqlite");
    (folder, path)
}

fn manifest() -> Manifest {
    Manifest {
        schema: "warroom-run-1".into(),
        name: "smoke".into(),
        game: "othello".into(),
        spec: serde_json::json!({"games": 4}),
        spec_hash: "abc".into(),
        version: "0.1.0+1".into(),
        rules: "standard".into(),
        data: BTreeMap::from([("a.toml".into(), "1".into())]),
        cpu: "any".into(),
        repeatable: true,
        games: 4,
    }
}

fn game(number: u64) -> GameRow {
    GameRow {
        number,
        cell: 1,
        pair: number / 2,
        game: (number % 2) as u8,
        outcome: Outcome::SeatZero,
        reason: "more discs".into(),
        first_seat: Some(0),
        actions: 60,
        turns: 58,
        decisions: 50,
        choices: 400,
        entropy: 1.5,
        entropy_decisions: 3,
        half_leader: Some(1),
        moves_hash: u64::MAX - number,
        seconds: [0.25, 0.5],
        work: Some([Work { decisions: 25, ..Work::default() }, Work::default()]),
        counts: [("attacks".to_owned(), number % 7)].into(),
        program: Some("0.2.0+12345678".into()),
        host: None,
    }
}

fn with_games(path: &Path, numbers: &[u64]) -> (Store, Run) {
    let store = Store::open(path).unwrap();
    let run = store.create("smoke-1", &manifest()).unwrap();
    for &number in numbers {
        store.add(&run, &game(number), &format!("{{\"game\":{number}}}")).unwrap();
    }
    (store, run)
}

#[test]
fn what_is_written_is_read_in_schedule_order() {
    let (_folder, path) = folder();
    with_games(&path, &[3, 0, 1]);
    let store = Store::open_existing(&path).unwrap();
    let run = store.run("latest").unwrap();
    assert_eq!((run.id.as_str(), &run.manifest), ("smoke-1", &manifest()));
    assert_eq!(store.games(&run).unwrap(), [game(0), game(1), game(3)]);
    assert_eq!(store.count(&run).unwrap(), 3);
    assert_eq!(store.record(&run, 3).unwrap(), "{\"game\":3}");
    let missing = store.record(&run, 2).unwrap_err().to_string();
    assert_eq!(missing, "run 'smoke-1' has no game 2");
    store.check().unwrap();
}

#[test]
fn a_game_is_kept_once_and_never_changed() {
    let (_folder, path) = folder();
    let (store, run) = with_games(&path, &[0]);
    store.add(&run, &GameRow { reason: "another".into(), ..game(0) }, "{}").unwrap();
    assert_eq!(store.games(&run).unwrap(), [game(0)]);
    assert_eq!(store.record(&run, 0).unwrap(), "{\"game\":0}");
    let raw = Connection::open(&path).unwrap();
    for statement in [
        "UPDATE games SET outcome = 'draw'",
        "DELETE FROM games",
        "UPDATE records SET record = ''",
        "DELETE FROM records",
        "UPDATE runs SET id = 'x'",
    ] {
        let refused = raw.execute(statement, []).unwrap_err().to_string();
        assert!(refused.contains("are never"), "{statement}: {refused}");
    }
}

#[test]
fn runs_are_found_by_name_and_beginning() {
    let (_folder, path) = folder();
    let store = Store::open(&path).unwrap();
    assert!(store.run("latest").unwrap_err().to_string().contains("it holds no runs"));
    for id in ["smoke-1", "smoke-2", "other-1"] {
        store.create(id, &manifest()).unwrap();
    }
    assert_eq!(store.run("oth").unwrap().id, "other-1");
    assert_eq!(store.run("smoke-2").unwrap().id, "smoke-2");
    let several = store.run("smoke").unwrap_err().to_string();
    assert!(several.contains("smoke-1, smoke-2"), "{several}");
    let none = store.run("x").unwrap_err().to_string();
    assert!(none.contains("the newest are other-1, smoke-2, smoke-1"), "{none}");
    assert_eq!(store.runs_of_spec("abc").unwrap().len(), 3);
    assert!(store.runs_of_spec("x").unwrap().is_empty());
}

#[test]
fn files_of_others_stay_as_they_are() {
    let (_folder, path) = folder();
    std::fs::write(&path, "these are the notes of somebody, and no database at all").unwrap();
    for open in [Store::open, Store::open_existing] {
        assert!(matches!(open(&path), Err(StoreError::Foreign(_))));
    }
    assert!(std::fs::read_to_string(&path).unwrap().starts_with("these are the notes"));

    let (_folder, path) = folder();
    Connection::open(&path).unwrap().execute_batch("CREATE TABLE theirs (x)").unwrap();
    let before = std::fs::read(&path).unwrap();
    for open in [Store::open, Store::open_existing] {
        assert!(matches!(open(&path), Err(StoreError::Foreign(_))));
    }
    assert_eq!(std::fs::read(&path).unwrap(), before);

    let (folder, path) = folder_with_missing();
    assert!(matches!(Store::open_existing(&path), Err(StoreError::Missing(_))));
    assert!(matches!(Store::open(&path), Err(StoreError::Open { .. })));
    drop(folder);
}

fn folder_with_missing() -> (TempDir, PathBuf) {
    let (folder, _) = folder();
    let path = folder.path().join("no such folder").join("runs.sqlite");
    (folder, path)
}

#[test]
fn a_newer_form_is_refused_by_name() {
    let (_folder, path) = folder();
    with_games(&path, &[0]);
    Connection::open(&path).unwrap().pragma_update(None, "user_version", 99).unwrap();
    for open in [Store::open, Store::open_existing] {
        let message = open(&path).err().unwrap().to_string();
        assert!(message.contains("format 99") && message.contains("up to 5"), "{message}");
    }
}

#[test]
fn a_damaged_file_is_named_and_not_made_worse() {
    let (_folder, path) = folder();
    drop(with_games(&path, &(0..400).collect::<Vec<_>>()));
    let mut bytes = std::fs::read(&path).unwrap();
    let size = bytes.len();
    bytes[8192..size - 4096].fill(0xA5);
    std::fs::write(&path, &bytes).unwrap();
    let found = Store::open_existing(&path).and_then(|store| {
        store.check()?;
        store.games(&store.run("latest")?).map(|_| ())
    });
    let message = found.unwrap_err().to_string();
    assert!(message.contains("damaged") || message.contains("not a warroom database"), "{message}");
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
}

#[test]
fn a_full_disk_loses_nothing_and_says_what_to_do() {
    let (_folder, path) = folder();
    let (store, run) = with_games(&path, &[0, 1]);
    store.limit_pages(store.pages() + 2);
    let long = (0..200_000u32)
        .map(|n| char::from(b'a' + (n.wrapping_mul(n) % 23) as u8))
        .collect::<String>();
    let failed = (2..100)
        .find_map(|number| store.add(&run, &game(number), &long).err().map(|e| (number, e)));
    let (number, error) = failed.expect("two pages do not hold a hundred games");
    assert!(matches!(error, StoreError::Full(_)), "{error}");
    assert!(error.to_string().contains("the same command"));
    drop(store);
    let store = Store::open(&path).unwrap();
    let run = store.run("latest").unwrap();
    assert_eq!(store.count(&run).unwrap(), number, "all before it are there, it is not");
    store.add(&run, &game(number), "{}").unwrap();
    store.check().unwrap();
}

#[test]
fn what_cannot_be_written_says_so() {
    let (_folder, path) = folder();
    let (_, run) = with_games(&path, &[0]);
    let reader = Store::open_existing(&path).unwrap();
    let refused = reader.add(&run, &game(1), "{}").unwrap_err();
    assert!(matches!(refused, StoreError::ReadOnly(_)), "{refused}");
    assert!(refused.to_string().contains("read-only"), "{refused}");
    assert_eq!(reader.count(&run).unwrap(), 1);
}

#[test]
fn one_run_has_one_writer() {
    let (_folder, path) = folder();
    let (store, run) = with_games(&path, &[]);
    let held = store.lock(&run.id).unwrap();
    let refused = store.lock(&run.id).unwrap_err().to_string();
    let process = std::process::id().to_string();
    assert!(refused.contains(&run.id) && refused.contains(&process), "{refused}");
    store.lock("another-run").unwrap();
    drop(held);
    store.lock(&run.id).unwrap();
    assert_eq!(
        std::fs::read_dir(path.parent().unwrap())
            .unwrap()
            .filter(|entry| {
                entry.as_ref().unwrap().path().extension().is_some_and(|kind| kind == "lock")
            })
            .count(),
        0,
        "locks leave no files behind"
    );
}

#[test]
fn a_folder_is_no_database() {
    let folder = tempfile::tempdir().unwrap();
    for open in [Store::open, Store::open_existing] {
        let message = open(folder.path()).err().unwrap().to_string();
        assert!(message.contains("this is a folder"), "{message}");
    }
}

#[test]
fn databases_merge_game_by_game() {
    let (_one, first) = folder();
    let (_two, second) = folder();
    let (target, run) = with_games(&first, &[0, 1]);
    let (source, _) = with_games(&second, &[1, 2, 3]);
    let merged = target.merge(&source, "smoke-1").unwrap();
    assert_eq!(merged, Merged { added: 2, known: 1 });
    assert_eq!(target.games(&run).unwrap().len(), 4);
    assert_eq!(target.record(&run, 3).unwrap(), "{\"game\":3}");

    // A copy is as old as what was copied.
    let long_ago = "2020-02-02T02:02:02Z";
    let insert =
        "INSERT INTO runs (id, created, spec_hash, manifest) VALUES ('old', ?1, 'abc', ?2)";
    let text = serde_json::to_string(&manifest()).unwrap();
    Connection::open(&second).unwrap().execute(insert, [long_ago, &text]).unwrap();
    target.merge(&source, "old").unwrap();
    assert_eq!(target.run("old").unwrap().created, long_ago);

    let (_three, third) = folder();
    let other = Store::open(&third).unwrap();
    let their = other.create("smoke-1", &manifest()).unwrap();
    other.add(&their, &game(7), "{}").unwrap();
    other.add(&their, &GameRow { outcome: Outcome::Draw, ..game(0) }, "{}").unwrap();
    assert!(matches!(target.merge(&other, "smoke-1"), Err(StoreError::Conflict { number: 0, .. })));
    assert_eq!(target.games(&run).unwrap().len(), 4, "all or nothing");

    let (_four, fourth) = folder();
    let other = Store::open(&fourth).unwrap();
    other.create("smoke-1", &Manifest { version: "0.2.0".into(), ..manifest() }).unwrap();
    let message = target.merge(&other, "smoke-1").unwrap_err().to_string();
    assert!(message.contains("another version of the program"), "{message}");
}

#[test]
fn the_quickest_games_are_found_without_reading_all() {
    let (_folder, path) = folder();
    let (store, run) = with_games(&path, &[]);
    for number in 0..40 {
        let outcome = if number == 39 { Outcome::Void } else { Outcome::Draw };
        let row = GameRow {
            cell: number / 10,
            seconds: [0.5, 50.0 - number as f64],
            outcome,
            host: (number % 4 == 0).then(|| "attic".to_owned()),
            ..game(number)
        };
        store.add(&run, &row, "{}").unwrap();
    }
    let quickest = |most| -> Vec<u64> {
        let games = store.quickest_games(&run, most).unwrap();
        games.into_iter().map(|row| row.number).collect()
    };
    assert_eq!(quickest(2), [29, 37, 38], "two of all, and of two pairings the quickest");
    assert_eq!(quickest(4), [9, 19, 29, 35, 36, 37, 38]);
    assert_eq!(quickest(99).len(), 39);
    assert_eq!(store.count_of_host(&run, "attic").unwrap(), 10);
    assert_eq!(store.count_of_host(&run, "cellar").unwrap(), 0);
}

#[test]
fn a_contradiction_between_any_two_databases_is_found_before_a_merge() {
    let (_one, first) = folder();
    let (_two, second) = folder();
    let (_three, third) = folder();
    let (one, run) = with_games(&first, &[0, 1]);
    let (two, other) = with_games(&second, &[2, 3]);
    let three = Store::open(&third).unwrap();
    let their = three.create("smoke-1", &manifest()).unwrap();
    // Who played it, and how long it took, is no difference; nor is what one of them did not count.
    let counts = [("losses".to_owned(), 3)].into();
    let row = GameRow { seconds: [7.0; 2], host: Some("attic".into()), counts, ..game(1) };
    three.add(&their, &row, "{}").unwrap();
    let mut agreement = Agreement::default();
    for (store, run) in [(&one, &run), (&two, &other), (&three, &their)] {
        agreement.hear(store, run).unwrap();
    }
    three.add(&their, &GameRow { outcome: Outcome::Draw, ..game(3) }, "{}").unwrap();
    let mut agreement = Agreement::default();
    agreement.hear(&one, &run).unwrap();
    agreement.hear(&two, &other).unwrap();
    let error = agreement.hear(&three, &their).unwrap_err();
    let StoreError::Conflict { number: 3, from, into, .. } = &error else { panic!("{error}") };
    assert_eq!((from.as_path(), into.as_path()), (third.as_path(), second.as_path()));
}

/// Readers see the games of a run while another process writes them.
#[test]
fn reading_does_not_disturb_writing() {
    let (_folder, path) = folder();
    let (store, run) = with_games(&path, &[0]);
    let reader = Store::open_existing(&path).unwrap();
    for number in 1..20 {
        store.add(&run, &game(number), "{}").unwrap();
        assert_eq!(reader.count(&run).unwrap(), number + 1);
    }
}

/// The file alone, as somebody copies it who does not know of the log.
fn copied(path: &Path, name: &str) -> PathBuf {
    let copy = path.with_file_name(name);
    std::fs::copy(path, &copy).unwrap();
    copy
}

#[test]
fn a_file_that_lost_its_log_is_not_taken_for_an_empty_one() {
    let (_folder, path) = folder();
    // As programs did that made the tables in the log.
    let old = Connection::open(&path).unwrap();
    old.pragma_update(None, "journal_mode", "WAL").unwrap();
    old.execute_batch("CREATE TABLE runs (key INTEGER)").unwrap();
    let copy = copied(&path, "copy.sqlite");
    for refused in [Store::open(&copy), Store::open_existing(&copy)] {
        let error = refused.err().expect("it holds nothing");
        assert!(matches!(error, StoreError::LostLog(_)), "{error}");
        assert!(error.to_string().contains("-wal"), "{error}");
    }
}

/// A copy of the file alone is whole after closing, and before lacks little, though another program has
/// the database open.
#[test]
fn a_copy_of_the_file_holds_what_was_written() {
    let (_folder, path) = folder();
    let other = Store::open(&path).unwrap();
    let (store, run) = with_games(&path, &(0..600).collect::<Vec<_>>());
    let early = copied(&path, "early.sqlite");
    drop(store);
    let late = copied(&path, "late.sqlite");
    let games = |path: &Path| Store::open_existing(path).unwrap().count(&run).unwrap();
    assert!((500..=600).contains(&games(&early)), "{}", games(&early));
    assert_eq!(games(&late), 600);
    drop(other);
}

#[test]
fn writing_into_a_file_that_is_gone_is_an_error() {
    for replaced in [false, true] {
        let (_folder, path) = folder();
        let (store, run) = with_games(&path, &[0]);
        std::fs::remove_file(&path).unwrap();
        if replaced {
            std::fs::write(&path, "").unwrap();
        }
        let error = store.add(&run, &game(1), "{}").unwrap_err();
        assert!(matches!(error, StoreError::Gone(_)) && error.is_machine_fault(), "{error}");
        let error = store.note(&run, "finished", "").unwrap_err();
        assert!(matches!(error, StoreError::Gone(_)), "{error}");
    }
}

#[test]
fn a_packer_that_was_used_packs_like_a_new_one() {
    use std::io::Write as _;
    let records = (0..300_usize).map(|n| format!("{n}: {}", "f5d6c3 ".repeat(n * n % 997)));
    for record in records {
        let fast = flate2::Compression::fast();
        let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), fast);
        encoder.write_all(record.as_bytes()).unwrap();
        assert_eq!(crate::store::pack(&record), encoder.finish().unwrap());
    }
}
