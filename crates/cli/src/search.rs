//! `warroom search GAME`

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Result, bail};
use arena::{Seeds, WallClock};
use gamecore::{Counters, Score};
use protocol::{Candidate, ComparedTurn, PrunedCandidate, Step, TermCard};
use registry::{DecisionReport, ProgressReport, Registry, ResolvedAgent, Thinking, TreeStep};
use serde_json::{Value, json};

use crate::common::{
    Done, PlayFlags, SetupFlags, check_new_file, grouped, own_agent, print_json, print_text, rate,
    resolve, spinner, stop_on_interrupt, write_file,
};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The game.
    game: String,
    /// The agent, as NAME or NAME:KEY=VALUE,… [default: one that suits the game].
    #[arg(long, value_name = "SPEC")]
    agent: Option<String>,
    /// The position to search [default: the start].
    #[arg(long, allow_hyphen_values = true)]
    position: Option<String>,
    /// Write the search tree to this file as JSON.
    #[arg(long, value_name = "FILE")]
    tree: Option<PathBuf>,
    /// How many tree nodes to write, in the order they were entered.
    #[arg(long, default_value_t = 100_000, value_parser = crate::numbers::whole::<u32>(1..=10_000_000), allow_negative_numbers = true)]
    tree_nodes: u32,
    #[command(flatten)]
    setups: SetupFlags,
    #[command(flatten)]
    flags: PlayFlags,
}

pub(crate) fn run(games: &Registry, args: &Args) -> Result<Done> {
    let game = args.flags.open_game(games, &args.game)?;
    let agent = match &args.agent {
        Some(spec) => resolve(&*game, spec, args.flags.threads)?,
        None => own_agent(&*game, args.flags.threads)?,
    };
    let position = match &args.position {
        Some(text) => game.position(text)?,
        None => args.setups.start(&*game, args.flags.seed)?,
    };
    check_new_file(args.tree.as_deref())?;
    let mut session = game.open(&position, Seeds::default())?;
    if session.to_act().is_none() {
        bail!("'{position}': the game is over, so there is nothing to search");
    }
    let position = session.position();
    let number = session.add_agent(&agent, args.flags.seed);
    let sign = spinner(args.flags.output.talks());
    let report = |progress: &ProgressReport| {
        sign.set_message(format!(
            "{} {}, {}",
            progress.action,
            value_text(progress.value),
            match progress.counters.iterations {
                0 => work_text(&progress.counters, progress.completed),
                _ => work_text(&progress.counters, 0),
            }
        ));
    };
    let stop = stop_on_interrupt()?;
    let began = Instant::now();
    let decision = session.think(
        number,
        &Thinking {
            progress: Some(&report),
            tree_nodes: args.tree.as_ref().map_or(0, |_| args.tree_nodes as usize),
            ..Thinking::new(&WallClock::new(), &stop)
        },
    );
    let seconds = began.elapsed().as_secs_f64();
    sign.finish_and_clear();
    let decision = match decision {
        // A program that was stopped has no best answer so far.
        Err(_) if stop.is_stopped() => return Ok(Done::Interrupted),
        decision => decision?,
    };
    let header = json!({
        "game": args.game,
        "rules": game.info().rules,
        "position": position,
        "agent": agent.spec.to_string(),
    });
    if let Some(path) = &args.tree {
        let tree = tree_json(&header, &decision, args.tree_nodes as usize);
        write_file(path, &tree.to_string())?;
    }
    if args.flags.output.json {
        print_json(&answer(&header, &agent, &decision, seconds))?;
    } else {
        print_text(&session.picture(None))?;
        print_text(&explain(&decision, seconds))?;
    }
    Ok(if stop.is_stopped() { Done::Interrupted } else { Done::Fine })
}

/// Everything that does not repeat goes under `timing`.
fn answer(header: &Value, agent: &ResolvedAgent, decision: &DecisionReport, seconds: f64) -> Value {
    let mut answer = json!({ "schema": "warroom-search-1" });
    merge(&mut answer, header);
    let mut decision = decision_json(decision);
    let mut timing = json!({ "seconds": seconds });
    if !agent.repeatable {
        timing["counters"] = decision["counters"].take();
        decision.as_object_mut().expect("a decision is an object").remove("counters");
    }
    answer["repeatable"] = agent.repeatable.into();
    merge(&mut answer, &decision);
    answer["timing"] = timing;
    answer
}

fn tree_json(header: &Value, decision: &DecisionReport, limit: usize) -> Value {
    let mut tree = json!({ "schema": "warroom-tree-1" });
    merge(&mut tree, header);
    tree["depth"] = decision.explanation.depth.into();
    tree["truncated"] = (decision.tree.len() == limit).into();
    tree["nodes"] = decision.tree.iter().map(node_json).collect();
    tree
}

fn node_json(node: &TreeStep) -> Value {
    let mut json = json!({
        "parent": node.parent,
        "action": node.step.as_ref().map(|step| &step.action),
        "depth": node.depth,
        "visits": node.visits,
        "value": node.value,
        "bound": node.bound,
    });
    if let Some(note) = node.note {
        json["note"] = json!(note);
    }
    json
}

/// A decision by the texts of its actions. Lists that not every agent has are left out if empty.
fn decision_json(decision: &DecisionReport) -> Value {
    let told = &decision.explanation;
    let term =
        |term: &TermCard| json!({ "name": term.name, "value": term.value, "weight": term.weight });
    // Parts of another evaluation say nothing about the value.
    let terms = told.terms.iter().filter(|_| told.chance_source.is_none());
    let root = |it: &Candidate| {
        let mut json = json!({
            "action": it.step.action,
            "visits": it.visits,
            "value": it.value,
            "bound": it.bound,
        });
        if let Some(prior) = it.prior {
            json["prior"] = prior.into();
        }
        json
    };
    let turn = |turn: &ComparedTurn| json!({ "actions": texts(&turn.line), "value": turn.value, "bound": turn.bound });
    let won = f64::from(Score::INFINITE.0);
    let pruned = |it: &PrunedCandidate| {
        let scores = it.scores.iter().map(|score| (&*score.name, score.value.clamp(-won, won)));
        let scores: BTreeMap<&str, f64> = scores.collect();
        json!({ "action": it.step.action, "scores": scores, "reason": it.reason })
    };
    let mut json = json!({
        "action": told.choice.action,
        "value": told.value,
        "depth": told.depth,
        "complete": told.complete,
        "principal_variation": texts(&told.line),
        "terms": terms.map(term).collect::<Value>(),
        "root": told.candidates.iter().map(root).collect::<Value>(),
        "turns": told.turns.iter().map(turn).collect::<Value>(),
        "pruned": told.pruned.iter().map(pruned).collect::<Value>(),
        "counters": decision.counters,
    });
    let all = json.as_object_mut().expect("a decision is an object");
    all.retain(|key, value| {
        value != &json!([]) || !["terms", "turns", "pruned"].contains(&key.as_str())
    });
    json
}

/// A line by the texts of its actions.
pub(crate) fn texts(line: &[Step]) -> Vec<&str> {
    line.iter().map(|step| step.action.as_str()).collect()
}

fn merge(into: &mut Value, from: &Value) {
    for (key, value) in from.as_object().expect("merged values are objects") {
        into[key] = value.clone();
    }
}

/// Whole turns that are shown.
const SHOWN_TURNS: usize = 5;

/// A decision in words, the best actions first.
pub(crate) fn explain(decision: &DecisionReport, seconds: f64) -> String {
    let told = &decision.explanation;
    let mut lines = vec![summary(decision, seconds)];
    if told.line.len() > 1 {
        lines.push(format!("expects  {}", texts(&told.line).join(" ")));
    }
    let terms: Vec<String> = told
        .terms
        .iter()
        .filter(|_| told.chance_source.is_none())
        .filter(|term| term.value * term.weight != 0)
        .map(|term| match term.weight {
            1 => format!("{} {:+}", term.name, term.value),
            weight => format!("{} {:+}×{weight}", term.name, term.value),
        })
        .collect();
    if !terms.is_empty() {
        lines.push(format!("because  {} at the end of that line", terms.join(", ")));
    }
    for turn in told.turns.iter().take(SHOWN_TURNS) {
        lines.push(format!(
            "turn     {} {:>10}  {}",
            turn.bound,
            value_text(turn.value),
            texts(&turn.line).join(" ")
        ));
    }
    let mut root: Vec<_> = told.candidates.iter().filter(|root| root.value.is_some()).collect();
    root.sort_by(|a, b| {
        let chosen = |it: &Candidate| it.step.action != told.choice.action;
        chosen(a).cmp(&chosen(b)).then(b.value.partial_cmp(&a.value).expect("values are numbers"))
    });
    lines.extend(pruning_text(decision));
    for action in root {
        lines.push(format!(
            "  {:<8} {} {:>10} {:>15} {}",
            action.step.action,
            action.bound,
            action.value.map_or_else(String::new, value_text),
            grouped(action.visits),
            if decision.counters.nodes > 0 { "nodes" } else { "visits" }
        ));
    }
    lines.join("\n")
}

/// What pruning did: at the root, and on average at the nodes with more options than it keeps.
fn pruning_text(decision: &DecisionReport) -> Option<String> {
    let Counters { prune_nodes, prune_options, prune_kept, prune_most, .. } = decision.counters;
    let mut parts = Vec::new();
    let pruned = &decision.explanation.pruned;
    if let Some(first) = pruned.first() {
        parts.push(format!("{} actions here {}", pruned.len(), first.reason));
    }
    if prune_nodes > 0 {
        let mean = |sum: u64| sum as f64 / prune_nodes as f64;
        parts.push(format!(
            "kept {:.1} of {:.1} options, at most {:.1}, on average of {} nodes",
            mean(prune_kept),
            mean(prune_options),
            mean(prune_most),
            grouped(prune_nodes)
        ));
    }
    (!parts.is_empty()).then(|| format!("prunes   {}", parts.join("; ")))
}

fn summary(decision: &DecisionReport, seconds: f64) -> String {
    let told = &decision.explanation;
    let value =
        told.value.map_or_else(String::new, |value| format!(", value {}", value_text(value)));
    let counters = &decision.counters;
    let (amount, unit) = if counters.nodes > 0 {
        (counters.nodes, "nodes")
    } else {
        (counters.iterations, "iterations")
    };
    let work = match amount {
        0 => String::new(),
        amount => format!(
            ", {} in {seconds:.3} s ({} {unit}/s){}",
            work_text(counters, u64::from(told.depth)),
            rate(amount, seconds),
            if told.complete { "" } else { ", stopped by a limit" }
        ),
    };
    format!("chooses  {}{value}{work}", told.choice.action)
}

/// Scores are whole numbers, averages are not.
pub(crate) fn value_text(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value:+}") } else { format!("{value:+.4}") }
}

/// What was done: depth and nodes, or iterations and calls.
pub(crate) fn work_text(counters: &Counters, depth: u64) -> String {
    let worlds = match counters.worlds {
        0 => String::new(),
        worlds => format!(", {} worlds", grouped(worlds)),
    };
    if counters.iterations == 0 {
        return format!("depth {depth}, {} nodes{worlds}", grouped(counters.nodes));
    }
    let (iterations, calls) = (grouped(counters.iterations), grouped(counters.calls));
    let nodes = grouped(counters.tree_nodes);
    format!("{iterations} iterations, {calls} calls, {nodes} tree nodes{worlds}")
}
