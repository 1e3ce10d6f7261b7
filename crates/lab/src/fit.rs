//! Fitting an evaluation to finished games: who wins, by the parts of the position's value.
//!
//! Any evaluation that is a weighted sum can be fitted, of any game. An agent that plays by it plays
//! itself and others from many starts. Where a turn begins (or at every decision), the parts are one
//! sample of a logistic regression, and the result of the game is what came of it. Games count alike,
//! however long they are; drawn games do not count: they say more of how two agents wait for each
//! other than of the position. The new weights play the next round. What they are worth is said on games of other agents with other setups, which
//! had no part in the fit.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use arena::GameRecord;
use gamecore::{MachineFault, Purpose, Rng, Seat, StopToken, seed};
use registry::{AgentSpec, AnyGame, Loader, ResolvedAgent, SpecError, did_you_mean};
use serde::Deserialize;
use stats::{Sample, log_loss, logistic_fit};

use crate::drawn::DrawnGame;
use crate::workers::map_in_order;

/// Draws weights together a little.
const RIDGE: f64 = 1e-4;
/// Points of an evaluation that make winning e times as likely as losing.
const PER_E: f64 = 1000.0;
/// No factor may weigh more.
const MOST: f64 = 1000.0;
/// Stands for an ended game and is not fitted.
const TERMINAL: &str = "terminal";

/// What is to be fitted, and to which games.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FitSpec {
    /// What the evaluation is, one line.
    pub about: String,
    /// The game.
    pub game: String,
    /// Its rules.
    #[serde(default)]
    pub rules: String,
    /// The agent whose evaluation is fitted. It plays by the weights found so far.
    pub agent: String,
    /// Who plays against it in every other pair of games.
    #[serde(default)]
    pub others: Vec<String>,
    /// Games in a round.
    pub games: u64,
    /// Rounds: each adds its games to those before and fits anew.
    pub rounds: u32,
    /// Where the evaluation is measured.
    #[serde(default)]
    pub positions: Positions,
    /// Seed of everything.
    #[serde(default)]
    pub seed: u64,
    /// Random actions before each game.
    pub opening_plies: Option<u32>,
    /// What the sides bring, drawn for each game.
    #[serde(default)]
    pub setups: Vec<String>,
    /// Weights of the first round, by factor; 0 for those left out. Without them it plays by the
    /// agent's own, and another program may begin elsewhere.
    pub start: Option<BTreeMap<String, i32>>,
    /// Weights set by hand: they play in every round and have no part in the fit.
    #[serde(default)]
    pub fixed: BTreeMap<String, i32>,
    /// The games that judge the fit.
    pub test: TestSpec,
}

/// Where an evaluation is measured in a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Positions {
    /// Where turns begin: for searches that look ahead whole turns.
    #[default]
    Turns,
    /// At every decision.
    Decisions,
}

/// The games that judge a fit.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TestSpec {
    /// Who plays whom, drawn for each game; nobody of the fit.
    pub agents: Vec<String>,
    /// What the sides bring; nothing of the fit. Empty: what they bring there.
    #[serde(default)]
    pub setups: Vec<String>,
    /// How many.
    pub games: u64,
}

/// Why nothing could be fitted.
#[derive(Debug, thiserror::Error)]
pub enum FitError {
    /// The file.
    #[error("not a fit: {0}")]
    Format(String),
    /// What it asks for has no meaning.
    #[error("{0}")]
    Sense(String),
    /// Agents, setups or rules.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A game could not be played.
    #[error(transparent)]
    Game(#[from] MachineFault),
    /// Somebody asked for it.
    #[error("interrupted: nothing was fitted")]
    Stopped,
}

/// What a fit came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// Factors and their weights in thousandths of log-odds, in the evaluation's order.
    pub weights: Vec<(String, i32)>,
    /// The weight of a finished game, which is not fitted.
    pub terminal: i64,
    /// Log loss in bits on the games fitted to, of each round.
    pub losses: Vec<f64>,
    /// Positions fitted to.
    pub positions: usize,
    /// Log loss in bits on the test, of the weights it began with and of these.
    pub test: [f64; 2],
    /// Positions of the test.
    pub test_positions: usize,
}

/// What hears of progress: games played of how many.
pub(crate) type Hear<'a> = &'a (dyn Fn(u64, u64) + Sync);

impl FitSpec {
    /// Reads a fit.
    pub fn parse(text: &str) -> Result<Self, FitError> {
        let spec: Self =
            toml::from_str(text).map_err(|error| FitError::Format(error.to_string()))?;
        spec.check()?;
        Ok(spec)
    }

    fn check(&self) -> Result<(), FitError> {
        let refuse = |reason: String| Err(FitError::Sense(reason));
        if self.games == 0 || self.rounds == 0 || self.test.games == 0 {
            return refuse("games, rounds and games of the test: expected at least 1".into());
        }
        if self.test.agents.is_empty() {
            return refuse("the test needs agents".into());
        }
        let fitted = || std::iter::once(&self.agent).chain(&self.others);
        if let Some(both) = fitted().find(|agent| self.test.agents.contains(agent)) {
            return refuse(format!("agent '{both}' is in the fit and in the test"));
        }
        if let Some(both) = self.setups.iter().find(|setup| self.test.setups.contains(setup)) {
            return refuse(format!("setup '{both}' is in the fit and in the test"));
        }
        Ok(())
    }

    fn first_weights(&self, factors: &[(String, i32)]) -> Result<Vec<i32>, FitError> {
        let names: Vec<&str> = factors.iter().map(|(name, _)| name.as_str()).collect();
        let given = self.start.iter().flat_map(BTreeMap::keys).chain(self.fixed.keys());
        if let Some(unknown) = given.into_iter().find(|name| !names.contains(&name.as_str())) {
            let near = did_you_mean(unknown, &names);
            let reason =
                format!("start or fixed: no factor '{unknown}'{near} ({})", names.join(", "));
            return Err(FitError::Sense(reason));
        }
        let first = |(name, own): &(String, i32)| {
            let start = self.start.as_ref().map(|start| start.get(name).copied().unwrap_or(0));
            self.fixed.get(name).copied().or(start).unwrap_or(*own)
        };
        Ok(factors.iter().map(first).collect())
    }

    /// The same with a fraction of its games, at least one a round.
    #[must_use]
    pub fn scaled(mut self, fraction: f64) -> Self {
        let part = |games: u64| ((games as f64 * fraction).round() as u64).max(1);
        self.games = part(self.games);
        self.test.games = part(self.test.games);
        self
    }

    /// All games that will be played.
    #[must_use]
    pub fn total_games(&self) -> u64 {
        self.games * u64::from(self.rounds) + self.test.games
    }
}

/// The samples without the factors that are set by hand.
fn without_fixed(spec: &FitSpec, names: &[(String, i32)], samples: &[Sample]) -> Vec<Sample> {
    let fitted = |(value, (name, _)): (&f32, &(String, i32))| {
        if spec.fixed.contains_key(name) { 0.0 } else { *value }
    };
    let without = |sample: &Sample| Sample {
        factors: sample.factors.iter().zip(names).map(fitted).collect(),
        ..*sample
    };
    samples.iter().map(without).collect()
}

/// Log loss in bits of weights in thousandths.
fn loss(weights: &[i32], samples: &[Sample]) -> f64 {
    let weights: Vec<f64> = weights.iter().map(|&weight| f64::from(weight) / PER_E).collect();
    log_loss(&weights, samples)
}

/// The fit that is going on.
struct Fit<'a> {
    spec: &'a FitSpec,
    game: &'a dyn AnyGame,
    threads: usize,
    stop: &'a StopToken,
}

/// Fits the evaluation of the agent that `spec` names.
pub fn fit(
    spec: &FitSpec,
    game: &dyn AnyGame,
    load: Loader<'_>,
    threads: usize,
    stop: &StopToken,
    hear: Hear<'_>,
) -> Result<Fitted, FitError> {
    let fit = Fit { spec, game, threads, stop };
    let resolve = |text: &str, keys: Vec<(String, String)>| {
        let mut agent = AgentSpec::parse(text, load)?;
        agent.keys.retain(|(key, _)| keys.iter().all(|(new, _)| new != key));
        agent.keys.extend(keys);
        let agent = game.resolve(&agent, load)?;
        if agent.repeatable {
            return Ok(agent);
        }
        let reason =
            "a fit must repeat, and this agent does not: give it a budget that is not time";
        Err(SpecError::new(text, reason))
    };
    let all = |texts: &[String]| -> Result<Vec<ResolvedAgent>, SpecError> {
        texts.iter().map(|text| resolve(text, Vec::new())).collect()
    };
    let first = resolve(&spec.agent, Vec::new())?;
    let names = fit.factors(&first)?;
    let before = spec.first_weights(&names)?;
    let mut weights = before.clone();
    let (mut samples, mut losses) = (Vec::new(), Vec::new());
    let keyed = |weights: &[i32]| -> Vec<(String, String)> {
        let key = |((name, _), weight): (&(String, i32), &i32)| {
            (format!("eval.{name}"), weight.to_string())
        };
        names.iter().zip(weights).map(key).collect()
    };
    for round in 0..u64::from(spec.rounds) {
        let own = resolve(&spec.agent, keyed(&weights))?;
        let others = all(&spec.others)?;
        // Every other pair of games against itself, the rest against the others in turn.
        let against = |number: u64| match number / 2 {
            pair if pair % 2 == 1 && !others.is_empty() => {
                let other = &others[(pair / 2) as usize % others.len()];
                if number.is_multiple_of(2) { [&own, other] } else { [other, &own] }
            }
            _ => [&own, &own],
        };
        let done = round * spec.games;
        let numbers: Vec<u64> = (done..done + spec.games).collect();
        samples.extend(fit.played(&numbers, &spec.setups, &against, &own, hear)?);
        if samples.is_empty() {
            return Err(FitError::Sense("no game was decided: there is nothing to fit".into()));
        }
        let found = logistic_fit(&without_fixed(spec, &names, &samples), RIDGE);
        let whole = |(weight, (name, _)): (&f64, &(String, i32))| {
            let fitted = (PER_E * weight).round().clamp(-MOST, MOST) as i32;
            spec.fixed.get(name).copied().unwrap_or(fitted)
        };
        weights = found.iter().zip(&names).map(whole).collect();
        losses.push(loss(&weights, &samples));
    }
    let judges = all(&spec.test.agents)?;
    let judge = |number: u64| {
        let mut rng = Rng::new(seed(spec.seed, number, Purpose::Chance));
        [0, 1].map(|_| &judges[rng.below(judges.len() as u32) as usize])
    };
    let done = spec.games * u64::from(spec.rounds);
    let numbers: Vec<u64> = (done..done + spec.test.games).collect();
    let setups = if spec.test.setups.is_empty() { &spec.setups } else { &spec.test.setups };
    let test = fit.played(&numbers, setups, &judge, &first, hear)?;
    if test.is_empty() {
        let reason = "no game of the test was decided: it judges nothing";
        return Err(FitError::Sense(reason.into()));
    }
    Ok(Fitted {
        terminal: first.values.number("eval.terminal").unwrap_or(0),
        losses,
        positions: samples.len(),
        test: [loss(&before, &test), loss(&weights, &test)],
        test_positions: test.len(),
        weights: names.into_iter().map(|(name, _)| name).zip(weights).collect(),
    })
}

impl Fit<'_> {
    /// The factors of an agent's evaluation with their weights.
    fn factors(&self, agent: &ResolvedAgent) -> Result<Vec<(String, i32)>, FitError> {
        let record = self.start_only(agent)?;
        let terms = self.game.terms(&record, agent)?;
        let (_, terms) = terms.into_iter().next().unwrap_or_default();
        let factors = terms.into_iter().filter(|term| term.name != TERMINAL);
        let named: Vec<(String, i32)> =
            factors.map(|term| (term.name.to_owned(), term.weight)).collect();
        let can_be_set = |name: &str| agent.values.text(&format!("eval.{name}")).is_some();
        if named.is_empty() || !named.iter().all(|(name, _)| can_be_set(name)) {
            let reason = format!(
                "agent '{}': its evaluation has no weights that could be fitted",
                self.spec.agent
            );
            return Err(FitError::Sense(reason));
        }
        Ok(named)
    }

    /// A game that ends before it began.
    fn start_only(&self, agent: &ResolvedAgent) -> Result<GameRecord, FitError> {
        let stopped = StopToken::default();
        stopped.stop();
        self.play(0, &self.spec.setups, [agent, agent], &stopped)
    }

    /// One game. Its number decides everything.
    fn play(
        &self,
        number: u64,
        setups: &[String],
        agents: [&ResolvedAgent; 2],
        stop: &StopToken,
    ) -> Result<GameRecord, FitError> {
        let drawn = DrawnGame {
            seed: self.spec.seed,
            pair: number / 2,
            of_pair: (number % 2) as u8,
            setups,
            opening_plies: self.spec.opening_plies,
        };
        drawn.play(self.game, agents, stop)
    }

    /// The samples of these games.
    fn played<'g>(
        &self,
        numbers: &[u64],
        setups: &[String],
        agents: &(dyn Fn(u64) -> [&'g ResolvedAgent; 2] + Sync),
        fitted: &ResolvedAgent,
        hear: Hear<'_>,
    ) -> Result<Vec<Sample>, FitError> {
        let total = self.spec.total_games();
        let done = std::sync::atomic::AtomicU64::new(numbers[0]);
        let samples = map_in_order(self.threads, numbers, &|&number| {
            let record = self.play(number, setups, agents(number), self.stop)?;
            if self.stop.is_stopped() {
                return Err(FitError::Stopped);
            }
            hear(1 + done.fetch_add(1, std::sync::atomic::Ordering::Relaxed), total);
            self.samples(&record, fitted)
        })?;
        Ok(samples.into_iter().flatten().collect())
    }

    fn samples(
        &self,
        record: &GameRecord,
        fitted: &ResolvedAgent,
    ) -> Result<Vec<Sample>, FitError> {
        let result = record.outcome.points(Seat::Zero).filter(|points| *points != 0.5);
        let Some(result) = result else { return Ok(Vec::new()) };
        let mut terms = self.game.terms(record, fitted)?;
        terms.retain(|(begins, _)| *begins || self.spec.positions == Positions::Decisions);
        let weight = 1.0 / terms.len().max(1) as f32;
        Ok(terms
            .into_iter()
            .map(|(_, terms)| {
                let factors = terms.iter().filter(|term| term.name != TERMINAL);
                let factors = factors.map(|term| term.value as f32).collect();
                Sample { factors, result: result as f32, weight }
            })
            .collect())
    }
}

impl Fitted {
    /// The weight file, with what is worth knowing in its head.
    #[must_use]
    pub fn file(&self, spec: &FitSpec) -> String {
        let mut text = format!("# {}\n", spec.about);
        let games = spec.games * u64::from(spec.rounds);
        let rounds: Vec<String> = self.losses.iter().map(|loss| format!("{loss:.4}")).collect();
        let _ = writeln!(
            text,
            "# fitted by `warroom fit` to {} positions of {games} games, seed {}; log loss after each \
             round {} bits; on {} positions of {} games of other agents{} {:.4}, with the \
             weights it began with {:.4}",
            self.positions,
            spec.seed,
            rounds.join(", "),
            self.test_positions,
            spec.test.games,
            if spec.test.setups.is_empty() { "" } else { " with other setups" },
            self.test[1],
            self.test[0],
        );
        let _ =
            writeln!(text, "game = \"{}\"\n\n[weights]\n{TERMINAL} = {}", spec.game, self.terminal);
        for (name, weight) in &self.weights {
            let _ = writeln!(text, "{name} = {weight}");
        }
        text
    }
}
