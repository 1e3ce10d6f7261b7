//! `warroom perft GAME DEPTH`

use std::time::Instant;

use anyhow::Result;
use registry::Registry;
use serde_json::json;

use crate::common::{
    Done, Output, SetupFlags, grouped, open_game, print_json, print_text, progress_bar,
};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The game.
    game: String,
    /// Depth in actions. A pass is an action; a game that ends earlier is one leaf.
    #[arg(value_parser = crate::numbers::whole::<u32>(1..=60), allow_negative_numbers = true)]
    depth: u32,
    /// The position to start from [default: the start].
    #[arg(long, allow_hyphen_values = true)]
    position: Option<String>,
    /// Also print the leaves under each first action.
    #[arg(long)]
    divide: bool,
    /// Rules: a preset or KEY=VALUE,…
    #[arg(long, default_value = "", hide_default_value = true)]
    rules: String,
    #[command(flatten)]
    setups: SetupFlags,
    /// Seed of the start position, in games that draw one.
    #[arg(long, default_value_t = 1, value_parser = crate::numbers::any::<u64>, allow_negative_numbers = true)]
    seed: u64,
    #[command(flatten)]
    output: Output,
}

pub(crate) fn run(games: &Registry, args: &Args) -> Result<Done> {
    let game = open_game(games, &args.game, &args.rules)?;
    let position = match &args.position {
        Some(text) => game.position(text)?,
        None => args.setups.start(&*game, args.seed)?,
    };
    let bar = progress_bar(1, args.output.talks());
    let began = Instant::now();
    let report = game.perft(&position, args.depth, &mut |done, total| {
        bar.set_length(total);
        bar.set_position(done);
    })?;
    let seconds = began.elapsed().as_secs_f64();
    bar.finish_and_clear();
    if args.output.json {
        let mut answer = json!({
            "schema": "warroom-perft-1",
            "game": args.game,
            "depth": args.depth,
            "leaves": report.leaves,
            "seconds": seconds,
        });
        if args.divide {
            answer["divide"] = report
                .divide
                .iter()
                .map(|(action, leaves)| json!({ "action": action, "leaves": leaves }))
                .collect();
        }
        print_json(&answer)?;
        return Ok(Done::Fine);
    }
    if args.divide {
        for (action, leaves) in &report.divide {
            print_text(&format!("{action:<8} {:>20}", grouped(*leaves)))?;
        }
    }
    print_text(&format!(
        "{} leaves at depth {} in {seconds:.2} s ({:.0} M leaves/s)",
        grouped(report.leaves),
        args.depth,
        report.leaves as f64 / seconds.max(1e-9) / 1e6
    ))?;
    Ok(Done::Fine)
}
