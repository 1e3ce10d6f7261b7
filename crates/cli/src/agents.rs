//! `warroom agents [SPEC]`

use std::sync::Arc;

use anyhow::Result;
use registry::{AgentInfo, AnyGame, Registry};
use search::params::Param;
use serde_json::{Value, json};

use crate::common::{Done, open_game, print_json, print_setting, print_text, resolve};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// An agent or a whole spec, such as alphabeta or alphabeta:depth=4.
    spec: Option<String>,
    /// The game it plays [default: othello, or the first game that the agent plays].
    #[arg(long)]
    game: Option<String>,
    /// Rules: a preset or KEY=VALUE,…
    #[arg(long, default_value = "", hide_default_value = true)]
    rules: String,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(games: &Registry, args: &Args) -> Result<Done> {
    let game = match &args.game {
        Some(name) => open_game(games, name, &args.rules)?,
        None => first_game(games, args.spec.as_deref().unwrap_or_default(), &args.rules)?,
    };
    match &args.spec {
        None => list(&*game, args.json)?,
        Some(spec) => show(&*game, spec, args.json)?,
    }
    Ok(Done::Fine)
}

/// The first game with this agent; some agents play one game only.
fn first_game(games: &Registry, spec: &str, rules: &str) -> Result<Arc<dyn AnyGame>> {
    let name = spec.split(':').next().unwrap_or_default();
    let usual = open_game(games, games.names()[0], rules)?;
    let has = |game: &Arc<dyn AnyGame>| game.agents().iter().any(|agent| agent.name == name);
    if has(&usual) {
        return Ok(usual);
    }
    let others = games.names().into_iter().filter_map(|game| open_game(games, game, rules).ok());
    Ok(others.into_iter().find(has).unwrap_or(usual))
}

fn list(game: &dyn AnyGame, json: bool) -> Result<()> {
    let agents = game.agents();
    if json {
        let agents: Vec<Value> = agents.iter().map(info_json).collect();
        return print_json(&json!({
            "schema": "warroom-agents-1",
            "game": game.info().name,
            "agents": agents,
        }));
    }
    print_text(&format!("Agents for {} (--game NAME for another game)\n", game.info().name))?;
    for agent in agents {
        let note = agent.refused.map_or_else(String::new, |reason| format!("  [no: {reason}]"));
        print_text(&format!("{:<22} {}{note}", agent.name, agent.about))?;
    }
    print_text(
        "\nA spec is NAME or NAME:KEY=VALUE,…  `warroom agents NAME` lists the keys of one agent.",
    )
}

fn info_json(agent: &AgentInfo) -> Value {
    json!({
        "name": agent.name,
        "about": agent.about,
        "needs": agent.needs,
        "refused": agent.refused,
        "params": agent.params.iter().map(param_json).collect::<Vec<_>>(),
    })
}

fn param_json(param: &Param) -> Value {
    json!({
        "key": param.key,
        "range": param.range_text(),
        "default": param.default,
        "about": param.about,
    })
}

fn show(game: &dyn AnyGame, text: &str, json: bool) -> Result<()> {
    let agents = game.agents();
    // Of some a name alone makes nothing.
    let incomplete = agents.iter().find(|agent| agent.name == text && agent.needs.is_some());
    let resolved = if incomplete.is_none() { Some(resolve(game, text, None)?) } else { None };
    let named = |agent: &&AgentInfo| resolved.as_ref().is_some_and(|it| it.spec.name == agent.name);
    let info =
        incomplete.or_else(|| agents.iter().find(named)).expect("a resolved agent is listed");
    if json {
        let mut answer = json!({
            "schema": "warroom-agent-1",
            "game": game.info().name,
            "agent": info.name,
            "about": info.about,
        });
        if let Some(resolved) = &resolved {
            let keys = resolved.values.iter().map(|(key, value)| (key.to_owned(), value.into()));
            answer["repeatable"] = resolved.repeatable.into();
            answer["keys"] = Value::Object(keys.collect());
        } else {
            answer["needs"] = info.needs.into();
            answer["refused"] = info.refused.clone().into();
        }
        answer["params"] = info.params.iter().map(param_json).collect();
        return print_json(&answer);
    }
    print_text(&format!("{}: {}\n", info.name, info.about))?;
    for param in &info.params {
        let needed = (info.needs == Some(&*param.key)).then_some("(needed)");
        let value = match &resolved {
            Some(resolved) => resolved.values.text(&param.key),
            None => param.default.as_deref().or(needed),
        };
        print_setting(&param.key, value, &param.range_text(), &param.about)?;
    }
    let refused = info.refused.as_ref().filter(|_| resolved.is_none());
    refused.map_or(Ok(()), |reason| print_text(&format!("\nNot here: {reason}")))
}
