//! `warroom tactics`: finds positions with few good turns, and puts them to agents.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use lab::{Answer, Tactics, TacticsError, TacticsSpec, find_tactics, found_of};
use registry::{AgentSpec, Registry};
use serde_json::json;

use crate::common::{
    Done, Output, load, open_game, print_json, print_text, progress_bar, read, stop_on_interrupt,
};
use crate::database::load_from;
use crate::matches::all_cores;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Find positions in which few turns are good, and prove it by trying all turns of both sides.
    Find(FindArgs),
    /// Let agents play the turns of a set of positions, and count who finds the best turn.
    Test(TestArgs),
}

#[derive(clap::Args)]
struct FindArgs {
    /// Where to look, and for what: a .toml file.
    file: PathBuf,
    /// Write the set to this .jsonl file [default: print it].
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// How many positions to find, instead of what the file says.
    #[arg(long, value_name = "N", value_parser = crate::numbers::whole::<u32>(1..=100_000), allow_negative_numbers = true)]
    positions: Option<u32>,
    /// Threads to use [default: all cores]; the set does not depend on it.
    #[arg(long, value_parser = crate::numbers::threads, allow_negative_numbers = true)]
    threads: Option<u16>,
    /// Hide progress.
    #[arg(long)]
    quiet: bool,
}

#[derive(clap::Args)]
struct TestArgs {
    /// A set that `tactics find` made: a .jsonl file.
    file: PathBuf,
    /// An agent to be tested; may be given several times.
    #[arg(long = "agent", value_name = "SPEC", required = true)]
    agents: Vec<String>,
    /// Threads to use [default: one, so that time budgets are honest].
    #[arg(long, value_parser = crate::numbers::threads, allow_negative_numbers = true)]
    threads: Option<u16>,
    #[command(flatten)]
    output: Output,
}

pub(crate) fn run(games: &Registry, args: &Args) -> Result<Done> {
    match &args.command {
        Command::Find(args) => find(games, args),
        Command::Test(args) => test(games, args),
    }
}

fn find(games: &Registry, args: &FindArgs) -> Result<Done> {
    let shown = args.file.display();
    let mut spec = TacticsSpec::parse(&read(&args.file)?).with_context(|| format!("'{shown}'"))?;
    if let Some(positions) = args.positions {
        spec.positions = positions as usize;
    }
    let game = open_game(games, &spec.game, &spec.rules)?;
    let folder = args.file.parent().unwrap_or_else(|| Path::new(""));
    let threads = args.threads.map_or_else(all_cores, usize::from);
    let bar = progress_bar(spec.positions as u64, !args.quiet);
    let stop = stop_on_interrupt()?;
    let hear = |found| bar.set_position(found);
    let set = match find_tactics(&spec, &*game, &load_from(folder), threads, &stop, &hear) {
        Err(TacticsError::Stopped) => return Ok(Done::Interrupted),
        set => set.with_context(|| format!("'{shown}'"))?,
    };
    bar.finish_and_clear();
    match &args.out {
        Some(path) => std::fs::write(path, set.text())
            .with_context(|| format!("cannot write '{}'", path.display()))?,
        None => print_text(set.text().trim_end())?,
    }
    Ok(Done::Fine)
}

fn test(games: &Registry, args: &TestArgs) -> Result<Done> {
    let shown = args.file.display();
    let set = Tactics::parse(&read(&args.file)?).with_context(|| format!("'{shown}'"))?;
    ensure!(!set.list.is_empty(), "'{shown}': no positions in it");
    let game = open_game(games, &set.head.game, &set.head.rules)?;
    let threads = args.threads.map_or(1, usize::from);
    let show = args.output.talks();
    let stop = stop_on_interrupt()?;
    let mut told = Vec::new();
    for text in &args.agents {
        let agent = game.resolve(&AgentSpec::parse(text, &load)?, &load)?;
        let bar = progress_bar(set.list.len() as u64, show);
        let answers = match set.put_to(&*game, &agent, &load, threads, &stop, &|| bar.inc(1)) {
            Err(TacticsError::Stopped) => return Ok(Done::Interrupted),
            answers => answers.with_context(|| format!("'{shown}'"))?,
        };
        bar.finish_and_clear();
        if args.output.json {
            told.push(as_json(&set, text, &answers));
        } else {
            print_text(&in_words(&set, text, &answers))?;
        }
    }
    if args.output.json {
        let answer = json!({ "schema": "warroom-tactics-test-1", "set": set.head, "agents": told });
        print_json(&answer)?;
    }
    Ok(Done::Fine)
}

/// Found and asked, by theme.
fn by_theme(set: &Tactics, answers: &[Answer]) -> BTreeMap<String, (u64, u64, [f64; 2])> {
    let themes: std::collections::BTreeSet<&str> =
        set.list.iter().map(|tactic| tactic.theme.as_str()).collect();
    let of = |theme: &str| {
        let all = set.list.iter().zip(answers);
        found_of(all.filter(|(tactic, _)| tactic.theme == theme).map(|(_, answer)| answer))
    };
    themes.into_iter().map(|theme| (theme.to_owned(), of(theme))).collect()
}

fn as_json(set: &Tactics, agent: &str, answers: &[Answer]) -> serde_json::Value {
    let (found, positions, interval) = found_of(answers.iter());
    let themes: serde_json::Map<String, serde_json::Value> = by_theme(set, answers)
        .into_iter()
        .map(|(theme, (found, all, interval))| {
            (theme, json!({ "found": found, "positions": all, "interval": interval }))
        })
        .collect();
    json!({
        "agent": agent,
        "found": found,
        "positions": positions,
        "interval": interval,
        "themes": themes,
        "answers": answers,
    })
}

fn in_words(set: &Tactics, agent: &str, answers: &[Answer]) -> String {
    let line = |name: &str, (found, all, [low, high]): (u64, u64, [f64; 2])| {
        let share = 100.0 * found as f64 / all.max(1) as f64;
        let (low, high) = (100.0 * low, 100.0 * high);
        format!("{name:<28} {found:>4} of {all:>4}  {share:5.1} % [{low:.1}, {high:.1}]")
    };
    let mut times: Vec<f64> = answers.iter().map(|answer| answer.seconds).collect();
    times.sort_by(f64::total_cmp);
    let mut lines = vec![format!(
        "{agent}: {:.2} s a turn on average, {:.2} s at most",
        times.iter().sum::<f64>() / times.len().max(1) as f64,
        times.last().copied().unwrap_or(0.0)
    )];
    lines.push(line("all", found_of(answers.iter())));
    lines.extend(by_theme(set, answers).into_iter().map(|(theme, of)| line(&theme, of)));
    lines.join("\n")
}
