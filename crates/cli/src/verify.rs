//! `warroom verify GAME FILE…`

use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use registry::{Difference, Registry, VerifyReport};
use serde_json::{Value, json};

use crate::common::{Done, Output, grouped, open_game, print_json, print_text, progress_bar};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The game.
    game: String,
    /// Game records, or traces of another program; plain or .gz.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Rules of the records: a preset or KEY=VALUE,… Traces name their own.
    #[arg(long, default_value = "", hide_default_value = true)]
    rules: String,
    #[command(flatten)]
    output: Output,
}

pub(crate) fn run(games: &Registry, args: &Args) -> Result<Done> {
    let game = open_game(games, &args.game, &args.rules)?;
    // Every file is read before any is checked: a bad one loses nothing.
    let contents: Vec<String> = args.files.iter().map(|path| read(path)).collect::<Result<_>>()?;
    let bar = progress_bar(contents.len() as u64, args.output.talks());
    let (mut games, mut steps, mut difference) = (0, 0, None);
    for (path, content) in args.files.iter().zip(&contents) {
        let shown = path.display();
        bar.set_message(shown.to_string());
        let report = game.verify(content).with_context(|| format!("'{shown}'"))?;
        let VerifyReport { games: more_games, steps: more_steps, first_difference } = report;
        games += more_games;
        steps += more_steps;
        bar.inc(1);
        if let Some(found) = first_difference {
            difference = Some((shown.to_string(), found));
            break;
        }
    }
    bar.finish_and_clear();
    if args.output.json {
        print_json(&json!({
            "schema": "warroom-verify-1",
            "game": args.game,
            "files": args.files.len(),
            "games": games,
            "steps": steps,
            "first_difference": difference.as_ref().map(|(file, found)| as_json(file, found)),
        }))?;
    } else {
        let (games, steps) = (grouped(games), grouped(steps));
        print_text(&match &difference {
            None => format!("{games} games, {steps} steps: no difference"),
            Some((file, found)) => {
                format!("{games} games, {steps} steps, then {}", in_words(file, found))
            }
        })?;
    }
    Ok(if difference.is_none() { Done::Fine } else { Done::NotSo })
}

/// A small file may be packed so that it would fill the memory.
const LONGEST_TEXT: u64 = 256 << 20;

/// The content of a file, decompressed if it is compressed.
fn read(path: &Path) -> Result<String> {
    let shown = path.display();
    let bytes = std::fs::read(path).with_context(|| format!("cannot read '{shown}'"))?;
    if bytes.starts_with(&[0x1f, 0x8b]) {
        return unpacked(&bytes, LONGEST_TEXT).with_context(|| format!("'{shown}'"));
    }
    String::from_utf8(bytes).with_context(|| format!("'{shown}' is not text"))
}

/// What a packed file holds, if it is no longer than this.
fn unpacked(bytes: &[u8], longest: u64) -> Result<String> {
    let mut text = String::new();
    flate2::read::MultiGzDecoder::new(bytes)
        .take(longest + 1)
        .read_to_string(&mut text)
        .context("not a valid .gz file")?;
    ensure!(
        text.len() as u64 <= longest,
        "more than {longest} bytes when unpacked: unpack and split it"
    );
    Ok(text)
}

fn as_json(file: &str, difference: &Difference) -> Value {
    let mut value = json!({ "file": file });
    let fields = json!(difference);
    if let (Some(object), Value::Object(fields)) = (value.as_object_mut(), fields) {
        object.extend(fields);
    }
    value
}

fn in_words(file: &str, difference: &Difference) -> String {
    let Difference { game, step, field, expected, found } = difference;
    let step = step.map_or(String::new(), |step| format!(" step {step}"));
    format!(
        "a difference in '{file}', game {game}{step}, {field}:\n  file:  {expected}\n  rules: {found}"
    )
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn what_is_unpacked_has_a_limit() {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packer.write_all(&[b'a'; 10_000]).unwrap();
        let packed = packer.finish().unwrap();
        assert_eq!(unpacked(&packed, 10_000).unwrap().len(), 10_000);
        let error = unpacked(&packed, 9_999).unwrap_err();
        assert!(error.to_string().contains("more than 9999 bytes when unpacked"), "{error}");
    }
}
