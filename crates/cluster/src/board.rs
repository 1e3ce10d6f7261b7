//! What lies on the server: runs, workers, and what somebody left behind.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use async_nats::jetstream::kv::Entry;
use bytes::Bytes;
use protocol::{
    ClusterStatus, LastSeen, Refusal, RunNotice, RunStatus, WorkerNotice, WorkerStatus, pack,
    unpack,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::access::{Access, Bus, RunKey};
use crate::error::ClusterError;

/// A worker that is silent for so long is not shown any more.
pub(crate) const FORGOTTEN: Duration = Duration::from_hours(1);

/// How the reason of a worker begins that plays a run again soon.
pub(crate) const FOR_NOW: &str = "not now, it tries again: ";

/// Where the time of the server is asked for.
const PROBE: &str = "probe";

/// Looks at everything; first takes a run from the server that somebody left behind, if one is named. The
/// games that its database holds stay.
pub fn status(access: &Access, forget: Option<&str>) -> Result<ClusterStatus, ClusterError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| ClusterError::of("starting")(&error))?;
    runtime.block_on(async {
        let bus = Bus::connect(access).await?;
        if let Some(run) = forget {
            let key = RunKey::of(run);
            let there = look(&bus).await?.runs;
            let found = there.into_iter().find(|there| RunKey::of(&there.notice.run) == key);
            let Some(RunStatus { notice, timing, .. }) = found else {
                return Err(ClusterError::NoRun(run.to_owned()));
            };
            if !timing.gone {
                let RunNotice { run, host, process, .. } = notice;
                return Err(ClusterError::Alive { run, host, process });
            }
            bus.remove(&key).await?;
        }
        look(&bus).await
    })
}

/// What lies there. Times are those of the server: nobody's own clock counts.
async fn look(bus: &Bus) -> Result<ClusterStatus, ClusterError> {
    let failed = ClusterError::of("reading the board");
    // One key for all who look: whoever wrote it last, it is the time of the server.
    let put = bus.board.put(PROBE, Bytes::new()).await;
    put.map_err(|error| failed(&error))?;
    let now = entry(bus, PROBE).await?.map_or_else(SystemTime::now, |entry| at(&entry));
    let mut found = ClusterStatus::default();
    for key in bus.keys("").await? {
        let Some(entry) = entry(bus, &key).await? else { continue };
        let silent = now.duration_since(at(&entry)).unwrap_or(Duration::ZERO).as_secs_f64();
        match key.split_once('.') {
            Some(("worker", name)) => {
                if silent > FORGOTTEN.as_secs_f64() {
                    // It died, or the one that comes back has another name.
                    bus.erase(&key).await;
                } else if let Ok(worker) = unpack::<WorkerNotice>(&entry.value) {
                    let timing = LastSeen::new(silent, worker.heartbeat);
                    found.workers.push(WorkerStatus { name: name.to_owned(), worker, timing });
                }
            }
            Some(("run", key)) => {
                if let Ok(notice) = unpack(&entry.value) {
                    let key = RunKey(key.to_owned());
                    found.runs.push(status_of(bus, &key, notice, silent).await?);
                }
            }
            _ => {}
        }
    }
    found.workers.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(found)
}

async fn status_of(
    bus: &Bus,
    key: &RunKey,
    notice: RunNotice,
    silent: f64,
) -> Result<RunStatus, ClusterError> {
    let mut state = [(0, 0); 2];
    for (name, state) in [key.jobs(), key.reports()].into_iter().zip(&mut state) {
        if let Ok(stream) = bus.streams.get_stream(name).await {
            let found = &stream.cached_info().state;
            *state = (found.messages, found.bytes);
        }
    }
    let refused = refusals(bus, key).await?;
    let refused = refused.into_iter().map(|(name, refusal)| (name, refusal.reason)).collect();
    let [(jobs, job_bytes), (reports, report_bytes)] = state;
    let timing = LastSeen::new(silent, notice.heartbeat);
    Ok(RunStatus { notice, jobs, reports, bytes: job_bytes + report_bytes, refused, timing })
}

/// A key with what stands there.
pub(crate) async fn entry(bus: &Bus, key: &str) -> Result<Option<Entry>, ClusterError> {
    let found = bus.board.entry(key).await;
    let found = found.map_err(|error| ClusterError::of("reading the board")(&error))?;
    Ok(found.filter(|entry| !entry.value.is_empty() || key == PROBE))
}

/// What stands at a key; nothing if it is of another form.
pub(crate) async fn read<T: DeserializeOwned>(
    bus: &Bus,
    key: &str,
) -> Result<Option<T>, ClusterError> {
    Ok(entry(bus, key).await?.and_then(|entry| unpack(&entry.value).ok()))
}

/// Writes something at a key.
pub(crate) async fn write(bus: &Bus, key: &str, what: &impl Serialize) -> Result<(), ClusterError> {
    let put = bus.board.put(key, pack(what).into()).await;
    put.map_err(|error| ClusterError::of("writing to the board")(&error))?;
    Ok(())
}

fn at(entry: &Entry) -> SystemTime {
    SystemTime::from(entry.created)
}

/// A name that nobody else has.
pub(crate) fn nonce() -> Result<String, ClusterError> {
    let number = getrandom::u64().map_err(|error| ClusterError::of("drawing a number")(&error))?;
    Ok(format!("{number:016x}"))
}

/// The run that a key tells of, itself or a refusal.
pub(crate) fn run_of(key: &str) -> Option<RunKey> {
    let mut parts = key.split('.');
    let is_of_run = matches!(parts.next(), Some("run" | "refused"));
    parts.next().filter(|_| is_of_run).map(|key| RunKey(key.to_owned()))
}

/// The runs that a worker may not play.
pub(crate) async fn refusals_of(
    bus: &Bus,
    worker: &str,
) -> Result<Vec<(RunKey, Refusal)>, ClusterError> {
    let mut found = Vec::new();
    for name in bus.keys("refused.").await? {
        if let Some(key) = run_of(&name)
            && name == key.refused(worker)
            && let Some(refusal) = read(bus, &name).await?
        {
            found.push((key, refusal));
        }
    }
    Ok(found)
}

/// The workers that may not play a run.
pub(crate) async fn refusals(
    bus: &Bus,
    key: &RunKey,
) -> Result<BTreeMap<String, Refusal>, ClusterError> {
    let beginning = key.refused("");
    let mut found = BTreeMap::new();
    for name in bus.keys(&beginning).await? {
        if let Some(refusal) = read(bus, &name).await? {
            found.insert(name[beginning.len()..].to_owned(), refusal);
        }
    }
    Ok(found)
}

/// All runs that want workers now.
pub(crate) async fn runs(bus: &Bus) -> Result<BTreeMap<RunKey, RunNotice>, ClusterError> {
    let mut runs = BTreeMap::new();
    for name in bus.keys("run.").await? {
        if let Some(key) = run_of(&name)
            && let Some(notice) = read(bus, &name).await?
        {
            runs.insert(key, notice);
        }
    }
    Ok(runs)
}
