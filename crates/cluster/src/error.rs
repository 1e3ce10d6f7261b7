//! Why the machines cannot work together.

use std::fmt::Display;
use std::path::PathBuf;

use lab::run::RunError;

/// Why the machines cannot work together.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// The address.
    #[error("'{0}': expected the address of a NATS server, such as nats://HOST or tls://HOST:4222")]
    Address(String),
    /// A password where everybody can read it, or what may be one. It is not repeated.
    #[error(
        "the address of the NATS server holds a password or token, or has something else than a port \
         after a colon; others on this machine can read it. Expected nats://HOST:PORT, and secrets in \
         $NATS_USER and $NATS_PASSWORD, $NATS_TOKEN, $NATS_CREDS or $NATS_NKEY"
    )]
    Secret,
    /// A file of credentials.
    #[error("${variable}: cannot read '{}': {reason}", path.display())]
    File {
        /// The variable that names it.
        variable: &'static str,
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// Wrong credentials.
    #[error(
        "{0} refuses us: {1}; check $NATS_USER and $NATS_PASSWORD, $NATS_TOKEN, $NATS_CREDS or $NATS_NKEY"
    )]
    Denied(String, String),
    /// Nobody there.
    #[error("cannot reach a NATS server at {0}: {1}")]
    Unreachable(String, String),
    /// A server without streams.
    #[error(
        "the NATS server at {0} has no JetStream: {1}; start it with `nats-server --jetstream`"
    )]
    NoJetStream(String, String),
    /// Somebody else coordinates the run.
    #[error(
        "run '{run}' is coordinated by process {process} on {host}; it can have one coordinator"
    )]
    Busy {
        /// The run.
        run: String,
        /// The machine.
        host: String,
        /// The process.
        process: u32,
    },
    /// Somebody else has taken over.
    #[error("another coordinator has taken over run '{0}'; this one stops")]
    TakenOver(String),
    /// Somebody wants to throw away what somebody else coordinates.
    #[error(
        "run '{run}' is coordinated by process {process} on {host}, and would lose what is under way; end \
         that process first"
    )]
    Alive {
        /// The run.
        run: String,
        /// The machine.
        host: String,
        /// The process.
        process: u32,
    },
    /// The games that workers are to prove themselves with cannot be played.
    #[error(
        "the first games of the run cannot be played on this machine, so no worker can prove itself by \
         them: {0}"
    )]
    FirstGames(String),
    /// A worker plays otherwise than others.
    #[error(
        "worker {worker} played game {number} otherwise than it comes out here ({what}); it is refused \
         from now on. What it played before is in the run: `warroom runs {check} {run}` looks at all of \
         it, and --as-new begins another run"
    )]
    Untrue {
        /// The worker.
        worker: String,
        /// The run.
        run: String,
        /// The game.
        number: u64,
        /// The difference.
        what: String,
        /// What looks at all games of the run.
        check: &'static str,
    },
    /// This machine does not repeat what it plays.
    #[error(
        "this machine, {host}, does not repeat: it played game {number} twice, and not alike ({what}). Its \
         memory or processor may be broken; nothing is said against any worker"
    )]
    Unsteady {
        /// The machine.
        host: String,
        /// The game.
        number: u64,
        /// The difference.
        what: String,
    },
    /// A message that the server cannot take.
    #[error(
        "game {number} takes {bytes} bytes, and the NATS server takes messages of {most} only; raise \
         max_payload in its configuration"
    )]
    TooLong {
        /// The game.
        number: u64,
        /// Its length when it is packed.
        bytes: usize,
        /// The longest message.
        most: usize,
    },
    /// No such run.
    #[error("'{0}': no run of this name lies on the server")]
    NoRun(String),
    /// Anything else that the server or the network says.
    #[error("{what}: {reason}")]
    Nats {
        /// What was to be done.
        what: &'static str,
        /// Why it was not.
        reason: String,
    },
}

impl ClusterError {
    pub(crate) fn of(what: &'static str) -> impl Fn(&dyn Display) -> Self {
        move |reason| Self::Nats { what, reason: reason.to_string() }
    }
}

impl From<ClusterError> for RunError {
    fn from(error: ClusterError) -> Self {
        use ClusterError as E;
        match error {
            // Who asked can do something about it.
            E::Address(_)
            | E::Secret
            | E::File { .. }
            | E::Denied(..)
            | E::NoJetStream(..)
            | E::Busy { .. }
            | E::Alive { .. }
            | E::NoRun(_) => Self::Unwilling(Box::new(error)),
            _ => Self::Players(Box::new(error)),
        }
    }
}
