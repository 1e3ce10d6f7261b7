//! `warroom games [NAME]`

use anyhow::Result;
use gamecore::{RuleInfo, RuleSheet};
use registry::{GameInfo, Registry};
use serde_json::{Value, json};

use crate::common::{Done, open_game, print_json, print_setting, print_text};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// A game, to list its rule options.
    name: Option<String>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(games: &Registry, args: &Args) -> Result<Done> {
    if let Some(name) = &args.name {
        return show(games, name, args.json);
    }
    let infos: Vec<GameInfo> = games.all().iter().map(|game| game.info()).collect();
    if args.json {
        print_json(&json!({ "schema": "warroom-games-1", "games": infos }))?;
        return Ok(Done::Fine);
    }
    infos.iter().try_for_each(print_info)?;
    Ok(Done::Fine)
}

fn print_info(info: &GameInfo) -> Result<()> {
    let notes = [(info.hidden, "hidden information"), (info.chance, "chance")];
    let notes: Vec<&str> = notes.iter().filter(|(has, _)| *has).map(|(_, note)| *note).collect();
    let notes = if notes.is_empty() { String::new() } else { format!(" ({})", notes.join(", ")) };
    print_text(&format!("{:<14} {}{notes}", info.name, info.about))?;
    print_text(&format!(
        "{:<14} rules: {}   evaluations: {}   random opening plies: {}",
        "",
        info.rules,
        info.evaluators.join(", "),
        info.opening_plies
    ))
}

/// A game with its presets and rule options.
fn show(games: &Registry, name: &str, json: bool) -> Result<Done> {
    let game = open_game(games, name, "")?;
    let RuleSheet { presets, rules } = game.presentation().options;
    if json {
        let preset = |(preset, about)| -> Result<Value> {
            let values = open_game(games, name, preset)?.presentation().options.rules;
            let other = values.iter().zip(&rules).filter(|(own, usual)| own.value != usual.value);
            let other = other.map(|(own, _)| format!("{}={}", own.words.key, own.value));
            let other = other.collect::<Vec<_>>().join(",");
            Ok(json!({ "name": preset, "about": about, "rules": other }))
        };
        let rule = |RuleInfo { words, range, value, .. }: &RuleInfo| json!({ "key": words.key, "range": range, "default": value, "about": words.about });
        print_json(&json!({
            "schema": "warroom-game-1",
            "game": game.info(),
            "presets": presets.into_iter().map(preset).collect::<Result<Vec<_>>>()?,
            "rules": rules.iter().map(rule).collect::<Vec<_>>(),
        }))?;
        return Ok(Done::Fine);
    }
    print_info(&game.info())?;
    if rules.is_empty() {
        print_text("\nNo rule options.")?;
        return Ok(Done::Fine);
    }
    print_text("\nRule options, --rules PRESET or KEY=VALUE,… or both:\n")?;
    for (preset, about) in presets {
        print_text(&format!("  {preset:<30} {about}"))?;
    }
    for RuleInfo { words, range, value, .. } in rules {
        print_setting(words.key, Some(&value), &range, words.about)?;
    }
    Ok(Done::Fine)
}
