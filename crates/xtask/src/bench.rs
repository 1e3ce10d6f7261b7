//! The bench signature: a hash of the work that each bench does (node counts, results). It is the
//! same on every machine, so a change of it is a change of behaviour, wanted or not.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::process::{self, Workspace};

const GAMES: [&str; 3] = ["othello", "conquest", "lords-of-war"];

/// Signature by name of the bench.
type Signatures = BTreeMap<String, String>;

fn file(workspace: &Workspace) -> PathBuf {
    workspace.root().join("crates/xtask/bench-signatures.json")
}

fn measure(workspace: &Workspace) -> Result<Signatures> {
    let binary = workspace.build_binary()?;
    let mut signatures = Signatures::new();
    for game in GAMES {
        let mut command = std::process::Command::new(&binary);
        command.args(["bench", game, "--quick", "--json"]).current_dir(workspace.root());
        signatures.append(&mut parse(&process::output(&mut command, None)?)?);
    }
    Ok(signatures)
}

/// Reads `{"results":[{"name", "signature", …}]}`.
fn parse(text: &str) -> Result<Signatures> {
    let answer: Value = serde_json::from_str(text).context("warroom bench --json")?;
    let results = answer["results"].as_array().context("warroom bench --json: no results")?;
    let mut signatures = Signatures::new();
    for result in results {
        let field = |key: &str| -> Result<String> {
            let text = result[key].as_str().filter(|text| !text.is_empty());
            Ok(text.with_context(|| format!("a bench result without {key}: {result}"))?.to_owned())
        };
        let name = field("name")?;
        if signatures.insert(name.clone(), field("signature")?).is_some() {
            bail!("two bench results are named {name}");
        }
    }
    Ok(signatures)
}

/// What differs between what is written down and what was found, one line each.
fn differences(expected: &Signatures, found: &Signatures) -> Vec<String> {
    let mut lines = Vec::new();
    for (name, signature) in expected {
        match found.get(name) {
            None => lines.push(format!("{name}: expected {signature}, but there is no such bench")),
            Some(now) if now != signature => {
                lines.push(format!("{name}: expected {signature}, found {now}"));
            }
            Some(_) => {}
        }
    }
    let new = found.keys().filter(|name| !expected.contains_key(*name));
    lines.extend(new.map(|name| format!("{name}: a bench without a written signature")));
    lines
}

/// Fails if a bench does other work than is written down.
pub(crate) fn check(workspace: &Workspace) -> Result<()> {
    let path = file(workspace);
    let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let expected: Signatures = serde_json::from_str(&text).context("bench-signatures.json")?;
    let found = measure(workspace)?;
    let lines = differences(&expected, &found);
    if !lines.is_empty() {
        bail!(
            "the benches do other work than before:\n  {}\nIf that is meant, run `cargo xtask \
             bench-signature` and say why in the commit.",
            lines.join("\n  ")
        );
    }
    println!("{} signatures as written", found.len());
    Ok(())
}

/// Writes down the work that the benches do now.
pub(crate) fn rewrite(workspace: &Workspace) -> Result<()> {
    let found = measure(workspace)?;
    let path = file(workspace);
    std::fs::write(&path, serde_json::to_string_pretty(&found)? + "\n")
        .with_context(|| path.display().to_string())?;
    for (name, signature) in &found {
        println!("{name}  {signature}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANSWER: &str = r#"{"schema":"warroom/bench/1","results":[
        {"name":"othello/perft","value":1.5,"unit":"leaves/s","higher_is_better":true,
         "signature":"ab"},
        {"name":"othello/playouts","value":2.0,"unit":"games/s","higher_is_better":true,
         "signature":"cd"}]}"#;

    fn signatures(pairs: &[(&str, &str)]) -> Signatures {
        pairs.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn answers_are_read() {
        let expected = signatures(&[("othello/perft", "ab"), ("othello/playouts", "cd")]);
        assert_eq!(parse(ANSWER).unwrap(), expected);
        assert!(parse("").is_err());
        assert!(parse("{}").is_err());
        assert!(parse(&ANSWER.replace("\"cd\"", "null")).is_err());
        assert!(parse(&ANSWER.replace("othello/playouts", "othello/perft")).is_err());
    }

    #[test]
    fn every_difference_is_told() {
        let written = signatures(&[("a", "1"), ("b", "2"), ("c", "3")]);
        assert_eq!(differences(&written, &written), Vec::<String>::new());
        let found = signatures(&[("a", "1"), ("b", "9"), ("d", "4")]);
        let lines = differences(&written, &found).join("\n");
        assert!(lines.contains("b: expected 2, found 9"), "{lines}");
        assert!(lines.contains("c: expected 3, but there is no such bench"), "{lines}");
        assert!(lines.contains("d: a bench without"), "{lines}");
    }
}
