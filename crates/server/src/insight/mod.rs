//! What explains agents: why they played as they did, searches of any position with their trees,
//! opinions that can be laid over the board, and whole games looked through again.
//!
//! Nothing of it is told while it could reveal what is hidden from a person who plays.
#![allow(unused_qualifications, reason = "the description's macro writes paths")]

pub(crate) mod analysis;
pub(crate) mod explanations;
mod judge;
mod kept;
pub(crate) mod lenses;
mod looking;
pub(crate) mod scenes;
pub(crate) mod studies;
mod tree;

use std::sync::Arc;

use live::Subject;
use tokio::sync::Semaphore;

use crate::app::App;
use crate::error::Refusal;
use crate::table::Message;
use kept::KeptAnalyses;
use studies::Studies;

/// Games that are looked through at the same time at most.
const MOST_ANALYSES: usize = 2;

/// What is kept for those who ask.
pub(crate) struct Insight {
    studies: Studies,
    analyses: Arc<Semaphore>,
    /// Studies wait for each other, so that workers are left to those who play.
    studying: Semaphore,
    finished: KeptAnalyses,
}

impl Insight {
    /// For a server with so many workers.
    pub(crate) fn new(workers: usize) -> Self {
        Self {
            studies: Studies::default(),
            analyses: Arc::new(Semaphore::new(MOST_ANALYSES)),
            studying: Semaphore::new(workers.saturating_sub(1).max(1)),
            finished: KeptAnalyses::default(),
        }
    }
}

/// The game of this id, if everything of it may be told.
async fn subject(app: &App, id: &str) -> Result<Subject, Refusal> {
    app.lobby.ask(id, Message::Subject).await?
}
