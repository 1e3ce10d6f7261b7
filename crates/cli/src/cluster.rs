//! `warroom worker` and `warroom workers`, and `warroom run --on`: a run on many machines.

use anyhow::Result;

#[cfg(feature = "nats")]
mod nats;
#[cfg(not(feature = "nats"))]
#[path = "cluster/without.rs"]
mod nats;

pub(crate) use nats::{on_workers, players_there, worker, workers};

/// The time between two signs of life, in seconds.
pub(crate) const HEARTBEAT: &str = "10";

/// Seconds between two signs of life.
pub(crate) fn heartbeat(text: &str) -> Result<f64> {
    let seconds = crate::numbers::decimal(text)?;
    anyhow::ensure!((0.1..=600.0).contains(&seconds), "expected seconds from 0.1 to 600");
    Ok(seconds)
}

#[derive(clap::Args)]
#[cfg_attr(
    not(feature = "nats"),
    expect(dead_code, reason = "only a program with NATS reads them")
)]
pub(crate) struct WorkerArgs {
    /// The NATS server, nats://HOST[:PORT] or tls://HOST[:PORT]. Credentials are read from
    /// $NATS_USER and $NATS_PASSWORD, $NATS_TOKEN, $NATS_CREDS, $NATS_NKEY; $NATS_CA, $NATS_CERT
    /// and $NATS_KEY name files of certificates.
    #[arg(value_name = "SERVER", required_unless_present = "player")]
    server: Option<String>,
    /// Games to play at a time [default: all cores].
    #[arg(long, value_parser = crate::numbers::threads, allow_negative_numbers = true)]
    threads: Option<u16>,
    /// Memory that all games together may use, in MiB [default: that of the machine].
    #[arg(long, value_name = "MIB", value_parser = crate::numbers::whole::<u64>(16..=1 << 30), allow_negative_numbers = true)]
    memory: Option<u64>,
    /// Also play agents that start this program, if its content is what the coordinator has.
    #[arg(long, value_name = "FILE")]
    allow_program: Vec<String>,
    /// Seconds between two signs of life.
    #[arg(long, value_name = "SECONDS", default_value = HEARTBEAT, value_parser = heartbeat, allow_negative_numbers = true)]
    heartbeat: f64,
    /// Play what is asked for on the standard input; workers start players so.
    #[arg(long, hide = true)]
    player: bool,
}

#[derive(clap::Args)]
#[cfg_attr(
    not(feature = "nats"),
    expect(dead_code, reason = "only a program with NATS reads them")
)]
pub(crate) struct WorkersArgs {
    /// The NATS server; credentials as for `warroom worker`.
    #[arg(value_name = "SERVER")]
    server: String,
    /// Take what is left of this run from the server; its database keeps its games.
    #[arg(long, value_name = "RUN")]
    forget: Option<String>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Where a run is to be played, if not here.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct OnFlags {
    /// Let the workers of this NATS server play, nats://HOST[:PORT]; this program coordinates and
    /// stores. Credentials as for `warroom worker`.
    #[arg(long, value_name = "SERVER", conflicts_with = "threads")]
    pub(crate) on: Option<String>,
    /// Seconds between two signs of life of the coordinator; a worker that is silent for six of them
    /// loses what it plays.
    #[arg(long, value_name = "SECONDS", default_value = HEARTBEAT, value_parser = heartbeat, requires = "on", allow_negative_numbers = true)]
    pub(crate) heartbeat: f64,
}
