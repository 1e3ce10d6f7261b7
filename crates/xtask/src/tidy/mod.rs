//! Rules that the compiler does not check: who may depend on whom, and what may stand where.

mod deps;
mod functions;
mod lines;
mod modules;
mod source;
mod text;

use std::fmt;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::licences;
use crate::process::{self, Workspace};

/// One thing that is against the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    file: String,
    /// From 1; 0 where a line means nothing.
    line: usize,
    what: String,
}

impl Finding {
    fn new(file: &str, line: usize, what: impl Into<String>) -> Self {
        Self { file: file.into(), line, what: what.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, what } = self;
        if *line == 0 {
            write!(out, "{file}: {what}")
        } else {
            write!(out, "{file}:{line}: {what}")
        }
    }
}

/// Fails with every finding at once.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let crates = deps::read(workspace.metadata()?)?;
    let mut findings = deps::check(&crates);
    let files = files(workspace.root())?;
    let mut lines = lines::Lines::default();
    let mut knowledge = modules::Knowledge::default();
    for file in &files {
        let bytes = match std::fs::read(workspace.root().join(file)) {
            Ok(bytes) => bytes,
            // Deleted, but not yet committed.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error).with_context(|| file.clone()),
        };
        let text = String::from_utf8_lossy(&bytes);
        lines.add(file, &text);
        if file.ends_with(".rs") {
            knowledge.add(file, &source::code_only(&text));
        }
        findings.extend(check_file(file, &bytes, |folder| {
            std::fs::read_to_string(workspace.root().join(folder).join("README.md")).ok()
        }));
    }
    findings.extend(knowledge.check());
    findings.extend(files.iter().filter_map(|file| one_program(file)));
    let stale = licences::check(workspace)?.into_iter();
    findings.extend(stale.map(|what| Finding::new(licences::FILE, 0, what + AGAIN)));
    if findings.is_empty() {
        print!("{}", lines.table());
        println!("{} files and {} crates are tidy", files.len(), crates.len());
        return Ok(());
    }
    let lines: Vec<String> = findings.iter().map(ToString::to_string).collect();
    bail!("{} findings\n  {}", lines.len(), lines.join("\n  "))
}

/// What to do about notices that are not those of the lock files.
const AGAIN: &str = "; run `cargo xtask licences`";

/// Integration tests of a crate are one program, `tests/all`: each of its own would link most of the
/// workspace again.
fn one_program(file: &str) -> Option<Finding> {
    let (_, place) = file.strip_prefix("crates/")?.split_once('/')?;
    let test = place.strip_prefix("tests/")?;
    let alone = test.ends_with(".rs") && !test.starts_with("all/");
    let what = "a test program of its own; make it a module of tests/all/main.rs";
    alone.then(|| Finding::new(file, 0, what))
}

/// Kits are compiled without their unit tests, so one would never run.
fn test_of_a_kit(file: &str, code: &str) -> Option<Finding> {
    let (_, place) = file.strip_prefix("crates/")?.split_once("-kit/")?;
    let hidden = place.starts_with("src/") && code.contains("cfg(test)");
    hidden.then(|| {
        Finding::new(file, 0, "nobody runs tests here; put them into tests/all of the kit")
    })
}

/// Source files of the page.
const PAGE_ENDINGS: [&str; 5] = [".ts", ".svelte", ".css", ".js", ".mjs"];

/// Written by a program from `web/openapi.json`, so nobody splits it.
const GENERATED: &str = "web/src/api/types.ts";

/// Every rule about one file. `readme` gives the README of a folder.
fn check_file(
    file: &str,
    bytes: &[u8],
    readme: impl FnOnce(&str) -> Option<String>,
) -> Vec<Finding> {
    let text = std::str::from_utf8(bytes).ok();
    let mut findings = text::check_origin(file, text, readme);
    let Some(text) = text else { return findings };
    findings.extend(text::check_words(file, text));
    if file.ends_with(".rs") {
        let code = source::code_only(text);
        findings.extend(test_of_a_kit(file, &code));
        findings.extend(text::check_code(file, &code));
        findings.extend(functions::check(file, text, &code));
    } else if PAGE_ENDINGS.iter().any(|ending| file.ends_with(ending)) && file != GENERATED {
        findings.extend(functions::check_length(file, text));
    }
    findings
}

/// The files of the repository, relative to its root, with `/`: what git tracks or would offer to
/// track; all files if there is no git.
fn files(root: &Path) -> Result<Vec<String>> {
    let mut git = Command::new("git");
    git.current_dir(root).args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
    if let Ok(list) = process::output(git.stderr(std::process::Stdio::null()), None) {
        return Ok(list.split('\0').filter(|name| !name.is_empty()).map(str::to_owned).collect());
    }
    let mut found = Vec::new();
    walk(root, "", &mut found)?;
    found.sort();
    Ok(found)
}

fn walk(folder: &Path, prefix: &str, found: &mut Vec<String>) -> Result<()> {
    const NOT_OURS: [&str; 4] = ["target", ".git", "node_modules", "dist"];
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{prefix}{name}");
        if entry.file_type()?.is_file() {
            found.push(path);
        } else if entry.file_type()?.is_dir() && !NOT_OURS.contains(&name.as_str()) {
            walk(&entry.path(), &format!("{path}/"), found)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_name_the_place() {
        assert_eq!(Finding::new("a.rs", 3, "bad").to_string(), "a.rs:3: bad");
        assert_eq!(Finding::new("a.rs", 0, "bad").to_string(), "a.rs: bad");
    }

    #[test]
    fn files_are_found_without_git() {
        let mut found = Vec::new();
        walk(Path::new(env!("CARGO_MANIFEST_DIR")), "", &mut found).unwrap();
        assert!(found.iter().any(|file| file == "src/tidy/mod.rs"), "{found:?}");
    }

    #[test]
    fn code_rules_hold_for_rust_files_only() {
        let code = b"fn f() { std::thread::sleep(t) }\n";
        assert_eq!(check_file("crates/othello/src/rules.rs", code, |_| None).len(), 1);
        assert_eq!(check_file("docs/a.md", code, |_| None), []);
        assert_eq!(check_file("crates/a.bin", b"\xff\xfe", |_| None), []);
    }

    #[test]
    fn a_crate_has_one_test_program() {
        assert_eq!(one_program("crates/othello/tests/all/bits.rs"), None);
        assert_eq!(one_program("crates/othello/src/tests/bits.rs"), None);
        assert!(one_program("crates/othello/tests/bits.rs").is_some());
        assert!(one_program("crates/othello/tests/bits/main.rs").is_some());
    }

    #[test]
    fn kits_have_no_tests_that_nobody_runs() {
        let test = b"#[cfg(test)]\nmod tests {}\n";
        assert_eq!(check_file("crates/conquest-kit/src/a.rs", test, |_| None).len(), 1);
        assert_eq!(check_file("crates/conquest/src/a.rs", test, |_| None), []);
    }

    #[test]
    fn files_of_the_page_are_short_unless_generated() {
        let long = "x;\n".repeat(501);
        assert_eq!(check_file("web/src/a.svelte", long.as_bytes(), |_| None).len(), 1);
        assert_eq!(check_file(GENERATED, long.as_bytes(), |_| None), []);
        assert_eq!(check_file("docs/a.md", long.as_bytes(), |_| None), []);
    }
}
