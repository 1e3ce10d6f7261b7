//! A run on many machines: a coordinator hands out chunks of games, workers play them in player
//! processes and report.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The number of this form of messages. Programs of different numbers do not play together.
pub const PROTOCOL: u32 = 3;

/// Keys that a tuning gives to the agents A and B of a game, where it gives them some.
pub type Keys = [Option<Vec<(String, String)>>; 2];

/// A run that wants workers, as its coordinator announces it. It is renewed with every heartbeat, so
/// that others see that the coordinator lives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct RunNotice {
    /// [`PROTOCOL`].
    pub protocol: u32,
    /// The name of the run.
    pub run: String,
    /// The machine that coordinates it.
    pub host: String,
    /// The number of the coordinator's process there.
    pub process: u32,
    /// Sets this coordinator apart from all others.
    pub nonce: String,
    /// Heartbeats so far.
    pub beat: u64,
    /// Milliseconds between two of them.
    pub heartbeat: u64,
    /// The hash of the [`RunDescription`].
    pub description: String,
    /// Games that are stored.
    pub stored: u64,
    /// Games in the schedule.
    pub planned: u64,
}

/// Everything that a player must know of a run. Programs from outside are named, never sent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunDescription {
    /// The experiment as its manifest keeps it.
    pub spec: Value,
    /// The hash of every file that the experiment names.
    pub files: BTreeMap<String, String>,
    /// The hash of every program from outside, and of its script.
    pub programs: BTreeMap<String, String>,
    /// Whether its games come out the same whoever plays them.
    pub repeatable: bool,
    /// What its rules and data do, under every condition.
    pub conducts: Vec<ConditionConduct>,
}

/// What a game does under a condition of a run, as hashes of random games from the starts of the run: whoever
/// computes the same plays by the same rules with the same data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConditionConduct {
    /// What sets the condition apart from others; empty if there is one.
    pub condition: String,
    /// The hash of the starts: of what is dealt, and what the sides bring.
    pub starts: String,
    /// That of what is legal and what it does.
    pub rules: String,
    /// That of what evaluations and action heuristics say of it.
    pub evaluations: String,
}

impl ConditionConduct {
    /// What differs from that of another program, in words; nothing if nothing does.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Option<String> {
        let named = [
            ("starts", self.starts == other.starts),
            ("rules", self.rules == other.rules),
            ("evaluations or action heuristics", self.evaluations == other.evaluations),
        ];
        // What comes first is the cause of what follows.
        let (what, _) = named.into_iter().find(|(_, same)| !same)?;
        let under = if self.condition.is_empty() {
            String::new()
        } else {
            format!(" under '{}'", self.condition)
        };
        Some(format!("its {what} of the game{under} are others than the coordinator's"))
    }
}

/// One game to be played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameOrder {
    /// Its number in the schedule.
    pub number: u64,
    /// What a tuning gives to its agents; so nobody but the coordinator needs the tuner.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub keys: Keys,
}

fn is_empty(keys: &Keys) -> bool {
    keys.iter().all(Option::is_none)
}

/// Games that one player plays, one after the other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chunk {
    /// Its name.
    pub id: String,
    /// The games.
    pub games: Vec<GameOrder>,
    /// Whoever played them, if they are to be played again: by somebody else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<String>,
}

/// Games that were not played, and why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fault {
    /// Their numbers.
    pub numbers: Vec<u64>,
    /// What happened.
    pub what: String,
    /// It did not happen to who reports it: several workers took these games, and were not heard again.
    #[serde(default)]
    pub unheard: bool,
}

/// What a worker says about a chunk, or about a part of it where all is too long for one message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChunkReport<Game> {
    /// The chunk.
    pub chunk: String,
    /// The worker.
    pub worker: String,
    /// Seconds that one player took for these games.
    pub seconds: f64,
    /// Games that ended.
    pub games: Vec<Game>,
    /// Those that did not.
    pub faults: Vec<Fault>,
    /// Those that it gives back, because it leaves or cannot play now.
    #[serde(default)]
    pub returned: Vec<u64>,
}

/// A worker that may not play a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Refusal {
    /// Why.
    pub reason: String,
    /// The machine whose games are in the run, if it was refused for one of them.
    pub host: Option<String>,
}

/// A worker that wants to play a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "asks", rename_all = "kebab-case")]
pub enum JoinRequest<Game> {
    /// May it?
    Join {
        /// The worker.
        worker: String,
        /// [`PROTOCOL`].
        protocol: u32,
    },
    /// Here are the games that it was to replay.
    Prove {
        /// The worker.
        worker: String,
        /// The games.
        games: Vec<Game>,
    },
}

/// What the coordinator says to it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "says", rename_all = "kebab-case")]
pub enum JoinAnswer {
    /// It may.
    Welcome,
    /// First it must play these games of the run, which are known, as they were played.
    Prove {
        /// The games.
        games: Vec<GameOrder>,
    },
    /// It must ask again: there is no game yet to prove itself with.
    Wait,
    /// It may not.
    Refused {
        /// Why.
        reason: String,
    },
}

/// What a worker has done for a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Work {
    /// Games.
    pub games: u64,
    /// Why it does not play the run; empty if it may.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub refused: String,
}

/// A worker as it announces itself with every heartbeat.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct WorkerNotice {
    /// [`PROTOCOL`].
    pub protocol: u32,
    /// Its machine.
    pub host: String,
    /// The number of its process there.
    pub process: u32,
    /// Its program.
    pub program: String,
    /// What the machine calls its processor.
    pub cpu: String,
    /// Games that it plays at a time.
    pub threads: usize,
    /// Milliseconds between two heartbeats.
    pub heartbeat: u64,
    /// Games a second of late.
    pub rate: f64,
    /// What it does, by run.
    pub runs: BTreeMap<String, Work>,
}

/// Silent for so many heartbeats: gone.
pub const GONE_AFTER: u32 = 3;

/// When somebody was heard, by the clock of the server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct LastSeen {
    /// Seconds since.
    pub silent: f64,
    /// Longer than [`GONE_AFTER`] of its heartbeats.
    pub gone: bool,
}

impl LastSeen {
    /// So many seconds ago, of somebody with so many milliseconds between two heartbeats.
    #[must_use]
    pub fn new(silent: f64, heartbeat: u64) -> Self {
        Self { silent, gone: silent * 1000.0 > heartbeat as f64 * f64::from(GONE_AFTER) }
    }
}

/// A run with what of it lies on the server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct RunStatus {
    /// What its coordinator says.
    #[serde(flatten)]
    pub notice: RunNotice,
    /// Chunks that nobody has played.
    pub jobs: u64,
    /// Reports that the coordinator has not heard.
    pub reports: u64,
    /// The bytes of both.
    pub bytes: u64,
    /// Workers that may not play it, and why.
    pub refused: BTreeMap<String, String>,
    /// When the coordinator was heard.
    pub timing: LastSeen,
}

/// A worker as somebody sees it who looks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct WorkerStatus {
    /// Its name.
    pub name: String,
    /// What it says.
    pub worker: WorkerNotice,
    /// When it was heard.
    pub timing: LastSeen,
}

/// What lies on a server, and who is there.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ClusterStatus {
    /// Runs that want workers, or were left behind.
    pub runs: Vec<RunStatus>,
    /// Workers, by name.
    pub workers: Vec<WorkerStatus>,
}

/// What a worker says to its player process, one line each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum ToPlayer {
    /// Open this experiment.
    Open {
        /// The experiment.
        spec: Value,
        /// The files that it names, with their content.
        files: BTreeMap<String, String>,
    },
    /// Find out what its rules and data do.
    Conduct,
    /// Play one game of it.
    Play(GameOrder),
}

/// What the player process says, one line to each line it hears.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "did", rename_all = "kebab-case")]
pub enum FromPlayer<Game> {
    /// It is open.
    Opened,
    /// What its rules and data do.
    Conducts {
        /// Under every condition.
        conducts: Vec<ConditionConduct>,
    },
    /// The game has ended.
    Played {
        /// The game.
        game: Game,
    },
    /// It could not be done.
    Failed {
        /// Why.
        reason: String,
        /// It is the machine's fault, not that of what was asked.
        machine: bool,
    },
}
