//! `warroom reproduce [PAPER]`

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use indicatif::ProgressBar;
use papers::{Bench, Order, PAPERS, Paper, Scale, Sheet, Stage, estimate};
use serde_json::json;
use standard::WthorGames;

use crate::common::{
    Done, Output, duration, grouped, print_json, print_text, progress_bar, stop_on_interrupt,
};
use crate::database::{DatabaseFlag, host};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The paper; without it, the papers are listed.
    paper: Option<String>,
    /// Only these parts of the experiment, separated by commas; the list of papers names them.
    #[arg(long, value_name = "PART", value_delimiter = ',')]
    part: Vec<String>,
    /// How much to measure.
    #[arg(long, value_enum, default_value_t = ScaleName::Quick)]
    scale: ScaleName,
    #[command(flatten)]
    database: DatabaseFlag,
    /// Add positions from the tournament games in this folder of .wtb files.
    #[arg(long, value_name = "DIR")]
    wthor: Option<PathBuf>,
    /// Only print how many games are missing and about how long they take, where games are most of it.
    #[arg(long)]
    dry_run: bool,
    /// Start new runs even if this experiment has some.
    #[arg(long)]
    as_new: bool,
    /// Write a page, charts and tables to this folder, which must be new or empty.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Random seed.
    #[arg(long, default_value_t = 1, value_parser = crate::numbers::any::<u64>, allow_negative_numbers = true)]
    seed: u64,
    /// Threads to use [default: all cores].
    #[arg(long, value_parser = crate::numbers::threads, allow_negative_numbers = true)]
    threads: Option<u16>,
    #[command(flatten)]
    output: Output,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum ScaleName {
    /// Seconds: only shows that it works.
    Tiny,
    /// Half a minute to a few minutes on two cores.
    Quick,
    /// Ten minutes to an hour and a half on two cores.
    Standard,
    /// As much as the paper: an hour to days.
    Paper,
}

impl From<ScaleName> for Scale {
    fn from(name: ScaleName) -> Self {
        match name {
            ScaleName::Tiny => Self::Tiny,
            ScaleName::Quick => Self::Quick,
            ScaleName::Standard => Self::Standard,
            ScaleName::Paper => Self::Paper,
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<Done> {
    let Some(paper) = &args.paper else { return list(args.output.json) };
    let (paper, order) = ordered(paper, args)?;
    let threads = args.threads.map_or_else(crate::matches::all_cores, usize::from);
    let bar = progress_bar(1, args.output.talks());
    let progress = |Stage { what, done, total }: Stage| {
        if bar.length() != Some(total) || bar.message() != what {
            bar.reset();
            bar.set_length(total);
            bar.set_message(what);
        }
        bar.set_position(done);
    };
    if args.dry_run {
        return dry_run(args, paper, &order, threads, &bar, &progress);
    }
    let sheet = paper.sheet();
    let only_searches = sheet.no_games.iter().any(|part| order.parts.contains(&part.as_str()));
    ensure!(
        sheet.mostly_searches || only_searches || !paper.planned(&order)?.is_empty(),
        "--part {}: nothing is played at scale {}",
        order.parts.join(","),
        order.scale.name()
    );
    if let Some(folder) = &args.out {
        crate::report::check_empty(folder)?;
        // A folder that cannot be made is found out before anything is played.
        std::fs::create_dir_all(folder)
            .with_context(|| format!("--out: cannot make '{}'", folder.display()))?;
    }
    let (store, stop) = (args.database.open()?, stop_on_interrupt()?);
    let bench = Bench {
        store: &store,
        as_new: args.as_new,
        threads,
        stop: &stop,
        host: &host()?,
        progress: &progress,
    };
    let study = paper.run(&bench, &order)?;
    bar.finish_and_clear();
    let Some(study) = study else {
        eprintln!("interrupted; run the same command to continue");
        return Ok(Done::Interrupted);
    };
    if let Some(folder) = &args.out {
        crate::report::write(folder, &study.document, &study.data)?;
    }
    if args.output.json {
        print_json(&study.json)?;
    } else {
        print_text(&study.document.markdown())?;
    }
    Ok(if study.disagrees { Done::NotSo } else { Done::Fine })
}

/// What the arguments ask for; whatever this paper does not have is refused.
fn ordered(name: &str, args: &Args) -> Result<(&'static Paper, Order)> {
    // A larger one cannot be written in the file of an experiment.
    ensure!(
        i64::try_from(args.seed).is_ok(),
        "--seed {}: expected a number up to {}",
        args.seed,
        i64::MAX
    );
    let paper = Paper::of(name).with_context(|| {
        let names: Vec<&str> = PAPERS.iter().map(|paper| &*paper.sheet().name).collect();
        format!("'{name}': no such paper (papers: {})", names.join(", "))
    })?;
    let (sheet, scale) = (paper.sheet(), Scale::from(args.scale));
    if !sheet.has(scale) {
        bail!("--scale {}: the experiment of {name} has no such scale", scale.name());
    }
    let parts = chosen(name, &args.part, &sheet.parts)?;
    if args.dry_run && sheet.mostly_searches {
        bail!("--dry-run: the experiment of {name} is mostly searches, not games");
    }
    if args.wthor.is_some() && !sheet.adds_games {
        bail!("--wthor: these are games of Othello; the experiment is of {name}");
    }
    let games = args.wthor.as_deref().map_or_else(|| Ok(Vec::new()), read_games)?;
    Ok((paper, Order { parts, scale, seed: args.seed, games }))
}

/// Says how much is missing; nothing is kept, and no database is made.
fn dry_run(
    args: &Args,
    paper: &Paper,
    order: &Order,
    threads: usize,
    bar: &ProgressBar,
    progress: &(dyn Fn(Stage) + Sync),
) -> Result<Done> {
    let planned = paper.planned(order)?;
    ensure!(!planned.is_empty(), "--dry-run: these parts play no games");
    let store = if args.as_new { None } else { args.database.open_if_there()? };
    let stop = stop_on_interrupt()?;
    let found = estimate(store.as_ref(), &host()?, &planned, threads, &stop, progress)?;
    bar.finish_and_clear();
    if stop.is_stopped() {
        return Ok(Done::Interrupted);
    }
    if args.output.json {
        print_json(&json!({
            "schema": "warroom-reproduce-dry-run-1",
            "runs": found.runs,
            "games_before": found.games_before,
            "games": found.games,
            "timing": { "estimated_seconds": found.seconds },
        }))?;
        return Ok(Done::Fine);
    }
    let before = match found.games_before {
        0 => String::new(),
        before => format!(" ({} already stored)", grouped(before)),
    };
    print_text(&format!(
        "{} runs, {} games{before}; about {} on {threads} threads",
        found.runs,
        grouped(found.games),
        duration(found.seconds),
    ))?;
    if let Some(part) = paper.sheet().no_games.as_deref().filter(|part| order.parts.contains(part))
    {
        print_text(&format!("The part {part} plays no games and is not included."))?;
    }
    Ok(Done::Fine)
}

/// The parts of these names in the paper's order, or all.
fn chosen(paper: &str, names: &[String], all: &'static [String]) -> Result<Vec<&'static str>> {
    for name in names {
        ensure!(!all.is_empty(), "--part {name}: the experiment of {paper} has no parts");
        let known = all.join(", ");
        ensure!(all.contains(name), "--part {name}: no such part (parts: {known})");
    }
    let wanted = all.iter().filter(|part| names.is_empty() || names.contains(part));
    Ok(wanted.map(String::as_str).collect())
}

fn list(json: bool) -> Result<Done> {
    let papers = PAPERS.iter().map(Paper::sheet);
    if json {
        let papers: Vec<_> = papers
            .map(|Sheet { name, title, about, times, parts, .. }| {
                json!({ "name": name, "title": title, "about": about, "times": times, "parts": parts })
            })
            .collect();
        print_json(&json!({ "schema": "warroom-papers-1", "papers": papers }))?;
    } else {
        for Sheet { name, title, about, times, parts, .. } in papers {
            print_text(&format!("{name:<14}{title}\n{:14}{about}\n{:14}{times}", "", ""))?;
            if !parts.is_empty() {
                print_text(&format!("{:14}parts: {}", "", parts.join(", ")))?;
            }
        }
    }
    Ok(Done::Fine)
}

fn read_games(folder: &Path) -> Result<Vec<WthorGames>> {
    let shown = folder.display();
    let entries =
        std::fs::read_dir(folder).with_context(|| format!("--wthor: cannot read '{shown}'"))?;
    let mut paths =
        entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<PathBuf>>>()?;
    paths.retain(|path| {
        path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("wtb"))
    });
    paths.sort();
    if paths.is_empty() {
        bail!("--wthor '{shown}': no .wtb files in this folder");
    }
    let read = |path: &PathBuf| {
        let shown = path.display();
        let bytes = std::fs::read(path).with_context(|| format!("cannot read '{shown}'"))?;
        WthorGames::read(&bytes).with_context(|| format!("'{shown}'"))
    };
    paths.iter().map(read).collect()
}
