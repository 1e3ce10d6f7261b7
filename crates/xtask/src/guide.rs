//! The guide, done as it says: every file it shows is written, every command it names is run, in a
//! folder of its own that looks like the repository.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::cluster::Cluster;
use crate::process::{self, Workspace};

const GUIDE: &str = "docs/guide";

/// Commands that another step runs, and which.
const ELSEWHERE: [(&str, &str); 4] = [
    ("cargo xtask app", "browser"),
    ("cargo xtask install", "browser"),
    ("cargo xtask new-game my-game", "new-game"),
    ("cargo test --package my-game", "new-game"),
];

/// Starts what a chapter of the guide needs until it ends, and where its reader finds it.
const CLUSTER: &str = "cargo xtask cluster 2";
const CLUSTER_ADDRESS: &str = "nats://127.0.0.1:4222";

/// A block of code of the guide.
#[derive(Debug, PartialEq, Eq)]
enum Block<'a> {
    /// Commands, one a line.
    Commands(Vec<&'a str>),
    /// A file that the reader makes, or a part of one of ours; its first line names it.
    File { name: &'a str, content: &'a str },
}

pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let binary = workspace.build_binary()?;
    let folder = workspace.root().join("target/guide");
    prepare(workspace.root(), &folder)?;
    for chapter in chapters(workspace.root())? {
        println!("# {}", chapter.display());
        let mut reader = Reader { workspace, binary: &binary, folder: &folder, cluster: None };
        let text = std::fs::read_to_string(&chapter)?;
        for block in blocks(&text).with_context(|| chapter.display().to_string())? {
            match block {
                Block::File { name, content } => make(workspace.root(), &folder, name, content)?,
                Block::Commands(commands) => {
                    for command in commands {
                        reader.obey(command)?;
                    }
                }
            }
        }
    }
    Ok(())
}

fn chapters(root: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(root.join(GUIDE)).context(GUIDE)?;
    let mut files: Vec<PathBuf> = entries.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    files.retain(|file| file.extension().is_some_and(|ending| ending == "md"));
    files.sort();
    ensure!(!files.is_empty(), "{GUIDE}: no chapters");
    Ok(files)
}

/// A folder that has everything of the repository but what was built, and nothing from before.
fn prepare(root: &Path, folder: &Path) -> Result<()> {
    if folder.exists() {
        std::fs::remove_dir_all(folder)?;
    }
    std::fs::create_dir_all(folder)?;
    for name in ["experiments", "examples", "data"] {
        copy(&root.join(name), &folder.join(name))?;
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from).with_context(|| from.display().to_string())? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            std::fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// Makes a file as the reader would; a part of one of ours must stand there word by word.
fn make(root: &Path, folder: &Path, name: &str, content: &str) -> Result<()> {
    if !name.starts_with("crates/") {
        return Ok(std::fs::write(folder.join(name), content)?);
    }
    let ours = std::fs::read_to_string(root.join(name)).with_context(|| name.to_owned())?;
    ensure!(ours.contains(content.trim()), "{GUIDE}: what it shows is not what stands in {name}");
    Ok(())
}

/// Somebody who does what a chapter says.
struct Reader<'a> {
    workspace: &'a Workspace,
    binary: &'a Path,
    folder: &'a Path,
    cluster: Option<Cluster>,
}

impl Reader<'_> {
    fn obey(&mut self, line: &str) -> Result<()> {
        println!("$ {line}");
        if ELSEWHERE.iter().any(|(known, _)| *known == line) {
            return Ok(());
        }
        if line == CLUSTER {
            let place = self.folder.join("cluster");
            self.cluster = Some(Cluster::start(self.workspace, self.binary, &place, 2, &[])?);
            return Ok(());
        }
        let text = if let Some(words) = line.strip_prefix("warroom ") {
            // Another program may have the usual port.
            let address = self.cluster.as_ref().map_or(CLUSTER_ADDRESS, |cluster| &cluster.address);
            let words = words.replace(CLUSTER_ADDRESS, address);
            let mut command = Command::new(self.binary);
            command.args(split(&words)).current_dir(self.folder);
            // Nothing of this belongs into the reader's own database.
            let database = self.folder.join("warroom.sqlite");
            process::output(command.env("WARROOM_DB", database), None)?
        } else if let Some(words) = line.strip_prefix("cargo run ") {
            let fixed = ["run", "--locked", "--quiet"];
            process::output(self.workspace.cargo().args(fixed).args(split(words)), None)?
        } else {
            bail!("{GUIDE}: '{line}': nobody runs this command in a test");
        };
        ensure!(!text.trim().is_empty(), "{line}: it said nothing");
        Ok(())
    }
}

/// Words as a shell sees them; quotes keep spaces.
pub(crate) fn split(line: &str) -> Vec<String> {
    let parts = line.split('"').enumerate();
    parts
        .flat_map(|(number, part)| {
            if number % 2 == 1 {
                vec![part.to_owned()]
            } else {
                part.split_whitespace().map(str::to_owned).collect()
            }
        })
        .collect()
}

/// The blocks of a chapter; what is neither a command nor names its file is a mistake.
fn blocks(text: &str) -> Result<Vec<Block<'_>>> {
    let mut found = Vec::new();
    for (number, part) in text.split("```").enumerate() {
        if number % 2 == 0 {
            continue;
        }
        let (language, content) = part.split_once('\n').context("a block has lines")?;
        if language == "sh" {
            let lines = content.lines().map(str::trim).filter(|line| !line.is_empty());
            found.push(Block::Commands(lines.collect()));
            continue;
        }
        let first = content.lines().next().unwrap_or_default();
        let name = first.strip_prefix("# ").or_else(|| first.strip_prefix("// "));
        let name = name.with_context(|| format!("a block of {language} names no file"))?;
        let shown = content.strip_prefix(first).unwrap_or_default().trim_start();
        found.push(Block::File { name, content: shown });
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_commands_or_files() {
        let text = "Words.\n\n```sh\na b\n\nc\n```\n\n```toml\n# x.toml\nk = 1\n```\n";
        let expected =
            [Block::Commands(vec!["a b", "c"]), Block::File { name: "x.toml", content: "k = 1\n" }];
        assert_eq!(blocks(text).unwrap(), expected);
        assert!(blocks("```toml\nk = 1\n```").is_err());
    }

    #[test]
    fn quotes_keep_words_together() {
        assert_eq!(split("a \"b c\" d"), ["a", "b c", "d"]);
    }

    #[test]
    fn what_is_run_elsewhere_is_run_by_a_step() {
        for (command, step) in ELSEWHERE {
            assert!(crate::steps::names().contains(&step), "{command}: no step {step}");
        }
    }
}
