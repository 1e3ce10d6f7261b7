//! The same in a program that knows NATS.

use std::sync::Arc;
use std::time::Duration;

use ::cluster::{
    Access, Coordinator, Listener, Past, Timing, WorkerOptions, serve_player, status as status_of,
    work,
};
use anyhow::{Context as _, Result};
use gamecore::StopToken;
use lab::experiment::Experiment;
use lab::run::{
    Ended, Host, News, RunError, check_true, known_games, note_checked, note_untrue, owed_games,
    take_up_locked,
};
use protocol::{ClusterStatus, RunStatus, WorkerStatus};
use registry::Registry;
use serde_json::json;
use store::{Run, Store};

#[path = "admission.rs"]
mod admission;

use admission::{Limits, machine_memory};

use super::{WorkerArgs, WorkersArgs};
use crate::common::{Done, duration, grouped, print_json, print_text, stop_on_interrupt};
use crate::database::host;
use crate::matches::all_cores;

pub(crate) fn worker(games: &Registry, args: &WorkerArgs) -> Result<Done> {
    if args.player {
        serve_player(games, args.memory)?;
        return Ok(Done::Fine);
    }
    let server = args.server.as_deref().context("expected a NATS server")?;
    let access = Access::new(server)?;
    let Host { program, cpu } = host()?;
    let threads = args.threads.map_or_else(all_cores, usize::from);
    let mebibytes = args.memory.or_else(machine_memory);
    let limits = Limits { threads, mebibytes, allowed: args.allow_program.clone() };
    let options = WorkerOptions {
        games: games.clone(),
        threads,
        memory: mebibytes.map(|all| all << 20),
        host: args.name.clone().unwrap_or_else(machine_name),
        program,
        cpu,
        heartbeat: Duration::from_secs_f64(args.heartbeat),
        admission: Box::new(move |experiment, programs| limits.admit(experiment, programs)),
    };
    let stop = stop_on_interrupt()?;
    work(&access, options, &stop, &|news| eprintln!("{news}")).map_err(RunError::from)?;
    Ok(Done::Interrupted)
}

/// What this machine is called.
fn machine_name() -> String {
    let told = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let told = told.or_else(|| std::env::var("HOSTNAME").ok());
    let told = told.or_else(|| std::env::var("COMPUTERNAME").ok());
    told.map_or_else(|| "machine".to_owned(), |name| name.trim().to_owned())
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
    games: Registry,
    address: String,
    access: Access,
    heartbeat: Duration,
    host: Host,
}

/// The workers of this server; an error if it is not there or refuses us.
pub(crate) fn cluster_at(
    games: &Registry,
    server: &str,
    heartbeat: f64,
    host: &Host,
) -> Result<Arc<dyn server::Cluster>> {
    let access = Access::new(server)?;
    let heartbeat = Duration::from_secs_f64(heartbeat);
    let cluster = NatsCluster {
        games: games.clone(),
        address: server.into(),
        access,
        heartbeat,
        host: host.clone(),
    };
    status_of(&cluster.access, None).map_err(RunError::from)?;
    Ok(Arc::new(cluster))
}

/// A run while it is played elsewhere.
struct Stored<'a> {
    store: &'a Store,
    run: &'a Run,
    hear: &'a (dyn Fn(News<'_>) + Sync),
}

impl Listener for Stored<'_> {
    fn waits(&self, words: &str) {
        (self.hear)(News::Waits(words));
    }

    fn checked(&self, numbers: &[u64]) -> Result<(), RunError> {
        Ok(note_checked(self.store, self.run, numbers)?)
    }
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
        // What others do with the run, here or on the server, is theirs until it is ours.
        let only_writer = store.lock(&run.id)?;
        check_true(store, run)?;
        let past = Past {
            games: store.count(run)?,
            known: known_games(experiment, store, run)?,
            owed: owed_games(experiment, store, run, &self.host.program)?,
        };
        let here = (&self.host, machine_name());
        let timing = Timing::of(self.heartbeat);
        let stored = Stored { store, run, hear };
        let run_with = (run.id.as_str(), past);
        let games = (&self.games, experiment);
        let coordinator = Coordinator::open(&self.access, games, run_with, here, timing, &stored)?;
        let note = || -> Result<(), RunError> {
            for (host, what) in coordinator.untrue() {
                note_untrue(store, run, &host, &what)?;
            }
            Ok(())
        };
        // What a coordinator before this one could not note any more.
        note()?;
        let place = (store, run);
        let ended = take_up_locked(&only_writer, experiment, place, &coordinator, stop, hear);
        note()?;
        coordinator.tell_checked()?;
        if let Some(checked) = coordinator.checked() {
            store.note(run, "checked", &checked)?;
            stored.waits(&checked);
        }
        // Where the database or the program is wrong, what is under way is kept for whoever goes on.
        let is_kept = matches!(ended, Err(RunError::Store(_) | RunError::Differs { .. }));
        if (!is_kept || check_true(store, run).is_err())
            && let Err(error) = coordinator.close()
        {
            stored.waits(&format!(
                "what lies of the run on the server could not be removed ({error}); `warroom workers {} \
                 --forget {}` does it",
                self.address, run.id
            ));
        }
        ended
    }

    fn status(&self) -> Result<ClusterStatus, RunError> {
        Ok(status_of(&self.access, None)?)
    }
}
