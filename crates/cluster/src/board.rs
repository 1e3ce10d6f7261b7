//! What lies on the server: runs, workers, and what somebody left behind.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use async_nats::jetstream::kv::Entry;
use bytes::Bytes;
use futures_util::TryStreamExt as _;
use protocol::{RunNotice, WorkerNotice, pack, unpack};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::access::{Bus, ClusterError, RunKey};

/// Silent for so many heartbeats: gone.
pub(crate) const GONE_AFTER: u32 = 3;

/// A run with what of it lies on the server.
#[derive(Clone, Debug, Serialize)]
pub struct Lying {
    /// What its coordinator says.
    #[serde(flatten)]
    pub notice: RunNotice,
    /// Seconds since the coordinator was heard.
    pub silent: f64,
    /// Chunks that nobody has played.
    pub jobs: u64,
    /// Reports that the coordinator has not heard.
    pub reports: u64,
    /// Their length.
    pub bytes: u64,
    /// Workers that may not play it, and why.
    pub refused: BTreeMap<String, String>,
}

impl Lying {
    /// Whether its coordinator seems to be gone.
    #[must_use]
    pub fn is_abandoned(&self) -> bool {
        self.silent * 1000.0 > self.notice.heartbeat as f64 * f64::from(GONE_AFTER)
    }
}

/// Runs and workers, by their names.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Standing {
    /// Runs.
    pub runs: Vec<Lying>,
    /// Workers, each with the seconds since it was heard.
    pub workers: BTreeMap<String, (WorkerNotice, f64)>,
}

/// Looks at everything. Times are those of the server: nobody's own clock counts.
pub async fn standing(bus: &Bus) -> Result<Standing, ClusterError> {
    let failed = ClusterError::of("reading the board");
    let probe = format!("probe.{}", nonce()?);
    let put = bus.board.put(&probe, Bytes::new()).await;
    put.map_err(|error| failed(&error))?;
    let now = entry(bus, &probe).await?.map_or_else(SystemTime::now, |entry| at(&entry));
    let _ = bus.board.purge(&probe).await;
    let mut standing = Standing::default();
    for key in bus.keys("").await? {
        let Some(entry) = entry(bus, &key).await? else { continue };
        let silent = now.duration_since(at(&entry)).unwrap_or(Duration::ZERO).as_secs_f64();
        match key.split_once('.') {
            Some(("worker", name)) => {
                if let Ok(notice) = unpack(&entry.value) {
                    standing.workers.insert(name.to_owned(), (notice, silent));
                }
            }
            Some(("run", key)) => {
                if let Ok(notice) = unpack(&entry.value) {
                    let key = RunKey(key.to_owned());
                    standing.runs.push(lying(bus, &key, notice, silent).await?);
                }
            }
            _ => {}
        }
    }
    Ok(standing)
}

async fn lying(
    bus: &Bus,
    key: &RunKey,
    notice: RunNotice,
    silent: f64,
) -> Result<Lying, ClusterError> {
    let mut state = [(0, 0); 2];
    for (name, state) in [key.jobs(), key.reports()].into_iter().zip(&mut state) {
        if let Ok(stream) = bus.streams.get_stream(name).await {
            let found = &stream.cached_info().state;
            *state = (found.messages, found.bytes);
        }
    }
    let mut refused = BTreeMap::new();
    let beginning = key.refused("");
    for name in bus.keys(&beginning).await? {
        let reason: Option<String> = read(bus, &name).await?;
        refused.insert(name[beginning.len()..].to_owned(), reason.unwrap_or_default());
    }
    let [(jobs, job_bytes), (reports, report_bytes)] = state;
    Ok(Lying { notice, silent, jobs, reports, bytes: job_bytes + report_bytes, refused })
}

/// Takes a run that somebody left behind from the server; the games that its database holds stay.
pub async fn forget(bus: &Bus, run: &str) -> Result<(), ClusterError> {
    let key = RunKey::of(run);
    let notice: Option<RunNotice> = read(bus, &key.notice()).await?;
    if notice.is_none() {
        return Err(ClusterError::NoRun(run.to_owned()));
    }
    bus.remove(&key).await
}

/// A key with what stands there.
pub(crate) async fn entry(bus: &Bus, key: &str) -> Result<Option<Entry>, ClusterError> {
    let found = bus.board.entry(key).await;
    let found = found.map_err(|error| ClusterError::of("reading the board")(&error))?;
    Ok(found.filter(|entry| !entry.value.is_empty() || key.starts_with("probe.")))
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

/// Whether a board entry tells of a run that wants workers, and which.
pub(crate) fn run_of(entry: &Entry) -> Option<RunKey> {
    entry.key.strip_prefix("run.").map(|key| RunKey(key.to_owned()))
}

/// All runs that want workers now.
pub(crate) async fn runs(bus: &Bus) -> Result<BTreeMap<RunKey, RunNotice>, ClusterError> {
    let failed = ClusterError::of("reading the board");
    let keys = bus.board.keys().await.map_err(|error| failed(&error))?;
    let keys: Vec<String> = keys.try_collect().await.map_err(|error| failed(&error))?;
    let mut runs = BTreeMap::new();
    for name in keys {
        if let Some(key) = name.strip_prefix("run.")
            && let Some(notice) = read(bus, &name).await?
        {
            runs.insert(RunKey(key.to_owned()), notice);
        }
    }
    Ok(runs)
}
