//! Where the workspace is, and how other programs are run in it.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use anyhow::{Context, Result, bail};
use serde_json::Value;

/// The checkout this task works on.
pub(crate) struct Workspace {
    root: PathBuf,
    metadata: OnceLock<Value>,
}

impl Workspace {
    /// The workspace that `cargo xtask` was called in.
    pub(crate) fn find() -> Result<Self> {
        let own = env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        let root = own.ancestors().nth(2).context("xtask lies in crates/ of the workspace")?;
        Ok(Self { root: root.to_owned(), metadata: OnceLock::new() })
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Cargo, to be run in the root, so that its configuration holds.
    pub(crate) fn cargo(&self) -> Command {
        let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.current_dir(&self.root);
        command
    }

    /// What `cargo metadata` says of our own crates.
    pub(crate) fn metadata(&self) -> Result<&Value> {
        if let Some(metadata) = self.metadata.get() {
            return Ok(metadata);
        }
        let arguments = ["metadata", "--format-version", "1", "--no-deps"];
        let text = output(self.cargo().args(arguments), None)?;
        let metadata = serde_json::from_str(&text).context("cargo metadata")?;
        Ok(self.metadata.get_or_init(|| metadata))
    }

    /// Where cargo puts what it builds.
    pub(crate) fn target(&self) -> Result<PathBuf> {
        let metadata = self.metadata()?;
        Ok(metadata["target_directory"].as_str().context("cargo metadata: no target")?.into())
    }

    /// Builds `warroom` as the tests do, so that what they have compiled serves again, and says
    /// where it is. Tests are named, too: what they need decides with which features others' crates
    /// are compiled, and without them most of the program would be compiled anew.
    pub(crate) fn build_binary(&self) -> Result<PathBuf> {
        let arguments = ["build", "--workspace", "--bins", "--tests", "--all-features", "--locked"];
        run(self.cargo().args(arguments).args(["--profile", "ci"]))?;
        Ok(self.target()?.join("ci").join("warroom").with_extension(env::consts::EXE_EXTENSION))
    }
}

/// The command as a person would type it.
fn shown(command: &Command) -> String {
    let name = Path::new(command.get_program()).file_stem().unwrap_or_default();
    let arguments = command.get_args().map(|word| {
        let word = word.to_string_lossy().into_owned();
        if word.contains(' ') { format!("\"{word}\"") } else { word }
    });
    let words = std::iter::once(name.to_string_lossy().into_owned()).chain(arguments);
    words.collect::<Vec<_>>().join(" ")
}

/// Runs a command that speaks to the terminal; an error unless it ends well.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    println!("$ {}", shown(command));
    let status = command.status().with_context(|| format!("cannot start: {}", shown(command)))?;
    if !status.success() {
        bail!("{} ended with {status}", shown(command));
    }
    Ok(())
}

/// Runs a command, gives it `input`, and returns what it writes; an error unless it ends well.
pub(crate) fn output(command: &mut Command, input: Option<&str>) -> Result<String> {
    use std::io::Write as _;
    let mut child = command
        .stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() })
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start: {}", shown(command)))?;
    if let (Some(input), Some(mut stdin)) = (input, child.stdin.take()) {
        // A program that has heard enough closes the pipe; its exit code tells whether that is
        // an error.
        drop(stdin.write_all(input.as_bytes()));
    }
    let output = child.wait_with_output()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() {
        bail!("{} ended with {}\n{text}", shown(command), output.status);
    }
    Ok(text)
}
