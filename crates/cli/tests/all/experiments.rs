//! The experiments that come with the program run, scaled down: few games, and agents that think
//! little.

use std::collections::BTreeSet;
use std::path::Path;

use testkit::slice;

use crate::common::{Scratch, json, warroom};

/// Examples that a change tries; the lab reads and checks all of them.
const TRIED: usize = 3;
const FEW_SETUPS: u32 = 6;

/// Budgets, and what the smallest of an experiment becomes.
const BUDGETS: [(&str, usize); 3] = [("calls=", 4), ("iterations=", 4), ("ms=", 1)];

/// The text with budgets of a few calls, iterations or milliseconds, greater ones where they were.
fn thinking_little(text: &str) -> String {
    let mut short = text.to_owned();
    for (key, least) in BUDGETS {
        // A limit for a program from outside, which needs time to start.
        if key == "ms=" && text.contains("exec:") {
            continue;
        }
        let parts: Vec<&str> = short.split(key).collect();
        let number = |part: &str| -> (u64, usize) {
            let digits = part.bytes().take_while(u8::is_ascii_digit).count();
            (part[..digits].parse().expect("budgets are numbers"), digits)
        };
        let sizes: BTreeSet<u64> = parts[1..].iter().map(|part| number(part).0).collect();
        let less = |part: &&str| {
            let (size, digits) = number(part);
            format!("{key}{}{}", sizes.range(..size).count() + least, &part[digits..])
        };
        short = parts[0].to_owned() + &parts[1..].iter().map(less).collect::<String>();
    }
    short
}

/// The text with the first few of a long list of setups: a round robin of 31 is 930 games at least.
fn with_few_setups(text: &str) -> String {
    let mut listed = None;
    let few = |line: &&str| {
        match *line {
            "setups = [" => listed = Some(0),
            "]" => listed = None,
            _ => listed = listed.map(|before| before + 1),
        }
        listed.is_none_or(|listed| listed <= FEW_SETUPS)
    };
    text.lines().filter(few).map(|line| format!("{line}\n")).collect()
}

#[test]
fn examples_run_scaled_down() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../experiments");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the examples are there")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|kind| kind == "toml"))
        .collect();
    files.sort();
    assert!(files.len() >= 8, "{files:?}");
    let files = slice("experiments", files, TRIED);
    let scratch = Scratch::new("experiments");
    let db = scratch.path("all.sqlite");
    let mut whole = 0;
    for path in &files {
        let text = std::fs::read_to_string(path).expect("it can be read");
        let name = path.file_name().and_then(|name| name.to_str()).expect("names are text");
        let file = scratch.write(name, &with_few_setups(&thinking_little(&text)));
        // Even one pair of games each of the strongest levels takes minutes; a dry run plays some.
        let levels = name.starts_with("levels-");
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
    if whole == 0 {
        assert!(!Path::new(&db.replace('%', " ")).exists(), "a dry run makes no database");
        return;
    }
    let runs = json(&format!("runs --db {db} --json"));
    let runs = runs["runs"].as_array().expect("a list");
    assert_eq!(runs.len(), whole);
    assert!(runs.iter().all(|run| run["played"] == run["planned"]), "{runs:?}");
}
