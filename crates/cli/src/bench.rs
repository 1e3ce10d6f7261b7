//! `warroom bench [GAME]`

use std::time::Duration;

use anyhow::Result;
use cpu_time::ThreadTime;
use gamecore::Clock;
use registry::{BenchEffort, BenchResult, Registry};
use serde_json::json;

use crate::common::{Done, Output, open_game, print_json, print_text, spinner};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The game [default: all].
    game: Option<String>,
    /// One round each: rough figures, the same signatures.
    #[arg(long)]
    quick: bool,
    #[command(flatten)]
    output: Output,
}

/// Processor time of this thread, so that other programs on the machine disturb as little as possible.
struct ProcessorClock;

impl Clock for ProcessorClock {
    fn now(&self) -> Duration {
        ThreadTime::now().as_duration()
    }
}

pub(crate) fn run(games: &Registry, args: &Args) -> Result<Done> {
    let names: Vec<&str> = match &args.game {
        Some(name) => vec![name],
        None => games.names(),
    };
    let effort = if args.quick { BenchEffort::Quick } else { BenchEffort::Full };
    let sign = spinner(args.output.talks());
    let mut results: Vec<BenchResult> = Vec::new();
    for name in names {
        let game = open_game(games, name, "")?;
        let mut progress = |name: &str| sign.set_message(name.to_owned());
        results.extend(registry::bench(&*game, effort, &ProcessorClock, &mut progress)?);
    }
    sign.finish_and_clear();
    if args.output.json {
        print_json(&json!({ "schema": "warroom-bench-1", "results": results }))?;
        return Ok(Done::Fine);
    }
    for BenchResult { name, value, unit, signature, .. } in results {
        let value = if value < 1000.0 {
            format!("{value:.2}")
        } else {
            crate::common::grouped(value.round() as u64)
        };
        print_text(&format!("{name:<28} {value:>15} {unit:<9} {signature}"))?;
    }
    Ok(Done::Fine)
}
