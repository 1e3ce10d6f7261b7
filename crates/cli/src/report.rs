//! `warroom report RUN`

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, anyhow, bail};
use lab::report::{Document, DocumentFile, of_run};
use registry::Registry;
use serde_json::json;

use crate::common::{Done, print_json, print_text};
use crate::database::DatabaseFlag;
use crate::pictures::png;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The run: its name, a prefix of it, or latest.
    run: String,
    /// Where to write: a new or empty folder [default: RUN-report].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Overwrite an older report in that folder.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    database: DatabaseFlag,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(games: &Registry, args: &Args) -> Result<Done> {
    let began = Instant::now();
    let (store, run) = args.database.run(&args.run)?;
    let folder = args.out.clone().unwrap_or_else(|| PathBuf::from(format!("{}-report", run.id)));
    if !args.force {
        check_empty(&folder).map_err(|error| anyhow!("{error}, or overwrite it with --force"))?;
    }
    let document = of_run(games, &store, &run)?;
    let files = write(&folder, &document, &[])?;
    let page = folder.join("index.html");
    if args.json {
        print_json(&json!({
            "schema": "warroom-report-1",
            "run": run.id,
            "page": page.display().to_string(),
            "files": files,
            "timing": { "seconds": began.elapsed().as_secs_f64() },
        }))?;
    } else {
        print_text(&format!(
            "{}\n\n{} files, {:.1} s",
            page.display(),
            files.len(),
            began.elapsed().as_secs_f64()
        ))?;
    }
    Ok(Done::Fine)
}

/// Results never mix with other files.
pub(crate) fn check_empty(folder: &Path) -> Result<()> {
    let shown = folder.display();
    if !folder.exists() {
        return Ok(());
    }
    let mut entries =
        std::fs::read_dir(folder).with_context(|| format!("--out '{shown}': not a folder"))?;
    if entries.next().is_some() {
        bail!("--out '{shown}': the folder is not empty; choose a new or empty one");
    }
    Ok(())
}

/// Writes a document, its charts also as PNG, and other files to a folder; their names.
pub(crate) fn write(
    folder: &Path,
    document: &Document,
    others: &[DocumentFile],
) -> Result<Vec<String>> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("--out: cannot make '{}'", folder.display()))?;
    let mut names = Vec::new();
    let mut put = |name: String, content: &[u8]| -> Result<()> {
        let path = folder.join(&name);
        std::fs::write(&path, content)
            .with_context(|| format!("cannot write '{}'", path.display()))?;
        names.push(name);
        Ok(())
    };
    for file in document.files().iter().chain(others) {
        put(file.name.clone(), file.content.as_bytes())?;
    }
    for (name, svg) in document.drawings() {
        put(format!("{name}.png"), &png(&svg)?)?;
    }
    Ok(names)
}
