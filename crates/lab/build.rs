//! Hashes everything that decides how games go, so that a run is never continued by a program that
//! would play them differently.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// What decides games, seen from the root of the workspace: rules, searches, the referee, the
/// schedule, tables and the versions of everything we use.
const DECISIVE: [&str; 23] = [
    "Cargo.lock",
    "crates/gamecore/src",
    "crates/othello/src",
    "crates/conquest/src",
    "crates/lords-of-war/src",
    "crates/search/src",
    "crates/evals/src",
    "crates/othello-engine/src",
    "crates/arena/src",
    "crates/external/src",
    "crates/testkit/src",
    "crates/registry/src",
    "crates/othello-kit/src",
    "crates/conquest-kit/src",
    "crates/lords-of-war-kit/src",
    "crates/standard/src",
    "crates/lab/src/plan.rs",
    "crates/lab/src/matches.rs",
    "crates/lab/src/run/mod.rs",
    "crates/lab/src/experiment",
    "crates/lab/src/tuning",
    "crates/tune/src",
    "data",
];

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    for name in DECISIVE {
        let path = root.join(name);
        println!("cargo::rerun-if-changed={}", path.display());
        collect(&path, name.to_owned(), &mut files)?;
    }
    files.sort();
    let mut hash = Sha256::new();
    for (name, path) in files {
        let content = fs::read(&path)?;
        hash.update(format!("{name}\n{}\n", content.len()));
        hash.update(content);
    }
    let digits: String = hash.finalize()[..4].iter().map(|byte| format!("{byte:02x}")).collect();
    println!("cargo::rustc-env=WARROOM_FINGERPRINT={digits}");
    Ok(())
}

/// All files below `path`, by names that are the same on every machine.
fn collect(
    path: &Path,
    name: String,
    files: &mut Vec<(String, PathBuf)>,
) -> Result<(), Box<dyn Error>> {
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            let entry = entry?;
            let name = format!("{name}/{}", entry.file_name().to_string_lossy());
            collect(&entry.path(), name, files)?;
        }
    } else {
        files.push((name, path.to_owned()));
    }
    Ok(())
}
