//! The connection: where the server is, who we are, and what we call things there.

use std::fmt::Display;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_nats::ConnectErrorKind;
use async_nats::ConnectOptions;
use async_nats::jetstream::consumer::pull;
use async_nats::jetstream::object_store::ObjectStore;
use async_nats::jetstream::{self, kv};
use gamecore::short_hash;
use lab::run::RunError;

/// The bucket of keys that all look at, and that of what is too long for a message.
const BOARD: &str = "warroom";
const FILES: &str = "warroom-files";

/// What nobody asks for any more goes after this time, whoever left it there.
const KEPT: Duration = Duration::from_hours(7 * 24);

/// How long a server may take to answer the first time.
const PATIENCE: Duration = Duration::from_secs(10);

/// Why the machines cannot work together.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// The address.
    #[error("'{0}': expected the address of a NATS server, such as nats://HOST or tls://HOST:4222")]
    Address(String),
    /// A password where everybody can read it.
    #[error(
        "the address of the NATS server holds a password or token, which others on this machine can \
         read; give it in $NATS_USER and $NATS_PASSWORD, $NATS_TOKEN, $NATS_CREDS or $NATS_NKEY"
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
    /// A worker plays otherwise than others.
    #[error(
        "worker {worker} played game {number} otherwise than it comes out here ({what}); it is refused \
         from now on. What it played before is in the run: `warroom runs rerun {run}` finds what is \
         wrong, and --as-new begins another run"
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
            | E::NoRun(_) => Self::Unwilling(Box::new(error)),
            _ => Self::Players(Box::new(error)),
        }
    }
}

/// Where the server is, and who we say that we are. Secrets come from the environment, under the names
/// that users of NATS know; never from the command line, where others see them.
#[derive(Clone)]
pub struct Access {
    address: String,
}

impl Access {
    /// A server by its address; credentials are in the environment.
    pub fn new(address: &str) -> Result<Self, ClusterError> {
        let wrong = || ClusterError::Address(address.to_owned());
        let (scheme, rest) = address.split_once("://").ok_or_else(wrong)?;
        if !matches!(scheme, "nats" | "tls") || rest.is_empty() || rest.contains(['/', ' ', '?']) {
            return Err(wrong());
        }
        if rest.contains('@') {
            return Err(ClusterError::Secret);
        }
        Ok(Self { address: address.to_owned() })
    }

    async fn connect_options(&self) -> Result<ConnectOptions, ClusterError> {
        let mut options = ConnectOptions::new().name("warroom").connection_timeout(PATIENCE);
        if let Some(user) = set("NATS_USER") {
            let password = set("NATS_PASSWORD").unwrap_or_default();
            options = options.user_and_password(user, password);
        }
        if let Some(token) = set("NATS_TOKEN") {
            options = options.token(token);
        }
        let unread = |variable: &'static str, path: &str| {
            let path = PathBuf::from(path);
            move |error: std::io::Error| ClusterError::File {
                variable,
                path,
                reason: error.to_string(),
            }
        };
        if let Some(path) = set("NATS_CREDS") {
            let read = options.credentials_file(&path).await;
            options = read.map_err(unread("NATS_CREDS", &path))?;
        }
        if let Some(path) = set("NATS_NKEY") {
            let seed = std::fs::read_to_string(&path).map_err(unread("NATS_NKEY", &path))?;
            options = options.nkey(seed.trim().to_owned());
        }
        if let Some(path) = set("NATS_CA") {
            options = options.add_root_certificates(path.into());
        }
        if let Some((certificate, key)) = set("NATS_CERT").zip(set("NATS_KEY")) {
            options = options.add_client_certificate(certificate.into(), key.into());
        }
        Ok(options)
    }
}

/// What a mutex guards; whoever panicked while holding it left plain data.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a variable of the environment holds.
fn set(variable: &str) -> Option<String> {
    std::env::var(variable).ok().filter(|text| !text.is_empty())
}

/// An open connection with what lies at the other end.
#[derive(Clone)]
pub(crate) struct Bus {
    pub(crate) client: async_nats::Client,
    pub(crate) streams: jetstream::Context,
    pub(crate) board: kv::Store,
    pub(crate) files: ObjectStore,
}

impl Bus {
    /// Connects, or says at once why it cannot.
    pub(crate) async fn connect(access: &Access) -> Result<Self, ClusterError> {
        let address = access.address.clone();
        let connected = access.connect_options().await?.connect(&address).await;
        let client = connected.map_err(|error| match error.kind() {
            ConnectErrorKind::AuthorizationViolation | ConnectErrorKind::Authentication => {
                ClusterError::Denied(address.clone(), error.to_string())
            }
            ConnectErrorKind::ServerParse => ClusterError::Address(address.clone()),
            _ => ClusterError::Unreachable(address.clone(), error.to_string()),
        })?;
        let streams = jetstream::new(client.clone());
        let without =
            |error: &dyn Display| ClusterError::NoJetStream(address.clone(), error.to_string());
        let board = kv::Config { bucket: BOARD.into(), max_age: KEPT, ..kv::Config::default() };
        let board = match streams.get_key_value(BOARD).await {
            Ok(board) => board,
            Err(_) => streams.create_key_value(board).await.map_err(|error| without(&error))?,
        };
        let files = jetstream::object_store::Config {
            bucket: FILES.into(),
            max_age: KEPT,
            ..jetstream::object_store::Config::default()
        };
        let files = match streams.get_object_store(FILES).await {
            Ok(files) => files,
            Err(_) => streams.create_object_store(files).await.map_err(|error| without(&error))?,
        };
        Ok(Self { client, streams, board, files })
    }

    /// Makes the queues of a run where they are missing.
    pub(crate) async fn make_queues(
        &self,
        run: &RunKey,
        patience: Duration,
    ) -> Result<(), ClusterError> {
        for (name, subject) in
            [(run.jobs(), run.job_subject()), (run.reports(), run.report_subject())]
        {
            let config = jetstream::stream::Config {
                name: name.clone(),
                subjects: vec![subject],
                retention: jetstream::stream::RetentionPolicy::WorkQueue,
                max_age: KEPT,
                ..jetstream::stream::Config::default()
            };
            let made = self.streams.get_or_create_stream(config).await;
            let stream = made.map_err(|error| ClusterError::of("making a queue")(&error))?;
            let consumer = pull::Config {
                durable_name: Some(CONSUMER.into()),
                ack_wait: patience,
                max_ack_pending: 1_000_000,
                ..pull::Config::default()
            };
            // One that waits otherwise is of a coordinator with other settings.
            let made = stream.create_consumer(consumer).await;
            made.map_err(|error| ClusterError::of("making a queue")(&error))?;
        }
        Ok(())
    }

    /// One of the queues of a run, to take messages from.
    pub(crate) async fn queue(
        &self,
        name: &str,
    ) -> Result<jetstream::consumer::PullConsumer, ClusterError> {
        let found = self.streams.get_consumer_from_stream(CONSUMER, name).await;
        found.map_err(|error| ClusterError::of("looking for a queue")(&error))
    }

    /// Takes everything of a run from the server.
    pub(crate) async fn remove(&self, run: &RunKey) -> Result<(), ClusterError> {
        let failed = ClusterError::of("cleaning up");
        // Nobody looks for the rest without it.
        self.board.purge(run.notice()).await.map_err(|error| failed(&error))?;
        for name in [run.jobs(), run.reports()] {
            // Gone already, perhaps.
            let _ = self.streams.delete_stream(name).await;
        }
        for name in self.files_of(run).await? {
            let _ = self.files.delete(name).await;
        }
        for refused in self.keys(&format!("refused.{}.", run.0)).await? {
            let _ = self.board.purge(refused).await;
        }
        Ok(())
    }

    /// The names of the files of a run.
    async fn files_of(&self, run: &RunKey) -> Result<Vec<String>, ClusterError> {
        use futures_util::TryStreamExt as _;
        let failed = ClusterError::of("listing files");
        let list = self.files.list().await.map_err(|error| failed(&error))?;
        let all: Vec<_> = list.try_collect().await.map_err(|error| failed(&error))?;
        let begins = format!("{}-", run.0);
        Ok(all.into_iter().map(|file| file.name).filter(|name| name.starts_with(&begins)).collect())
    }

    /// The keys on the board that begin so.
    pub(crate) async fn keys(&self, beginning: &str) -> Result<Vec<String>, ClusterError> {
        use futures_util::TryStreamExt as _;
        let failed = ClusterError::of("reading the board");
        let keys = self.board.keys().await.map_err(|error| failed(&error))?;
        let keys: Vec<String> = keys.try_collect().await.map_err(|error| failed(&error))?;
        Ok(keys.into_iter().filter(|key| key.starts_with(beginning)).collect())
    }

    /// Puts a text where workers find it by the hash of its content.
    pub(crate) async fn ship(&self, run: &RunKey, text: &str) -> Result<String, ClusterError> {
        let hash = short_hash(text);
        let name = run.file(&hash);
        let put = self.files.put(name.as_str(), &mut text.as_bytes()).await;
        put.map_err(|error| ClusterError::of("sending a file")(&error))?;
        Ok(hash)
    }

    /// The text with this hash; an error if it is not what it says.
    pub(crate) async fn fetch(&self, run: &RunKey, hash: &str) -> Result<String, ClusterError> {
        use tokio::io::AsyncReadExt as _;
        let failed = ClusterError::of("fetching a file");
        let mut file = self.files.get(run.file(hash)).await.map_err(|error| failed(&error))?;
        let mut text = String::new();
        file.read_to_string(&mut text).await.map_err(|error| failed(&error))?;
        if short_hash(&text) == hash {
            return Ok(text);
        }
        Err(failed(&"its content is not what its name says"))
    }
}

/// The reader of a queue.
const CONSUMER: &str = "warroom";

/// What stands for a run in the names of what belongs to it, which may hold few letters.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct RunKey(pub(crate) String);

impl RunKey {
    pub(crate) fn of(run: &str) -> Self {
        Self(short_hash(run))
    }

    pub(crate) fn notice(&self) -> String {
        format!("run.{}", self.0)
    }

    pub(crate) fn refused(&self, worker: &str) -> String {
        format!("refused.{}.{worker}", self.0)
    }

    pub(crate) fn jobs(&self) -> String {
        format!("warroom-{}-jobs", self.0)
    }

    pub(crate) fn reports(&self) -> String {
        format!("warroom-{}-reports", self.0)
    }

    pub(crate) fn job_subject(&self) -> String {
        format!("warroom.{}.jobs", self.0)
    }

    pub(crate) fn report_subject(&self) -> String {
        format!("warroom.{}.reports", self.0)
    }

    pub(crate) fn join_subject(&self) -> String {
        format!("warroom.{}.join", self.0)
    }

    fn file(&self, hash: &str) -> String {
        format!("{}-{hash}", self.0)
    }
}
