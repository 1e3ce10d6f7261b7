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

/// Columns: their names in what `warroom` prints, and their titles.
const KEY: [(&str, &str); 4] =
    [("key", "key"), ("range", "values"), ("default", "default"), ("about", "meaning")];
const PRESET: [(&str, &str); 3] =
    [("name", "preset, the first is the default"), ("about", "what it is"), ("rules", "rules")];

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
    if let Some((page, old, new)) = changed(workspace, binary)?.into_iter().next() {
        let (old, new) =
            old.lines().zip(new.lines()).find(|(old, new)| old != new).unwrap_or_default();
        let page = page.display();
        bail!("{page} says\n  {old}\nand the program\n  {new}\nrun `cargo xtask docs`");
    }
    Ok(())
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
        let (name, keys) = name.split_once(": ").unwrap_or((name, ""));
        let (list, rows, columns): (_, _, &[(&str, &str)]) = match kind {
            "keys" => ("agents", "params", &KEY),
            "rules" => ("games", "rules", &KEY),
            "presets" => ("games", "presets", &PRESET),
            _ => bail!("{line}: expected keys, rules or presets"),
        };
        let titles: Vec<&str> = columns.iter().map(|(_, title)| *title).collect();
        made += &format!("| {} |\n{}|\n", titles.join(" | "), "|---".repeat(columns.len()));
        let answer = ask(list, name)?;
        for row in answer[rows].as_array().with_context(|| format!("{line}: nothing"))? {
            if is_shown(row["key"].as_str().unwrap_or_default(), keys) {
                let cells: Vec<String> =
                    columns.iter().map(|(it, _)| cell(&row[*it], it)).collect();
                made += &format!("| {} |\n", cells.join(" | "));
            }
        }
        lines.find(|line| *line == END).with_context(|| format!("no {END} after {line}"))?;
        made += &format!("{END}\n");
    }
    Ok(made)
}

/// Whether a key is one of those listed; without a list, whether it is the same in every game.
fn is_shown(key: &str, listed: &str) -> bool {
    let is = |pattern: &str| match pattern.strip_suffix('*') {
        Some(part) => key.starts_with(part),
        None => key == pattern,
    };
    if listed.is_empty() { !OF_GAMES.into_iter().any(is) } else { listed.split(' ').any(is) }
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
