//! Who plays, on many machines: by NATS JetStream, a coordinator and any number of workers.
//!
//! The coordinator is one implementation of [`lab::run::Players`]; schedule, statistics and store do
//! not know of it. It announces its run on a board (a bucket of keys), puts chunks of games into a
//! queue, and hears reports from another one. A worker takes a chunk, lets a player process play it,
//! has its report accepted, and only then says that the chunk is done. So whatever dies, a game is
//! played again at worst; and since the coordinator stores games by their number, never twice. A run
//! is finished when its games are there, not when the queue is empty.

mod access;
mod admitting;
mod board;
mod calling;
mod conduct;
mod coordinator;
mod desk;
mod error;
mod here;
mod joining;
mod lending;
mod parts;
mod player;
mod playing;
mod slots;
mod worker;

pub use access::Access;
pub use board::status;
pub use coordinator::{Coordinator, Listener, Past, Timing};
pub use error::ClusterError;
pub use player::serve_player;
pub use worker::{Admission, WorkerOptions, work};

use arena::GameRecord;
use store::GameRow;

/// A game as it is sent.
type Game = (GameRow, GameRecord);
