//! A player: a process of this program that plays one game after the other, so that a game that ends
//! its process ends nothing else.

use std::collections::BTreeMap;
use std::io::{self, BufRead as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::mpsc;
use std::thread;

use gamecore::StopToken;
use lab::experiment::{Experiment, Spec};
use lab::run::play_numbered;
use protocol::{ConditionConduct, FromPlayer, GameOrder, ToPlayer};
use registry::Registry;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use crate::Game;
use crate::conduct::conducts;

/// The words that make this program a player.
const WORDS: [&str; 2] = ["worker", "--player"];

/// An experiment as a player is told of it.
#[derive(Clone)]
pub(crate) struct Shipped {
    pub(crate) games: Registry,
    pub(crate) spec: serde_json::Value,
    pub(crate) files: BTreeMap<String, String>,
}

impl Shipped {
    /// Opens it as the coordinator did: its files are here, and nothing else is read.
    pub(crate) fn open(&self) -> Result<Experiment, String> {
        let spec = Spec::from_json(self.spec.clone()).map_err(|error| error.to_string())?;
        let load = |path: &str| {
            let missing = || io::Error::other(format!("the file '{path}' was not sent"));
            self.files.get(path).cloned().ok_or_else(missing)
        };
        Experiment::open(&self.games, spec, &load).map_err(|error| error.to_string())
    }
}

/// Why a player did not play.
#[derive(Debug)]
pub(crate) enum PlayerFault {
    /// It says why, and lives.
    Said(String),
    /// It is gone; how it ended, as far as that is known.
    Gone(String),
    /// This machine does not let it play; nothing is known of the game.
    Unable(String),
}

/// This program, also where its file was replaced by another one since it was started: what it admitted itself by
/// is what it plays by.
fn own_program() -> io::Result<PathBuf> {
    let file = std::env::current_exe()?;
    let opened = Path::new("/proc/self/exe");
    Ok(if file.exists() || !opened.exists() { file } else { opened.into() })
}

/// Games that this machine plays at a time.
pub(crate) fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// A player process, as whoever gives it games sees it.
pub(crate) struct Player {
    child: Child,
    say: ChildStdin,
    hear: Lines<BufReader<ChildStdout>>,
}

impl Player {
    /// Starts one, which may use so many bytes of memory, and opens an experiment in it.
    pub(crate) async fn start(shipped: &Shipped, memory: Option<u64>) -> Result<Self, PlayerFault> {
        let gone =
            |error: io::Error| PlayerFault::Unable(format!("cannot start a player: {error}"));
        let mut command = Command::new(own_program().map_err(gone)?);
        command.args(WORDS).stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
        // Neither the player nor a program that it starts connects to anything.
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("NATS_") {
                command.env_remove(name);
            }
        }
        if let Some(bytes) = memory {
            command.args(["--memory", &(bytes >> 20).max(1).to_string()]);
        }
        // An interruption at the terminal is for whoever started it.
        #[cfg(unix)]
        command.process_group(0);
        let mut child = command.spawn().map_err(gone)?;
        let (say, hear) = child.stdin.take().zip(child.stdout.take()).expect("both are pipes");
        let mut player = Self { child, say, hear: BufReader::new(hear).lines() };
        let Shipped { spec, files, .. } = shipped.clone();
        // Whatever is wrong here, it is not a game.
        match player.ask(&ToPlayer::Open { spec, files }).await {
            Ok(FromPlayer::Opened) => Ok(player),
            Ok(_) => Err(PlayerFault::Unable("its player spoke out of turn".into())),
            Err(PlayerFault::Said(what) | PlayerFault::Gone(what) | PlayerFault::Unable(what)) => {
                Err(PlayerFault::Unable(format!("its player does not begin: {what}")))
            }
        }
    }

    /// What the rules and data of its experiment do.
    pub(crate) async fn conducts(&mut self) -> Result<Vec<ConditionConduct>, PlayerFault> {
        match self.ask(&ToPlayer::Conduct).await? {
            FromPlayer::Conducts { conducts } => Ok(conducts),
            _ => Err(PlayerFault::Gone("it spoke out of turn".into())),
        }
    }

    /// Lets it play a game.
    pub(crate) async fn play(&mut self, order: GameOrder) -> Result<Game, PlayerFault> {
        match self.ask(&ToPlayer::Play(order)).await? {
            FromPlayer::Played { game } => Ok(game),
            _ => Err(PlayerFault::Gone("it spoke out of turn".into())),
        }
    }

    async fn ask(&mut self, what: &ToPlayer) -> Result<FromPlayer<Game>, PlayerFault> {
        let mut line = serde_json::to_vec(what).expect("messages are plain data");
        line.push(b'\n');
        let heard = match self.say.write_all(&line).await {
            Ok(()) => self.hear.next_line().await,
            Err(error) => Err(error),
        };
        let Ok(Some(line)) = heard else {
            let status = self.child.wait().await;
            let how = status.map_or_else(|error| error.to_string(), |status| status.to_string());
            return Err(PlayerFault::Gone(format!("it ended its player ({how})")));
        };
        match serde_json::from_str(&line) {
            Ok(FromPlayer::Failed { reason, machine: true }) => Err(PlayerFault::Unable(reason)),
            Ok(FromPlayer::Failed { reason, .. }) => Err(PlayerFault::Said(reason)),
            Ok(said) => Ok(said),
            Err(error) => Err(PlayerFault::Gone(format!("its player says '{line:.80}': {error}"))),
        }
    }
}

/// Plays what is asked for on the standard input until that is closed; with so many MiB of memory at
/// most.
pub fn serve_player(games: &Registry, memory: Option<u64>) -> io::Result<()> {
    if let Some(mebibytes) = memory {
        limit_memory(mebibytes << 20)?;
    }
    let (heard, orders) = mpsc::channel();
    // Whoever gave the orders may end in the middle of a game.
    thread::Builder::new().spawn(move || {
        for line in io::stdin().lock().lines() {
            if line.is_err() || heard.send(line.unwrap_or_default()).is_err() {
                break;
            }
        }
        std::process::exit(0);
    })?;
    let mut experiment = None;
    for line in orders {
        let said = match serde_json::from_str(&line) {
            Ok(ToPlayer::Open { spec, files }) => {
                match (Shipped { games: games.clone(), spec, files }).open() {
                    Ok(opened) => {
                        experiment = Some(opened);
                        FromPlayer::Opened
                    }
                    Err(reason) => failed(reason),
                }
            }
            Ok(ToPlayer::Conduct) => conducted(experiment.as_ref()),
            Ok(ToPlayer::Play(order)) => played(experiment.as_ref(), &order),
            Err(error) => failed(format!("not an order: {error}")),
        };
        let mut line = serde_json::to_vec(&said).expect("messages are plain data");
        line.push(b'\n');
        let mut out = io::stdout().lock();
        out.write_all(&line)?;
        out.flush()?;
    }
    Ok(())
}

fn failed(reason: String) -> FromPlayer<Game> {
    FromPlayer::Failed { reason, machine: false }
}

fn conducted(experiment: Option<&Experiment>) -> FromPlayer<Game> {
    let Some(experiment) = experiment else { return failed("no experiment is open".into()) };
    match conducts(experiment) {
        Ok(conducts) => FromPlayer::Conducts { conducts },
        Err(error) => failed(error.to_string()),
    }
}

fn played(experiment: Option<&Experiment>, order: &GameOrder) -> FromPlayer<Game> {
    let Some(experiment) = experiment else { return failed("no experiment is open".into()) };
    match play_numbered(experiment, order.number, &order.keys, &StopToken::default()) {
        Ok(Some(game)) => FromPlayer::Played { game },
        Ok(None) => failed("it was stopped".into()),
        Err(error) => {
            FromPlayer::Failed { machine: error.is_machine_fault(), reason: error.to_string() }
        }
    }
}

#[cfg(unix)]
fn limit_memory(bytes: u64) -> io::Result<()> {
    use nix::sys::resource::{Resource, setrlimit};
    Ok(setrlimit(Resource::RLIMIT_DATA, bytes, bytes)?)
}

#[cfg(not(unix))]
fn limit_memory(_bytes: u64) -> io::Result<()> {
    Ok(())
}
