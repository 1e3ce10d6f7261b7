//! A database that version 0.1 wrote: everything in it is still there, and its runs go on.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{Scratch, fine, json, run};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/form-2").join(name)
}

fn copied(test: &str) -> (Scratch, String) {
    let scratch = Scratch::new(test);
    let db = scratch.path("runs.sqlite");
    fs::copy(data("runs.sqlite"), db.replace('%', " ")).expect("it can be copied");
    (scratch, db)
}

fn file(name: &str) -> String {
    data(name).to_str().expect("text").replace(' ', "%")
}

/// Every line is the old one, byte for byte, with columns behind it in which nothing stands.
fn assert_same_but_for_new_columns(exported: &str, before: &str) {
    assert_eq!(exported.lines().count(), before.lines().count());
    for (number, (line, old)) in exported.lines().zip(before.lines()).enumerate() {
        let added = line.strip_prefix(old).unwrap_or_else(|| panic!("{line}\n{old}"));
        let empty = added.chars().all(|letter| letter == ',');
        assert!(empty || (number == 0 && added.starts_with(',')), "{line}\n{old}");
    }
}

/// Reading changes nothing, and what is exported is what the old program exported.
#[test]
fn it_is_read_as_it_is() {
    let (_scratch, db) = copied("old_read");
    let listed = json(&format!("runs --db {db} --json"));
    let runs = listed["runs"].as_array().expect("a list");
    let told: Vec<(&str, u64, &str)> = runs
        .iter()
        .map(|run| {
            let text = |key: &str| run[key].as_str().expect(key);
            (text("id"), run["played"].as_u64().expect("a number"), text("state"))
        })
        .collect();
    assert_eq!(
        told,
        [
            ("finished-0d84950e", 8, "finished"),
            ("timed-62309946", 4, "finished"),
            ("stopped-64e82dee", 5, "interrupted"),
            ("tuned-d58d434d", 13, "interrupted"),
        ]
    );
    for name in ["finished", "timed", "stopped", "tuned"] {
        let exported = fine(&format!("runs export {name} --db {db} --format csv"));
        let before = fs::read_to_string(data(&format!("{name}.csv"))).expect("it is there");
        assert_same_but_for_new_columns(&exported, &before);
        fine(&format!("runs verify {name} --db {db}"));
        fine(&format!("runs show {name} --db {db}"));
    }
    fine(&format!("runs rerun finished --db {db}"));
    let refused = run(&format!("runs rerun timed --db {db}"));
    assert!(refused.err.contains("is not repeatable"), "{}", refused.err);
    let unchanged = fs::read(db.replace('%', " ")).expect("it is there");
    assert_eq!(unchanged, fs::read(data("runs.sqlite")).expect("it is there"));
}

/// This program plays as the old one did, proves it, and goes on; a copy of the file is kept.
#[test]
fn its_runs_go_on() {
    let (scratch, db) = copied("old_taken_up");
    for (name, games) in [("stopped", 12), ("tuned", 24)] {
        fine(&format!("run {} --db {db}", file(&format!("{name}.toml"))));
        let shown = json(&format!("runs show {name} --db {db} --json"));
        assert_eq!(shown["summary"]["played"], games, "{name}");
        assert_eq!(shown["summary"]["programs"].as_array().map(Vec::len), Some(2), "{name}");
        let visits = shown["timing"]["visits"].to_string();
        assert!(visits.contains("asks for the same") && visits.contains("proved"), "{visits}");
        fine(&format!("runs verify {name} --db {db}"));
        fine(&format!("runs rerun {name} --db {db}"));
    }
    let listed = json(&format!("runs --db {db} --json"));
    assert_eq!(listed["runs"].as_array().map(Vec::len), Some(4), "no new run was begun");
    // A longer run begins with the games of the shorter one, which stay those of the old program.
    let longer = fs::read_to_string(data("finished.toml")).expect("it is there");
    let longer = scratch.write("finished.toml", &longer.replace("games = 8", "games = 12"));
    fine(&format!("run {longer} --db {db}"));
    let shown = json(&format!("runs show latest --db {db} --json"));
    assert_eq!(shown["summary"]["played"], 12);
    assert_eq!(shown["summary"]["programs"][0], "0.1.0+115d045d");
    assert!(shown["timing"]["visits"].to_string().contains("proved"), "{shown}");
    let page = scratch.path("page");
    fine(&format!("report finished-0d84950e --db {db} --out {page}"));
    let copy = fs::read(format!("{}.form-2", db.replace('%', " "))).expect("a copy");
    let copy_path = scratch.path("copy.sqlite");
    fs::write(copy_path.replace('%', " "), copy).expect("it can be written");
    let before = fs::read_to_string(data("stopped.csv")).expect("it is there");
    let exported = fine(&format!("runs export stopped --db {copy_path} --format csv"));
    assert_same_but_for_new_columns(&exported, &before);
}
