//! `cargo xtask`: the tasks of this repository that cargo itself does not know.
//!
//! Everything here needs a Rust toolchain; what concerns the page also needs Node.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a task tells what it does")]

mod bench;
mod changed;
mod cluster;
mod cluster_bench;
mod cost;
mod docs;
mod guide;
mod licences;
mod new_game;
mod node;
mod process;
mod smoke;
mod steps;
mod stranger;
mod tests;
mod tidy;
mod wasm;
mod web;

use std::process::ExitCode;

use anyhow::Result;

use process::Workspace;

const USAGE: &str = "\
usage: cargo xtask TASK

  app               build the page and warroom, and serve the app on this machine
  install [OPTION…] build the page, then install warroom with the page inside; the options are
                    those of cargo install
  test [STEP…]      everything a change must pass, or only the steps named
  test --changed [COMMIT]
                    the checks of the crates that differ from COMMIT (default HEAD), and of
                    what depends on them: the loop while working
  cluster [N]       a NATS server and N workers on this machine (default one a core), to try a
                    run on many machines; installs the server
  cluster bench     what a cluster costs beside its games, and how far it grows
  record-cost       write down what the last whole test cost
  fuzz [CASES]      every reader of outside input with so many inputs (default a million)
  soak [GAMES]      every pair of agents, so many games of every game (default 100); a cluster whose
                    machines die, in full length; a crowd in the app
  tidy              dependency rules and text rules only (the first step of test)
  new-game NAME     a new game crate crates/NAME that compiles and conforms
  bench-signature   write down the work that the benches do now
  docs              write the tables of the documentation that repeat declarations of the code
  licences          write down the licence notices of what warroom links and the page bundles
";

/// The command line or a name is wrong: exit code 2.
#[derive(Debug)]
struct BadInput(String);

impl std::fmt::Display for BadInput {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for BadInput {}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match run(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(if error.is::<BadInput>() { 2 } else { 1 })
        }
    }
}

fn run(words: &[&str]) -> Result<()> {
    let workspace = Workspace::find()?;
    match words {
        ["app"] => app(&workspace),
        ["install", options @ ..] => web::install_program(&workspace, options),
        ["docs"] => docs::write(&workspace),
        ["licences"] => licences::write(&workspace),
        ["test", "--changed"] => changed::run(&workspace, "HEAD"),
        ["test", "--changed", base] => changed::run(&workspace, base),
        // Words of this program to itself.
        ["step", name] => steps::run_here(&workspace, name),
        ["run-tests", program, arguments @ ..] => tests::run_program(program, arguments),
        ["cluster"] => cluster::try_it(&workspace, cores()),
        ["cluster", "bench"] => cluster_bench::run(&workspace),
        ["cluster", workers] => match workers.parse() {
            Ok(workers @ 1..=1000) => cluster::try_it(&workspace, workers),
            _ => {
                Err(BadInput(format!("cluster {workers}: expected a number from 1 to 1000")).into())
            }
        },
        ["record-cost"] => cost::record(&workspace),
        ["test", steps @ ..] => steps::run(&workspace, steps),
        ["fuzz"] => fuzz(&workspace, FUZZ_CASES),
        ["fuzz", cases] => match cases.parse() {
            Ok(cases) if cases > 0 => fuzz(&workspace, cases),
            _ => Err(BadInput(format!("fuzz {cases}: expected a number from 1")).into()),
        },
        ["soak"] => soak(&workspace, SOAK_GAMES),
        ["soak", games] => match games.parse() {
            Ok(games) if games > 0 && games % 2 == 0 => soak(&workspace, games),
            _ => Err(BadInput(format!("soak {games}: expected an even number from 2")).into()),
        },
        ["tidy"] => tidy::run(&workspace),
        ["new-game", name] => new_game::run(&workspace, name),
        ["bench-signature"] => bench::rewrite(&workspace),
        ["help" | "--help" | "-h"] => {
            print!("{USAGE}");
            Ok(())
        }
        [] => Err(BadInput(format!("no task given\n\n{USAGE}")).into()),
        other => Err(BadInput(format!("unknown task '{}'\n\n{USAGE}", other.join(" "))).into()),
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Inputs that every fuzz test gets when nobody says how many.
const FUZZ_CASES: u32 = 1_000_000;

/// Runs the fuzz tests of all crates, which are all in modules called `fuzz`, with many more inputs
/// than the tests of a change do. The variable is read by `testkit::fuzz`.
fn fuzz(workspace: &Workspace, cases: u32) -> Result<()> {
    let arguments = ["test", "--workspace", "--locked", "--test", "all", "fuzz::"];
    let mut command = workspace.cargo();
    process::run(command.env("WARROOM_FUZZ_CASES", cases.to_string()).args(arguments))
}

/// Games that every pair of agents plays when nobody says how many.
const SOAK_GAMES: u32 = 100;

/// Short thoughts beside long ones: 20 people for 10 turns against agents of 10 ms, 50 games of agents
/// that think for 15 seconds, and one answer in a hundred may take a second.
const CROWD: [&str; 5] = ["20", "10", "mcts:ms=10", "50", "1000"];

/// Runs all of every family of tests that grows, sees that a crowd is answered, and lets every pair of agents play many more games
/// than the tests of a change do.
fn soak(workspace: &Workspace, games: u32) -> Result<()> {
    let mut command = workspace.cargo();
    command.env("WARROOM_SOAK_GAMES", games.to_string()).env(tests::SLICE, "all");
    let families = ["--", "soak::", "experiments::", "cluster::runs::whatever_dies"];
    let tests = ["test", "--workspace", "--locked", "--features=cli/nats", "--test", "all"];
    command.env(cluster::PROGRAM, cluster::nats_server(workspace)?);
    process::run(command.args(tests).args(families))?;
    let crowd = ["run", "--locked", "--package", "server", "--example", "crowd", "--"];
    process::run(workspace.cargo().args(crowd).args(CROWD))
}

/// Starts the app as a player would, built as in daily work: rules and searches are optimised.
fn app(workspace: &Workspace) -> Result<()> {
    web::build(workspace)?;
    println!("building warroom with the page inside, and starting its server");
    let arguments = ["run", "--locked", "--package", "cli", "--bin", "warroom", "--"];
    process::run(workspace.cargo().args(arguments).arg("serve"))
}
