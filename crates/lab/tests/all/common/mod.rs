//! What the tests of the lab share.

pub(crate) mod runs;

use std::sync::Arc;

use arena::{GameRecord, Seeds};
use gamecore::{Ending, Outcome, StopToken};
use protocol::{LoadoutCard, SetupCard};
use registry::{
    AgentInfo, AgentSpec, AnyGame, AnySolver, BenchPlan, Conduct, GameFigures, GameInfo, Job,
    Loader, PerftReport, PlayoutReport, PresentationInfo, ProofLimits, ResolvedAgent, Session,
    SolverSettings, SpecError, TextFormat, TurnProof, TurnTree, VerifyReport,
};

/// A game that is like another one, except that some of its games go wrong.
pub(crate) struct Faulty {
    pub(crate) inner: Arc<dyn AnyGame>,
    /// Panics where this says so.
    pub(crate) fault: fn(&Job<'_>) -> bool,
    /// Plays in the place of every agent of this text.
    pub(crate) other: Option<(&'static str, ResolvedAgent)>,
}

impl AnyGame for Faulty {
    fn info(&self) -> GameInfo {
        self.inner.info()
    }
    fn warnings(&self) -> Vec<String> {
        self.inner.warnings()
    }
    fn setups(&self) -> Option<SetupCard> {
        self.inner.setups()
    }
    fn draft(&self, text: &str) -> Result<LoadoutCard, SpecError> {
        self.inner.draft(text)
    }
    fn texts(&self) -> &'static [TextFormat] {
        self.inner.texts()
    }
    fn presentation(&self) -> PresentationInfo {
        self.inner.presentation()
    }
    fn ending_words(&self, ending: (Outcome, &Ending), names: [&str; 2]) -> String {
        self.inner.ending_words(ending, names)
    }

    fn agents(&self) -> Vec<AgentInfo> {
        self.inner.agents()
    }
    fn resolve(&self, spec: &AgentSpec, load: Loader<'_>) -> Result<ResolvedAgent, SpecError> {
        self.inner.resolve(spec, load)
    }
    fn start(
        &self,
        setups: [&str; 2],
        opening_plies: Option<u32>,
        seed: u64,
        exchanged: bool,
    ) -> Result<String, SpecError> {
        self.inner.start(setups, opening_plies, seed, exchanged)
    }
    fn setup(&self, text: &str, load: Loader<'_>) -> Result<String, SpecError> {
        self.inner.setup(text, load)
    }
    fn behaviour(
        &self,
        records: &mut dyn Iterator<Item = GameRecord>,
    ) -> Result<serde_json::Value, SpecError> {
        self.inner.behaviour(records)
    }
    fn figures(&self, record: &GameRecord) -> Result<GameFigures, SpecError> {
        self.inner.figures(record)
    }
    fn terms(
        &self,
        record: &GameRecord,
        agent: &ResolvedAgent,
    ) -> Result<Vec<(bool, Vec<gamecore::Term>)>, SpecError> {
        self.inner.terms(record, agent)
    }
    fn turn_tree(
        &self,
        position: &str,
        allowed: Option<&str>,
        limit: usize,
        seed: u64,
    ) -> Result<Option<TurnTree>, SpecError> {
        self.inner.turn_tree(position, allowed, limit, seed)
    }
    fn prove(
        &self,
        position: &str,
        material: &ResolvedAgent,
        limits: ProofLimits<'_>,
        share: f64,
    ) -> Result<Option<TurnProof>, SpecError> {
        self.inner.prove(position, material, limits, share)
    }
    fn turn_worth(
        &self,
        position: &str,
        seat: gamecore::Seat,
        material: &ResolvedAgent,
        limits: ProofLimits<'_>,
    ) -> Result<Option<i32>, SpecError> {
        self.inner.turn_worth(position, seat, material, limits)
    }
    fn verify(&self, content: &str) -> Result<VerifyReport, SpecError> {
        self.inner.verify(content)
    }
    fn position(&self, text: &str) -> Result<String, SpecError> {
        self.inner.position(text)
    }
    fn play(&self, job: &Job<'_>) -> (GameRecord, GameFigures) {
        assert!(!(self.fault)(job), "a fault in {}", job.start);
        let agents = job.agents.map(|asked| match &self.other {
            Some((name, other)) if asked.spec.to_string() == *name => other,
            _ => asked,
        });
        let (record, figures) = self.inner.play(&Job { agents, ..*job });
        let agents = job.agents.map(|asked| asked.spec.to_string());
        (GameRecord { agents, ..record }, figures)
    }
    fn open(&self, start: &str, seeds: Seeds) -> Result<Box<dyn Session>, SpecError> {
        self.inner.open(start, seeds)
    }
    fn open_record(&self, record: &GameRecord) -> Result<Box<dyn Session>, SpecError> {
        self.inner.open_record(record)
    }
    fn perft(
        &self,
        position: &str,
        depth: u32,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<PerftReport, SpecError> {
        self.inner.perft(position, depth, progress)
    }
    fn solver(&self, settings: SolverSettings) -> Option<Box<dyn AnySolver>> {
        self.inner.solver(settings)
    }

    fn minimal_tree(
        &self,
        position: &str,
        depth: u32,
        value: i32,
        agent: &ResolvedAgent,
        stop: &StopToken,
    ) -> Result<Option<u64>, SpecError> {
        self.inner.minimal_tree(position, depth, value, agent, stop)
    }

    fn bench_plan(&self) -> BenchPlan {
        self.inner.bench_plan()
    }
    fn conduct(&self, start: &str, seed: u64) -> Result<Conduct, SpecError> {
        self.inner.conduct(start, seed)
    }
    fn playouts(&self, games: u64, seed: u64) -> PlayoutReport {
        self.inner.playouts(games, seed)
    }
}
