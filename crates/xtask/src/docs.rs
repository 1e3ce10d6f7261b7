//! Tables of the documentation that repeat what is declared in code: made from what `warroom` says of
//! its agents and games, between two comments. `<!-- keys of AGENT -->` has all keys that do not
//! depend on the game, `<!-- keys of AGENT: KEY PART.* -->` these, `<!-- rules of GAME -->` and
//! `<!-- presets of GAME -->` the rule options; `<!-- end -->` comes after the table.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::process::{self, Workspace};

const FOLDERS: [&str; 2] = ["docs/algorithms", "docs/rules"];
const END: &str = "<!-- end -->";

/// Keys that every game has in a form of its own.
const OF_GAMES: [&str; 3] = ["heuristic", "eval", "eval.*"];

/// Writes the tables of all pages anew.
pub(crate) fn write(workspace: &Workspace) -> Result<()> {
    let binary = workspace.build_binary()?;
    for (page, _, new) in changed(workspace, &binary)? {
        println!("{}", page.display());
        std::fs::write(page, new)?;
    }
    Ok(())
}

/// Fails if a page has a table that is not what the code declares.
pub(crate) fn check(workspace: &Workspace, binary: &Path) -> Result<()> {
    let Some((page, old, new)) = changed(workspace, binary)?.into_iter().next() else {
        return Ok(());
    };
    let lines = old.lines().zip(new.lines()).find(|(old, new)| old != new).unwrap_or_default();
    let (page, (old, new)) = (page.display(), lines);
    bail!("{page} says\n  {old}\nand the program\n  {new}\nrun `cargo xtask docs`")
}

/// Pages whose tables are out of date, as they are and as they should be.
fn changed(workspace: &Workspace, binary: &Path) -> Result<Vec<(PathBuf, String, String)>> {
    let ask = |list: &str, name: &str| -> Result<Value> {
        let text = process::output(Command::new(binary).args([list, name, "--json"]), None)?;
        Ok(serde_json::from_str(&text)?)
    };
    let mut pages = Vec::new();
    for folder in FOLDERS {
        for entry in std::fs::read_dir(workspace.root().join(folder)).context(folder)? {
            let page = entry?.path();
            let old = std::fs::read_to_string(&page)?;
            let new = with_tables(&old, &ask).with_context(|| page.display().to_string())?;
            if old != new {
                pages.push((page, old, new));
            }
        }
    }
    Ok(pages)
}

/// A page with its tables made anew; `ask` gives what `warroom LIST NAME --json` prints.
fn with_tables(page: &str, ask: &dyn Fn(&str, &str) -> Result<Value>) -> Result<String> {
    let mut made = String::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        made += &format!("{line}\n");
        let what = line.strip_prefix("<!-- ").and_then(|line| line.strip_suffix(" -->"));
        let Some((kind, name)) = what.and_then(|what| what.split_once(" of ")) else { continue };
        made += &match kind {
            "keys" => keys(name, ask)?,
            "rules" => table(
                "| key | values | default | meaning |\n|---|---|---|---|\n",
                &ask("games", name)?["rules"],
                |rule| {
                    ["key", "range", "default", "about"].map(|column| cell(&rule[column], column))
                },
            ),
            "presets" => table(
                "| preset, the first is the default | what it is | rules |\n|---|---|---|\n",
                &ask("games", name)?["presets"],
                |preset| ["name", "about", "rules"].map(|column| cell(&preset[column], column)),
            ),
            _ => bail!("{line}: expected keys, rules or presets"),
        };
        lines.find(|line| *line == END).with_context(|| format!("no {END} after {line}"))?;
        made += &format!("{END}\n");
    }
    Ok(made)
}

fn keys(what: &str, ask: &dyn Fn(&str, &str) -> Result<Value>) -> Result<String> {
    let (agent, listed) = what.split_once(": ").unwrap_or((what, ""));
    let is = |key: &str, pattern: &str| match pattern.strip_suffix('*') {
        Some(part) => key.starts_with(part),
        None => key == pattern,
    };
    let mut params = ask("agents", agent)?["params"].take();
    let rows = params.as_array_mut().with_context(|| format!("no keys of {agent}"))?;
    rows.retain(|param| {
        let key = param["key"].as_str().unwrap_or_default();
        match listed {
            "" => !OF_GAMES.iter().any(|pattern| is(key, pattern)),
            _ => listed.split(' ').any(|pattern| is(key, pattern)),
        }
    });
    let columns = ["key", "range", "default", "about"];
    Ok(table("| key | values | default | |\n|---|---|---|---|\n", &params, |param| {
        columns.map(|column| cell(&param[column], column))
    }))
}

fn table<const N: usize>(head: &str, rows: &Value, row: impl Fn(&Value) -> [String; N]) -> String {
    let rows = rows.as_array().into_iter().flatten();
    let rows = rows.map(|it| format!("| {} |\n", row(it).join(" | ")));
    head.to_owned() + &rows.collect::<String>()
}

/// What stands in a column: names and defaults as code, words one by one, huge ranges by their
/// beginning.
fn cell(value: &Value, column: &str) -> String {
    let Some(text) = value.as_str().filter(|text| !text.is_empty()) else {
        return "–".to_owned();
    };
    match (column, text.split_once('…')) {
        ("key" | "name" | "default" | "rules", _) => format!("`{}`", text.replace(',', "`, `")),
        ("range", Some((least, most))) if most.len() > 12 => format!("at least {least}"),
        ("range", None) => text.replace('|', ", "),
        _ => text.replace('|', "\\|"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn tables_are_made_anew_between_their_marks() {
        let ask = |list: &str, name: &str| {
            assert_eq!((list, name), ("agents", "a"));
            Ok(json!({ "params": [
                { "key": "x", "range": "1…1125899906842624", "default": null, "about": "an x" },
                { "key": "y.z", "range": "on|off", "default": "on", "about": "a | b" },
                { "key": "eval", "range": "text", "default": "", "about": "" },
            ]}))
        };
        let page = "A\n<!-- keys of a -->\nold\n<!-- end -->\nB\n";
        let made = with_tables(page, &ask).unwrap();
        let rows = "| `x` | at least 1 | – | an x |\n| `y.z` | on, off | `on` | a \\| b |\n";
        assert!(made.starts_with("A\n<!-- keys of a -->\n| key |"), "{made}");
        assert!(made.ends_with(&format!("{rows}<!-- end -->\nB\n")), "{made}");
        assert_eq!(with_tables(&made, &ask).unwrap(), made);
        let some = with_tables("<!-- keys of a: y.* -->\n<!-- end -->\n", &ask).unwrap();
        assert_eq!(some.lines().count(), 5, "{some}");
        assert!(with_tables("<!-- keys of a -->\n", &ask).is_err());
        assert!(with_tables("<!-- words of a -->\n<!-- end -->\n", &ask).is_err());
    }
}
