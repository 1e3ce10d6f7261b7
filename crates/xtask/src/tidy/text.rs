//! What may stand in which file.

use super::Finding;
use super::source::is_word;

/// Words of code that only some places may use.
struct CodeRule {
    words: &'static [&'static str],
    /// Beginnings of paths.
    places: &'static [&'static str],
    /// Whether tests (files below a folder `tests` or `benches`) may use them too.
    tests: bool,
    reason: &'static str,
}

const CODE_RULES: [CodeRule; 6] = [
    CodeRule {
        words: &["unsafe"],
        places: &[
            "crates/othello/src/bits/",
            "crates/othello-engine/src/isa/",
            "crates/lords-of-war/src/blocks.rs",
            "crates/lords-of-war/src/isa/",
            "crates/wasm/src/door.rs",
        ],
        tests: false,
        reason: "unsafe code belongs to the choice of instruction sets and to the door of WebAssembly",
    },
    CodeRule {
        words: &["Instant", "SystemTime"],
        places: &[
            "crates/arena/",
            "crates/lab/",
            "crates/cluster/",
            "crates/server/",
            "crates/cli/",
            "crates/xtask/",
        ],
        tests: false,
        reason: "time comes through gamecore::Clock, so that results repeat",
    },
    CodeRule {
        words: &["std::fs", "fs::", "File::"],
        places: &[
            "crates/store/",
            "crates/cluster/src/access.rs",
            "crates/server/",
            "crates/cli/",
            "crates/xtask/",
        ],
        tests: true,
        reason: "engine crates parse text; files are opened at the edge",
    },
    CodeRule {
        words: &["std::thread", "thread::", "rayon"],
        places: &[
            "crates/search/src/parallel.rs",
            "crates/othello-engine/src/parallel.rs",
            "crates/external/src/process.rs",
            "crates/cluster/src/player.rs",
            "crates/lab/",
            "crates/server/",
            "crates/cli/",
            "crates/xtask/",
        ],
        tests: true,
        reason: "threads are started in few places, so that results repeat",
    },
    CodeRule {
        words: &["process::Command", "std::process::{", "Command::new"],
        places: &[
            "crates/external/src/process.rs",
            "crates/cluster/src/player.rs",
            "crates/cli/",
            "crates/xtask/",
        ],
        tests: true,
        reason: "other programs are started where they are also ended",
    },
    CodeRule {
        words: &["todo!(", "unimplemented!(", "#[ignore"],
        places: &[],
        tests: false,
        reason: "what is committed is finished",
    },
];

/// Rules about code; `code` is the file without comments and literals.
pub(super) fn check_code(file: &str, code: &str) -> Vec<Finding> {
    let in_tests = file.contains("/tests/") || file.contains("/benches/");
    let mut findings = Vec::new();
    for rule in &CODE_RULES {
        if rule.places.iter().any(|place| file.starts_with(place)) || rule.tests && in_tests {
            continue;
        }
        for (index, line) in code.lines().enumerate() {
            if let Some(word) = rule.words.iter().find(|word| contains_word(line, word)) {
                let what = format!("`{word}` must not stand here: {}", rule.reason);
                findings.push(Finding::new(file, index + 1, what));
            }
        }
    }
    findings
}

/// Whether `word` occurs in `line`, and not as part of a longer name.
fn contains_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        let open_end = word.chars().next_back().is_some_and(is_word);
        let longer = before.is_some_and(is_word) || open_end && after.is_some_and(is_word);
        !longer
    })
}

/// Texts that must not be in any file, each cut in two so that this file does not contain them.
const FORBIDDEN: [(&str, &str, &str); 6] = [
    ("/wor", "k/", "a path of one machine"),
    ("/roo", "t/", "a path of one machine"),
    ("this ses", "sion", "the repository speaks of the product alone"),
    ("closing no", "te", "the repository speaks of the product alone"),
    ("subag", "ent", "the repository speaks of the product alone"),
    ("FIX", "ME", "what is committed is finished"),
];

/// Rules about words in any text file, in any case of letters.
pub(super) fn check_words(file: &str, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (first, second, reason) in FORBIDDEN {
        let word = format!("{first}{second}");
        let shouted = word.chars().all(char::is_uppercase);
        for (index, line) in text.lines().enumerate() {
            let found =
                if shouted { line.contains(&word) } else { line.to_lowercase().contains(&word) };
            if found {
                let what = format!("`{word}` must not stand here: {reason}");
                findings.push(Finding::new(file, index + 1, what));
            }
        }
    }
    findings
}

/// A file of data or an experiment says where it comes from or what it is for: in its first lines
/// (`source:` or `purpose:`), or, if its format has no comments, in the README of its folder.
pub(super) fn check_origin(
    file: &str,
    text: Option<&str>,
    readme: impl FnOnce(&str) -> Option<String>,
) -> Vec<Finding> {
    const FIRST_LINES: usize = 5;
    let (folder, name) = file.rsplit_once('/').unwrap_or(("", file));
    let concerned = file.starts_with("data/") || file.starts_with("experiments/");
    if !concerned || name == "README.md" {
        return Vec::new();
    }
    let states = |line: &str| {
        let line = line.to_lowercase();
        line.contains("source:") || line.contains("purpose:")
    };
    let in_file = text.is_some_and(|text| text.lines().take(FIRST_LINES).any(states));
    if in_file || readme(folder).is_some_and(|readme| readme.contains(name)) {
        return Vec::new();
    }
    let what = format!(
        "no `source:` or `purpose:` in its first {FIRST_LINES} lines, and {folder}/README.md does \
         not mention it"
    );
    vec![Finding::new(file, 0, what)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The line is against a rule in `bad` and fine in `good`.
    fn check(line: &str, bad: &str, good: &str) {
        let findings = check_code(bad, &format!("\n{line}\n"));
        assert_eq!(findings.len(), 1, "{line} in {bad}");
        assert_eq!(findings[0].line, 2);
        if !good.is_empty() {
            assert_eq!(check_code(good, line), [], "{line} in {good}");
        }
    }

    #[test]
    fn each_code_rule_can_fail() {
        let rules = "crates/othello/src/rules.rs";
        check("unsafe { x() }", rules, "crates/othello/src/bits/avx2.rs");
        check("let x = unsafe { y };", "crates/othello/tests/a.rs", "");
        check("use std::time::Instant;", "crates/search/src/time.rs", "crates/arena/src/clock.rs");
        check("SystemTime::now()", "crates/gamecore/src/rng.rs", "crates/cli/src/main.rs");
        check("use std::fs;", "crates/registry/src/lib.rs", "crates/othello/tests/a.rs");
        check("use std::{fs::read, io};", rules, "crates/xtask/src/main.rs");
        check("File::open(x)", "crates/lab/src/run.rs", "crates/store/src/read.rs");
        check("std::thread::scope(f)", "crates/search/src/pvs.rs", "crates/search/src/parallel.rs");
        check("use rayon::prelude::*;", "crates/arena/src/referee.rs", "crates/lab/src/run.rs");
        check(
            "use std::process::Command;",
            "crates/lab/src/run.rs",
            "crates/external/src/process.rs",
        );
        check("Command::new(x)", "crates/external/src/agent.rs", "crates/cli/tests/run.rs");
        check("todo!()", rules, "");
        check("unimplemented!(\"\")", "crates/cli/src/main.rs", "");
        check("#[ignore = \"slow\"]", "crates/othello/tests/a.rs", "");
    }

    #[test]
    fn parts_of_longer_names_are_fine() {
        for line in ["#![allow(unsafe_code)]", "Instantiate", "TableFile::new()", "is_todo!()"] {
            assert_eq!(check_code("crates/othello/src/a.rs", line), [], "{line}");
        }
    }

    #[test]
    fn each_forbidden_word_can_fail() {
        for (first, second, _) in FORBIDDEN {
            let line = format!("a line\nwith {first}{second} inside");
            let findings = check_words("README.md", &line);
            assert_eq!(findings.len(), 1, "{line}");
            assert_eq!(findings[0].line, 2);
        }
        let capital = format!("Sub{}", "agents");
        assert_eq!(check_words("a.md", &capital).len(), 1);
        assert_eq!(check_words("a.md", "roots, work, sessions, a closing bracket"), []);
    }

    #[test]
    fn data_states_its_source() {
        let check = |file: &str, text: Option<&str>, readme: Option<&str>| {
            check_origin(file, text, |_| readme.map(str::to_owned)).len()
        };
        assert_eq!(check("data/perft.csv", Some("depth,leaves\n1,4\n"), None), 1);
        assert_eq!(check("data/perft.csv", Some("# Source: Edax 4.6\n1,4\n"), None), 0);
        assert_eq!(check("experiments/a.toml", Some("# purpose: a against b\n"), None), 0);
        assert_eq!(check("experiments/a.toml", Some("\n\n\n\n\n# purpose: b\n"), None), 1);
        assert_eq!(check("data/games.wtb", None, None), 1);
        assert_eq!(check("data/games.wtb", None, Some("games.wtb: from the federation")), 0);
        assert_eq!(check("data/README.md", Some("Data."), None), 0);
        assert_eq!(check("crates/a.csv", Some("1,4"), None), 0);
    }
}
