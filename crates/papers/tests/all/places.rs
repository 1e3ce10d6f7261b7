//! The places of sentences and tables in the files of papers.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use toml::Value;

/// Files with this ending in a folder and those below it.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder of the workspace");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths
        .flat_map(|path| match path.is_dir() {
            true => files(&path, ending),
            false => {
                Vec::from_iter(path.extension().is_some_and(|it| it == ending).then_some(path))
            }
        })
        .collect()
}

/// The paths of all places in a value of a file.
fn places(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.extend(text.split('{').skip(1).map(|part| {
            let (place, _) = part.split_once('}').unwrap_or_else(|| panic!("'{text}'"));
            place.split(':').next().unwrap_or_default().to_owned()
        })),
        Value::Array(list) => list.iter().for_each(|value| places(value, found)),
        Value::Table(table) => table.values().for_each(|value| places(value, found)),
        _ => {}
    }
}

/// Small runs do not make every sentence: a misspelt place of the others would be found after days.
#[test]
fn every_place_is_named_in_the_code_that_makes_results() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut named = BTreeSet::new();
    for results in ["papers", "lab", "stats"] {
        for file in files(&crates.join(results).join("src"), "rs") {
            let code = std::fs::read_to_string(file).expect("code");
            let words = code.split(|sign: char| !sign.is_alphanumeric() && sign != '_');
            named.extend(words.map(str::to_owned));
        }
    }
    let mut found = Vec::new();
    for file in files(&crates.join("papers/src"), "toml") {
        let text = std::fs::read_to_string(file).expect("a file of a paper");
        places(&Value::Table(toml::from_str(&text).expect("TOML")), &mut found);
    }
    assert!(found.len() > 200, "{}", found.len());
    for place in found {
        let is_known = |name: &str| name.parse::<usize>().is_ok() || named.contains(name);
        assert!(place.split('.').all(is_known), "{{{place}}}");
    }
}
