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
pub(crate) mod told;
mod tree;
mod words;

use std::sync::Arc;

use arena::GameRecord;
use gamecore::{Purpose, Seat, seed};
use registry::{AnyGame, ResolvedAgent, Session, SpecError};
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

/// A game as it was when somebody asked about it.
pub(crate) struct Subject {
    pub(crate) id: String,
    pub(crate) game: Arc<dyn AnyGame>,
    pub(crate) record: GameRecord,
    /// The agents that play it, by seat.
    pub(crate) agents: [Option<ResolvedAgent>; 2],
}

impl Subject {
    /// The game of this id, if everything of it may be told.
    async fn of(app: &App, id: &str) -> Result<Self, Refusal> {
        app.lobby.ask(id, Message::Subject).await?
    }

    /// The number of actions before the position that is asked for.
    fn ply(&self, asked: Option<u32>) -> Result<usize, Refusal> {
        let last = self.record.actions.len();
        match asked {
            None => Ok(last),
            Some(ply) if ply as usize <= last => Ok(ply as usize),
            Some(ply) => Err(Refusal::bad(format!(
                "ply {ply}: the game has {last} actions; expected 0 to {last}"
            ))),
        }
    }

    /// The game after so many of its actions.
    fn at(&self, ply: usize) -> Result<Box<dyn Session>, SpecError> {
        let mut session = self.game.open_record(&self.record)?;
        for _ in ply..self.record.actions.len() {
            session.undo();
        }
        Ok(session)
    }

    /// The seed of whoever thinks about the game from outside; not that of the deal, which would
    /// know the cards.
    fn side_seed(&self) -> u64 {
        seed(self.record.seeds.start, 1, Purpose::Agent { game: 0, letter: 'h' })
    }

    /// The seed of the agent that plays a seat, so that it decides as it would at the table.
    fn seat_seed(&self, seat: Seat) -> u64 {
        self.record.seeds.agents[seat.index()]
    }
}

/// A chance of a seat as the chance of seat 0.
pub(crate) fn for_seat_zero(seat: u8, chance: f64) -> f64 {
    if seat == 0 { chance } else { 1.0 - chance }
}
