//! How much of the server anybody may have, and for how long without doing anything.

use std::time::Duration;

/// Bounds that hold before anything is known about who asks. The defaults suit an app on one
/// machine; tests make them small.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Connections open at once, sockets of games among them. Fewer than the files that systems
    /// usually let a process open.
    pub connections: usize,
    /// Connections from one address of another machine; this machine's own may have all.
    pub per_address: usize,
    /// From the first moment of a connection, or the first byte of a later request, to the end of
    /// the request's head.
    pub head: Duration,
    /// From the end of a request's head to the end of its body.
    pub body: Duration,
    /// From the end of an answer to the next request.
    pub idle: Duration,
    /// How long a client may take no byte of an answer.
    pub stall: Duration,
    /// How often the clients of games are asked whether they are still there.
    pub ping: Duration,
    /// A client of a game that says nothing for so long, not even that it is there, is let go.
    pub silence: Duration,
    /// Bodies beyond [`Limits::SMALL_BODY`] that may arrive at once, so that many slow ones do not
    /// fill the memory.
    pub large_bodies: usize,
}

impl Limits {
    /// Bytes of a request's body at most.
    pub const LONGEST_BODY: usize = 1024 * 1024;
    /// Bytes up to which a body may arrive whatever else arrives.
    pub const SMALL_BODY: usize = 64 * 1024;
    /// Bytes of a request's head at most.
    pub(crate) const LONGEST_HEAD: usize = 64 * 1024;
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 512,
            per_address: 64,
            head: Duration::from_secs(10),
            body: Duration::from_secs(30),
            idle: Duration::from_secs(60),
            stall: Duration::from_secs(30),
            ping: Duration::from_secs(20),
            silence: Duration::from_secs(50),
            large_bodies: 32,
        }
    }
}
