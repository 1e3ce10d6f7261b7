//! The face of any game without its types: what commands, the lab and the app talk to. A virtual
//! call per decision or per game, never per node.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use arena::{GameRecord, Seeds, TimeControl};
use gamecore::{Clock, Ending, Outcome, Seat, StopToken, Term, TimeLeft};
use protocol::scene::Scene;
use protocol::{Event, Lens, LensCard, LoadoutCard, SetupCard, Step};
use search::TurnTree;
use search::params::Values;

use crate::SpecError;
use crate::bench_plan::BenchPlan;
use crate::facets::TextFormat;
use crate::figures::GameFigures;
use crate::presentation::PresentationInfo;
use crate::reports::{
    AgentInfo, DecisionReport, GameInfo, PerftReport, PlayoutReport, ProgressReport,
};
use crate::solver::{AnySolver, SolverSettings};
use crate::spec::{AgentSpec, Loader};
use crate::tactics::{ProofLimits, TurnProof};
use crate::verify::VerifyReport;

/// A spec checked against a game, every key resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedAgent {
    /// The spec as written.
    pub spec: AgentSpec,
    /// All keys with their values.
    pub values: Values,
    /// Equal positions give equal decisions; false under time budgets and with several threads.
    pub repeatable: bool,
    /// What it is made of for every game.
    pub(crate) prepared: Prepared,
}

/// What a game made of the values of an agent; only that game opens it.
#[derive(Clone)]
pub(crate) struct Prepared(pub(crate) Arc<dyn Any + Send + Sync>);

impl fmt::Debug for Prepared {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Prepared")
    }
}

/// Equal values make equal agents.
impl PartialEq for Prepared {
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}

impl Eq for Prepared {}

/// One game to be played.
pub struct Job<'a> {
    /// The start position as text.
    pub start: &'a str,
    /// Agents by seat.
    pub agents: [&'a ResolvedAgent; 2],
    /// Seeds.
    pub seeds: Seeds,
    /// The chess clock, if any.
    pub time: Option<TimeControl>,
    /// Where time comes from.
    pub clock: &'a dyn Clock,
    /// Stops the game.
    pub stop: &'a StopToken,
    /// Keep what agents said and the time they took.
    pub log: bool,
}

/// Circumstances of one decision of a [`Session`].
pub struct Thinking<'a> {
    /// Where time comes from.
    pub clock: &'a dyn Clock,
    /// Stops the search; its best answer so far is given.
    pub stop: &'a StopToken,
    /// What the seat has left of its time, if time is kept.
    pub time_left: Option<TimeLeft>,
    /// Hears of progress.
    pub progress: Option<&'a (dyn Fn(&ProgressReport) + Sync)>,
    /// How many nodes of the search tree to report.
    pub tree_nodes: usize,
}

impl<'a> Thinking<'a> {
    /// A decision without a chess clock of which only the result is told.
    #[must_use]
    pub fn new(clock: &'a dyn Clock, stop: &'a StopToken) -> Self {
        Self { clock, stop, time_left: None, progress: None, tree_nodes: 0 }
    }
}

/// A game under its rule options, without its types.
pub trait AnyGame: Send + Sync {
    /// What it is.
    fn info(&self) -> GameInfo;
    /// What is unusual about its rules.
    fn warnings(&self) -> Vec<String>;
    /// What seats may bring, if people choose or build it.
    fn setups(&self) -> Option<SetupCard>;
    /// What a seat brings, read and checked; only where people choose or build it.
    fn draft(&self, text: &str) -> Result<LoadoutCard, SpecError>;
    /// The texts of other programs that it reads and writes.
    fn texts(&self) -> &'static [TextFormat];
    /// What people need to sit down to it.
    fn presentation(&self) -> PresentationInfo;
    /// How a game ended, as records keep it, in a sentence about players of these names.
    fn ending_words(&self, ending: (Outcome, &Ending), names: [&str; 2]) -> String;
    /// All agents with their tunables for this game.
    fn agents(&self) -> Vec<AgentInfo>;
    /// Checks a spec against this game.
    fn resolve(&self, spec: &AgentSpec, load: Loader<'_>) -> Result<ResolvedAgent, SpecError>;
    /// A setup of one seat as text: `FILE.toml` or `FILE.toml#NAME` is read by the loader, other
    /// texts are themselves.
    fn setup(&self, text: &str, load: Loader<'_>) -> Result<String, SpecError>;
    /// The start position of a game, as text: what each seat brings (empty for the game's own),
    /// and random plies; all chance in it is drawn from one seed. `exchanged`: the same deal with
    /// the other seat to begin, in games that are dealt.
    fn start(
        &self,
        setups: [&str; 2],
        opening_plies: Option<u32>,
        seed: u64,
        exchanged: bool,
    ) -> Result<String, SpecError>;
    /// A position rewritten in its canonical text.
    fn position(&self, text: &str) -> Result<String, SpecError>;
    /// Plays one game, and counts it meanwhile. The start position must come from
    /// [`AnyGame::start`] or [`AnyGame::position`].
    fn play(&self, job: &Job<'_>) -> (GameRecord, GameFigures);
    /// Opens a game to be played step by step.
    fn open(&self, start: &str, seeds: Seeds) -> Result<Box<dyn Session>, SpecError>;
    /// Opens a recorded game at its last position.
    fn open_record(&self, record: &GameRecord) -> Result<Box<dyn Session>, SpecError>;
    /// Counts what players did in recorded games: lengths, and what the game counts of its own.
    fn behaviour(
        &self,
        records: &mut dyn Iterator<Item = GameRecord>,
    ) -> Result<serde_json::Value, SpecError>;
    /// What a designer asks of every game: who began, how long it was, who was ahead half-way.
    fn figures(&self, record: &GameRecord) -> Result<GameFigures, SpecError>;
    /// The parts of an agent's evaluation for seat 0 at every decision of a recorded game, and
    /// whether a turn begins there.
    fn terms(
        &self,
        record: &GameRecord,
        agent: &ResolvedAgent,
    ) -> Result<Vec<(bool, Vec<Term>)>, SpecError>;
    /// Replays recorded games, ours or a trace of another program, told apart by the first line.
    fn verify(&self, content: &str) -> Result<VerifyReport, SpecError>;
    /// Counts the leaves of the tree; `progress` hears how many parts of how many are done.
    fn perft(
        &self,
        position: &str,
        depth: u32,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<PerftReport, SpecError>;
    /// Nodes of the smallest tree that proves that a position has this value `depth` decisions
    /// ahead, under the evaluation of an agent; `None` if it has another value or `stop` says so.
    fn minimal_tree(
        &self,
        position: &str,
        depth: u32,
        value: i32,
        agent: &ResolvedAgent,
        stop: &StopToken,
    ) -> Result<Option<u64>, SpecError>;
    /// The size of the tree of the turn that begins or goes on at a position; `allowed` names a
    /// heuristic that leaves out what it scores 0. `None` if the game is over.
    fn turn_tree(
        &self,
        position: &str,
        allowed: Option<&str>,
        limit: usize,
        seed: u64,
    ) -> Result<Option<TurnTree>, SpecError>;
    /// What the turns from a position are worth in material, by trying all of them and all answers;
    /// `material` is an agent whose evaluation counts it. `None` if there are too many, if more than
    /// this share of them comes near the best one, or if the chance is still there a turn later.
    fn prove(
        &self,
        position: &str,
        material: &ResolvedAgent,
        limits: ProofLimits<'_>,
        share: f64,
    ) -> Result<Option<TurnProof>, SpecError>;
    /// What a turn of `seat` that led to a position is worth, proved in the same way.
    fn turn_worth(
        &self,
        position: &str,
        seat: Seat,
        material: &ResolvedAgent,
        limits: ProofLimits<'_>,
    ) -> Result<Option<i32>, SpecError>;
    /// A solver with an empty table, if the game has one.
    fn solver(&self, settings: SolverSettings) -> Option<Box<dyn AnySolver>>;
    /// What happens in a random game from a start, as hashes.
    fn conduct(&self, start: &str, seed: u64) -> Result<crate::Conduct, SpecError>;
    /// What `bench` measures for this game.
    fn bench_plan(&self) -> BenchPlan;
    /// Plays random games from the start by the fast path.
    fn playouts(&self, games: u64, seed: u64) -> PlayoutReport;
}

/// A game in progress, without its types. Chance events happen by themselves.
pub trait Session: Send {
    /// Who decides next; `None` when the game is over.
    fn to_act(&self) -> Option<Seat>;
    /// The name of a seat.
    fn seat_name(&self, seat: Seat) -> String;
    /// Legal actions in the game's order.
    fn legal(&self) -> Vec<String>;
    /// Plays an action of the seat to act.
    fn apply(&mut self, action: &str) -> Result<(), SpecError>;
    /// Takes back the last action; false if there is none.
    fn undo(&mut self) -> bool;
    /// Plays the action taken back last; false if there is none.
    fn redo(&mut self) -> bool;
    /// Whether something was taken back that can be played again.
    fn can_redo(&self) -> bool;
    /// Ends the game: `seat` gives up.
    fn resign(&mut self, seat: Seat);
    /// Ends the game: the time of the seat to act is up.
    fn lose_on_time(&mut self);
    /// The position as text, with everything that is hidden from a seat.
    fn position(&self) -> String;
    /// Whether something is hidden from a seat under these rules.
    fn hides(&self) -> bool;
    /// The position as a drawing, for the eyes of a seat or for all.
    fn picture(&self, seat: Option<Seat>) -> String;
    /// The position to be drawn, for the eyes of a seat or for all.
    fn scene(&self, eyes: Option<Seat>) -> Scene;
    /// How many actions the players have made.
    fn played(&self) -> usize;
    /// The actions of the players so far.
    fn plies(&self) -> Vec<Step>;
    /// What each of them did, with the chance events after it, for the eyes of a seat or for all.
    fn events(&self, eyes: Option<Seat>) -> Vec<Vec<Event>>;
    /// How the game ended and why, if it did.
    fn ending(&self) -> Option<(Outcome, Ending)>;
    /// An ending in a sentence, to the player `you` or to anybody.
    fn ending_words(&self, ending: (Outcome, &Ending), you: Option<Seat>) -> String;
    /// Builds an agent that may be asked to think in this game; returns its number.
    fn add_agent(&mut self, agent: &ResolvedAgent, seed: u64) -> usize;
    /// Lets an agent decide the present position; the action is not played. An error if the agent
    /// failed, which only programs from outside do.
    fn think(&mut self, agent: usize, limits: &Thinking<'_>) -> Result<DecisionReport, SpecError>;
    /// A legal action as a decision that nobody thought about, played by the agent of this spec.
    fn unexplained(&self, action: &str, spec: &str) -> Result<DecisionReport, SpecError>;
    /// A legal action in words.
    fn step(&self, action: &str) -> Result<Step, SpecError>;
    /// Opinions about the present position that can be asked for, the most telling first. They look
    /// at everything, also at what is hidden from a seat.
    fn lenses(&self) -> Vec<LensCard>;
    /// The opinion of this name.
    fn lens(&self, name: &str) -> Result<Lens, SpecError>;
    /// Nodes of the tree that an agent holds now, and the bytes they take with their edges.
    fn tree_memory(&self, agent: usize) -> (usize, usize);
    /// The game so far.
    fn record(&self, agents: [String; 2]) -> GameRecord;
}
