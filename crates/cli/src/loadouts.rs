//! `warroom loadouts count|list|check|random`

use anyhow::{Context, Result, anyhow, bail, ensure};
use gamecore::{Purpose, seed};
use serde_json::json;
use standard::armies::{self, ArmyReport};
use standard::loadouts::{LoadoutReport, Tables};

use crate::common::{Done, grouped, load, print_json, print_text};

const CONQUEST: &str = "conquest";
const LORDS_OF_WAR: &str = "lords-of-war";

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
    /// The game: loadouts of conquest, or armies of lords-of-war (list and check only).
    #[arg(long, default_value = CONQUEST, global = true)]
    game: String,
    /// Tables of troops and commands: a .toml file.
    #[arg(long, value_name = "FILE", global = true)]
    units: Option<String>,
    /// Print one JSON object.
    #[arg(long, global = true)]
    json: bool,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Count loadouts: all, maximal (nothing can be added) and exact (1000 points).
    Count,
    /// List the named loadouts, or the armies.
    List,
    /// Check the loadouts or armies in a file.
    Check {
        /// A .toml file with an array of tables `loadout`: name, commands, rows (front first); or
        /// of tables `army`.
        file: String,
    },
    /// Generate random legal loadouts.
    Random {
        /// How many.
        #[arg(long, default_value_t = 1, value_parser = crate::numbers::whole::<u16>(1..=1000), allow_negative_numbers = true)]
        count: u16,
        /// From which: all, maximal (nothing can be added) or exact (1000 points).
        #[arg(long, default_value = "maximal")]
        kind: String,
        /// Random seed.
        #[arg(long, default_value_t = 1, value_parser = crate::numbers::any::<u64>, allow_negative_numbers = true)]
        seed: u64,
    },
}

pub(crate) fn run(args: &Args) -> Result<Done> {
    match args.game.as_str() {
        CONQUEST => {}
        LORDS_OF_WAR => return show_armies(args),
        other => bail!("--game {other}: expected {CONQUEST} or {LORDS_OF_WAR}"),
    }
    let tables = match &args.units {
        Some(path) => Tables::read(&read(path)?).with_context(|| format!("'{path}'"))?,
        None => Tables::default(),
    };
    let loadouts = match &args.command {
        Command::Count => return count(args, &tables),
        Command::List => tables.named(),
        Command::Check { file } => {
            tables.of_file(&read(file)?).with_context(|| format!("'{file}'"))?
        }
        Command::Random { count, kind, seed: run_seed } => (0..u64::from(*count))
            .map(|index| tables.random(kind, seed(*run_seed, index, Purpose::Start)))
            .collect::<Result<_, _>>()?,
    };
    if args.json {
        print_json(&json!({ "schema": "warroom-loadouts-1", "loadouts": loadouts }))?;
    } else {
        for loadout in &loadouts {
            print_text(&in_words(loadout))?;
        }
    }
    let checked = matches!(args.command, Command::Check { .. });
    let sound = loadouts.iter().all(|loadout| loadout.faults.is_empty());
    Ok(if checked && !sound { Done::NotSo } else { Done::Fine })
}

fn read(path: &str) -> Result<String> {
    load(path).map_err(|reason| anyhow!("'{path}': {reason}"))
}

fn show_armies(args: &Args) -> Result<Done> {
    ensure!(args.units.is_none(), "--units: {LORDS_OF_WAR} has no tables beside its armies");
    let armies = match &args.command {
        Command::List => armies::core(),
        Command::Check { file } => {
            armies::of_file(&read(file)?).with_context(|| format!("'{file}'"))?
        }
        Command::Count | Command::Random { .. } => {
            bail!("--game {LORDS_OF_WAR}: armies can be listed and checked only")
        }
    };
    if args.json {
        print_json(&json!({ "schema": "warroom-armies-1", "armies": armies }))?;
    } else {
        for army in &armies {
            print_text(&army_in_words(army))?;
        }
    }
    Ok(Done::Fine)
}

fn army_in_words(army: &ArmyReport) -> String {
    let ArmyReport { id, name, cards, different, defence, classes, warnings, .. } = army;
    let classes: Vec<String> =
        classes.iter().map(|(class, count)| format!("{count} {class}")).collect();
    let warnings: String = warnings.iter().map(|text| format!("\n  ! {text}")).collect();
    format!(
        "{id:<12} {name:<12} {cards} cards ({different} different), defence {defence}: {}{warnings}",
        classes.join(", ")
    )
}

fn count(args: &Args, tables: &Tables) -> Result<Done> {
    let counts = tables.count();
    if args.json {
        print_json(&json!({
            "schema": "warroom-loadouts-count-1",
            "all": counts.all,
            "maximal": counts.maximal,
            "exact": counts.exact,
        }))?;
    } else {
        print_text(&format!(
            "{:>9} loadouts of at most 10 troops, 4 commands and 1000 points\n\
             {:>9} to which nothing can be added\n\
             {:>9} of exactly 1000 points",
            grouped(counts.all),
            grouped(counts.maximal),
            grouped(counts.exact)
        ))?;
    }
    Ok(Done::Fine)
}

fn in_words(loadout: &LoadoutReport) -> String {
    let LoadoutReport { name, summary, text, points, troops, faults } = loadout;
    let name = if name.is_empty() { text } else { name };
    let verdict =
        if faults.is_empty() { String::new() } else { format!("  ! {}", faults.join("; ")) };
    format!("{name:<24} {points:>5} points {troops:>2} troops  {summary}{verdict}")
}
