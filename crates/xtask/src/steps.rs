//! `cargo xtask test`: every check, each with what it costs.
//!
//! Each step is a process of its own, so that the system says how much processor time it took, and
//! so that steps which need little of two cores can run side by side.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::cost::{Cost, Ledger};
use crate::process::{self, ALL_TESTS, PARQUET_TESTS, Workspace};
use crate::{BadInput, bench, guide, new_game, smoke, stranger, tests, tidy, wasm, web};

/// One check.
struct Step {
    name: &'static str,
    about: &'static str,
    run: fn(&Workspace) -> Result<()>,
}

const fn step(name: &'static str, about: &'static str, run: fn(&Workspace) -> Result<()>) -> Step {
    Step { name, about, run }
}

/// Steps in one row run side by side, rows one after the other. Cheap ones come first, so that a
/// small slip is told soon, and the page before everything that is compiled with it inside. Cargo
/// lets steps that compile wait for each other, so a row has at most one that compiles much.
const STAGES: [&[Step]; 7] = [
    &[step("tidy", "dependency rules and text rules", tidy::run), step("fmt", "formatting", fmt)],
    &[
        step("clippy", "lints, warnings denied", clippy),
        step("web", "types, tests and build of the page", web::check),
    ],
    &[step("build", "everything that the steps below run", build)],
    &[
        step("tests", "unit and integration tests", tests::run),
        step("doc", "documentation and its examples, warnings denied", doc),
    ],
    &[
        step("browser", "whole games in a real browser", web::browser),
        step(
            "smoke",
            "the commands that README and docs/commands.md show, and tables of the documentation",
            smoke::run,
        ),
        step("bench", "the work done by the benches", bench::check),
    ],
    &[
        step("guide", "the guide, done as it says", guide::run),
        step("new-game", "a game from the template", new_game::check_template),
        step("stranger", "a game and an agent from another repository", stranger::check),
    ],
    &[step("wasm", "the engine side as WebAssembly, against the native program", wasm::check)],
];

fn all() -> impl Iterator<Item = &'static Step> {
    STAGES.iter().copied().flatten()
}

/// The names of all steps.
pub(crate) fn names() -> Vec<&'static str> {
    all().map(|step| step.name).collect()
}

fn find(name: &str) -> Result<&'static Step> {
    all().find(|step| step.name == name).ok_or_else(|| {
        BadInput(format!("unknown step '{name}'; the steps: {}", names().join(", "))).into()
    })
}

/// Runs one step in this process.
pub(crate) fn run_here(workspace: &Workspace, name: &str) -> Result<()> {
    (find(name)?.run)(workspace)
}

/// Runs the named steps, or all; stops after the first row in which one fails.
pub(crate) fn run(workspace: &Workspace, names: &[&str]) -> Result<()> {
    for name in names {
        find(name)?;
    }
    let program = OwnCopy::new(workspace)?;
    let mut ledger = Ledger::read(workspace)?;
    let began = Instant::now();
    for row in STAGES {
        let wanted = row.iter().filter(|step| names.is_empty() || names.contains(&step.name));
        let wanted: Vec<&Step> = wanted.collect();
        let mut failed = Vec::new();
        for (step, passed, cost) in run_side_by_side(workspace, &program.0, &wanted)? {
            let ended = if passed { "passed" } else { "FAILED" };
            println!("== {} {ended}, {cost}", step.name);
            ledger.add(step.name, passed, cost);
            failed.extend((!passed).then_some(step.name));
        }
        if !failed.is_empty() {
            println!("\n{ledger}");
            bail!("failed: {}", failed.join(", "));
        }
    }
    println!("\n{ledger}");
    if names.is_empty() {
        ledger.save(workspace)?;
    }
    if names.is_empty() || names.contains(&"tests") {
        tests::tell_most_expensive(workspace);
    }
    let steps = ledger.steps();
    println!("{steps} steps in {:.0} s", began.elapsed().as_secs_f64());
    // The last line in the form that test runners close with.
    println!("{steps} passed, 0 failed");
    Ok(())
}

/// A copy of this program that stays while the steps compile it anew, and goes with the run.
struct OwnCopy(PathBuf);

impl OwnCopy {
    fn new(workspace: &Workspace) -> Result<Self> {
        let name = format!("xtask-steps-{}{}", std::process::id(), std::env::consts::EXE_SUFFIX);
        let path = workspace.target()?.join(name);
        std::fs::copy(std::env::current_exe()?, &path)
            .with_context(|| path.display().to_string())?;
        Ok(Self(path))
    }
}

impl Drop for OwnCopy {
    fn drop(&mut self) {
        drop(std::fs::remove_file(&self.0));
    }
}

/// A step that runs; what it prints waits in a file if another speaks to the terminal.
struct Running {
    step: &'static Step,
    child: Child,
    began: Instant,
    printed: Option<PathBuf>,
}

fn run_side_by_side(
    workspace: &Workspace,
    program: &Path,
    steps: &[&'static Step],
) -> Result<Vec<(&'static Step, bool, Cost)>> {
    let mut running = Vec::new();
    for step in steps {
        let mut command = Command::new(program);
        command.args(["step", step.name]);
        let printed = if running.is_empty() {
            None
        } else {
            let path = workspace.target()?.join(format!("xtask-{}.txt", step.name));
            let file = File::create(&path).with_context(|| path.display().to_string())?;
            command.stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file);
            Some(path)
        };
        if running.is_empty() {
            println!("\n== {}: {}", step.name, step.about);
        }
        let child = command.spawn().with_context(|| format!("cannot start {}", step.name))?;
        running.push(Running { step, child, began: Instant::now(), printed });
    }
    let mut ended = Vec::new();
    while !running.is_empty() {
        let mut waiting = Vec::new();
        for mut one in running {
            // Processor time of a child is counted when it is waited for, so the difference is the
            // step's own, whatever else has ended.
            let before = process::children_cpu();
            let Some(status) = one.child.try_wait()? else {
                waiting.push(one);
                continue;
            };
            let cpu = process::children_cpu().zip(before).map(|(after, before)| after - before);
            let cost = Cost { cpu, wall: one.began.elapsed().as_secs_f64() };
            ended.push((one.step, status.success(), cost, one.printed));
        }
        running = waiting;
        std::thread::sleep(LOOK_AGAIN);
    }
    ended.sort_by_key(|(_, _, _, printed)| printed.is_some());
    let told = |(step, passed, cost, printed): (&'static Step, bool, Cost, Option<PathBuf>)| {
        if let Some(path) = printed {
            println!("\n== {}: {}", step.name, step.about);
            print!("{}", String::from_utf8_lossy(&std::fs::read(path)?));
        }
        Ok((step, passed, cost))
    };
    ended.into_iter().map(told).collect()
}

/// How often steps that run side by side are looked at.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

fn fmt(workspace: &Workspace) -> Result<()> {
    process::run(workspace.cargo().args(["fmt", "--all", "--check"]))
}

/// What clippy and rustdoc read: all of it, also what no test needs. They use the same words, so
/// that what clippy has read of others' crates serves rustdoc.
const EVERYTHING: [&str; 3] = ["--workspace", "--all-features", "--locked"];

fn clippy(workspace: &Workspace) -> Result<()> {
    let mut command = workspace.cargo();
    process::run(command.arg("clippy").args(EVERYTHING).args([
        "--all-targets",
        "--",
        "-D",
        "warnings",
    ]))
}

/// Compiles what the steps below run, so that its cost is told apart from theirs.
fn build(workspace: &Workspace) -> Result<()> {
    process::run(workspace.cargo().args(["test", "--no-run"]).args(ALL_TESTS))?;
    process::run(workspace.cargo().args(["test", "--no-run"]).args(PARQUET_TESTS))
}

fn doc(workspace: &Workspace) -> Result<()> {
    let mut command = workspace.cargo();
    command.env("RUSTDOCFLAGS", "-D warnings").arg("doc").args(EVERYTHING);
    process::run(command.arg("--no-deps"))?;
    process::run(workspace.cargo().args(["test", "--doc", "--workspace", "--locked"]))
}

#[cfg(test)]
mod tests_of_steps {
    use super::*;

    #[test]
    fn steps_are_found_by_name() {
        assert_eq!(find("clippy").unwrap().name, "clippy");
        assert!(find("clippi").err().is_some_and(|error| error.is::<BadInput>()));
        let mut names = names();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all().count(), "two steps of one name");
    }
}
