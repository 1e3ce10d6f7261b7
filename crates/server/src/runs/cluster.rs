//! Machines elsewhere that play the runs of the lab. How they are reached, and who we are there, is known to
//! whoever started the server, never to the page.

use gamecore::StopToken;
use lab::experiment::Experiment;
use lab::run::{Ended, News, RunError};
use protocol::ClusterStatus;
use store::{Run, Store};

use super::Runs;
use crate::dto::WorkerList;

/// Machines elsewhere that play runs.
pub trait Cluster: Send + Sync {
    /// Where they are reached.
    fn address(&self) -> &str;

    /// Plays what is missing of a run there.
    fn take_up(
        &self,
        experiment: &Experiment,
        place: (&Store, &Run),
        stop: &StopToken,
        hear: &(dyn Fn(News<'_>) + Sync),
    ) -> Result<Ended, RunError>;

    /// Who is there, and what they play.
    fn status(&self) -> Result<ClusterStatus, RunError>;
}

impl Runs {
    /// Who plays the runs of this server.
    pub(super) fn workers(&self) -> WorkerList {
        let Some(cluster) = &self.cluster else { return WorkerList::default() };
        let (status, problem) = match cluster.status() {
            Ok(status) => (status, None),
            Err(error) => (ClusterStatus::default(), Some(error.to_string())),
        };
        WorkerList { server: Some(cluster.address().to_owned()), problem, status }
    }
}
