//! What is sent between programs, as plain data: so far between those that play a run on many
//! machines. What is stored has its own forms, elsewhere.

mod cluster;
mod packed;

pub use cluster::{
    Chunk, ChunkReport, ClusterStatus, Fault, FromPlayer, GONE_AFTER, GameOrder, JoinAnswer,
    JoinRequest, Keys, LastSeen, PROTOCOL, RunDescription, RunNotice, RunStatus, ToPlayer, Work,
    WorkerNotice, WorkerStatus,
};
pub use packed::{Unreadable, pack, unpack};
