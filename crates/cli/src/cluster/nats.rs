//! The same in a program that knows NATS.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use ::cluster::{
    Access, Coordinator, Timing, WorkerOptions, serve_player, status as status_of, work,
};
use anyhow::{Context as _, Result};
use gamecore::StopToken;
use lab::experiment::Experiment;
use lab::run::{Ended, Host, News, RunError, known_games, take_up};
use protocol::{ClusterStatus, RunStatus, WorkerStatus};
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
    let server = args.server.as_deref().context("expected a NATS server")?;
    let access = Access::new(server)?;
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
        host: args.name.clone().unwrap_or_else(machine_name),
        program,
        cpu,
        heartbeat: Duration::from_secs_f64(args.heartbeat),
        admission: Box::new(admission),
    };
    let stop = stop_on_interrupt()?;
    work(&access, options, &stop, &|news| eprintln!("{news}")).map_err(RunError::from)?;
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
    let status = status_of(&access, args.forget.as_deref()).map_err(RunError::from)?;
    if args.json {
        let ClusterStatus { runs, workers } = &status;
        print_json(&json!({ "schema": "warroom-workers-1", "runs": runs, "workers": workers }))?;
    } else {
        print_text(words(&status).trim_end())?;
    }
    Ok(Done::Fine)
}

/// Runs and workers, a line each.
fn words(status: &ClusterStatus) -> String {
    let mut lines = Vec::new();
    for RunStatus { notice, jobs, reports, bytes, refused, timing } in &status.runs {
        let heard = if timing.gone {
            let silent = duration(timing.silent);
            format!("silent for {silent}; --forget {} removes what lies there", notice.run)
        } else {
            "coordinated".to_owned()
        };
        lines.push(format!(
            "run {}  {heard} by process {} on {}; {} of {} games; {} chunks and {} reports wait, {} kB",
            notice.run,
            notice.process,
            notice.host,
            grouped(notice.stored),
            grouped(notice.planned),
            grouped(*jobs),
            grouped(*reports),
            grouped(bytes.div_ceil(1000)),
        ));
        for (worker, reason) in refused {
            lines.push(format!("  refused {worker}: {reason}"));
        }
    }
    for WorkerStatus { name, worker, timing } in &status.workers {
        lines.push(format!(
            "worker {name}  {} at a time, {:.1} games/s, last seen {} ago{}; warroom {}; {}",
            worker.threads,
            worker.rate,
            duration(timing.silent),
            if timing.gone { ", gone?" } else { "" },
            worker.program,
            worker.cpu,
        ));
        for (run, work) in &worker.runs {
            match work.refused.as_str() {
                "" => lines.push(format!("  {} games of run {run}", grouped(work.games))),
                reason => lines.push(format!("  does not play run {run}: {reason}")),
            }
        }
    }
    if status.runs.is_empty() {
        lines.push("no run wants workers".into());
    }
    if status.workers.is_empty() {
        lines.push("no worker is there; `warroom worker SERVER` starts one".into());
    }
    lines.join("\n")
}

/// The workers of a NATS server, as those who play runs.
struct NatsCluster {
    address: String,
    access: Access,
    heartbeat: Duration,
    host: Host,
}

/// The workers of this server; an error if it is not there or refuses us.
pub(crate) fn cluster_at(
    server: &str,
    heartbeat: f64,
    host: &Host,
) -> Result<Arc<dyn server::Cluster>> {
    let access = Access::new(server)?;
    let heartbeat = Duration::from_secs_f64(heartbeat);
    let cluster = NatsCluster { address: server.into(), access, heartbeat, host: host.clone() };
    status_of(&cluster.access, None).map_err(RunError::from)?;
    Ok(Arc::new(cluster))
}

impl server::Cluster for NatsCluster {
    fn address(&self) -> &str {
        &self.address
    }

    fn take_up(
        &self,
        experiment: &Experiment,
        (store, run): (&Store, &Run),
        stop: &StopToken,
        hear: &(dyn Fn(News<'_>) + Sync),
    ) -> Result<Ended, RunError> {
        let known = known_games(experiment, store, run)?;
        let there = store.count(run)?;
        let here = (&self.host, machine_name());
        let timing = Timing::of(self.heartbeat);
        let coordinator =
            Coordinator::open(&self.access, experiment, (&run.id, there), known, here, timing)?;
        let ended = take_up(experiment, store, run, &coordinator, stop, hear)?;
        // After an error what is under way is kept for whoever goes on.
        coordinator.close()?;
        Ok(ended)
    }

    fn status(&self) -> Result<ClusterStatus, RunError> {
        Ok(status_of(&self.access, None)?)
    }
}
