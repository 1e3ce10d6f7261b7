//! The same in a program that knows NATS.

use std::collections::BTreeMap;
use std::time::Duration;

use ::cluster::{
    Access, Bus, Coordinator, Standing, Timing, WorkerOptions, forget, serve_player, standing, work,
};
use anyhow::{Context as _, Result};
use gamecore::StopToken;
use lab::experiment::Experiment;
use lab::run::{Ended, Host, News, known_games, take_up};
use registry::{AgentSpec, fits_machine, program_words};
use serde_json::json;
use store::{Run, Store};

use super::{WorkerArgs, WorkersArgs};
use crate::common::{Done, duration, grouped, print_json, print_text, stop_on_interrupt};
use crate::database::{host, program_files};
use crate::matches::all_cores;

pub(crate) fn worker(args: &WorkerArgs) -> Result<Done> {
    if args.player {
        serve_player(args.memory)?;
        return Ok(Done::Fine);
    }
    let access = Access::new(args.server.as_deref().context("expected a NATS server")?)?;
    let Host { program, cpu } = host()?;
    let threads = args.threads.map_or_else(all_cores, usize::from);
    let mebibytes = args.memory.or_else(machine_memory);
    let allowed = args.allow_program.clone();
    let of_one = mebibytes.map(|all| all / threads as u64);
    let admission = move |experiment: &Experiment, programs: &BTreeMap<String, String>| {
        for agent in experiment.all_agents() {
            fits_machine(agent, threads, of_one).map_err(|error| error.to_string())?;
            check_allowed(&agent.spec, programs, &allowed)?;
        }
        Ok(())
    };
    let options = WorkerOptions {
        threads,
        memory: mebibytes.map(|all| all << 20),
        host: machine_name(),
        program,
        cpu,
        heartbeat: Duration::from_secs_f64(args.heartbeat),
        admission: Box::new(admission),
    };
    let stop = stop_on_interrupt()?;
    work(&access, options, &stop, &|news| eprintln!("{news}"))?;
    Ok(Done::Interrupted)
}

/// Refuses a program from outside that this worker was not told of, or that is another one here.
fn check_allowed(
    spec: &AgentSpec,
    programs: &BTreeMap<String, String>,
    allowed: &[String],
) -> Result<(), String> {
    let words = program_words(spec);
    let Some(program) = words.first() else { return Ok(()) };
    if !allowed.contains(program) {
        return Err(format!(
            "it starts the program '{program}', which this worker was not told to allow \
             (--allow-program {program})"
        ));
    }
    let here: BTreeMap<String, String> = program_files(spec).into_iter().collect();
    let wanted = words.iter().filter_map(|word| Some((word, programs.get(word)?)));
    for (word, hash) in wanted {
        if here.get(word) != Some(hash) {
            return Err(format!(
                "'{word}' is another program here than at the coordinator, or not there"
            ));
        }
    }
    Ok(())
}

/// What this machine is called.
fn machine_name() -> String {
    let told = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let told = told.or_else(|| std::env::var("HOSTNAME").ok());
    let told = told.or_else(|| std::env::var("COMPUTERNAME").ok());
    told.map_or_else(|| "machine".to_owned(), |name| name.trim().to_owned())
}

/// The memory of this machine in MiB, where the system tells it.
fn machine_memory() -> Option<u64> {
    let told = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = told.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kibibytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kibibytes / 1024)
}

pub(crate) fn workers(args: &WorkersArgs) -> Result<Done> {
    let access = Access::new(&args.server)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let standing = runtime.block_on(async {
        let bus = Bus::connect(&access).await?;
        if let Some(run) = &args.forget {
            forget(&bus, run).await?;
        }
        standing(&bus).await
    })?;
    if args.json {
        let workers: Vec<_> = standing
            .workers
            .iter()
            .map(|(name, (notice, silent))| {
                json!({ "name": name, "worker": notice, "timing": { "silent": silent } })
            })
            .collect();
        print_json(&json!({
            "schema": "warroom-workers-1", "workers": workers, "runs": standing.runs,
        }))?;
    } else {
        print_text(words(&standing).trim_end())?;
    }
    Ok(Done::Fine)
}

/// Runs and workers, a line each.
fn words(standing: &Standing) -> String {
    let mut lines = Vec::new();
    for run in &standing.runs {
        let notice = &run.notice;
        let heard = if run.is_abandoned() {
            format!(
                "silent for {}; --forget {} removes what lies there",
                duration(run.silent),
                notice.run
            )
        } else {
            "coordinated".to_owned()
        };
        lines.push(format!(
            "run {}  {} by process {} on {}; {} chunks and {} reports wait, {} kB",
            notice.run,
            heard,
            notice.process,
            notice.host,
            grouped(run.jobs),
            grouped(run.reports),
            grouped(run.bytes.div_ceil(1000)),
        ));
        for (worker, reason) in &run.refused {
            lines.push(format!("  refused {worker}: {reason}"));
        }
    }
    for (name, (notice, silent)) in &standing.workers {
        let late = if silent * 1000.0 > 3.0 * notice.heartbeat as f64 { ", gone?" } else { "" };
        lines.push(format!(
            "worker {name}  {} at a time, {:.1} games/s, last seen {} ago{late}; warroom {}; {}",
            notice.threads,
            notice.rate,
            duration(*silent),
            notice.program,
            notice.cpu,
        ));
        for (run, work) in &notice.runs {
            match work.refused.as_str() {
                "" => lines.push(format!("  {} games of run {run}", grouped(work.games))),
                reason => lines.push(format!("  does not play run {run}: {reason}")),
            }
        }
    }
    if standing.runs.is_empty() {
        lines.push("no run wants workers".into());
    }
    if standing.workers.is_empty() {
        lines.push("no worker is there; `warroom worker SERVER` starts one".into());
    }
    lines.join("\n")
}

/// Plays what is missing of a run on the workers of a server.
pub(crate) fn on_workers(
    (server, heartbeat): (&str, f64),
    experiment: &Experiment,
    (store, run): (&Store, &Run),
    host: &Host,
    stop: &StopToken,
    hear: &(dyn Fn(News<'_>) + Sync),
) -> Result<Ended> {
    let access = Access::new(server)?;
    let known = known_games(experiment, store, run)?;
    let timing = Timing::of(Duration::from_secs_f64(heartbeat));
    let name = machine_name();
    let coordinator =
        Coordinator::open(&access, experiment, &run.id, known, (host, &name), timing)?;
    let ended = take_up(experiment, store, run, &coordinator, stop, hear)?;
    // After an error what is under way is kept for whoever goes on.
    coordinator.close()?;
    Ok(ended)
}

/// Games that the workers of a server play at a time.
pub(crate) fn players_there(server: &str) -> Result<usize> {
    let access = Access::new(server)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let there = runtime.block_on(async {
        let bus = Bus::connect(&access).await?;
        standing(&bus).await
    })?;
    Ok(there.workers.values().map(|(notice, _)| notice.threads).sum())
}
