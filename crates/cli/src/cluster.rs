//! `warroom worker` and `warroom workers`, and `warroom run --on`: a run on many machines.

use std::sync::Arc;

use anyhow::Result;
use lab::run::Host;
use registry::Registry;

#[cfg(feature = "nats")]
mod nats;
#[cfg(not(feature = "nats"))]
#[path = "cluster/without.rs"]
mod nats;

#[cfg(all(test, feature = "nats"))]
#[path = "cluster/without.rs"]
mod without;

use nats::cluster_at;
pub(crate) use nats::{worker, workers};

/// The time between two signs of life, in seconds.
pub(crate) const HEARTBEAT: &str = "10";

/// Seconds between two signs of life.
pub(crate) fn heartbeat(text: &str) -> Result<f64> {
    let seconds = crate::numbers::decimal(text)?;
    anyhow::ensure!((0.1..=600.0).contains(&seconds), "expected seconds from 0.1 to 600");
    Ok(seconds)
}

/// The name of a machine.
fn machine(text: &str) -> Result<String> {
    let plain = text.chars().all(|letter| letter.is_alphanumeric() || "-_.".contains(letter));
    let fits = plain && (1..=64).contains(&text.len());
    anyhow::ensure!(fits, "expected 1 to 64 letters, digits or any of - _ .");
    Ok(text.to_owned())
}

#[derive(clap::Args)]
pub(crate) struct WorkerArgs {
    /// The NATS server, nats://HOST:PORT or tls://HOST:PORT; the port is 4222 if left out. Credentials are
    /// read from $NATS_USER and $NATS_PASSWORD, $NATS_TOKEN, $NATS_CREDS, $NATS_NKEY; $NATS_CA, $NATS_CERT
    /// and $NATS_KEY name files of certificates.
    #[arg(value_name = "SERVER", required_unless_present = "player")]
    server: Option<String>,
    /// Threads to play with: games at a time, fewer if a game takes several [default: all cores].
    #[arg(long, value_parser = crate::numbers::threads, allow_negative_numbers = true)]
    threads: Option<u16>,
    /// Memory that all games together may use, in MiB [default: that of the machine, or of its control group].
    #[arg(long, value_name = "MIB", value_parser = crate::numbers::whole::<u64>(16..=1 << 30), allow_negative_numbers = true)]
    memory: Option<u64>,
    /// What to call this machine [default: its name].
    #[arg(long, value_name = "NAME", value_parser = machine)]
    name: Option<String>,
    /// Also play agents that start this program, if its content is what the coordinator has; allow the script
    /// of an interpreter, and files that its command names, one by one. A command with other arguments is
    /// allowed as a whole: --allow-program 'FILE ARGUMENT…'.
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
    /// Let the workers of this NATS server play, nats://HOST:PORT; this program coordinates and
    /// stores. Credentials as for `warroom worker`.
    #[arg(long, value_name = "SERVER")]
    pub(crate) on: Option<String>,
    /// Seconds between two signs of life of the coordinator; a worker that is silent for six of them
    /// loses what it plays.
    #[arg(long, value_name = "SECONDS", default_value = HEARTBEAT, value_parser = heartbeat, requires = "on", allow_negative_numbers = true)]
    pub(crate) heartbeat: f64,
}

impl OnFlags {
    /// The workers that are to play, if somebody asked for them.
    pub(crate) fn cluster(
        &self,
        games: &Registry,
        host: &Host,
    ) -> Result<Option<Arc<dyn server::Cluster>>> {
        self.on.as_ref().map(|server| cluster_at(games, server, self.heartbeat, host)).transpose()
    }
}

#[cfg(all(test, feature = "nats"))]
mod tests {
    use super::*;

    #[test]
    fn a_program_without_nats_says_how_to_get_one_with_it() {
        let args = WorkerArgs {
            server: Some("nats://host".into()),
            threads: None,
            memory: None,
            name: None,
            allow_program: Vec::new(),
            heartbeat: 10.0,
            player: false,
        };
        let all = WorkersArgs { server: "nats://host".into(), forget: None, json: false };
        let none = Registry::default();
        let errors = [
            without::worker(&none, &args).err(),
            without::workers(&all).err(),
            without::cluster_at(&none, "nats://host", 10.0, &Host::default()).err(),
        ];
        for error in errors {
            let error = error.expect("it cannot").to_string();
            let named = ["built without NATS", "--features nats", "cargo xtask cluster"];
            assert!(named.iter().all(|words| error.contains(words)), "{error}");
        }
    }
}
