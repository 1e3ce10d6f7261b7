//! The page: built and tested by Node. Nothing else of the repository needs it; the server takes
//! what lies in `web/dist` when it is compiled.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::node::Node;
use crate::process::{self, Workspace};

/// What the built page follows from.
const SOURCES: [&str; 7] = [
    "src",
    "public",
    "index.html",
    "package.json",
    "package-lock.json",
    "vite.config.js",
    "svelte.config.js",
];

/// The built page's first file.
const BUILT: &str = "dist/index.html";

/// What npm writes when everything is installed.
const INSTALLED: &str = "node_modules/.package-lock.json";

/// Names of Chromium, the first that is found is taken: the one without windows has less to do.
const BROWSERS: [&str; 5] = [
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
];

/// Its packages, the first that there is; not every system has the one without windows.
const PACKAGES: [&str; 2] = ["chromium-headless-shell", "chromium"];

/// Checks, tests and builds the page.
pub(crate) fn check(workspace: &Workspace) -> Result<()> {
    install(workspace)?;
    for script in ["types:check", "check", "unit"] {
        process::run(npm(workspace)?.args(["run", "--silent", script]))?;
    }
    build(workspace)
}

/// Builds the page unless what is built is newer than its sources.
pub(crate) fn build(workspace: &Workspace) -> Result<()> {
    let folder = folder(workspace);
    let mut changed = SystemTime::UNIX_EPOCH;
    for source in SOURCES {
        changed = changed.max(newest(&folder.join(source))?);
    }
    if std::fs::metadata(folder.join(BUILT))
        .and_then(|file| file.modified())
        .is_ok_and(|built| built > changed)
    {
        println!("the page in web/dist is newer than its sources: it is taken as it is");
        return Ok(());
    }
    println!("building the page in web/dist");
    install(workspace)?;
    process::run(npm(workspace)?.args(["run", "--silent", "build"]))
}

/// Builds the page, then installs the program with the page inside.
pub(crate) fn install_program(workspace: &Workspace, options: &[&str]) -> Result<()> {
    build(workspace)?;
    let arguments = ["install", "--locked", "--path", "crates/cli"];
    process::run(workspace.cargo().args(arguments).args(options))
}

/// Plays in a real browser against the real server: the program as users install it, but from what
/// is compiled already.
pub(crate) fn browser(workspace: &Workspace) -> Result<()> {
    let chromium = chromium()?;
    build(workspace)?;
    workspace.build_binary()?;
    let folder = workspace.target()?.join("installed");
    let root = folder.to_str().context("the path of the target folder is not Unicode")?;
    // With the feature that the other tests have, so that nothing is compiled twice.
    let options =
        ["--debug", "--features=nats", "--offline", "--force", "--no-track", "--root", root];
    install_program(workspace, &options)?;
    let binary = folder.join("bin/warroom").with_extension(std::env::consts::EXE_EXTENSION);
    let mut command = npm(workspace)?;
    command.env("WARROOM_BIN", binary).env("CHROMIUM_BIN", chromium);
    process::run(command.args(["run", "--silent", "browser"]))
}

/// The packages of others that the page has inside, by the maps of its sources.
pub(crate) fn bundled(workspace: &Workspace) -> Result<BTreeSet<String>> {
    install(workspace)?;
    let out = workspace.target()?.join("page-with-maps");
    let options = ["run", "--silent", "build", "--", "--sourcemap", "--emptyOutDir", "--outDir"];
    process::run(npm(workspace)?.args(options).arg(&out))?;
    let mut names = BTreeSet::new();
    for entry in std::fs::read_dir(out.join("assets"))? {
        let path = entry?.path();
        if path.extension().is_none_or(|ending| ending != "map") {
            continue;
        }
        let map: Value = serde_json::from_str(&std::fs::read_to_string(path)?)?;
        for source in map["sources"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            let Some((_, inside)) = source.rsplit_once("node_modules/") else { continue };
            let parts = if inside.starts_with('@') { 2 } else { 1 };
            names.insert(inside.split('/').take(parts).collect::<Vec<_>>().join("/"));
        }
    }
    Ok(names)
}

fn folder(workspace: &Workspace) -> PathBuf {
    workspace.root().join("web")
}

fn npm(workspace: &Workspace) -> Result<Command> {
    let mut command = node(workspace)?.npm();
    command.current_dir(folder(workspace));
    Ok(command)
}

/// Node, installed if there is none.
pub(crate) fn node(workspace: &Workspace) -> Result<Node> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    Node::find(&workspace.target()?.join("node"), &path)
}

/// Installs exactly what the lock file says, unless that is what is there.
fn install(workspace: &Workspace) -> Result<()> {
    let folder = folder(workspace);
    let installed = std::fs::metadata(folder.join(INSTALLED)).and_then(|file| file.modified());
    if installed
        .is_ok_and(|time| newest(&folder.join("package-lock.json")).is_ok_and(|lock| time >= lock))
    {
        return Ok(());
    }
    process::run(npm(workspace)?.arg("ci"))
}

/// When the newest file in this place was changed.
fn newest(place: &Path) -> Result<SystemTime> {
    let known = std::fs::metadata(place).with_context(|| place.display().to_string())?;
    let mut time = known.modified()?;
    if known.is_dir() {
        for entry in std::fs::read_dir(place)? {
            time = time.max(newest(&entry?.path())?);
        }
    }
    Ok(time)
}

/// Where Chromium is; installed where it can be.
fn chromium() -> Result<PathBuf> {
    if let Some(named) = std::env::var_os("CHROMIUM_BIN") {
        return Ok(named.into());
    }
    if let Some(found) = in_path(&BROWSERS) {
        return Ok(found);
    }
    println!("no Chromium found (looked for {}): installing it", BROWSERS.join(", "));
    // A new machine knows no packages until it has asked for their list.
    let apt = |words: &[&str]| process::run(Command::new("apt-get").args(words));
    let installed = |package: &&str| apt(&["install", "-y", *package]).is_ok();
    if apt(&["update"]).is_err() || !PACKAGES.iter().any(installed) {
        bail!("install Chromium, or name it in CHROMIUM_BIN");
    }
    match in_path(&BROWSERS) {
        Some(found) => Ok(found),
        None => bail!("Chromium was installed, but is not in the PATH; name it in CHROMIUM_BIN"),
    }
}

fn in_path(names: &[&str]) -> Option<PathBuf> {
    process::in_folders(&std::env::var_os("PATH")?, names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_where_they_are_looked_for() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web");
        for source in SOURCES {
            assert!(newest(&folder.join(source)).is_ok(), "{source}");
        }
        assert!(newest(&folder.join("no-such-file")).is_err());
    }

    #[test]
    fn the_lock_file_names_no_other_registry() {
        let lock = include_str!("../../../web/package-lock.json");
        for line in lock.lines().filter(|line| line.contains("\"resolved\"")) {
            assert!(line.contains("https://registry.npmjs.org/"), "{line}");
        }
    }
}
