//! `warroom run FILE`: plays an experiment, or what is missing of it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use anyhow::{Result, ensure};
use gamecore::StopToken;
use lab::experiment::{Experiment, Spec, read_experiment};
use lab::report::{NOT_REPEATABLE, findings};
use lab::run::{
    Calibration, Ended, News, Shard, Standings, Threads, calibrate, manifest, open_run,
    open_run_without, summary_of, take_up,
};
use registry::Registry;
use serde_json::json;
use stats::score_found_by_pairs;

use crate::cluster::OnFlags;
use crate::common::{
    self, Done, Output, duration, grouped, print_json, print_text, progress_bar, stop_on_interrupt,
};
use crate::database::{DatabaseFlag, check_program, host, load_from, program_files};
use crate::matches::all_cores;

/// How long to try games before saying how long all of them take.
const CALIBRATION: Duration = Duration::from_secs(3);

/// What a dry run asks of a design: this error, and to find what is there so often.
const ALPHA: f64 = 0.05;
const POWER: f64 = 0.8;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The experiment, a .toml file; paths in it are relative to its folder.
    file: PathBuf,
    /// Print what would be played, how long it would take and which differences it could show.
    #[arg(long)]
    dry_run: bool,
    /// Play a fraction of the games, above 0 and up to 1; at least one start of each pairing.
    #[arg(long, value_name = "F", default_value_t = 1.0, value_parser = crate::numbers::decimal, allow_negative_numbers = true)]
    scale: f64,
    /// Start a new run even if this experiment has one.
    #[arg(long)]
    as_new: bool,
    /// Start a new run with the games of the last one, but not those that this machine played.
    #[arg(long, value_name = "NAME", conflicts_with = "as_new")]
    without_host: Option<String>,
    /// Threads to use [default: all cores].
    #[arg(long, conflicts_with = "on", value_parser = crate::numbers::threads, allow_negative_numbers = true)]
    threads: Option<u16>,
    #[command(flatten)]
    output: Output,
    /// Play only the starts of shard I (from 0) of N, into a database of its own; `warroom runs merge`
    /// puts shards together.
    #[arg(long, value_name = "I/N", conflicts_with = "on")]
    shard: Option<Shard>,
    #[command(flatten)]
    elsewhere: OnFlags,
    #[command(flatten)]
    database: DatabaseFlag,
}

pub(crate) fn run(games: &Registry, args: &Args) -> Result<Done> {
    let scale = args.scale;
    ensure!(scale > 0.0 && scale <= 1.0, "--scale {scale}: expected a number above 0 and up to 1");
    let experiment = read(games, &args.file)?.scaled(scale);
    if let Some(shard) = args.shard {
        shard.check(&experiment.spec)?;
    }
    let warnings: BTreeSet<String> =
        experiment.opened.iter().flat_map(|opened| opened.game.warnings()).collect();
    for warning in warnings {
        eprintln!("warning: {warning}");
    }
    let threads = args.threads.map_or_else(all_cores, usize::from);
    let host = host()?;
    let cluster = args.elsewhere.cluster(games, &host)?;
    let stop = stop_on_interrupt()?;
    if args.dry_run {
        let elsewhere = cluster.as_deref().map(players_there).transpose()?;
        return dry_run(args, &experiment, (threads, elsewhere), &stop);
    }
    let store = args.database.open()?;
    let manifest = manifest(&experiment, &host);
    let run = match &args.without_host {
        Some(machine) => open_run_without(&store, &manifest, machine)?,
        None => open_run(&store, &manifest, args.as_new)?,
    };
    let talks = args.output.talks();
    let display = Display::new(&experiment, args.shard, talks);
    let hear = |news: News<'_>| {
        if let News::Begins(there @ 1..) = news
            && talks
        {
            eprintln!("run {}: {} games already played", run.id, grouped(there));
        }
        display.hear(news);
    };
    let ended = match &cluster {
        Some(cluster) => cluster.take_up(&experiment, (&store, &run), &stop, &hear)?,
        None => {
            let players = Threads { count: threads, program: host.program, shard: args.shard };
            take_up(&experiment, &store, &run, &players, &stop, &hear)?
        }
    };
    display.bar.finish_and_clear();
    let summary = summary_of(&store, &run, &experiment.spec)?;
    if args.output.json {
        print_json(
            &json!({ "schema": "warroom-run-summary-1", "run": run.id, "summary": summary }),
        )?;
    } else {
        print_text(findings(games, &experiment.spec, &summary, Some(&run)).text().trim_end())?;
        match (ended, args.shard) {
            (Ended::Interrupted, _) => eprintln!("interrupted; run the same command to continue"),
            (Ended::Finished, Some(shard)) => {
                eprintln!(
                    "shard {shard} is there; `warroom runs merge {} FILE…` puts shards together",
                    run.id
                );
            }
            (Ended::Finished, None) => {}
        }
    }
    Ok(match ended {
        Ended::Interrupted => Done::Interrupted,
        Ended::Finished if summary.void.is_empty() => Done::Fine,
        Ended::Finished => Done::Void,
    })
}

fn read(games: &Registry, path: &Path) -> Result<Experiment> {
    let content = common::read(path)?;
    let folder = path.parent().unwrap_or_else(|| Path::new(""));
    let mut experiment =
        read_experiment(games, &path.display().to_string(), &content, &load_from(folder))?;
    for agent in &experiment.opened[0].agents {
        check_program(&agent.spec)?;
    }
    let programs: Vec<(String, String)> =
        experiment.opened[0].agents.iter().flat_map(|agent| program_files(&agent.spec)).collect();
    experiment.data.extend(programs);
    Ok(experiment)
}

/// Running results while games are played.
struct Display<'a> {
    experiment: &'a Experiment,
    bar: indicatif::ProgressBar,
    standings: Mutex<Standings>,
    talks: bool,
}

impl<'a> Display<'a> {
    fn new(experiment: &'a Experiment, shard: Option<Shard>, visible: bool) -> Self {
        let all = experiment.spec.total_games();
        let games = shard.map_or(all, |shard| shard.games(all, experiment.games_per_start()));
        Self {
            experiment,
            bar: progress_bar(games, visible),
            standings: Mutex::new(Standings::new(&experiment.spec)),
            talks: visible,
        }
    }

    fn standings(&self) -> MutexGuard<'_, Standings> {
        self.standings.lock().expect("nobody panics while holding it")
    }

    fn hear(&self, news: News<'_>) {
        match news {
            News::Begins(there) => {
                // The time left is estimated from what is played now.
                self.bar.set_position(there);
                self.bar.reset_eta();
            }
            News::Known(row) => self.standings().count(&self.experiment.spec, row),
            News::Played(row) => {
                self.standings().count(&self.experiment.spec, row);
                self.bar.inc(1);
                if !self.bar.is_hidden() {
                    self.bar.set_message(self.leaders());
                }
            }
            News::Waits(words) if self.talks => self.bar.suspend(|| eprintln!("{words}")),
            News::Waits(_) => {}
        }
    }

    /// The best three so far.
    fn leaders(&self) -> String {
        let name = |player: usize| &self.experiment.spec.players[player].name;
        let ranked = self.standings().ranked();
        let best = ranked.iter().take(3).map(|&(player, points, games)| {
            format!("{} {:.0} %", name(player), 100.0 * points / games as f64)
        });
        best.collect::<Vec<_>>().join(" · ")
    }
}

/// Games that the workers of a cluster play at a time.
fn players_there(cluster: &dyn server::Cluster) -> Result<usize> {
    let there = cluster.status()?.workers;
    let at_once = there.iter().filter(|one| !one.timing.gone).map(|one| one.worker.threads).sum();
    ensure!(at_once > 0, "no worker is there; `warroom worker {}` starts one", cluster.address());
    Ok(at_once)
}

fn dry_run(
    args: &Args,
    experiment: &Experiment,
    (threads, elsewhere): (usize, Option<usize>),
    stop: &StopToken,
) -> Result<Done> {
    let Calibration { sample, estimated_seconds } =
        calibrate(experiment, threads, elsewhere, CALIBRATION, stop)?;
    let (all, together) = (experiment.spec.total_games(), experiment.games_per_start());
    let share = args.shard.map_or(1.0, |shard| shard.games(all, together) as f64 / all as f64);
    let estimated_seconds = estimated_seconds * share;
    if stop.is_stopped() {
        return Ok(Done::Interrupted);
    }
    let spec = &experiment.spec;
    let cells = spec.cells.len() as u64;
    let tests = (0..spec.cells.len()).filter(|&cell| !spec.is_mirror(cell)).count() as u64;
    // A sequential test knows its own errors.
    let found = |tests: u64| {
        let alpha = ALPHA / tests.max(1) as f64;
        score_found_by_pairs(spec.games / 2, alpha, POWER).filter(|_| spec.sprt().is_none())
    };
    let (one, any) = (found(1), found(tests));
    if args.output.json {
        print_json(&json!({
            "schema": "warroom-dry-run-1",
            "name": spec.name,
            "game": spec.game,
            "kind": spec.kind.name(),
            "players": spec.players.len(),
            "cells": cells,
            "games_per_cell": spec.games,
            "games": experiment.spec.total_games(),
            "repeatable": experiment.repeatable(),
            "detects": { "one_pairing": one, "any_pairing": any },
            "timing": { "sample": sample, "estimated_seconds": estimated_seconds },
        }))?;
        return Ok(Done::Fine);
    }
    let mut lines = vec![format!(
        "{}: {} players, {} pairings of {} games, {} games in all",
        spec.name,
        spec.players.len(),
        grouped(cells),
        grouped(spec.games),
        grouped(experiment.spec.total_games())
    )];
    lines.extend(tuning_line(spec));
    for cell in 0..spec.cells.len().min(12) {
        lines.push(format!("  {}", spec.cell_name(cell)));
    }
    if cells > 12 {
        lines.push(format!("  … and {} more", grouped(cells - 12)));
    }
    lines.push(format!(
        "{} {} on {}, estimated from {sample} games",
        if spec.sprt().is_some() { "at most about" } else { "about" },
        duration(estimated_seconds),
        match elsewhere {
            Some(players) => format!("workers that play {players} games at a time"),
            None => format!("{threads} threads"),
        }
    ));
    let found = |score: Option<f64>| match score {
        Some(score) => format!("a true score of {:.1} %", score * 100.0),
        None => "none: too few games".to_owned(),
    };
    if spec.sprt().is_none() {
        let named = if tests > 1 { " for one pairing chosen beforehand" } else { "" };
        lines.push(format!("detects with 80 % power at the 5 % level{named}: {}", found(one)));
    }
    if spec.sprt().is_none() && tests > 1 {
        lines.push(format!("for any of {} pairings: {}", grouped(tests), found(any)));
    }
    lines.extend(expected_length(experiment));
    if !experiment.repeatable() {
        lines.push(NOT_REPEATABLE.into());
    }
    print_text(&lines.join("\n"))?;
    Ok(Done::Fine)
}

/// What a tuning plays before its pairings.
fn tuning_line(spec: &Spec) -> Option<String> {
    let tune = spec.tune()?;
    let points: u64 = tune.space.iter().map(|key| key.values.len() as u64).product();
    let of = match tune.space.is_empty() {
        true => String::new(),
        false => format!(", on {} points", grouped(points)),
    };
    let (evaluations, method) = (grouped(tune.evaluations), tune.method.name());
    let games = grouped(spec.tuning_games());
    Some(format!("before them {evaluations} evaluations by {method}, {games} games{of}"))
}

/// How long a sequential test lasts on average.
fn expected_length(experiment: &Experiment) -> Option<String> {
    let test = experiment.spec.sprt()?;
    let sprt = test.test().ok()?;
    // Games that are seldom drawn have about this spread of pairs.
    let length = sprt.expected_pairs(0.35);
    let games = |pairs: f64| grouped((pairs * 2.0).round() as u64);
    Some(format!(
        "the test takes about {} games if A is {} Elo better, {} if {}, {} in the worst case, and at most {}",
        games(length.if_h0),
        test.elo0,
        games(length.if_h1),
        test.elo1,
        games(length.at_worst),
        grouped(experiment.spec.games)
    ))
}
