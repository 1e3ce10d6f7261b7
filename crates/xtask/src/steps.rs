//! `cargo xtask test`: every check, in order, each with its time.

use std::time::Instant;

use anyhow::{Context, Result};

use crate::process::{self, Workspace};
use crate::{BadInput, bench, guide, new_game, smoke, tidy, web};

/// One check.
struct Step {
    name: &'static str,
    about: &'static str,
    run: fn(&Workspace) -> Result<()>,
}

/// Cheap ones first, so that a small slip is told soon; the page before everything that is compiled,
/// which takes it in.
const STEPS: [Step; 11] = [
    Step { name: "tidy", about: "dependency rules and text rules", run: tidy::run },
    Step { name: "fmt", about: "formatting", run: fmt },
    Step { name: "web", about: "types, tests and build of the page", run: web::check },
    Step { name: "clippy", about: "lints, warnings denied", run: clippy },
    Step { name: "doc", about: "documentation, warnings denied", run: doc },
    Step { name: "tests", about: "unit and integration tests", run: tests },
    Step { name: "smoke", about: "the commands that the README names", run: smoke::run },
    Step { name: "guide", about: "the guide, done as it says", run: guide::run },
    Step { name: "browser", about: "whole games in a real browser", run: web::browser },
    Step { name: "bench", about: "the work done by the benches", run: bench::check },
    Step { name: "new-game", about: "a game from the template", run: new_game::check_template },
];

/// Runs the named steps, or all; stops at the first failure.
pub(crate) fn run(workspace: &Workspace, names: &[&str]) -> Result<()> {
    let steps = select(names)?;
    let mut times = Vec::new();
    for (number, step) in steps.iter().enumerate() {
        println!("\n== {}/{} {}: {}", number + 1, steps.len(), step.name, step.about);
        let began = Instant::now();
        let result = (step.run)(workspace);
        let seconds = began.elapsed().as_secs_f64();
        times.push((step.name, seconds));
        if result.is_err() {
            summary(&times, "failed");
        }
        result.with_context(|| format!("step {} failed", step.name))?;
        println!("== {} passed in {seconds:.1} s", step.name);
    }
    summary(&times, "passed");
    let total: f64 = times.iter().map(|(_, seconds)| seconds).sum();
    println!("{} of {} steps in {total:.1} s", times.len(), STEPS.len());
    // The last line in the form that test runners close with.
    println!("{} passed, 0 failed", times.len());
    Ok(())
}

/// The names of all steps.
pub(crate) fn names() -> Vec<&'static str> {
    STEPS.iter().map(|step| step.name).collect()
}

fn select(asked: &[&str]) -> Result<Vec<&'static Step>> {
    for name in asked {
        if !STEPS.iter().any(|step| step.name == *name) {
            let message = format!("unknown step '{name}'; the steps: {}", names().join(", "));
            return Err(BadInput(message).into());
        }
    }
    Ok(STEPS.iter().filter(|step| asked.is_empty() || asked.contains(&step.name)).collect())
}

/// What ran; `last` is how the last of them ended.
fn summary(times: &[(&str, f64)], last: &str) {
    println!();
    for (index, (name, seconds)) in times.iter().enumerate() {
        let ended = if index + 1 == times.len() { last } else { "passed" };
        println!("{name:<10}{ended:<8}{seconds:>8.1} s");
    }
}

fn fmt(workspace: &Workspace) -> Result<()> {
    process::run(workspace.cargo().args(["fmt", "--all", "--check"]))
}

const EVERYTHING: [&str; 5] = ["--workspace", "--all-features", "--locked", "--profile", "ci"];

fn clippy(workspace: &Workspace) -> Result<()> {
    let mut command = workspace.cargo();
    process::run(command.arg("clippy").args(EVERYTHING).args([
        "--all-targets",
        "--",
        "-D",
        "warnings",
    ]))
}

fn doc(workspace: &Workspace) -> Result<()> {
    let mut command = workspace.cargo();
    process::run(
        command.env("RUSTDOCFLAGS", "-D warnings").arg("doc").args(EVERYTHING).arg("--no-deps"),
    )
}

fn tests(workspace: &Workspace) -> Result<()> {
    process::run(workspace.cargo().arg("test").args(EVERYTHING))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_selected_by_name_in_their_order() {
        let names = |given: &[&str]| -> Vec<&str> {
            select(given).unwrap().iter().map(|step| step.name).collect()
        };
        assert_eq!(names(&["fmt", "tidy"]), ["tidy", "fmt"]);
        assert_eq!(names(&[]).len(), STEPS.len());
        assert!(select(&["tidi"]).err().is_some_and(|error| error.is::<BadInput>()));
    }
}
