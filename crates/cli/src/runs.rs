//! `warroom runs`: what concerns stored runs.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};
use arena::GameRecord;
use clap::Subcommand;
use lab::report::findings;
use lab::run::{
    Audit, Exporter, Missing, RunState, Shard, check_true, json_line, merge_run, missing_of,
    note_alike, rerun, spec_of, state_of, summary_of, verify_run,
};
use registry::Registry;
use serde_json::{Value, json};
use store::{Agreement, Merged, Run, Store};

use crate::common::{
    Done, check_new_file, grouped, print_json, print_text, progress_bar, stop_on_interrupt,
    write_new_file,
};
use crate::database::{DatabaseFlag, experiment_of};
use crate::matches::all_cores;
#[cfg(feature = "parquet")]
use crate::parquet_file::ParquetFile;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: Option<What>,
    #[command(flatten)]
    database: DatabaseFlag,
    /// Print one JSON object.
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Subcommand)]
enum What {
    /// Show a run: results, ratings, cycles, statistics of the game.
    Show {
        /// Its name, a prefix of it, or latest.
        run: String,
    },
    /// Export a run as a table, one row per game in schedule order.
    Export {
        /// Its name, a prefix of it, or latest.
        run: String,
        /// csv, or jsonl with the records of the games.
        #[arg(long, default_value = "csv")]
        format: Format,
        /// Leave out times; the rest is the same for every run of a repeatable experiment.
        #[arg(long)]
        no_times: bool,
        /// Write to this new file instead of the terminal.
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Show one game of a run; with --json its record, for `play --load`.
    Replay {
        /// Its name, a prefix of it, or latest.
        run: String,
        /// The number of the game.
        #[arg(value_parser = crate::numbers::any::<u64>, allow_negative_numbers = true)]
        game: u64,
    },
    /// Check every game against the rules, the schedule and the table of games.
    Verify {
        /// Its name, a prefix of it, or latest.
        run: String,
    },
    /// Play games again and check that every action is the same.
    Rerun {
        /// Its name, a prefix of it, or latest.
        run: String,
        /// Only this game.
        #[arg(long, value_name = "NUMBER", value_parser = crate::numbers::any::<u64>, allow_negative_numbers = true)]
        game: Option<u64>,
        /// Threads to use [default: all cores].
        #[arg(long, value_parser = crate::numbers::threads, allow_negative_numbers = true)]
        threads: Option<u16>,
    },
    /// Copy the games of a run from other databases into this one, which is made if there is none.
    Merge {
        /// Its name, a prefix of it, or latest.
        run: String,
        /// The other databases.
        #[arg(required = true)]
        from: Vec<PathBuf>,
    },
    /// Name the games that a run lacks, and the shards to play again.
    Missing {
        /// Its name, a prefix of it, or latest.
        run: String,
        /// Into how many shards it was divided [default: what the merged databases say].
        #[arg(long, value_name = "N", value_parser = crate::numbers::whole::<u64>(1..=1 << 32), allow_negative_numbers = true)]
        shards: Option<u64>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Csv,
    Jsonl,
    /// For data frames; needs --out.
    #[cfg(feature = "parquet")]
    Parquet,
}

pub(crate) fn run(games: &Registry, args: &Args) -> Result<Done> {
    match &args.what {
        None => list(args),
        Some(What::Show { run }) => show(games, args, run),
        Some(What::Export { run, format, no_times, out }) => {
            export(games, args, run, *format, !no_times, out.as_deref())
        }
        Some(What::Replay { run, game }) => replay(games, args, run, *game),
        Some(What::Verify { run }) => verify(games, args, run),
        Some(What::Rerun { run, game, threads }) => {
            play_again(games, args, run, *game, threads.map_or_else(all_cores, usize::from))
        }
        Some(What::Merge { run, from }) => merge(args, run, from),
        Some(What::Missing { run, shards }) => missing(games, args, run, *shards),
    }
}

fn list(args: &Args) -> Result<Done> {
    let store = args.database.open_existing()?;
    let runs = store.runs()?;
    let mut rows = Vec::new();
    for run in &runs {
        let played = store.count(run)?;
        rows.push((run, played, state_of(&store, run, played)?));
    }
    if args.json {
        let row = |(run, played, state): &(&Run, u64, RunState)| {
            json!({
                "id": run.id,
                "name": run.manifest.name,
                "game": run.manifest.game,
                "version": run.manifest.version,
                "spec_hash": run.manifest.spec_hash,
                "repeatable": run.manifest.repeatable,
                "played": played,
                "planned": run.manifest.games,
                "state": state.to_string(),
                "timing": { "created": run.created },
            })
        };
        let rows: Vec<Value> = rows.iter().map(row).collect();
        print_json(&json!({ "schema": "warroom-runs-1", "runs": rows }))?;
        return Ok(Done::Fine);
    }
    if rows.is_empty() {
        print_text("no runs yet; `warroom run FILE` makes one")?;
    }
    for (run, played, state) in rows {
        let (played, planned) = (grouped(played), grouped(run.manifest.games));
        print_text(&format!(
            "{:<28} {}  {:<13} {played:>9} of {planned:>9}  {state}",
            run.id, run.created, run.manifest.game
        ))?;
    }
    Ok(Done::Fine)
}

fn show(games: &Registry, args: &Args, name: &str) -> Result<Done> {
    let (store, run) = args.database.run(name)?;
    let spec = spec_of(&run)?;
    let summary = summary_of(&store, &run, &spec)?;
    if args.json {
        let mut manifest = json!(run.manifest);
        // Nothing but times differs between machines.
        manifest.as_object_mut().and_then(|fields| fields.shift_remove("cpu"));
        print_json(&json!({
            "schema": "warroom-run-show-1",
            "run": run.id,
            "manifest": manifest,
            "summary": summary,
            "timing": { "created": run.created, "visits": store.visits(&run)? },
        }))?;
    } else {
        print_text(findings(games, &spec, &summary, Some(&run)).text().trim_end())?;
    }
    Ok(if summary.void.is_empty() { Done::Fine } else { Done::Void })
}

fn export(
    games: &Registry,
    args: &Args,
    name: &str,
    format: Format,
    times: bool,
    out: Option<&Path>,
) -> Result<Done> {
    check_new_file(out)?;
    let (store, run) = args.database.run(name)?;
    let spec = spec_of(&run)?;
    let exporter = Exporter::of_run(games, &store, &run, &spec, times)?;
    let columns = exporter.columns();
    let write = |out: &mut (dyn Write + Send)| -> Result<()> {
        match format {
            Format::Csv => {
                let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(out);
                writer.write_record(&columns)?;
                store.each_game(&run, |row| -> Result<()> {
                    Ok(writer.write_record(exporter.row(&row).for_spreadsheets().fields())?)
                })?;
                Ok(writer.flush()?)
            }
            Format::Jsonl => store.each_game(&run, |row| {
                let record = store.record(&run, row.number)?;
                let line = json_line(&exporter.row(&row), &record, times)
                    .with_context(|| format!("record of game {}", row.number))?;
                Ok(writeln!(out, "{line}")?)
            }),
            #[cfg(feature = "parquet")]
            Format::Parquet => {
                let mut file = ParquetFile::new(&columns, out)?;
                store.each_game(&run, |row| file.add(exporter.row(&row)))?;
                file.close()
            }
        }
    };
    #[cfg(feature = "parquet")]
    ensure!(
        out.is_some() || format != Format::Parquet,
        "--format parquet: give --out FILE; it is not for a terminal"
    );
    match out {
        Some(path) => write_new_file(path, &write)?,
        None => {
            let mut out = BufWriter::new(std::io::stdout());
            write(&mut out)?;
            out.flush()?;
        }
    }
    Ok(Done::Fine)
}

fn replay(games: &Registry, args: &Args, name: &str, number: u64) -> Result<Done> {
    let (store, run) = args.database.run(name)?;
    let text = store.record(&run, number)?;
    if args.json {
        print_text(&text)?;
        return Ok(Done::Fine);
    }
    let record = GameRecord::from_json(&text)?;
    let game = games.open(&record.game, &record.rules)?;
    let mut session = game.open(&record.start, record.seeds)?;
    print_text(&format!("{}\n", session.picture(None)))?;
    let mut line = String::new();
    let mut seat = None;
    for action in &record.actions {
        let acting = session.to_act();
        if acting != seat {
            if let Some(seat) = seat {
                print_text(&format!("{:>8}  {}", session.seat_name(seat), line.trim_end()))?;
            }
            line.clear();
            seat = acting;
        }
        line.push_str(action);
        line.push_str("  ");
        session.apply(action)?;
    }
    if let Some(seat) = seat {
        print_text(&format!("{:>8}  {}", session.seat_name(seat), line.trim_end()))?;
    }
    let ending = session.ending_words((record.outcome, &record.reason), None);
    print_text(&format!("\n{}\n{ending}", session.picture(None)))?;
    Ok(Done::Fine)
}

fn verify(games: &Registry, args: &Args, name: &str) -> Result<Done> {
    let (store, run) = args.database.run(name)?;
    let bar = progress_bar(store.count(&run)?, !args.json);
    let stop = stop_on_interrupt()?;
    let audit = verify_run(&experiment_of(games, &run)?, &store, &run, &stop, &|| bar.inc(1))?;
    bar.finish_and_clear();
    // What repeats is to be played again before it is believed.
    let is_all = !run.manifest.repeatable && !stop.is_stopped() && audit.wrong.is_empty();
    clear(args, (&store, &run), is_all, audit.games)?;
    let done = say(args, &run, &audit, "replayed")?;
    Ok(if stop.is_stopped() { Done::Interrupted } else { done })
}

fn say(args: &Args, run: &Run, audit: &Audit, what: &str) -> Result<Done> {
    if args.json {
        print_json(&json!({ "schema": "warroom-audit-1", "run": run.id, "audit": audit }))?;
    } else {
        let games = grouped(audit.games);
        print_text(&match &audit.first_difference {
            None => format!("run {}: {games} games {what}, no difference", run.id),
            Some((number, wrong)) => {
                let all: Vec<(u64, u64)> = audit.wrong.iter().map(|&game| (game, game)).collect();
                let all = match all.len() {
                    0 | 1 => String::new(),
                    more => format!("\n{} games are wrong: {}", grouped(more as u64), named(&all)),
                };
                format!("run {}, game {number}: {wrong}{all}", run.id)
            }
        })?;
    }
    Ok(if audit.first_difference.is_none() { Done::Fine } else { Done::NotSo })
}

fn play_again(
    games: &Registry,
    args: &Args,
    name: &str,
    game: Option<u64>,
    threads: usize,
) -> Result<Done> {
    let (store, run) = args.database.run(name)?;
    if !run.manifest.repeatable {
        bail!(
            "run '{}' is not repeatable: it depended on a time budget, a clock, several threads \
             or an outside program",
            run.id
        );
    }
    let bar = progress_bar(game.map_or(store.count(&run)?, |_| 1), !args.json);
    let stop = stop_on_interrupt()?;
    let experiment = experiment_of(games, &run)?;
    let audit = rerun(&experiment, &store, &run, game, threads, &stop, &|| bar.inc(1))?;
    bar.finish_and_clear();
    let is_all = game.is_none() && !stop.is_stopped() && audit.wrong.is_empty();
    clear(args, (&store, &run), is_all, audit.games)?;
    let done = say(args, &run, &audit, "played again")?;
    Ok(if stop.is_stopped() { Done::Interrupted } else { done })
}

/// Notes that a run may be gone on with that was not to be, if all of its games are right.
fn clear(args: &Args, (store, run): (&Store, &Run), is_all: bool, games: u64) -> Result<()> {
    if is_all && check_true(store, run).is_err() {
        note_alike(&args.database.open()?, run, games)?;
    }
    Ok(())
}

fn merge(args: &Args, name: &str, from: &[PathBuf]) -> Result<Done> {
    let mut id = name.to_owned();
    let store = args.database.open()?;
    let target = store.path().canonicalize().ok();
    let mut all = Merged::default();
    let mut files = Vec::new();
    // All are looked at before one is copied.
    let mut agreement = Agreement::default();
    for path in from {
        let shown = path.display();
        ensure!(
            target.is_none() || path.canonicalize().ok() != target,
            "'{shown}': a database cannot be merged with itself"
        );
        let source = Store::open_existing(path)?;
        let run = source.run(&id)?;
        // What the first calls so is meant in all of them.
        id.clone_from(&run.id);
        agreement.hear(&source, &run)?;
    }
    let _only_writer = store.lock(&id)?;
    if let Some(here) = store.run_of_id(&id)? {
        agreement.hear(&store, &here)?;
    }
    for path in from {
        let shown = path.display();
        let source = Store::open_existing(path)?;
        let Merged { added, known } = merge_run(&store, &source, &id)?;
        all = Merged { added: all.added + added, known: all.known + known };
        files.push(json!({ "file": shown.to_string(), "added": added, "known": known }));
    }
    let run = store.run(&id)?;
    let there = store.count(&run)?;
    if args.json {
        print_json(&json!({
            "schema": "warroom-merge-1", "run": id, "added": all.added, "known": all.known,
            "files": files, "played": there, "planned": run.manifest.games,
        }))?;
    } else {
        print_text(&format!(
            "run {id}: {} games added, {} were there already; {} of {}",
            grouped(all.added),
            grouped(all.known),
            grouped(there),
            grouped(run.manifest.games)
        ))?;
    }
    Ok(Done::Fine)
}

/// Ranges of games that are named; who wants all of them asks for JSON.
const MOST_RANGES: usize = 12;

/// Ranges of games, the first of them.
fn named(ranges: &[(u64, u64)]) -> String {
    let range = |&(from, to): &(u64, u64)| match from == to {
        true => from.to_string(),
        false => format!("{from}–{to}"),
    };
    let mut named: Vec<String> = ranges.iter().take(MOST_RANGES).map(range).collect();
    if ranges.len() > MOST_RANGES {
        let single = ranges.iter().all(|(from, to)| from == to);
        let what = if single { "" } else { " ranges" };
        named.push(format!("and {} more{what}", ranges.len() - MOST_RANGES));
    }
    named.join(", ")
}

fn missing(games: &Registry, args: &Args, name: &str, of: Option<u64>) -> Result<Done> {
    let (store, run) = args.database.run(name)?;
    let experiment = experiment_of(games, &run)?;
    let Missing { games, ranges, shards } = missing_of(&experiment, &store, &run, of)?;
    if args.json {
        print_json(&json!({
            "schema": "warroom-missing-1", "run": run.id, "missing": games, "ranges": ranges,
            "shards": shards.iter().map(Shard::to_string).collect::<Vec<_>>(),
        }))?;
    } else if games == 0 {
        print_text(&format!("run {}: no game is missing", run.id))?;
    } else {
        let planned = grouped(run.manifest.games);
        let mut lines =
            vec![format!("run {}: {} of {planned} games are missing", run.id, grouped(games))];
        lines.push(format!("games {}", named(&ranges)));
        let again = shards.iter().map(Shard::to_string).collect::<Vec<_>>().join(" ");
        lines.push(match shards.as_slice() {
            [] => "not known to be divided; --shards N tells which of N shards to run again".into(),
            [_] => format!("run shard {again} again"),
            _ => format!("run shards {again} again"),
        });
        print_text(&lines.join("\n"))?;
    }
    Ok(if games == 0 { Done::Fine } else { Done::NotSo })
}
