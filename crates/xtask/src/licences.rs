//! `cargo xtask licences`: the notices of everything inside the program, which `warroom licences`
//! prints. They are taken from the packages themselves; tidy holds them to the lock files.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::process::{self, Workspace};
use crate::web;

/// What is written, and what the program has inside.
pub(crate) const FILE: &str = "data/licences.txt";

const HEAD: &str = "\
Licence notices of everything inside the program warroom, on any system and with any feature.
source: `cargo xtask licences`, from the packages themselves. Where a package offers a choice that
includes MIT, MIT is chosen. SQLite, inside libsqlite3-sys, is in the public domain.
";

/// The font of charts, and where its licence is.
const FONT: (&str, &str, &str) = (
    "font Ubuntu Light (Ubuntu-font-1.0): Copyright 2011 Canonical Ltd.",
    "epaint_default_fonts",
    "fonts/UFL.txt",
);

const MIT: &str = "Permission is hereby granted, free of charge";

/// A licence's text with all its white space alike, its text as written, and whom it is from.
type Licences = BTreeMap<String, (String, Vec<String>)>;

/// Writes the file anew.
pub(crate) fn write(workspace: &Workspace) -> Result<()> {
    let root = workspace.root();
    let own = std::fs::read_to_string(root.join("LICENSE-MIT"))?;
    let mut licences = Licences::new();
    add(&mut licences, "warroom (MIT OR Apache-2.0)", &own);
    let apache = std::fs::read_to_string(root.join("LICENSE-APACHE"))?;
    let library = own.replace("The warroom authors", "The Rust Project contributors");
    add(&mut licences, "the Rust standard library (MIT OR Apache-2.0)", &library);
    let arguments = ["metadata", "--format-version", "1", "--locked", "--all-features"];
    let metadata: Value =
        serde_json::from_str(&process::output(workspace.cargo().args(arguments), None)?)?;
    let packages = metadata["packages"].as_array().context("cargo metadata: no packages")?;
    for name in linked(workspace, &["--target", "all"])? {
        let found = packages.iter().find(|package| name == name_of(package));
        let package = found.with_context(|| format!("{name}: unknown to cargo metadata"))?;
        let manifest = package["manifest_path"].as_str().context("no manifest")?;
        let folder = Path::new(manifest).parent().context("a manifest lies in a folder")?;
        if package["name"] == FONT.1 {
            let text = std::fs::read_to_string(folder.join(FONT.2))?;
            add(&mut licences, FONT.0, &text);
        }
        let authors = package["authors"].as_array().into_iter().flatten();
        let authors: Vec<&str> = authors.filter_map(Value::as_str).collect();
        let holder = if authors.is_empty() { "its authors".into() } else { authors.join(", ") };
        let without_file = own.replace("The warroom authors", &holder);
        collect(
            &mut licences,
            &format!("crate {name}"),
            folder,
            &package["license"],
            [&without_file, &apache],
        )?;
    }
    for name in web::bundled(workspace)? {
        let folder = root.join("web/node_modules").join(&name);
        let package: Value =
            serde_json::from_str(&std::fs::read_to_string(folder.join("package.json"))?)?;
        let label = format!("page {}", name_of(&package));
        collect(&mut licences, &label, &folder, &package["license"], ["", ""])?;
    }
    let mut text = HEAD.to_owned();
    for (body, entries) in licences.values() {
        text += &format!("\n{}\n\n{}\n\n{body}\n", "=".repeat(80), entries.join("\n"));
    }
    std::fs::write(root.join(FILE), text)?;
    println!("{FILE} is written");
    Ok(())
}

/// `NAME VERSION`, as it is written in the file.
fn name_of(package: &Value) -> String {
    let word = |key: &str| package[key].as_str().unwrap_or_default().to_owned();
    format!("{} {}", word("name"), word("version"))
}

/// The crates of others that the program has inside.
fn linked(workspace: &Workspace, target: &[&str]) -> Result<Vec<String>> {
    let arguments = [
        "tree",
        "--locked",
        "--package",
        "cli",
        "--all-features",
        "--edges",
        "normal,no-proc-macro",
    ];
    let mut command = workspace.cargo();
    command.args(arguments).args(["--prefix", "none", "--format", "{p}"]).args(target);
    let text = process::output(&mut command, None)?;
    // A place in brackets belongs to our own.
    let others =
        text.lines().map(|line| line.trim_end_matches(" (*)")).filter(|l| !l.contains('('));
    let mut names: Vec<String> = others.map(|line| line.replacen(" v", " ", 1)).collect();
    names.sort();
    names.dedup();
    Ok(names)
}

/// Adds what a package's licence asks to be shown; one of the texts of MIT and Apache 2.0 where it has no
/// such file.
fn collect(
    licences: &mut Licences,
    name: &str,
    folder: &Path,
    licence: &Value,
    [mit_text, apache_text]: [&str; 2],
) -> Result<()> {
    let licence = licence.as_str().with_context(|| format!("{name} names no licence"))?;
    let mut texts = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let file = entry.file_name().to_string_lossy().to_lowercase();
        let known = ["licen", "copying", "unlicense", "notice"].iter().any(|s| file.starts_with(s));
        if known && entry.file_type()?.is_file() {
            texts.push((file, std::fs::read_to_string(entry.path())?));
        }
    }
    texts.sort();
    let mit = licence.contains("MIT") && !licence.contains(" AND ");
    if mit && texts.iter().any(|(_, text)| words(text).contains(MIT)) {
        texts.retain(|(_, text)| words(text).contains(MIT));
    } else if texts.is_empty() && licence.contains("MIT") && !mit_text.is_empty() {
        texts.push((String::new(), mit_text.to_owned()));
    } else if texts.is_empty() && licence == "Apache-2.0" && !apache_text.is_empty() {
        texts.push((String::new(), apache_text.to_owned()));
    }
    ensure!(!texts.is_empty(), "{name} ({licence}) has no text of its licence");
    for (_, text) in texts {
        add(licences, &format!("{name} ({licence})"), &text);
    }
    Ok(())
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Adds a text: what is common to many packages once, whose it is for each.
fn add(licences: &mut Licences, name: &str, text: &str) {
    let holder = |line: &&str| {
        let line = line.trim_start();
        line.starts_with("Copyright ")
            && (line.contains("(c)")
                || line.contains("(C)")
                || line.contains(|c: char| c.is_ascii_digit()))
    };
    let holders: Vec<String> = text.lines().filter(holder).map(words).collect();
    let rest: Vec<&str> = text.lines().filter(|line| !holder(line)).map(str::trim_end).collect();
    let rest = rest.join("\n");
    // Titles and instructions differ, what they stand around does not.
    let begin = rest.find("Permission is hereby").or_else(|| rest.find("Apache License"));
    let end = rest.find("END OF TERMS AND CONDITIONS").unwrap_or(rest.len());
    let body = rest[begin.unwrap_or(0).min(end)..end].trim_matches('\n');
    let entry = licences.entry(words(body).to_lowercase()).or_insert((body.to_owned(), Vec::new()));
    entry
        .1
        .push(format!("- {name}: {}", holders.join("; ")).trim_end_matches([':', ' ']).to_owned());
}

/// What the file misses, or has that is no longer there.
pub(crate) fn check(workspace: &Workspace) -> Result<Vec<String>> {
    let read =
        |name: &str| std::fs::read_to_string(workspace.root().join(name)).context(name.to_owned());
    let (cargo, npm) =
        (read("Cargo.lock")?, serde_json::from_str(&read("web/package-lock.json")?)?);
    Ok(stale(&read(FILE)?, &linked(workspace, &[])?, &cargo, &npm))
}

fn stale(file: &str, linked: &[String], cargo: &str, npm: &Value) -> Vec<String> {
    let entries: Vec<[&str; 3]> = file.lines().filter_map(entry).collect();
    let missing = linked.iter().filter(|name| {
        let found = |[kind, crate_name, version]: &[&str; 3]| {
            *kind == "crate" && name.split_once(' ') == Some((crate_name, version))
        };
        !entries.iter().any(found)
    });
    let mut findings: Vec<String> = missing.map(|name| format!("{name} is missing")).collect();
    for [kind, name, version] in &entries {
        let there = match *kind {
            "crate" => cargo.contains(&format!("name = \"{name}\"\nversion = \"{version}\"")),
            _ => npm["packages"][format!("node_modules/{name}")]["version"] == *version,
        };
        if !there {
            findings.push(format!("{name} {version} is not what the lock files name"));
        }
    }
    findings
}

/// Kind, name and version of a package.
fn entry(line: &str) -> Option<[&str; 3]> {
    let mut words = line.strip_prefix("- ")?.split(' ');
    let kind = words.next().filter(|kind| ["crate", "page"].contains(kind))?;
    Some([kind, words.next()?, words.next()?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_text_serves_all_who_have_it() {
        let mut licences = Licences::new();
        let text = "MIT License\n\nCopyright (c) 2020 A\n\nPermission is hereby\ngranted.\n";
        add(&mut licences, "crate a 1.0.0 (MIT)", text);
        add(
            &mut licences,
            "crate b 1.0.0 (MIT)",
            "Copyright 2021 B\nPermission is hereby granted.",
        );
        let (body, entries) = licences.values().next().unwrap();
        assert_eq!((licences.len(), body.as_str()), (1, "Permission is hereby\ngranted."));
        let expected = [
            "- crate a 1.0.0 (MIT): Copyright (c) 2020 A",
            "- crate b 1.0.0 (MIT): Copyright 2021 B",
        ];
        assert_eq!(entries[..], expected);
    }

    #[test]
    fn what_is_missing_or_old_is_found() {
        let cargo = "name = \"a\"\nversion = \"1.0.0\"\n";
        let npm = serde_json::json!({"packages": {"node_modules/p": {"version": "2.0.0"}}});
        let file = "- warroom (MIT)\n- crate a 1.0.0 (MIT)\n- page p 2.0.0 (MIT)\n";
        let linked = ["a 1.0.0".to_owned()];
        assert_eq!(stale(file, &linked, cargo, &npm), [""; 0]);
        assert_eq!(stale("- page p 2.0.0\n", &linked, cargo, &npm).len(), 1);
        assert_eq!(stale(&format!("{file}- crate a 0.9.0 (MIT)\n"), &linked, cargo, &npm).len(), 1);
        assert_eq!(stale(&file.replace("p 2", "p 1"), &linked, cargo, &npm).len(), 1);
    }
}
