//! What is sent between programs, as plain data: scenes of games for those who draw them, and what is
//! said between programs that play a run on many machines. What is stored has its own forms, elsewhere.

mod cluster;
mod packed;
pub mod scene;

pub use cluster::{
    Chunk, ChunkReport, ClusterStatus, Fault, FromPlayer, GONE_AFTER, GameOrder, JoinAnswer,
    JoinRequest, Keys, LastSeen, PROTOCOL, RunDescription, RunNotice, RunStatus, ToPlayer, Work,
    WorkerNotice, WorkerStatus,
};
pub use packed::{Unreadable, pack, unpack};
