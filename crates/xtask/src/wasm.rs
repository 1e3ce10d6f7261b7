//! The engine side as WebAssembly: built, and asked what the native program is asked.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::process::{self, Workspace};
use crate::web;

const TARGET: &str = "wasm32-unknown-unknown";
const FOLDER: &str = "crates/wasm";

/// What thinks. Here it answers a few questions only, so it is compiled for half the price of daily work.
const THINKING: [&str; 11] = [
    "arena",
    "conquest",
    "conquest-kit",
    "gamecore",
    "lords-of-war",
    "lords-of-war-kit",
    "othello",
    "othello-engine",
    "othello-kit",
    "registry",
    "search",
];

/// Builds the module and compares its answers with ours, letter for letter.
pub(crate) fn check(workspace: &Workspace) -> Result<()> {
    have_target(workspace)?;
    let mut build = workspace.cargo();
    build.args(["build", "--locked", "--package=wasm", "--lib", "--target", TARGET]);
    for name in THINKING {
        build.arg(format!("--config=profile.dev.package.{name}.opt-level=1"));
    }
    process::run(&mut build)?;
    let folder = workspace.root().join(FOLDER);
    let questions = folder.join("questions.jsonl");
    let asked = fs::read_to_string(&questions).with_context(|| questions.display().to_string())?;
    // As the tests are built, so that nothing is compiled twice.
    let mut build = workspace.cargo();
    let native = ["build", "--locked", "--workspace", "--example=answer", "--features=cli/nats"];
    process::run(build.args(native))?;
    let target = workspace.target()?;
    let mut native = Command::new(target.join("debug/examples/answer"));
    let answers = process::output(&mut native, Some(&asked))?;
    let told = target.join("wasm-answers.jsonl");
    fs::write(&told, answers).with_context(|| told.display().to_string())?;
    let module = target.join(TARGET).join("debug").join("wasm.wasm");
    process::run(
        web::node(workspace)?.node().arg(folder.join("agrees.mjs")).args([module, questions, told]),
    )
}

/// Has the standard library for the target installed, if it is not there.
fn have_target(workspace: &Workspace) -> Result<()> {
    let mut ask = Command::new("rustc");
    ask.args(["--print", "target-libdir", "--target", TARGET]).current_dir(workspace.root());
    let folder = process::output(&mut ask, None)?;
    if Path::new(folder.trim()).is_dir() {
        return Ok(());
    }
    println!("installing the target {TARGET} by rustup");
    let mut rustup = Command::new("rustup");
    rustup.args(["target", "add", TARGET]).current_dir(workspace.root());
    process::run(&mut rustup).with_context(|| {
        format!("no standard library for {TARGET}: expected rustup, or a toolchain that has it")
    })
}
