//! What the tests of the command line share.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use assert_cmd::Command;
use serde_json::Value;

/// The real binary with these words; `%` stands for a space inside a word.
pub(crate) fn warroom(line: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_warroom"));
    command.args(line.split_whitespace().map(|word| word.replace('%', " ")));
    command
}

/// What a command did.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

pub(crate) fn run(line: &str) -> Ran {
    run_with(line, "")
}

/// A command that should refuse at once but works for hours instead is a failure, not a test that
/// never ends.
const LONGEST_RUN: Duration = Duration::from_secs(300);

/// Runs a command that is given `input`. No command may ever panic.
pub(crate) fn run_with(line: &str, input: &str) -> Ran {
    let output = warroom(line)
        .write_stdin(input)
        .timeout(LONGEST_RUN)
        .output()
        .expect("the binary starts and ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
    let (out, err) = (text(output.stdout), text(output.stderr));
    assert!(!err.contains("panicked"), "warroom {line}: {err}");
    Ran { code: output.status.code().unwrap_or_else(|| panic!("warroom {line}: killed")), out, err }
}

/// What a command says when it ends well.
pub(crate) fn fine(line: &str) -> String {
    let Ran { code, out, err } = run(line);
    assert_eq!(code, 0, "warroom {line}: {err}");
    out
}

/// The one JSON value that a command says.
pub(crate) fn json(line: &str) -> Value {
    let out = fine(line);
    serde_json::from_str(&out).unwrap_or_else(|error| panic!("warroom {line}: {error}: {out}"))
}

/// The keys of an object, in the order written.
pub(crate) fn keys(value: &Value) -> Vec<&str> {
    let object = value.as_object().unwrap_or_else(|| panic!("an object, not {value}"));
    object.keys().map(String::as_str).collect()
}

/// An empty folder of its own for one test.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new(test: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
        if folder.exists() {
            fs::remove_dir_all(&folder).expect("an old folder can be removed");
        }
        fs::create_dir_all(&folder).expect("a folder can be made");
        Self(folder)
    }

    /// The path of a file, as a word of a command line.
    pub(crate) fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("paths of tests are text").replace(' ', "%")
    }

    pub(crate) fn write(&self, name: &str, content: &str) -> String {
        fs::write(self.0.join(name), content).expect("a file can be written");
        self.path(name)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub(crate) fn files(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(&self.0)
            .expect("the folder is there")
            .map(|entry| {
                entry.expect("an entry").file_name().into_string().expect("names are text")
            })
            .collect();
        names.sort();
        names
    }
}
