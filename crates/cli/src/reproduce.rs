//! `warroom reproduce [PAPER]`

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use indicatif::ProgressBar;
use lab::report::{Document, DocumentFile};
use lab::reproduce::conquest::{self, Part};
use lab::reproduce::lords_of_war::{self, CellsFile, Order};
use lab::reproduce::othello::{self, Plan};
use lab::reproduce::{Bench, PAPERS, Paper, Scale, Stage};
use registry::WthorGames;
use serde_json::{Value, json};

use crate::common::{
    Done, duration, grouped, open_game, print_json, print_text, progress_bar, stop_on_interrupt,
};
use crate::database::{DatabaseFlag, cpu};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The paper; without it, the papers are listed.
    paper: Option<String>,
    /// Only these parts of the experiment, with commas between (conquest: agents, tournament,
    /// reductions;
    /// lords-of-war: constant, single, joined, extrapolated, armies).
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
    /// Keep every finished match in this file, and go on from there if it has some already
    /// (lords-of-war).
    #[arg(long, value_name = "FILE")]
    cells: Option<PathBuf>,
    /// Only say how much would be played, and about how long that takes (lords-of-war).
    #[arg(long)]
    dry_run: bool,
    /// Write a page, charts and tables to this folder, which must be new or empty.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Seed of everything random.
    #[arg(long, default_value_t = 1, allow_negative_numbers = true)]
    seed: u64,
    /// Threads to use [default: all cores].
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024), allow_negative_numbers = true)]
    threads: Option<u16>,
    /// Answer with one JSON object.
    #[arg(long)]
    json: bool,
    /// No progress display.
    #[arg(long)]
    quiet: bool,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum ScaleName {
    /// Seconds: shows the form, proves nothing.
    Tiny,
    /// Half a minute to a few minutes on two cores.
    Quick,
    /// Ten minutes to an hour and a half on two cores.
    Standard,
    /// As much as the paper (lords-of-war): days.
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
    let Some(paper) = &args.paper else { return list(args.json) };
    if !PAPERS.iter().any(|known| known.name == paper) {
        let names: Vec<&str> = PAPERS.iter().map(|paper| paper.name).collect();
        bail!("'{paper}': no such paper (papers: {})", names.join(", "));
    }
    if let Some(folder) = &args.out {
        crate::report::check_empty(folder)?;
        // A folder that cannot be made is found out before anything is played.
        std::fs::create_dir_all(folder)
            .with_context(|| format!("--out: cannot make '{}'", folder.display()))?;
    }
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
    if paper == lords_of_war::GAME {
        return run_lords_of_war(args, threads, &bar, &progress);
    }
    if args.cells.is_some() || args.dry_run {
        bail!("--cells and --dry-run: only the experiment of lords-of-war has them");
    }
    if paper == conquest::GAME {
        return run_conquest(args, threads, &bar, &progress);
    }
    if matches!(args.scale, ScaleName::Paper) {
        bail!("--scale paper: the experiment of {paper} has no such scale");
    }
    if let Some(part) = args.part.first() {
        bail!("--part {part}: the experiment of {paper} has no parts");
    }
    let games = args.wthor.as_deref().map_or_else(|| Ok(Vec::new()), read_games)?;
    let game = open_game(othello::GAME, "")?;
    let plan = Plan::new(&*game, args.scale.into(), args.seed, &games)?;
    let stop = stop_on_interrupt()?;
    let study = othello::run(&game, plan, threads, &stop, &progress)?;
    bar.finish_and_clear();
    let Some(study) = study else { return Ok(Done::Interrupted) };
    tell(args, &othello::document(&study), &othello::data_files(&study), &json!(study))?;
    let agreed = study.agreement.wrong_values == 0 && study.agreement.wrong_actions == 0;
    Ok(if agreed { Done::Fine } else { Done::NotSo })
}

fn run_conquest(
    args: &Args,
    threads: usize,
    bar: &ProgressBar,
    progress: &(dyn Fn(Stage) + Sync),
) -> Result<Done> {
    if args.wthor.is_some() {
        bail!("--wthor: these are games of Othello; the experiment is of conquest");
    }
    let parts = chosen(&args.part, &Part::ALL)?;
    let (store, stop) = (args.database.open()?, stop_on_interrupt()?);
    let bench = Bench { store: &store, threads, stop: &stop, cpu: &cpu(), progress };
    let study = conquest::run(&bench, &parts, (args.scale.into(), args.seed))?;
    bar.finish_and_clear();
    let Some(study) = study else { return Ok(Done::Interrupted) };
    tell(args, &conquest::document(&study), &conquest::data_files(&study), &json!(study))?;
    Ok(Done::Fine)
}

fn run_lords_of_war(
    args: &Args,
    threads: usize,
    bar: &ProgressBar,
    progress: &(dyn Fn(Stage) + Sync),
) -> Result<Done> {
    if args.wthor.is_some() {
        bail!("--wthor: these are games of Othello; the experiment is of lords-of-war");
    }
    let parts = chosen(&args.part, &lords_of_war::Part::ALL)?;
    let game = open_game(lords_of_war::GAME, "")?;
    let stop = stop_on_interrupt()?;
    let (scale, seed) = (args.scale.into(), args.seed);
    let order = Order { game: &game, parts: &parts, scale, seed, threads, stop: &stop };
    if args.dry_run {
        return dry_run(args, &order, bar, progress);
    }
    let head = CellsFile::new(&*game, scale, seed);
    let (known, mut kept) = match &args.cells {
        Some(path) => open_cells(path, &head)?,
        None => Default::default(),
    };
    let mut keep = |cell: &lords_of_war::CellResult| match &mut kept {
        Some(file) => file.write_all(CellsFile::cell_line(cell).as_bytes()),
        None => Ok(()),
    };
    let study = lords_of_war::run(&order, known, &mut keep, progress)?;
    bar.finish_and_clear();
    let Some(study) = study else { return Ok(Done::Interrupted) };
    let data = lords_of_war::data_files(&study);
    tell(args, &lords_of_war::document(&study), &data, &json!(study))?;
    Ok(Done::Fine)
}

fn dry_run(
    args: &Args,
    order: &Order<'_>,
    bar: &ProgressBar,
    progress: &(dyn Fn(Stage) + Sync),
) -> Result<Done> {
    let cells = order.cells();
    let games: u64 = cells.iter().map(|cell| cell.games).sum();
    let seconds = order.estimate(progress)?;
    bar.finish_and_clear();
    if order.stop.is_stopped() {
        return Ok(Done::Interrupted);
    }
    if args.json {
        print_json(&json!({
            "schema": "warroom-dry-run-1",
            "matches": cells.len(),
            "games": games,
            "timing": { "estimated_seconds": seconds },
        }))?;
    } else {
        print_text(&format!(
            "{} matches, {} games; about {} on {} threads",
            cells.len(),
            grouped(games),
            duration(seconds),
            order.threads
        ))?;
    }
    Ok(Done::Fine)
}

type KnownCells = BTreeMap<String, lords_of_war::CellResult>;

/// The cells of a file, and the file to add to; a new one gets its head.
fn open_cells(path: &Path, head: &CellsFile) -> Result<(KnownCells, Option<File>)> {
    let shown = path.display();
    let opening = || format!("--cells '{shown}': cannot open it");
    let mut options = OpenOptions::new();
    let options = options.read(true).write(true).create(true).truncate(false);
    let mut file = options.open(path).with_context(opening)?;
    let mut content = String::new();
    file.read_to_string(&mut content).with_context(opening)?;
    if content.is_empty() {
        file.write_all(head.line().as_bytes()).with_context(opening)?;
        return Ok((BTreeMap::new(), Some(file)));
    }
    let (cells, whole) =
        head.read(&content).map_err(|reason| anyhow!("--cells '{shown}': {reason}"))?;
    file.set_len(whole as u64).with_context(opening)?;
    file.seek(SeekFrom::End(0)).with_context(opening)?;
    Ok((cells, Some(file)))
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

/// Writes everything that is kept to the folder of `--out`, if there is one, and answers.
fn tell(args: &Args, document: &Document, data: &[DocumentFile], study: &Value) -> Result<()> {
    if let Some(folder) = &args.out {
        crate::report::write(folder, document, data)?;
    }
    if args.json { print_json(study) } else { print_text(&document.markdown()) }
}
