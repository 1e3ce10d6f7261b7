//! Experiments of the lab: to be started, followed, looked at.

use protocol::ClusterStatus;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// The experiments that come with the program; `GET /api/experiments`.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ExperimentList {
    /// By name.
    pub experiments: Vec<ExperimentCard>,
}

/// An experiment that comes with the program.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ExperimentCard {
    /// Its name, that of its file: `smoke`.
    pub name: String,
    /// What it asks.
    pub about: String,
    /// The game.
    pub game: String,
    /// `match`, `round-robin`, `sweep`, `tune`, …
    pub kind: String,
    /// Games in all.
    pub games: u64,
    /// The file.
    pub text: String,
}

/// An experiment as somebody writes it; `POST /api/experiments/check` and `POST /api/runs`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ExperimentRequest {
    /// Its name: letters, digits and `-`, up to 60.
    pub name: String,
    /// The file.
    pub text: String,
    /// The share of its games that is played, above 0 and up to 1.
    #[serde(default)]
    pub scale: Option<f64>,
    /// Begin a new run even if there is one of this experiment.
    #[serde(default)]
    pub as_new: bool,
}

/// What a text was found to be.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ExperimentCheck {
    /// What is wrong with it, if anything.
    pub problem: Option<TextProblem>,
    /// What would be played, if nothing is wrong.
    pub plan: Option<PlanCard>,
}

/// Something wrong in a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct TextProblem {
    /// What.
    pub error: String,
    /// In which line, counted from 1, if that can be told.
    pub line: Option<u32>,
}

/// What an experiment would play.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct PlanCard {
    /// What it asks.
    pub about: String,
    /// The game.
    pub game: String,
    /// Its kind.
    pub kind: String,
    /// Who takes part, as it is called in results.
    pub players: Vec<String>,
    /// Pairings.
    pub pairings: u32,
    /// Games in all.
    pub games: u64,
    /// Run again it would play the same games.
    pub repeatable: bool,
    /// The run that would be taken up, if there is one.
    pub run: Option<String>,
    /// Games that this run has already.
    pub played: u64,
}

/// Where a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RunState {
    /// It is played, here or by another program.
    Running,
    /// All games are there.
    Finished,
    /// Games are missing; it can be resumed.
    Interrupted,
    /// Its games came from another database; it can be resumed.
    Copied,
}

/// A run in a list.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct RunCard {
    /// Its id.
    pub id: String,
    /// The name of its experiment.
    pub name: String,
    /// What it asks.
    pub about: String,
    /// The game.
    pub game: String,
    /// Its kind.
    pub kind: String,
    /// When it was begun, RFC 3339.
    pub created: String,
    /// Games that are there.
    pub played: u64,
    /// Games in all.
    pub planned: u64,
    /// Where it is.
    pub state: RunState,
    /// This server plays it.
    pub here: bool,
    /// It can be gone on with by this program; otherwise why not.
    pub resumable: bool,
    /// Why it cannot be resumed, or empty.
    pub why_not: String,
    /// What went wrong when this server played it last, if something did.
    pub failed: Option<String>,
}

/// All runs; `GET /api/runs`.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct RunList {
    /// The last ones first.
    pub runs: Vec<RunCard>,
}

/// Machines that play runs; `GET /api/workers`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, ToSchema)]
pub struct WorkerList {
    /// Where they are reached, if this server was started with some.
    pub server: Option<String>,
    /// Why they cannot be asked, if they cannot.
    pub problem: Option<String>,
    /// Who is there, and what they play.
    pub status: ClusterStatus,
}

/// A share of points with its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct Share {
    /// 0 to 1.
    pub value: f64,
    /// Lower end of the 95 % interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// Somebody of a field.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct StandingCard {
    /// Who.
    pub name: String,
    /// Games that count.
    pub games: u64,
    /// Points of them.
    pub score: Share,
    /// Rating, where a field has ratings: value and interval in Elo.
    pub elo: Option<Share>,
}

/// A pairing.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct PairingCard {
    /// Its number in the schedule.
    pub cell: u32,
    /// Who.
    pub a: String,
    /// Against whom.
    pub b: String,
    /// Under which conditions, if there are several; otherwise empty.
    pub condition: String,
    /// Games that count.
    pub games: u64,
    /// Won, drawn and lost by `a`.
    pub won: u64,
    /// Drawn.
    pub drawn: u64,
    /// Lost by `a`.
    pub lost: u64,
    /// The share of points of `a`; `None` before the first game.
    pub score: Option<Share>,
}

/// Everything about a run; `GET /api/runs/ID`.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct RunDetail {
    /// The run.
    pub card: RunCard,
    /// The program that plays it.
    pub version: String,
    /// Run again it would play the same games.
    pub repeatable: bool,
    /// Its rules.
    pub rules: String,
    /// What it shows so far: what `warroom runs show` prints.
    pub findings: RunFindings,
    /// The field, the best first; empty where there is none.
    pub standings: Vec<StandingCard>,
    /// The pairings in the order of the schedule.
    pub pairings: Vec<PairingCard>,
    /// Games that do not count, with why, the first few.
    pub void: Vec<String>,
}

/// What a run shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct RunFindings {
    /// Sentences, the most important first; names between double asterisks are to stand out.
    pub sentences: Vec<String>,
    /// Tables of what they rest on.
    pub tables: Vec<RunTable>,
}

/// A table of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct RunTable {
    /// What it shows.
    pub caption: String,
    /// The names of its columns.
    pub head: Vec<String>,
    /// Its rows, as long as the head.
    pub rows: Vec<Vec<String>>,
}

/// News of a run; `GET /api/runs/ID/events`, a stream of server-sent events.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum RunEvent {
    /// How far it is; first, then a few times a second while it is played.
    Progress(RunProgress),
    /// It ended or was stopped; last.
    Ended {
        /// The run as it is now.
        card: RunCard,
    },
}

/// How far a run is.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct RunProgress {
    /// The run.
    pub card: RunCard,
    /// Games a second lately; 0 if unknown.
    pub games_per_second: f64,
    /// Seconds to go, if that can be told.
    pub seconds_left: Option<f64>,
    /// The best so far with their share of points, up to five.
    pub leaders: Vec<StandingCard>,
}

/// Which games of a run.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct RunGamesQuery {
    /// Only those of this pairing.
    #[serde(default)]
    pub cell: Option<u32>,
    /// Games to leave out.
    #[serde(default)]
    pub offset: u64,
    /// Games at most, 50 unless given, up to 500.
    #[serde(default)]
    pub limit: Option<u64>,
}

/// A part of the games of a run; `GET /api/runs/ID/games?cell=&offset=&limit=`.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct RunGames {
    /// How many there are that were asked for.
    pub total: u64,
    /// In the order of the schedule.
    pub games: Vec<RunGame>,
}

/// A game of a run.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct RunGame {
    /// Its number in the schedule.
    pub number: u64,
    /// The pairing.
    pub cell: u32,
    /// Who played, by seat.
    pub players: [String; 2],
    /// How it ended: `seat 0 won: …`.
    pub result: String,
    /// The winner, if any.
    pub winner: Option<u8>,
    /// Actions.
    pub actions: u32,
}

/// A game of a run, put among the games so that it can be looked at;
/// `POST /api/runs/ID/games/NUMBER`. The answer is a `GameState`, the same game every time.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct OpenedGame {
    /// Its id, part of its address `/game/ID`.
    pub id: String,
}

/// Which two runs.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct CompareQuery {
    /// One.
    pub a: String,
    /// The other.
    pub b: String,
}

/// Two runs side by side; `GET /api/compare?a=&b=`.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct RunComparison {
    /// One.
    pub a: RunCard,
    /// The other.
    pub b: RunCard,
    /// What differs between the experiments, in words, one line each.
    pub differences: Vec<String>,
    /// Pairings that both have.
    pub pairings: Vec<ComparedPairing>,
    /// Pairings that only one has.
    pub unmatched: u32,
}

/// A pairing in two runs.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ComparedPairing {
    /// In the one.
    pub a: PairingCard,
    /// In the other.
    pub b: PairingCard,
    /// The share of points in `b` less that in `a`, with its 95 % interval.
    pub change: Option<Share>,
    /// The chance of such a difference if there is none, corrected for the number of pairings.
    pub p: Option<f64>,
    /// Whether that shows a difference.
    pub shown: bool,
}

/// The guide; `GET /api/guide`.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Guide {
    /// Its chapters in order.
    pub chapters: Vec<Chapter>,
}

/// A chapter of the guide.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Chapter {
    /// Its name, part of its address `/guide/NAME`.
    pub name: String,
    /// Its title.
    pub title: String,
    /// Markdown.
    pub text: String,
}
