//! The same in a program that does not know NATS: how to get one that does.

use std::sync::Arc;

use anyhow::{Result, bail};
use lab::run::Host;
use registry::Registry;

use super::{WorkerArgs, WorkersArgs};
use crate::common::Done;

const WITHOUT: &str = "this warroom was built without NATS; `cargo install --path crates/cli \
                       --features nats` builds one with it, and `cargo xtask cluster` tries it";

pub(crate) fn worker(_: &Registry, _: &WorkerArgs) -> Result<Done> {
    bail!(WITHOUT)
}

pub(crate) fn workers(_: &WorkersArgs) -> Result<Done> {
    bail!(WITHOUT)
}

pub(crate) fn cluster_at(
    _: &Registry,
    _: &str,
    _: f64,
    _: &Host,
) -> Result<Arc<dyn server::Cluster>> {
    bail!(WITHOUT)
}
