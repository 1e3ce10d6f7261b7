//! Where the workspace is, and how other programs are run in it.

use std::env;
use std::ffi::OsStr;
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

    /// Builds `warroom` with everything that tests need of it, and says where it is. The tests are selected, too, so that cargo chooses the
    /// same features for what we depend on, and everything is compiled once.
    pub(crate) fn build_binary(&self) -> Result<PathBuf> {
        run(self.cargo().arg("build").args(ALL_TESTS))?;
        Ok(self.target()?.join("debug").join("warroom").with_extension(env::consts::EXE_EXTENSION))
    }
}

/// What `cargo` is told to build for the tests. Without the examples: clippy reads those, and each
/// would link most of the workspace again.
pub(crate) const ALL_TESTS: [&str; 6] =
    ["--workspace", "--lib", "--bins", "--tests", "--features=cli/nats", "--locked"];

/// The tests of a feature of its own; what it needs is compiled for nothing else. All other features are
/// those of the other tests, or most of the workspace would be compiled again.
pub(crate) const PARQUET_TESTS: [&str; 7] =
    ["--package", "cli", "--features", "nats,parquet", "--bin", "warroom", "--locked"];

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

/// The first of these programs in the folders of a PATH.
pub(crate) fn in_folders(path: &OsStr, names: &[&str]) -> Option<PathBuf> {
    let folders: Vec<PathBuf> = env::split_paths(path).collect();
    names.iter().find_map(|name| {
        folders.iter().map(|folder| folder.join(name)).find(|candidate| candidate.is_file())
    })
}

/// Installs a package of the Python index into a folder of ours, by the Python of a PATH.
pub(crate) fn pip_install(wheel: &str, folder: &Path, path: &OsStr) -> Result<()> {
    let python = in_folders(path, &["python3", "python"]).context("no Python in the PATH")?;
    let mut pip = Command::new(python);
    pip.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--upgrade",
        "--root-user-action=ignore",
        "--target",
    ]);
    run(pip.arg(folder).arg(wheel))
}

/// Processor seconds, user and system, of all processes that this one has started and waited for,
/// and of what those waited for; nothing where the system does not tell.
pub(crate) fn children_cpu() -> Option<f64> {
    #[cfg(unix)]
    {
        use nix::sys::resource::{UsageWho, getrusage};
        use nix::sys::time::TimeValLike as _;
        let usage = getrusage(UsageWho::RUSAGE_CHILDREN).ok()?;
        let micros = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
        Some(micros as f64 / 1e6)
    }
    #[cfg(not(unix))]
    None
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
