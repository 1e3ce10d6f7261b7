//! `cargo xtask new-game NAME`: a game crate that compiles and conforms from the first minute.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::BadInput;
use crate::process::{self, Workspace};

/// The files of the new crate: path and text with placeholders.
const TEMPLATE: [(&str, &str); 4] = [
    ("Cargo.toml", include_str!("../template/Cargo.toml.tmpl")),
    ("src/lib.rs", include_str!("../template/src/lib.rs.tmpl")),
    ("tests/all/main.rs", include_str!("../template/tests/all/main.rs.tmpl")),
    ("tests/all/conformance.rs", include_str!("../template/tests/all/conformance.rs.tmpl")),
];

/// Names whose crate or type would clash with the language or with the template's own names.
#[rustfmt::skip]
const TAKEN: [&str; 50] = [
    "abstract", "alloc", "as", "async", "await", "become", "box", "break", "buf", "const",
    "continue", "core", "crate", "do", "dyn", "else", "enum", "extern", "final", "fn", "for",
    "game", "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "notation",
    "notation-error", "pub", "ref", "return", "rng", "seat", "state", "static", "std", "struct",
    "take", "test", "trait", "traits", "turn", "type", "use", "where",
];

const LONGEST_NAME: usize = 40;

/// Why this cannot be the name of a game, if so.
fn wrong_name(name: &str, lock: &str) -> Option<String> {
    let part_is_fine = |part: &str| {
        !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
    };
    if !name.split('-').all(part_is_fine)
        || !name.starts_with(|first: char| first.is_ascii_lowercase())
        || name.len() > LONGEST_NAME
    {
        return Some(format!(
            "'{name}' is not a name for a game: lower-case letters and digits, parts joined by \
             '-', at most {LONGEST_NAME} characters, such as lords-of-war"
        ));
    }
    if TAKEN.contains(&name) {
        return Some(format!("'{name}' means something else in Rust or in the contract"));
    }
    if lock.lines().any(|line| line == format!("name = \"{name}\"")) {
        return Some(format!("there is a crate {name} already"));
    }
    None
}

/// `lords-of-war` as the name of a type: `LordsOfWar`.
fn type_name(name: &str) -> String {
    name.split('-')
        .map(|part| {
            let (first, rest) = part.split_at(1);
            first.to_uppercase() + rest
        })
        .collect()
}

fn fill_in(text: &str, name: &str) -> String {
    text.replace("{{name}}", name)
        .replace("{{crate}}", &name.replace('-', "_"))
        .replace("{{Type}}", &type_name(name))
}

/// Writes the crate into a folder that must not exist yet; leaves nothing behind if that fails.
fn write(folder: &Path, name: &str) -> Result<()> {
    fs::create_dir(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let written = TEMPLATE.iter().try_for_each(|(path, text)| {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().expect("a file lies in a folder"))?;
        fs::write(path, fill_in(text, name))
    });
    if let Err(error) = written {
        // The folder is new, so nothing but what was written just now is lost.
        drop(fs::remove_dir_all(folder));
        return Err(error).with_context(|| format!("cannot write {}", folder.display()));
    }
    Ok(())
}

pub(crate) fn run(workspace: &Workspace, name: &str) -> Result<()> {
    let lock = fs::read_to_string(workspace.root().join("Cargo.lock")).context("Cargo.lock")?;
    if let Some(reason) = wrong_name(name, &lock) {
        return Err(BadInput(reason).into());
    }
    let folder = workspace.root().join("crates").join(name);
    if folder.exists() {
        return Err(BadInput(format!("crates/{name} exists already; nothing was changed")).into());
    }
    write(&folder, name)?;
    print!("{}", next_steps(name));
    Ok(())
}

fn next_steps(name: &str) -> String {
    let (krate, kind) = (name.replace('-', "_"), type_name(name));
    format!(
        "\
crates/{name} is written. It is a complete small game; try it:

  cargo test --package {name}

Next (CONTRIBUTING.md, \"Add a game\", says more):

  1. Cargo.toml, [workspace.dependencies]:     {name} = {{ path = \"crates/{name}\" }}
  2. crates/xtask/src/tidy/deps.rs, GAMES:     \"{name}\"
     and a line in the table of ARCHITECTURE.md
  3. crates/standard/Cargo.toml:               {name}.workspace = true
     crates/standard/src/lib.rs, listed:
       .with(|| Kit::of({krate}::{kind}, \"what it is\", 2))?
  4. Replace the rules in crates/{name}/src/lib.rs; keep its tests passing.
  5. docs/rules/{name}.md: the rules as implemented, numbered.
"
    )
}

/// Makes a game from the template in a workspace of its own below `target`, and puts it to the
/// checks that a game must pass.
pub(crate) fn check_template(workspace: &Workspace) -> Result<()> {
    const NAME: &str = "sample-heap";
    let root = workspace.target()?.join("new-game-check");
    if root.exists() {
        fs::remove_dir_all(&root)?;
    }
    fs::create_dir_all(root.join("crates"))?;
    let manifest = root.join("Cargo.toml");
    let text = fs::read_to_string(workspace.root().join("Cargo.toml"))?;
    fs::write(&manifest, elsewhere(&text, workspace.root())?)?;
    for file in ["Cargo.lock", "rustfmt.toml"] {
        fs::copy(workspace.root().join(file), root.join(file)).context(file)?;
    }
    write(&root.join("crates").join(NAME), NAME)?;
    let cargo = |arguments: &[&str], rest: &[&str]| {
        let mut command = workspace.cargo();
        // Built beside everything else, so that what others have built is used again.
        command.env("CARGO_TARGET_DIR", workspace.target()?);
        command.env("CLIPPY_CONF_DIR", workspace.root());
        process::run(command.args(arguments).arg("--manifest-path").arg(&manifest).args(rest))
    };
    cargo(&["fmt", "--all"], &["--check"])?;
    let flags = ["--all-targets", "--", "-D", "warnings"];
    cargo(&["clippy", "--package", NAME], &flags)?;
    cargo(&["test", "--package", NAME], &[])?;
    fs::remove_dir_all(&root)?;
    Ok(())
}

/// The manifest of the workspace for use in another folder: the paths of our crates made absolute.
fn elsewhere(manifest: &str, root: &Path) -> Result<String> {
    let here = root.to_str().context("the path of the checkout is not text")?.replace('\\', "/");
    if !manifest.contains("path = \"crates/") || here.contains('"') {
        bail!("the workspace manifest is not as expected");
    }
    Ok(manifest
        .lines()
        .filter(|line| !line.starts_with("default-members"))
        .map(|line| line.replace("path = \"crates/", &format!("path = \"{here}/crates/")) + "\n")
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_checked() {
        let lock = "[[package]]\nname = \"othello\"\n";
        for name in ["hex", "lords-of-war", "gomoku15"] {
            assert_eq!(wrong_name(name, lock), None, "{name}");
        }
        let long = "x".repeat(LONGEST_NAME + 1);
        for name in [
            "", "-", "a-", "-a", "a--b", "Hex", "he x", "a_b", "../a", "a/b", "1a", "é", "match",
            "core", "game", "othello", &long,
        ] {
            assert!(wrong_name(name, lock).is_some(), "{name}");
        }
    }

    #[test]
    fn placeholders_are_all_filled_in() {
        assert_eq!(type_name("lords-of-war"), "LordsOfWar");
        for (path, text) in TEMPLATE {
            assert!(!fill_in(text, "lords-of-war").contains("{{"), "{path}");
        }
        let lines: usize = TEMPLATE.iter().map(|(_, text)| text.lines().count()).sum();
        assert!(lines <= 200, "a template is to be read: {lines} lines");
    }

    #[test]
    fn a_folder_that_exists_is_left_alone() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("template");
        assert!(write(&folder, "hex").is_err());
        assert!(folder.join("Cargo.toml.tmpl").exists());
    }

    #[test]
    fn the_manifest_can_move() {
        let text = "[workspace]\ndefault-members = [\"crates/cli\"]\n\
                    a = { path = \"crates/a\" }\n";
        let moved = elsewhere(text, Path::new("/repo")).unwrap();
        assert_eq!(moved, "[workspace]\na = { path = \"/repo/crates/a\" }\n");
        assert!(elsewhere("[workspace]\n", Path::new("/repo")).is_err());
    }
}
