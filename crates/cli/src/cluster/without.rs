//! The same in a program that does not know NATS: how to get one that does.

use anyhow::{Result, bail};
use gamecore::StopToken;
use lab::experiment::Experiment;
use lab::run::{Ended, Host, News};
use store::{Run, Store};

use super::{WorkerArgs, WorkersArgs};
use crate::common::Done;

const WITHOUT: &str = "this warroom was built without NATS; `cargo install --path crates/cli \
                       --features nats` builds one with it, and `cargo xtask cluster` tries it";

pub(crate) fn worker(_: &WorkerArgs) -> Result<Done> {
    bail!(WITHOUT)
}

pub(crate) fn workers(_: &WorkersArgs) -> Result<Done> {
    bail!(WITHOUT)
}

pub(crate) fn on_workers(
    _: (&str, f64),
    _: &Experiment,
    _: (&Store, &Run),
    _: &Host,
    _: &StopToken,
    _: &(dyn Fn(News<'_>) + Sync),
) -> Result<Ended> {
    bail!(WITHOUT)
}

pub(crate) fn players_there(_: &str) -> Result<usize> {
    bail!(WITHOUT)
}
