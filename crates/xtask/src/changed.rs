//! `cargo xtask test --changed`: the checks of what a change touches and of what depends on it.

use std::collections::BTreeSet;
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::process::{self, Workspace};
use crate::{cluster, tidy, web};

/// What must be checked.
#[derive(Debug, PartialEq, Eq)]
struct Touched {
    crates: BTreeSet<String>,
    page: bool,
}

/// One of our crates and those of ours that it depends on, tests included.
struct Member {
    name: String,
    folder: String,
    needs: Vec<String>,
}

/// Checks what differs from a commit, uncommitted changes and new files included.
pub(crate) fn run(workspace: &Workspace, base: &str) -> Result<()> {
    let touched = touched(&files(workspace, base)?, &members(workspace.metadata()?)?);
    let names: Vec<&str> = touched.crates.iter().map(String::as_str).collect();
    println!(
        "since {base}: {}",
        if names.is_empty() { "no crate".into() } else { names.join(", ") }
    );
    tidy::run(workspace)?;
    if touched.page {
        web::check(workspace)?;
    }
    if names.is_empty() {
        return Ok(());
    }
    process::run(workspace.cargo().args(["fmt", "--all", "--check"]))?;
    let packages: Vec<&str> = names.iter().flat_map(|name| ["--package", name]).collect();
    let mut clippy = workspace.cargo();
    clippy.arg("clippy").args(&packages).args(["--locked", "--all-targets", "--all-features"]);
    process::run(clippy.args(["--", "-D", "warnings"]))?;
    let mut test = workspace.cargo();
    test.arg("test").args(&packages).args(["--locked", "--tests"]);
    if touched.crates.contains("cli") {
        test.arg("--features=cli/nats").env(cluster::PROGRAM, cluster::nats_server(workspace)?);
    }
    process::run(&mut test)
}

/// The files that differ from the commit.
fn files(workspace: &Workspace, base: &str) -> Result<Vec<String>> {
    let git = |words: &[&str]| {
        let mut command = Command::new("git");
        process::output(command.current_dir(workspace.root()).args(words), None)
            .with_context(|| format!("what has changed since {base} is asked of git"))
    };
    let mut list = git(&["diff", "--name-only", "--no-renames", base])?;
    list += &git(&["ls-files", "--others", "--exclude-standard"])?;
    Ok(list.lines().map(str::to_owned).collect())
}

fn members(metadata: &Value) -> Result<Vec<Member>> {
    let text = |value: &Value| value.as_str().map(str::to_owned).context("cargo metadata: a name");
    let root = text(&metadata["workspace_root"])? + "/";
    let packages = metadata["packages"].as_array().context("cargo metadata: packages")?;
    let member = |package: &Value| {
        let manifest = text(&package["manifest_path"])?;
        let folder = manifest.strip_prefix(&root).unwrap_or(&manifest);
        let needs = package["dependencies"].as_array().context("cargo metadata: dependencies")?;
        let ours = needs.iter().filter(|needed| needed["path"].is_string());
        Ok(Member {
            name: text(&package["name"])?,
            folder: folder.trim_end_matches("Cargo.toml").to_owned(),
            needs: ours.map(|needed| text(&needed["name"])).collect::<Result<_>>()?,
        })
    };
    packages.iter().map(member).collect()
}

/// Texts of no crate that are compiled into one, or compared with it, and which.
const READ_BY: [(&str, &str); 7] = [
    ("README.md", "xtask"),
    ("docs/guide/", "server"),
    ("docs/rules/conquest.md", "conquest-kit"),
    ("docs/rules/lords-of-war.md", "lords-of-war-kit"),
    ("docs/rules/othello.md", "othello-kit"),
    ("experiments/", "server"),
    ("web/openapi.json", "server"),
];

/// The crates of these files and all that need them. A file of no crate, data or a manifest, may be
/// part of any; other prose is read by `tidy` alone.
fn touched(files: &[String], members: &[Member]) -> Touched {
    let mut crates = BTreeSet::new();
    let mut page = false;
    for file in files {
        page |= file.starts_with("web/");
        let readers = READ_BY.iter().filter(|(text, _)| file.starts_with(text));
        crates.extend(readers.map(|(_, name)| (*name).to_owned()));
        if file.starts_with("web/") {
            continue;
        }
        if let Some(member) = members.iter().find(|member| file.starts_with(&member.folder)) {
            crates.insert(member.name.clone());
        } else if !file.ends_with(".md") {
            crates.extend(members.iter().map(|member| member.name.clone()));
        }
    }
    loop {
        let also: Vec<&Member> = members
            .iter()
            .filter(|member| !crates.contains(&member.name))
            .filter(|member| member.needs.iter().any(|needed| crates.contains(needed)))
            .collect();
        if also.is_empty() {
            return Touched { crates, page };
        }
        crates.extend(also.into_iter().map(|member| member.name.clone()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(name: &str, needs: &[&str]) -> Member {
        Member {
            name: name.to_owned(),
            folder: format!("crates/{name}/"),
            needs: needs.iter().map(|&needed| needed.to_owned()).collect(),
        }
    }

    #[test]
    fn what_depends_on_a_change_is_checked_with_it() {
        let members =
            [member("core", &[]), member("a", &["core"]), member("b", &["a"]), member("c", &[])];
        let of = |files: &[&str]| {
            let files: Vec<String> = files.iter().map(|&file| file.to_owned()).collect();
            let touched = touched(&files, &members);
            (touched.crates.into_iter().collect::<Vec<_>>().join(" "), touched.page)
        };
        assert_eq!(of(&["crates/a/src/lib.rs"]), ("a b".into(), false));
        assert_eq!(of(&["crates/core/x", "web/src/a.ts"]), ("a b core".into(), true));
        assert_eq!(of(&["CHANGELOG.md"]), (String::new(), false));
        assert_eq!(of(&["web/openapi.json"]), ("server".into(), true));
        assert_eq!(of(&["data/levels.toml"]).0, "a b c core");
        assert_eq!(of(&[]), (String::new(), false));
    }
}
