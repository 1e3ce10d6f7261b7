//! What is sent between programs, as plain data: scenes of games for those who draw them, games in
//! progress and what is said of them, and what is said between programs that play a run on many machines. What is stored has its own forms, elsewhere.

mod cluster;
mod event;
mod explanation;
mod game;
mod lenses;
mod messages;
mod packed;
pub mod scene;
mod setups;

pub use cluster::{
    Chunk, ChunkReport, ClusterStatus, ConditionConduct, Fault, FromPlayer, GONE_AFTER, GameOrder,
    JoinAnswer, JoinRequest, Keys, LastSeen, PROTOCOL, Refusal, RunDescription, RunNotice,
    RunStatus, ToPlayer, Work, WorkerNotice, WorkerStatus,
};
pub use event::Event;
pub use explanation::{
    BoundKind, Candidate, ComparedTurn, Explanation, Figure, HeuristicScore, NodeNote,
    PrunedCandidate, Step, TermCard, ValueKind,
};
pub use game::{Clock, ClockState, Ending, GameState, NewGame, Player, Ply, SeatState};
pub use lenses::{ActionValue, Lens, LensCard, LensKind, SquareValue};
pub use messages::{Answer, Hint, Request, Thought};
pub use packed::{Unreadable, pack, unpack};
pub use setups::{LoadoutCard, LoadoutSlot, SetupCard, SetupKind, UnitCard};
