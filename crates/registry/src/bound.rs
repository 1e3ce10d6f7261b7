//! A game with its kit, and the one blanket implementation of [`AnyGame`].

use std::sync::Arc;

use arena::{Event, GameOptions, GameRecord, Replay, Seeds, play_game, replay};
use gamecore::key::fold;
use gamecore::{
    Buf, Ending, Evaluator, Game, Horizon, Notation, Outcome, Rng, Score, Seat, StopToken, Term,
    Traits, Turn, random_action,
};
use protocol::{LoadoutCard, SetupCard};
use search::TurnTree;
use search::params::{Param, ParamError, Values, did_you_mean};

use crate::SpecError;
use crate::agents::{AgentEntry, BUDGETS, PreparedAgent, Ready};
use crate::behaviour;
use crate::bench_plan::BenchPlan;
use crate::conduct::{Conduct, Opinions, conduct};
use crate::erased::{AnyGame, Job, Prepared, ResolvedAgent, Session};
use crate::facets::TextFormat;
use crate::figures::{ActionCount, Counted, GameFigures, figures, terms};
use crate::kit::{EvaluatorEntry, Kit};
use crate::named::with_defaults;
use crate::presentation::PresentationInfo;
use crate::presets::NO_HEURISTIC;
use crate::reports::{AgentInfo, CountInfo, GameInfo, PerftReport, PlayoutReport};
use crate::session::Play;
use crate::solver::{AnySolver, SolverSettings};
use crate::spec::{AgentSpec, Loader};
use crate::tactics::{self, ProofLimits, TurnProof};
use crate::verify::{VerifyReport, is_trace, verify_records};

/// Attempts to find an opening in which nobody passes and the game goes on.
const OPENING_ATTEMPTS: u32 = 10_000;

/// A game under its rule options together with what the registry knows of it.
pub(crate) struct Bound<G: Notation> {
    game: G,
    kit: Arc<Kit<G>>,
}

impl<G: Notation> Bound<G> {
    pub(crate) fn new(game: G, kit: Arc<Kit<G>>) -> Self {
        Self { game, kit }
    }

    fn read(&self, position: &str) -> Result<G::State, SpecError> {
        self.game.parse_position(position).map_err(SpecError::plain)
    }

    fn opening(
        &self,
        setup: &G::Setup,
        plies: u32,
        seed: u64,
        exchanged: bool,
    ) -> Option<G::State> {
        let mut rng = Rng::new(seed);
        'attempt: for _ in 0..OPENING_ATTEMPTS {
            let mut state = self.game.start(setup, &mut rng);
            if exchanged {
                self.game.exchange_first(&mut state);
            }
            let mut made = 0;
            while made < plies {
                let Some(action) = random_action(&self.game, &state, &mut rng) else {
                    continue 'attempt;
                };
                made += u32::from(self.game.turn(&state) != Turn::Chance);
                if self.game.is_pass(action) {
                    continue 'attempt;
                }
                self.game.apply(&mut state, action);
            }
            if self.game.turn(&state) != Turn::Over {
                return Some(state);
            }
        }
        None
    }

    fn session(&self, history: Replay<G>, seeds: Seeds) -> Box<dyn Session> {
        Box::new(Play::new(self.game.clone(), self.kit.clone(), history, seeds))
    }
}

impl<G: Notation> Kit<G> {
    fn agent(&self, name: &str) -> Result<&AgentEntry<G>, SpecError> {
        self.agents.iter().find(|entry| entry.name == name).ok_or_else(|| {
            let names: Vec<&str> = self.agents.iter().map(|entry| entry.name).collect();
            let near = did_you_mean(name, &names);
            SpecError::new(name, format!("no such agent{near} (agents: {})", names.join(", ")))
        })
    }

    /// The evaluation that the key `eval` names, or the usual one.
    fn evaluator<'a>(
        &'a self,
        name: Option<&str>,
        usual: &'a EvaluatorEntry<G>,
        load: Loader<'_>,
    ) -> Result<FoundEvaluator<'a, G>, SpecError> {
        let Some(name) = name else { return Ok(FoundEvaluator::Named(usual)) };
        if let Some(entry) = self.evaluators.iter().find(|entry| entry.name == name) {
            return Ok(FoundEvaluator::Named(entry));
        }
        if let Some(read) = self.evaluator_from_file.filter(|_| name.ends_with(".toml")) {
            let content = load(name).map_err(|error| SpecError::new(name, error))?;
            return read(name, &content).map(FoundEvaluator::File);
        }
        let names: Vec<&str> = self.evaluators.iter().map(|entry| entry.name.as_str()).collect();
        let files =
            if self.evaluator_from_file.is_some() { ", or a weight file .toml" } else { "" };
        let near = did_you_mean(name, &names);
        let reason =
            format!("no such evaluation of {}{near} ({}{files})", G::NAME, names.join(", "));
        Err(SpecError::new(&format!("eval={name}"), reason))
    }

    /// The evaluation an agent takes if its spec names none.
    fn usual_evaluator(&self, agent: &AgentEntry<G>) -> &EvaluatorEntry<G> {
        let wanted = agent.kind.evaluation();
        self.evaluators.iter().find(|entry| entry.name == wanted).unwrap_or(&self.evaluators[0])
    }

    fn params(&self, agent: &AgentEntry<G>, evaluator: &EvaluatorEntry<G>) -> Vec<Param> {
        let mut params = agent.kind.params();
        if let Some(wanted) = agent.kind.heuristic() {
            let mut known = self.heuristics.iter();
            let usual = known.find(|entry| entry.name == wanted);
            let usual = usual.or(self.heuristics.first()).filter(|_| wanted != NO_HEURISTIC);
            let names = self.heuristics.iter().map(|entry| format!("{}, ", entry.name));
            let names: String = names.collect();
            let about = format!(
                "action heuristic: {names}an evaluation after the action, or {NO_HEURISTIC}"
            );
            let usual = usual.map_or(NO_HEURISTIC, |entry| entry.name);
            params.push(Param::text("heuristic", Some(usual), &about));
        }
        if agent.kind.evaluates() {
            let about = "evaluation: a name from `games`, or a weight file";
            params.push(Param::text("eval", Some(&evaluator.name), about));
            params.extend(evaluator.params.iter().cloned());
        }
        params
    }
}

/// Refuses a budget that the agent cannot keep, with those that it can.
fn refuse_budgets(spec: &AgentSpec, params: &[Param]) -> Result<(), SpecError> {
    let has = |key: &str| params.iter().any(|param| param.key == key);
    let own: Vec<&str> = BUDGETS.into_iter().filter(|key| has(key)).collect();
    match spec.keys.iter().find(|(key, _)| BUDGETS.contains(&key.as_str()) && !has(key)) {
        Some((key, _)) if !own.is_empty() => {
            let reason = format!("{} has no budget {key}; it has {}", spec.name, own.join(", "));
            Err(SpecError::new(&spec.to_string(), reason))
        }
        _ => Ok(()),
    }
}

enum FoundEvaluator<'a, G: Game> {
    Named(&'a EvaluatorEntry<G>),
    File(EvaluatorEntry<G>),
}

impl<G: Game> FoundEvaluator<'_, G> {
    fn entry(&self) -> &EvaluatorEntry<G> {
        match self {
            Self::Named(entry) => entry,
            Self::File(entry) => entry,
        }
    }
}

impl<G: Notation> AnyGame for Bound<G> {
    fn info(&self) -> GameInfo {
        let Traits { hidden, chance } = self.game.traits();
        GameInfo {
            name: G::NAME,
            about: self.kit.about,
            rules: self.game.rules_text(),
            hidden,
            chance,
            evaluators: self.kit.evaluators.iter().map(|entry| entry.name.clone()).collect(),
            opening_plies: self.kit.opening_plies,
            usual_setups: G::USUAL_SETUPS,
            dealt: G::DEALT,
            opponents: self.kit.opponents,
            counts: (self.kit.counts.iter())
                .map(|&ActionCount { name, words, .. }| CountInfo { name, words })
                .collect(),
        }
    }

    fn warnings(&self) -> Vec<String> {
        (self.kit.warnings)(&self.game)
    }

    fn setups(&self) -> Option<SetupCard> {
        self.kit.setups.as_ref().map(|setups| (setups.card)(&self.game))
    }

    fn draft(&self, text: &str) -> Result<LoadoutCard, SpecError> {
        let Some(setups) = &self.kit.setups else {
            return Err(SpecError::new(text, format!("the seats of {} bring nothing", G::NAME)));
        };
        (setups.draft)(&self.game, text)
    }

    fn texts(&self) -> &'static [TextFormat] {
        self.kit.texts
    }

    fn presentation(&self) -> PresentationInfo {
        self.kit.presentation.info(&self.game)
    }

    fn ending_words(&self, ending: (Outcome, &Ending), names: [&str; 2]) -> String {
        crate::endings::ending_words(&self.game, ending, None, Some(names))
    }

    fn agents(&self) -> Vec<AgentInfo> {
        let info = |entry: &AgentEntry<G>| {
            let params = self.kit.params(entry, self.kit.usual_evaluator(entry));
            // Whatever a spec must give is given; what it is does not matter here.
            let needs = entry.kind.needs();
            let given = needs.map(|key| (key, key));
            let checked = Values::resolve(&params, given).and_then(|mut values| {
                entry.kind.settle(&mut values);
                entry.kind.prepare(&values, self.game.traits()).map(drop)
            });
            AgentInfo {
                name: entry.name,
                about: entry.about,
                params,
                needs,
                refused: checked.err().map(|error| error.to_string()),
            }
        };
        self.kit.agents.iter().map(info).collect()
    }

    fn resolve(&self, spec: &AgentSpec, load: Loader<'_>) -> Result<ResolvedAgent, SpecError> {
        let wrong = |error| SpecError::new(&spec.to_string(), error);
        let entry = self.kit.agent(&spec.name)?;
        let given = || spec.keys.iter().map(|(key, value)| (key.as_str(), value.as_str()));
        let named = given().find(|(key, _)| *key == "eval").map(|(_, value)| value);
        let named = named.filter(|_| entry.kind.evaluates());
        let usual = self.kit.usual_evaluator(entry);
        let evaluator = self.kit.evaluator(named, usual, load)?;
        let params = self.kit.params(entry, evaluator.entry());
        refuse_budgets(spec, &params)?;
        let mut values = Values::resolve(&params, given()).map_err(wrong)?;
        let keys: Vec<&str> = given().map(|(key, _)| key).collect();
        values.check_given(&params, &keys).map_err(wrong)?;
        entry.kind.settle(&mut values);
        let own = || -> Result<Arc<dyn Evaluator<G>>, ParamError> {
            if !entry.kind.evaluates() {
                return Ok(self.kit.own_evaluator());
            }
            (evaluator.entry().build)(&values)
        };
        let own = own().map_err(wrong)?;
        let named = entry.kind.evaluates().then(|| (evaluator.entry().name.clone(), own.clone()));
        let action_score = self.kit.heuristic(&values, &named)?;
        let pruners = self.kit.pruners(&values, &named)?;
        let Ready { make } = entry.kind.prepare(&values, self.game.traits()).map_err(wrong)?;
        let prepared = PreparedAgent { evaluator: own, action_score, pruners, make };
        let prepared = Prepared(Arc::new(prepared));
        let repeatable = values.is_repeatable();
        Ok(ResolvedAgent { spec: spec.clone(), values, repeatable, prepared })
    }

    fn setup(&self, text: &str, load: Loader<'_>) -> Result<String, SpecError> {
        let (path, name) = text.split_once('#').map_or((text, None), |(p, n)| (p, Some(n)));
        let found = if path.ends_with(".toml") {
            let content = load(path).map_err(|error| SpecError::new(text, error))?;
            let setup = self.game.setup_from_file(&content, name);
            setup.map_err(|error| SpecError::new(text, error.reason))?
        } else {
            text.to_owned()
        };
        self.game.parse_setup([&found, ""]).map_err(SpecError::plain)?;
        Ok(found)
    }

    fn start(
        &self,
        setups: [&str; 2],
        opening_plies: Option<u32>,
        seed: u64,
        exchanged: bool,
    ) -> Result<String, SpecError> {
        let plies = opening_plies.unwrap_or(self.kit.opening_plies);
        let setup = self.game.parse_setup(setups).map_err(SpecError::plain)?;
        let state = self.opening(&setup, plies, seed, exchanged).ok_or_else(|| {
            let reason =
                format!("every game of {} is over after that many random actions", G::NAME);
            SpecError::new(&format!("--opening-plies {plies}"), reason)
        })?;
        Ok(self.game.position_text(&state))
    }

    fn position(&self, text: &str) -> Result<String, SpecError> {
        Ok(self.game.position_text(&self.read(text)?))
    }

    fn play(&self, job: &Job<'_>) -> (GameRecord, GameFigures) {
        let start = self.read(job.start).expect("start positions were checked");
        let [mut zero, mut one] =
            [0, 1].map(|seat| PreparedAgent::of(job.agents[seat]).make(job.seeds.agents[seat]));
        let options = GameOptions {
            seeds: job.seeds,
            agents: job.agents.map(|agent| agent.spec.to_string()),
            time: job.time,
            stop: job.stop.clone(),
            log_decisions: job.log,
            log_timing: job.log,
            ..GameOptions::new(job.clock)
        };
        let mut counted = Counted::new(&start, self.kit.counts);
        let mut hear = |event: &Event<'_, G>| counted.hear(event);
        let record = play_game(&self.game, start, [&mut *zero, &mut *one], &options, &mut hear);
        (record, counted.figures(&self.game, &*self.kit.own_evaluator()))
    }

    fn open(&self, start: &str, seeds: Seeds) -> Result<Box<dyn Session>, SpecError> {
        let history = Replay { states: vec![self.read(start)?], steps: Vec::new() };
        Ok(self.session(history, seeds))
    }

    fn open_record(&self, record: &GameRecord) -> Result<Box<dyn Session>, SpecError> {
        let history = replay(&self.game, record).map_err(SpecError::plain)?;
        Ok(self.session(history, record.seeds))
    }

    fn behaviour(
        &self,
        records: &mut dyn Iterator<Item = GameRecord>,
    ) -> Result<serde_json::Value, SpecError> {
        behaviour::count(&self.game, records, self.kit.behaviour)
    }

    fn figures(&self, record: &GameRecord) -> Result<GameFigures, SpecError> {
        figures(&self.game, &*self.kit.own_evaluator(), self.kit.counts, record)
    }

    fn terms(
        &self,
        record: &GameRecord,
        agent: &ResolvedAgent,
    ) -> Result<Vec<(bool, Vec<Term>)>, SpecError> {
        terms(&self.game, &*PreparedAgent::of(agent).evaluator, record)
    }

    fn verify(&self, content: &str) -> Result<VerifyReport, SpecError> {
        let content = content.trim_start_matches('\u{feff}');
        let first = content.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        if is_trace(first) {
            let verify = self.kit.verify_trace.ok_or_else(|| {
                SpecError::plain(format!("{} has no traces of another program", G::NAME))
            })?;
            return verify(content);
        }
        verify_records(&self.game, content)
    }

    fn perft(
        &self,
        position: &str,
        depth: u32,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<PerftReport, SpecError> {
        let state = self.read(position)?;
        let mut report = PerftReport { leaves: 0, divide: Vec::new() };
        if depth == 0 || self.game.turn(&state) == Turn::Over {
            return Ok(PerftReport { leaves: 1, ..report });
        }
        let mut actions = Buf::new();
        self.game.actions(&state, &mut actions);
        let total = actions.len() as u64;
        for (done, &action) in actions.iter().enumerate() {
            let mut next = state.clone();
            self.game.apply(&mut next, action);
            // Two plies make parts small enough for a smooth progress bar.
            let part =
                |done_inside, inside: u64| (done as u64 * inside + done_inside, total * inside);
            let leaves = self.perft_part(&next, depth - 1, &mut |done_inside, inside| {
                let (done, total) = part(done_inside, inside);
                progress(done, total);
            });
            report.leaves += leaves;
            report.divide.push((self.game.action_text(&state, action), leaves));
        }
        Ok(report)
    }

    fn minimal_tree(
        &self,
        position: &str,
        depth: u32,
        value: i32,
        agent: &ResolvedAgent,
        stop: &StopToken,
    ) -> Result<Option<u64>, SpecError> {
        let state = self.read(position)?;
        let evaluator = &*PreparedAgent::of(agent).evaluator;
        Ok(search::minimal_tree(&self.game, evaluator, &state, depth, Score(value), stop))
    }

    fn turn_tree(
        &self,
        position: &str,
        allowed: Option<&str>,
        limit: usize,
        seed: u64,
    ) -> Result<Option<TurnTree>, SpecError> {
        let state = self.read(position)?;
        let named = |name: &str| {
            let found = self.kit.heuristics.iter().find(|entry| entry.name == name);
            found.ok_or_else(|| SpecError::new(name, "no such heuristic"))
        };
        let allowed = allowed.map(named).transpose()?.map(|entry| &*entry.score);
        Ok(search::turn_tree(&self.game, &state, allowed, limit, seed))
    }

    fn prove(
        &self,
        position: &str,
        material: &ResolvedAgent,
        limits: ProofLimits<'_>,
        share: f64,
    ) -> Result<Option<TurnProof>, SpecError> {
        let material = &*PreparedAgent::of(material).evaluator;
        let prover = tactics::prover(&self.game, material, limits);
        Ok(tactics::prove(&prover, &self.read(position)?, share))
    }

    fn turn_worth(
        &self,
        position: &str,
        seat: Seat,
        material: &ResolvedAgent,
        limits: ProofLimits<'_>,
    ) -> Result<Option<i32>, SpecError> {
        let material = &*PreparedAgent::of(material).evaluator;
        let prover = tactics::prover(&self.game, material, limits);
        Ok(tactics::worth(&prover, &self.read(position)?, seat))
    }

    fn solver(&self, settings: SolverSettings) -> Option<Box<dyn AnySolver>> {
        self.kit.solver.map(|make| make(settings))
    }

    fn bench_plan(&self) -> BenchPlan {
        self.kit.bench
    }

    fn conduct(&self, start: &str, seed: u64) -> Result<Conduct, SpecError> {
        let Kit { evaluators, heuristics, .. } = &*self.kit;
        let opinions = Opinions {
            evaluators: evaluators.iter().map(with_defaults).collect(),
            heuristics: heuristics.iter().map(|entry| entry.score.clone()).collect(),
        };
        Ok(conduct(&self.game, &opinions, self.read(start)?, seed))
    }

    fn playouts(&self, games: u64, seed: u64) -> PlayoutReport {
        let mut rng = Rng::new(seed);
        let mut report = PlayoutReport { games, actions: 0, signature: 0 };
        let setup = G::Setup::default();
        for _ in 0..games {
            let mut state = self.game.start(&setup, &mut rng);
            report.actions += u64::from(self.game.playout(&mut state, &mut rng, Horizon::GAME));
            report.signature = fold(report.signature, self.game.key(&state));
        }
        report
    }
}

impl<G: Notation> Bound<G> {
    fn perft_part(&self, state: &G::State, depth: u32, progress: &mut dyn FnMut(u64, u64)) -> u64 {
        if depth < 2 || self.game.turn(state) == Turn::Over {
            progress(1, 1);
            return self.game.perft(state, depth);
        }
        let mut actions = Buf::new();
        self.game.actions(state, &mut actions);
        let mut leaves = 0;
        for (done, &action) in actions.iter().enumerate() {
            let mut next = state.clone();
            self.game.apply(&mut next, action);
            leaves += self.game.perft(&next, depth - 1);
            progress(done as u64 + 1, actions.len() as u64);
        }
        leaves
    }
}
