//! What is sent between programs, as plain data: so far between those that play a run on many
//! machines. What is stored has its own forms, elsewhere.

mod cluster;
mod packed;

pub use cluster::{
    Chunk, ChunkReport, Fault, FromPlayer, GameOrder, JoinAnswer, JoinRequest, Keys, PROTOCOL,
    RunDescription, RunNotice, ToPlayer, Work, WorkerNotice,
};
pub use packed::{Unreadable, pack, unpack};
