//! `warroom games`

use anyhow::Result;
use registry::GameInfo;
use serde_json::json;
use standard::game_names;

use crate::common::{Done, open_game, print_json, print_text};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<Done> {
    let infos = game_names()
        .into_iter()
        .map(|name| Ok(open_game(name, "")?.info()))
        .collect::<Result<Vec<GameInfo>>>()?;
    if args.json {
        print_json(&json!({ "schema": "warroom-games-1", "games": infos }))?;
        return Ok(Done::Fine);
    }
    for info in infos {
        let mut notes = Vec::new();
        if info.hidden {
            notes.push("hidden information");
        }
        if info.chance {
            notes.push("chance");
        }
        let notes =
            if notes.is_empty() { String::new() } else { format!(" ({})", notes.join(", ")) };
        print_text(&format!("{:<14} {}{notes}", info.name, info.about))?;
        print_text(&format!(
            "{:<14} rules: {}   evaluations: {}   random opening plies: {}",
            "",
            info.rules,
            info.evaluators.join(", "),
            info.opening_plies
        ))?;
    }
    Ok(Done::Fine)
}
