//! The connection: where the server is, who we are, and what we call things there.

use std::fmt::Display;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_nats::ConnectErrorKind;
use async_nats::ConnectOptions;
use async_nats::jetstream::consumer::pull;
use async_nats::jetstream::context::PublishError;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::object_store::ObjectStore;
use async_nats::jetstream::{self, kv};
use gamecore::short_hash;

use crate::error::ClusterError;

/// The bucket of keys that all look at, and that of what is too long for a message.
const BOARD: &str = "warroom";
const FILES: &str = "warroom-files";

/// What nobody renews any more goes after this time, whoever left it there.
pub(crate) const KEPT: Duration = Duration::from_hours(7 * 24);

/// How long a server may take to answer the first time.
const PATIENCE: Duration = Duration::from_secs(10);

/// Where the server is, and who we say that we are. Secrets come from the environment, under the names
/// that users of NATS know; never from the command line, where others see them.
#[derive(Clone)]
pub struct Access {
    address: String,
}

impl Access {
    /// A server by its address; credentials are in the environment.
    pub fn new(address: &str) -> Result<Self, ClusterError> {
        // First of all: what is wrong with an address is said by repeating it.
        if may_hold_secret(address) {
            return Err(ClusterError::Secret);
        }
        let wrong = || ClusterError::Address(address.to_owned());
        let (scheme, rest) = address.split_once("://").ok_or_else(wrong)?;
        if !matches!(scheme, "nats" | "tls") || rest.is_empty() || rest.contains(['/', ' ', '?']) {
            return Err(wrong());
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

/// Whether somebody may have written a secret into an address, however badly formed that is: before an
/// `@`, or after a colon where only a port may stand.
fn may_hold_secret(address: &str) -> bool {
    let after_scheme = |text: &str| text.rsplit("://").next().unwrap_or_default().to_owned();
    let is_odd = |server: &str| {
        let server = after_scheme(server);
        // Colons between brackets are those of a number of a machine.
        let end = match server.strip_prefix('[').map(|rest| rest.split_once(']')) {
            Some(Some((_, end))) => end,
            Some(None) => return true,
            None => server.as_str(),
        };
        let port = end.split_once(':').map(|(_, rest)| rest.split(['/', '?', ' ']).next());
        port.flatten().is_some_and(|port| !port.bytes().all(|byte| byte.is_ascii_digit()))
    };
    address.contains('@')
        || address.to_ascii_lowercase().contains("%40")
        || address.split(',').any(is_odd)
}

/// What a mutex guards; whoever panicked while holding it left plain data.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a variable of the environment holds.
fn set(variable: &str) -> Option<String> {
    std::env::var(variable).ok().filter(|text| !text.is_empty())
}

/// The board and the files, which are made where they are missing.
async fn buckets(
    streams: &jetstream::Context,
    address: &str,
) -> Result<(kv::Store, ObjectStore), ClusterError> {
    let without =
        |error: &dyn Display| ClusterError::NoJetStream(address.to_owned(), error.to_string());
    let board = match streams.get_key_value(BOARD).await {
        Ok(board) => board,
        Err(_) => {
            let made = kv::Config { bucket: BOARD.into(), max_age: KEPT, ..kv::Config::default() };
            streams.create_key_value(made).await.map_err(|error| without(&error))?
        }
    };
    let files = match streams.get_object_store(FILES).await {
        Ok(files) => files,
        Err(_) => {
            let made = jetstream::object_store::Config {
                bucket: FILES.into(),
                max_age: KEPT,
                ..jetstream::object_store::Config::default()
            };
            streams.create_object_store(made).await.map_err(|error| without(&error))?
        }
    };
    Ok((board, files))
}

/// An open connection with what lies at the other end.
#[derive(Clone)]
pub(crate) struct Bus {
    pub(crate) address: String,
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
        let (board, files) = buckets(&streams, &address).await?;
        Ok(Self { address, client, streams, board, files })
    }

    /// Makes what the server has lost, such as one that was started again with an empty disk.
    pub(crate) async fn mend(&self) {
        let _ = buckets(&self.streams, &self.address).await;
    }

    /// Whether the server is there.
    pub(crate) fn is_connected(&self) -> bool {
        self.client.connection_state() == async_nats::connection::State::Connected
    }

    /// Takes a key from the board without a trace. Whoever watches it is not told.
    pub(crate) async fn erase(&self, key: &str) {
        let subject = format!("{}{key}", self.board.prefix);
        // It goes by itself after a while.
        let _ = self.board.stream.purge().filter(subject).await;
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

    /// Sends something to a queue; an error if the server does not keep it.
    pub(crate) async fn send(
        &self,
        subject: String,
        message: PublishMessage,
    ) -> Result<(), PublishError> {
        self.streams.send_publish(subject, message).await?.await.map(drop)
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
        // Nobody looks for the rest without it.
        let purged = self.board.purge(run.notice()).await;
        purged.map_err(|error| ClusterError::of("cleaning up")(&error))?;
        self.remove_rest(run).await
    }

    /// Takes from the server what belongs to a run that is not announced.
    pub(crate) async fn remove_rest(&self, run: &RunKey) -> Result<(), ClusterError> {
        for name in [run.jobs(), run.reports()] {
            // Gone already, perhaps.
            let _ = self.streams.delete_stream(name).await;
        }
        for name in self.files_of(run).await? {
            let _ = self.files.delete(name).await;
        }
        for refused in self.keys(&format!("refused.{}.", run.0)).await? {
            self.erase(&refused).await;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_in_an_address_is_never_repeated() {
        for address in [
            "nats://ann:hush@host",
            "nats://hush@host:4222",
            "ann:hush@host",
            "nats//ann:hush@host",
            "nats:ann:hush@host",
            "http://ann:hush@host",
            "nats://ann:hush@host/path",
            "nats://ann:hush@",
            " nats://hush@host",
            "nats://ann:hush%40host",
            "nats://one:4222,nats://ann:hush@two",
            "nats://one:4222,ann:hush",
            "nats://ann:hush",
            "ann:hush",
            "nats://ann:hush/path",
            "nats://[ann:hush",
        ] {
            let error = Access::new(address).err().expect("it is refused");
            assert!(matches!(error, ClusterError::Secret), "{address}: {error}");
            assert!(!error.to_string().contains("hush"), "{error}");
        }
    }

    #[test]
    fn an_address_is_that_of_a_server_of_nats() {
        for address in ["nats://host", "tls://host:4222", "nats://[::1]:4222", "nats://a:1,b:2"] {
            assert!(Access::new(address).is_ok(), "{address}");
        }
        for address in ["", "host", "host:4222", "http://host", "nats://", "nats://host/path"] {
            let error = Access::new(address).err().expect("it is refused").to_string();
            assert!(
                error.contains(&format!("'{address}'")) && error.contains("nats://"),
                "{error}"
            );
        }
    }
}
