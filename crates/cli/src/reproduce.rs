//! `warroom reproduce [PAPER]`

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use indicatif::ProgressBar;
use lab::report::{Document, DocumentFile};
use papers::othello::{self, Plan};
use papers::{
    Bench, PAPERS, Paper, PaperError, Planned, Scale, Stage, conquest, estimate, lords_of_war,
};
use serde_json::{Value, json};
use standard::WthorGames;

use crate::common::{
    Done, duration, grouped, open_game, print_json, print_text, progress_bar, stop_on_interrupt,
};
use crate::database::{DatabaseFlag, host};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The paper; without it, the papers are listed.
    paper: Option<String>,
    /// Only these parts of the experiment, separated by commas (conquest: agents, tuning,
    /// tournament, reductions; lords-of-war: constant, single, joined, extrapolated, armies).
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
    /// Only print how many games are missing and about how long they take (conquest, lords-of-war).
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
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Hide progress.
    #[arg(long)]
    quiet: bool,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum ScaleName {
    /// Seconds: only shows that it works.
    Tiny,
    /// Half a minute to a few minutes on two cores.
    Quick,
    /// Ten minutes to an hour and a half on two cores.
    Standard,
    /// As much as the paper (conquest: an hour; lords-of-war: days).
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

/// What to do again.
enum Order {
    Conquest(Vec<conquest::Part>),
    LordsOfWar(Vec<lords_of_war::Part>),
    Othello(Box<Plan>),
}

/// A finished experiment.
struct Answer {
    document: Document,
    data: Vec<DocumentFile>,
    study: Value,
    done: Done,
}

pub(crate) fn run(args: &Args) -> Result<Done> {
    let Some(paper) = &args.paper else { return list(args.json) };
    let order = Order::new(paper, args)?;
    let threads = args.threads.map_or_else(crate::matches::all_cores, usize::from);
    let bar = progress_bar(1, !args.quiet && !args.json);
    let progress = |Stage { what, done, total }: Stage| {
        if bar.length() != Some(total) || bar.message() != what {
            bar.reset();
            bar.set_length(total);
            bar.set_message(what);
        }
        bar.set_position(done);
    };
    if args.dry_run {
        return dry_run(args, &order, threads, &bar, &progress);
    }
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
    let answer = order.done(&bench, (args.scale.into(), args.seed))?;
    bar.finish_and_clear();
    let Some(answer) = answer else {
        eprintln!("interrupted; run the same command to continue");
        return Ok(Done::Interrupted);
    };
    if let Some(folder) = &args.out {
        crate::report::write(folder, &answer.document, &answer.data)?;
    }
    if args.json {
        print_json(&answer.study)?;
    } else {
        print_text(&answer.document.markdown())?;
    }
    Ok(answer.done)
}

impl Order {
    /// What the arguments ask for; whatever this paper does not have is refused.
    fn new(paper: &str, args: &Args) -> Result<Self> {
        // A larger one cannot be written in the file of an experiment.
        ensure!(
            i64::try_from(args.seed).is_ok(),
            "--seed {}: expected a number up to {}",
            args.seed,
            i64::MAX
        );
        if paper == othello::GAME {
            return Self::othello(args);
        }
        let order = match paper {
            conquest::GAME => Self::Conquest(chosen(&args.part, &conquest::Part::ALL)?),
            lords_of_war::GAME => Self::LordsOfWar(chosen(&args.part, &lords_of_war::Part::ALL)?),
            _ => {
                let names: Vec<&str> = PAPERS.iter().map(|paper| paper.name).collect();
                bail!("'{paper}': no such paper (papers: {})", names.join(", "));
            }
        };
        if args.wthor.is_some() {
            bail!("--wthor: these are games of Othello; the experiment is of {paper}");
        }
        Ok(order)
    }

    fn othello(args: &Args) -> Result<Self> {
        let paper = othello::GAME;
        if matches!(args.scale, ScaleName::Paper) {
            bail!("--scale paper: the experiment of {paper} has no such scale");
        }
        if let Some(part) = args.part.first() {
            bail!("--part {part}: the experiment of {paper} has no parts");
        }
        if args.dry_run {
            bail!("--dry-run: the experiment of {paper} is mostly searches, not games");
        }
        let games = args.wthor.as_deref().map_or_else(|| Ok(Vec::new()), read_games)?;
        let game = open_game(paper, "")?;
        let plan = Plan::new(&*game, args.scale.into(), args.seed, &games)?;
        Ok(Self::Othello(Box::new(plan)))
    }

    /// The runs that its games are played in.
    fn planned(&self, size: (Scale, u64)) -> Vec<Planned> {
        match self {
            Self::Conquest(parts) => conquest::planned(parts, size),
            Self::LordsOfWar(parts) => lords_of_war::planned(parts, size),
            Self::Othello(plan) => plan.planned(),
        }
    }

    /// Does it, or what is missing of it; `None` if interrupted.
    fn done(self, bench: &Bench<'_>, size: (Scale, u64)) -> Result<Option<Answer>, PaperError> {
        Ok(match self {
            Self::Conquest(parts) => conquest::run(bench, &parts, size)?.map(|study| Answer {
                document: conquest::document(&study),
                data: conquest::data_files(&study),
                study: json!(study),
                done: Done::Fine,
            }),
            Self::LordsOfWar(parts) => {
                lords_of_war::run(bench, &parts, size)?.map(|study| Answer {
                    document: lords_of_war::document(&study),
                    data: lords_of_war::data_files(&study),
                    study: json!(study),
                    done: Done::Fine,
                })
            }
            Self::Othello(plan) => othello::run(bench, *plan)?.map(|study| {
                let found = &study.agreement;
                let agreed = found.wrong_values == 0 && found.wrong_actions == 0;
                Answer {
                    document: othello::document(&study),
                    data: othello::data_files(&study),
                    study: json!(study),
                    done: if agreed { Done::Fine } else { Done::NotSo },
                }
            }),
        })
    }
}

/// Says how much is missing; nothing is kept, and no database is made.
fn dry_run(
    args: &Args,
    order: &Order,
    threads: usize,
    bar: &ProgressBar,
    progress: &(dyn Fn(Stage) + Sync),
) -> Result<Done> {
    let planned = order.planned((args.scale.into(), args.seed));
    ensure!(!planned.is_empty(), "--dry-run: these parts play no games");
    let store = if args.as_new { None } else { args.database.open_if_there()? };
    let stop = stop_on_interrupt()?;
    let found = estimate(store.as_ref(), &host()?, &planned, threads, &stop, progress)?;
    bar.finish_and_clear();
    if stop.is_stopped() {
        return Ok(Done::Interrupted);
    }
    if args.json {
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
    if matches!(order, Order::Conquest(parts) if parts.contains(&conquest::Part::Reductions)) {
        print_text("The part reductions plays no games and is not included.")?;
    }
    Ok(Done::Fine)
}

/// The parts of these names, or all.
fn chosen<P: Copy>(names: &[String], all: &[(&str, P)]) -> Result<Vec<P>> {
    if names.is_empty() {
        return Ok(all.iter().map(|(_, part)| *part).collect());
    }
    let part = |name: &String| {
        let found = all.iter().find(|(known, _)| known == name);
        let known: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
        let (_, part) = found.with_context(|| {
            format!("--part {name}: no such part (parts: {})", known.join(", "))
        })?;
        Ok(*part)
    };
    names.iter().map(part).collect()
}

fn list(json: bool) -> Result<Done> {
    if json {
        let papers: Vec<_> = PAPERS
            .iter()
            .map(|Paper { name, title, about, times }| {
                json!({ "name": name, "title": title, "about": about, "times": times })
            })
            .collect();
        print_json(&json!({ "schema": "warroom-papers-1", "papers": papers }))?;
    } else {
        for Paper { name, title, about, times } in PAPERS {
            print_text(&format!("{name:<14}{title}\n{:14}{about}\n{:14}{times}", "", ""))?;
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
