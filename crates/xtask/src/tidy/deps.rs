//! Who may know whom. The same table, in words, is in ARCHITECTURE.md.

use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

use super::Finding;

/// The game crates. They stand between `gamecore` and everything that may know games.
const GAMES: &[&str] = &["othello", "conquest", "lords-of-war"];

/// The other crates in dependency order, and which of ours each may depend on. Dependencies of tests
/// only are free.
const MAY_KNOW: [(&str, &[&str]); 23] = [
    ("gamecore", &[]),
    ("protocol", &[]),
    ("search", &["gamecore"]),
    ("othello-engine", &["gamecore", "search", "othello"]),
    ("external", &["gamecore", "search"]),
    ("arena", &["gamecore"]),
    ("testkit", &["gamecore", "arena"]),
    ("registry", &["gamecore", "protocol", "search", "external", "arena"]),
    (
        "othello-kit",
        &["gamecore", "othello", "othello-engine", "protocol", "search", "arena", "registry"],
    ),
    ("conquest-kit", &["gamecore", "conquest", "protocol", "search", "arena", "registry"]),
    ("lords-of-war-kit", &["gamecore", "lords-of-war", "protocol", "search", "arena", "registry"]),
    ("standard", &["testkit", "registry", "othello-kit", "conquest-kit", "lords-of-war-kit"]),
    ("live", &["gamecore", "protocol", "arena", "registry"]),
    ("wasm", &["gamecore", "protocol", "registry", "standard", "live"]),
    ("stats", &["gamecore"]),
    ("tune", &["gamecore"]),
    ("store", &["gamecore"]),
    ("lab", &["gamecore", "arena", "registry", "stats", "store", "tune"]),
    ("cluster", &["gamecore", "protocol", "arena", "registry", "store", "lab"]),
    ("papers", &["gamecore", "arena", "registry", "standard", "stats", "store", "lab"]),
    ("server", &["gamecore", "protocol", "arena", "registry", "live", "stats", "store", "lab"]),
    (
        "cli",
        &[
            "gamecore", "search", "arena", "registry", "standard", "live", "stats", "store", "lab",
            "papers", "server", "protocol", "cluster",
        ],
    ),
    ("xtask", &[]),
];

/// The crates of ours that this one may know; `None` if it is not one of ours.
fn may_know(name: &str) -> Option<&'static [&'static str]> {
    if GAMES.contains(&name) {
        return Some(&["gamecore"]);
    }
    MAY_KNOW.iter().find(|(known, _)| *known == name).map(|(_, allowed)| *allowed)
}

/// One of our crates and those of ours that it depends on outside its tests.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Crate {
    name: String,
    manifest: String,
    knows: Vec<String>,
}

/// Reads the answer of `cargo metadata --no-deps`.
pub(super) fn read(metadata: &Value) -> Result<Vec<Crate>> {
    let text = |value: &Value| value.as_str().map(str::to_owned).context("cargo metadata: a name");
    let root = text(&metadata["workspace_root"])?;
    let packages = metadata["packages"].as_array().context("cargo metadata: packages")?;
    let mut crates = Vec::new();
    for package in packages {
        let manifest = text(&package["manifest_path"])?;
        let relative = Path::new(&manifest)
            .strip_prefix(&root)
            .map_or_else(|_| manifest.clone(), |path| path.to_string_lossy().replace('\\', "/"));
        let mut knows = Vec::new();
        for dependency in package["dependencies"].as_array().context("cargo metadata: deps")? {
            // Ours are the ones that have a path.
            if dependency["path"].is_string() && dependency["kind"] != "dev" {
                knows.push(text(&dependency["name"])?);
            }
        }
        crates.push(Crate { name: text(&package["name"])?, manifest: relative, knows });
    }
    Ok(crates)
}

pub(super) fn check(crates: &[Crate]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for Crate { name, manifest, knows } in crates {
        let Some(allowed) = may_know(name) else {
            findings.push(Finding::new(
                manifest,
                0,
                format!(
                    "unknown crate {name}: say where it belongs in ARCHITECTURE.md and in \
                     crates/xtask/src/tidy/deps.rs"
                ),
            ));
            continue;
        };
        for other in knows.iter().filter(|other| !allowed.contains(&other.as_str())) {
            let rule =
                if allowed.is_empty() { "none of ours".to_owned() } else { allowed.join(", ") };
            findings.push(Finding::new(
                manifest,
                0,
                format!("{name} must not depend on {other}; it may know: {rule}"),
            ));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn krate(name: &str, knows: &[&str]) -> Crate {
        Crate {
            name: name.into(),
            manifest: format!("crates/{name}/Cargo.toml"),
            knows: knows.iter().map(|&other| other.into()).collect(),
        }
    }

    #[test]
    fn arrows_go_one_way() {
        let good = [
            krate("gamecore", &[]),
            krate("othello", &["gamecore"]),
            krate("othello-kit", &["gamecore", "othello", "registry"]),
            krate("xtask", &[]),
        ];
        assert_eq!(check(&good), []);
        for (name, other) in [
            ("gamecore", "othello"),
            ("othello", "search"),
            ("search", "othello"),
            ("registry", "othello-kit"),
            ("external", "arena"),
            ("arena", "registry"),
            ("testkit", "othello"),
            ("protocol", "arena"),
            ("registry", "othello"),
            ("registry", "server"),
            ("conquest-kit", "othello"),
            ("standard", "lab"),
            ("lab", "server"),
            ("stats", "arena"),
            ("tune", "arena"),
            ("lab", "cli"),
            ("lab", "papers"),
            ("xtask", "gamecore"),
        ] {
            let findings = check(&[krate(name, &[other])]);
            assert_eq!(findings.len(), 1, "{name} → {other}");
            assert!(findings[0].what.contains(other), "{findings:?}");
        }
        let unknown = check(&[krate("chess", &[])]);
        assert!(unknown[0].what.contains("ARCHITECTURE.md"), "{unknown:?}");
    }

    /// The table lists crates in dependency order, so it cannot contain a cycle.
    #[test]
    fn the_table_has_no_cycle() {
        for (index, (name, allowed)) in MAY_KNOW.iter().enumerate() {
            for other in allowed.iter().filter(|other| !GAMES.contains(other)) {
                let place = MAY_KNOW.iter().position(|(known, _)| known == other);
                assert!(place.is_some_and(|place| place < index), "{name} → {other}");
            }
        }
    }

    #[test]
    fn only_dependencies_of_ours_outside_tests_count() {
        let metadata = serde_json::json!({
            "workspace_root": "/repo",
            "packages": [{
                "name": "arena",
                "manifest_path": "/repo/crates/arena/Cargo.toml",
                "dependencies": [
                    {"name": "gamecore", "path": "/repo/crates/gamecore", "kind": null},
                    {"name": "testkit", "path": "/repo/crates/testkit", "kind": "dev"},
                    {"name": "serde", "kind": null},
                ],
            }],
        });
        assert_eq!(read(&metadata).unwrap(), [krate("arena", &["gamecore"])]);
        assert!(read(&serde_json::json!({})).is_err());
    }
}
