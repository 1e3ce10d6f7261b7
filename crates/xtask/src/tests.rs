//! The tests themselves: which ones of families that grow, and what each of them takes.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::cluster;
use crate::process::{self, ALL_TESTS, PARQUET_TESTS, Workspace};

/// Which part of families that grow is tested; read by `testkit::slice`.
pub(crate) const SLICE: &str = "WARROOM_SLICE";

/// Where the runner notes what tests took.
const TIMES: &str = "WARROOM_TEST_TIMES";

/// The file with a line a test: milliseconds and name.
fn times(workspace: &Workspace) -> Result<PathBuf> {
    Ok(workspace.target()?.join("test-times.txt"))
}

/// Runs all tests that are compiled; every test program is started by [`run_program`].
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let times = times(workspace)?;
    drop(std::fs::remove_file(&times));
    let slice = slice(workspace);
    println!(
        "families that grow: the part that {SLICE}={slice} chooses; `cargo xtask soak` tries all"
    );
    let runner = std::env::current_exe()?;
    let runner = runner.to_str().context("the path of xtask is not text")?;
    let runner = format!("target.'cfg(all())'.runner = ['{runner}', 'run-tests']");
    let mut command = workspace.cargo();
    command.env(cluster::PROGRAM, cluster::nats_server(workspace)?);
    command.env(TIMES, &times).env(SLICE, slice).args(["--config", &runner]);
    process::run(command.arg("test").args(ALL_TESTS))?;
    process::run(workspace.cargo().arg("test").args(PARQUET_TESTS).arg("parquet"))
}

/// A number that changes from commit to commit and is the same on every machine.
fn slice(workspace: &Workspace) -> String {
    let mut git = Command::new("git");
    git.current_dir(workspace.root()).args(["rev-parse", "--short=8", "HEAD"]);
    let hash = process::output(git.stderr(Stdio::null()), None).unwrap_or_default();
    u32::from_str_radix(hash.trim(), 16).unwrap_or(0).to_string()
}

/// Runs one test program as cargo would, and notes what each test took. The harness tells times only
/// when unstable options are allowed, which is asked of the program, not of the compiler.
pub(crate) fn run_program(program: &str, arguments: &[&str]) -> Result<()> {
    let mut command = Command::new(program);
    command.args(arguments).args(["-Zunstable-options", "--report-time"]);
    command.env("RUSTC_BOOTSTRAP", "1").stdout(Stdio::piped());
    let mut child = command.spawn().with_context(|| program.to_owned())?;
    let mut notes = std::env::var_os(TIMES)
        .map(|path| std::fs::File::options().append(true).create(true).open(path))
        .transpose()?;
    let output = child.stdout.take().context("the program's output is a pipe")?;
    let mut terminal = std::io::stdout().lock();
    for line in BufReader::new(output).lines() {
        let line = line?;
        if let (Some(notes), Some((name, seconds))) = (&mut notes, time_of(&line)) {
            writeln!(notes, "{:.0} {name}", seconds * 1e3)?;
        }
        writeln!(terminal, "{line}")?;
    }
    let status = child.wait()?;
    if !status.success() {
        bail!("{program} ended with {status}");
    }
    Ok(())
}

/// Name and seconds of `test NAME ... ok <1.234s>`.
fn time_of(line: &str) -> Option<(&str, f64)> {
    let (name, rest) = line.strip_prefix("test ")?.split_once(" ... ")?;
    let seconds = rest.split_once('<')?.1.strip_suffix("s>")?.parse().ok()?;
    Some((name, seconds))
}

/// How many of the most expensive tests are named.
const NAMED: usize = 3;

/// Names the tests that took longest, if tests were run.
pub(crate) fn tell_most_expensive(workspace: &Workspace) {
    let Ok(text) = times(workspace).and_then(|path| Ok(std::fs::read_to_string(path)?)) else {
        return;
    };
    println!("the most expensive tests, seconds from start to end:");
    for (milliseconds, name) in most_expensive(&text) {
        println!("{:>7.1}  {name}", milliseconds as f64 / 1e3);
    }
}

fn most_expensive(text: &str) -> Vec<(u64, &str)> {
    let mut tests: Vec<(u64, &str)> = text
        .lines()
        .filter_map(|line| line.split_once(' '))
        .filter_map(|(time, name)| Some((time.parse().ok()?, name)))
        .collect();
    tests.sort_by_key(|(time, _)| std::cmp::Reverse(*time));
    tests.truncate(NAMED);
    tests
}

#[cfg(test)]
mod tests_of_tests {
    use super::*;

    #[test]
    fn times_are_read_from_what_the_harness_prints() {
        assert_eq!(time_of("test a::b ... ok <1.500s>"), Some(("a::b", 1.5)));
        assert_eq!(time_of("test a::b ... ok"), None);
        assert_eq!(time_of("running 3 tests"), None);
        assert_eq!(time_of("test result: ok. 3 passed; finished in 0.00s"), None);
    }

    #[test]
    fn the_longest_are_named_first() {
        let text = "5 a\n2000 b\n30 c\nnonsense\n7 d\n";
        assert_eq!(most_expensive(text), [(2000, "b"), (30, "c"), (7, "d")]);
    }
}
