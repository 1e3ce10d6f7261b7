//! The only referee: it plays agents against each other, keeps their clocks, and writes and reads
//! the records of games.

mod clock;
mod progress;
mod record;
mod referee;
mod replay;

pub use clock::{ChessClock, TimeControl, TimeControlError, WallClock};
pub use progress::GameInProgress;
pub use record::{DecisionRecord, GameRecord, RecordError, SCHEMA, Seeds, Timing};
pub use referee::{Event, GameOptions, play_game};
pub use replay::{Replay, ReplayError, Step, replay};
