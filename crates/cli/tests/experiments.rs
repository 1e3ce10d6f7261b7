//! Every experiment that comes with the program runs, scaled down.

mod common;

use common::{Scratch, json, warroom};

#[test]
fn every_example_runs_scaled_down() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../experiments");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the examples are there")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|kind| kind == "toml"))
        .collect();
    files.sort();
    assert!(files.len() >= 8, "{files:?}");
    let scratch = Scratch::new("experiments");
    let db = scratch.path("all.sqlite");
    let mut whole = 0;
    for file in &files {
        let file = file.to_str().expect("paths are text").replace(' ', "%");
        // Even one pair of games each of the strongest levels takes minutes; a dry run plays some.
        let levels = file.contains("/levels-");
        let how = if levels { "--dry-run" } else { "--scale 0.0001" };
        // Programs that experiments name are started from the root of the repository.
        let ran = warroom(&format!("run {file} --db {db} {how} --quiet"))
            .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
            .output()
            .expect("the binary starts");
        let said = String::from_utf8_lossy(&ran.stdout);
        assert!(ran.status.success(), "{file}: {said} {}", String::from_utf8_lossy(&ran.stderr));
        assert!(said.contains(if levels { "games in all" } else { "finished" }), "{file}: {said}");
        whole += usize::from(!levels);
    }
    let runs = json(&format!("runs --db {db} --json"));
    let runs = runs["runs"].as_array().expect("a list");
    assert_eq!(runs.len(), whole);
    assert!(runs.iter().all(|run| run["played"] == run["planned"]), "{runs:?}");
}
