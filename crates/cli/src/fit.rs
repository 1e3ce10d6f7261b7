//! `warroom fit FILE`: fits the weights of an evaluation to games that it plays.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use lab::{FitError, FitSpec, Fitted, fit};
use registry::Registry;
use serde_json::json;

use crate::common::{
    Done, Output, grouped, open_game, print_json, print_text, progress_bar, read, stop_on_interrupt,
};
use crate::database::load_from;
use crate::matches::all_cores;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// What to fit, to which games: a .toml file.
    file: PathBuf,
    /// Write the weights to this .toml file, which `eval=FILE` reads in Othello and Conquest
    /// [default: print them].
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Play a fraction of the games, above 0 and up to 1.
    #[arg(long, value_name = "F", default_value_t = 1.0, value_parser = crate::numbers::decimal, allow_negative_numbers = true)]
    scale: f64,
    /// Threads to use [default: all cores]; the weights do not depend on it.
    #[arg(long, value_parser = crate::numbers::threads, allow_negative_numbers = true)]
    threads: Option<u16>,
    #[command(flatten)]
    output: Output,
}

pub(crate) fn run(games: &Registry, args: &Args) -> Result<Done> {
    let scale = args.scale;
    ensure!(scale > 0.0 && scale <= 1.0, "--scale {scale}: expected a number above 0 and up to 1");
    let shown = args.file.display();
    let spec =
        FitSpec::parse(&read(&args.file)?).with_context(|| format!("'{shown}'"))?.scaled(scale);
    let game = open_game(games, &spec.game, &spec.rules)?;
    let folder = args.file.parent().unwrap_or_else(|| Path::new(""));
    let threads = args.threads.map_or_else(all_cores, usize::from);
    let bar = progress_bar(spec.total_games(), args.output.talks());
    let stop = stop_on_interrupt()?;
    let hear = |done, _| bar.set_position(done);
    let fitted = match fit(&spec, &*game, &load_from(folder), threads, &stop, &hear) {
        Err(FitError::Stopped) => return Ok(Done::Interrupted),
        fitted => fitted.with_context(|| format!("'{shown}'"))?,
    };
    bar.finish_and_clear();
    let weights = fitted.file(&spec);
    if let Some(path) = &args.out {
        std::fs::write(path, &weights)
            .with_context(|| format!("cannot write '{}'", path.display()))?;
    }
    if args.output.json {
        print_json(&as_json(&spec, &fitted))?;
    } else if args.out.is_none() {
        print_text(weights.trim_end())?;
    } else {
        print_text(&in_words(&spec, &fitted))?;
    }
    Ok(Done::Fine)
}

fn as_json(spec: &FitSpec, fitted: &Fitted) -> serde_json::Value {
    let weights: serde_json::Map<String, serde_json::Value> =
        fitted.weights.iter().map(|(name, weight)| (name.clone(), json!(weight))).collect();
    json!({
        "schema": "warroom-fit-1",
        "game": spec.game,
        "agent": spec.agent,
        "seed": spec.seed,
        "positions": fitted.positions,
        "log_loss": fitted.losses,
        "test_positions": fitted.test_positions,
        "test_log_loss": { "before": fitted.test[0], "after": fitted.test[1] },
        "weights": weights,
    })
}

fn in_words(spec: &FitSpec, fitted: &Fitted) -> String {
    let last = fitted.losses.last().copied().unwrap_or(1.0);
    format!(
        "{} weights fitted to {} positions: log loss {last:.4} bits (a coin: 1)\n\
         on {} positions of {} other games {:.4}, with the weights before {:.4}",
        fitted.weights.len(),
        grouped(fitted.positions as u64),
        grouped(fitted.test_positions as u64),
        grouped(spec.test.games),
        fitted.test[1],
        fitted.test[0],
    )
}
