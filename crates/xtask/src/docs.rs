//! Tables of the documentation that repeat what is declared in code: made from what `warroom` says of
//! its agents and games, between two comments. `<!-- keys of AGENT -->` has all keys that do not
//! depend on the game, `<!-- keys of AGENT: KEY PART.* -->` these, `<!-- rules of GAME -->` and
//! `<!-- presets of GAME -->` the rule options, `<!-- differences of AGENT: OTHER OTHER/AGENT … -->` what
//! other agents have instead of its keys, or of those of an agent named with them; `<!-- end -->` comes after the table.

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

const DIFFERENCE: [(&str, &str); 4] =
    [("agent", "name"), ("about", "what it is"), ("base", "differs from"), ("differences", "by")];

/// The game whose heuristics and evaluations the presets name.
const GAME_OF_PRESETS: &str = "conquest";

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
    let ask = |words: &[&str]| -> Result<Value> {
        let text = process::output(Command::new(binary).args(words).arg("--json"), None)?;
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

/// A page with its tables made anew; `ask` gives what `warroom WORDS --json` prints.
fn with_tables(page: &str, ask: &dyn Fn(&[&str]) -> Result<Value>) -> Result<String> {
    let mut made = String::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        made += &format!("{line}\n");
        let what = line.strip_prefix("<!-- ").and_then(|line| line.strip_suffix(" -->"));
        let Some((kind, name)) = what.and_then(|what| what.split_once(" of ")) else { continue };
        let (name, keys) = name.split_once(": ").unwrap_or((name, ""));
        let (mut rows, columns): (Value, &[(&str, &str)]) = match kind {
            "keys" => (ask(&["agents", name])?["params"].take(), &KEY),
            "rules" => (ask(&["games", name])?["rules"].take(), &KEY),
            "presets" => (ask(&["games", name])?["presets"].take(), &PRESET),
            "differences" => (differences(name, keys, ask)?, &DIFFERENCE),
            _ => bail!("{line}: expected keys, rules, presets or differences"),
        };
        let titles: Vec<&str> = columns.iter().map(|(_, title)| *title).collect();
        made += &format!("| {} |\n{}|\n", titles.join(" | "), "|---".repeat(columns.len()));
        for row in rows.as_array_mut().with_context(|| format!("{line}: nothing"))? {
            if row["key"].as_str().is_none_or(|key| is_shown(key, keys)) {
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

/// A row for each of the other agents, with the keys that it has instead of another's.
fn differences(name: &str, others: &str, ask: &dyn Fn(&[&str]) -> Result<Value>) -> Result<Value> {
    let resolved = |name: &str| ask(&["agents", name, "--game", GAME_OF_PRESETS]);
    let row = |other: &str| {
        let (other, base) = other.split_once('/').unwrap_or((other, name));
        let (mut agent, base) = (resolved(other)?, resolved(base)?);
        agent["base"] = base["agent"].clone();
        let keys = agent["keys"].as_object().context("an agent has keys")?;
        let own = keys.iter().filter(|(key, value)| base["keys"].get(key.as_str()) != Some(value));
        let own = own.map(|(key, value)| format!("{key}={}", value.as_str().unwrap_or_default()));
        agent["differences"] = own.collect::<Vec<_>>().join(",").into();
        Ok(agent)
    };
    others.split(' ').map(row).collect()
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
        ("key" | "name" | "agent" | "base" | "default" | "rules" | "differences", _) => {
            format!("`{}`", text.replace(',', "`, `"))
        }
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
        let ask = |words: &[&str]| {
            assert_eq!(words[0], "agents");
            let c = if words[1] == "b" { "2" } else { "1" };
            Ok(json!({ "agent": words[1], "about": "it", "keys": { "c": c, "d": "1" }, "params": [
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
        let differs = with_tables("<!-- differences of a: b -->\n<!-- end -->\n", &ask).unwrap();
        assert!(differs.contains("\n| `b` | it | `a` | `c=2` |\n"), "{differs}");
        assert!(with_tables("<!-- keys of a -->\n", &ask).is_err());
        assert!(with_tables("<!-- words of a -->\n<!-- end -->\n", &ask).is_err());
    }
}
