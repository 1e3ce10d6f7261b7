//! Positions with a point: found in games, proved in material, and put to agents.
//!
//! Games of an agent against itself are walked decision by decision. A position is kept if few of its
//! turns come near the best one in material after the best answer, and none of the others keeps the
//! chance for the next turn. Both are proved by trying every turn of both sides. An agent has found the
//! point if the turn it plays comes near, proved in the same way.

use std::collections::BTreeMap;
use std::time::Duration;

use arena::{GameRecord, Seeds, WallClock};
use gamecore::{Clock, MachineFault, Purpose, Rng, StopToken, seed};
use registry::{
    AgentSpec, AnyGame, Loader, ProofLimits, ResolvedAgent, SpecError, Thinking, TurnProof,
};
use serde::{Deserialize, Serialize};
use stats::wilson;

use crate::drawn::DrawnGame;
use crate::workers::map_in_order;

/// Where positions come from, and which are kept.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TacticsSpec {
    /// What the set is, one line.
    pub about: String,
    /// The game.
    pub game: String,
    /// Its rules.
    #[serde(default)]
    pub rules: String,
    /// Who plays the games.
    pub agent: String,
    /// What the sides bring, drawn for each game.
    #[serde(default)]
    pub setups: Vec<String>,
    /// Random actions before each game.
    pub opening_plies: Option<u32>,
    /// Seed of everything.
    #[serde(default)]
    pub seed: u64,
    /// Positions wanted.
    pub positions: usize,
    /// An evaluation that counts material.
    pub material: String,
    /// Positions with more turns of a side are left out.
    pub most_turns: usize,
    /// Turns worth so much less than the best one miss the point.
    pub margin: i32,
    /// At most this share of the turns may come near.
    pub share: f64,
    /// A theme for a part of the material that changes, by its name.
    #[serde(default)]
    pub themes: BTreeMap<String, String>,
}

/// How all positions of a set are judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TacticsHead {
    /// Name and version of the format.
    pub schema: String,
    /// What the set is.
    pub about: String,
    /// The game.
    pub game: String,
    /// Its rules.
    pub rules: String,
    /// The evaluation that counts material.
    pub material: String,
    /// Most turns of a side.
    pub most_turns: usize,
    /// What misses the point.
    pub margin: i32,
}

/// A position with a point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tactic {
    /// What it is about.
    pub theme: String,
    /// The position.
    pub position: String,
    /// Material of the seat to act, now.
    pub before: i32,
    /// The same after the best turn and the best answer.
    pub best: i32,
    /// Turns of the seat to act.
    pub turns: usize,
    /// Those that find the point.
    pub solving: usize,
    /// The best turn and the best answer.
    pub line: Vec<String>,
}

/// A set of positions.
#[derive(Clone, Debug, PartialEq)]
pub struct Tactics {
    /// How they are judged.
    pub head: TacticsHead,
    /// The positions.
    pub list: Vec<Tactic>,
}

/// Why there is no set, or no answer.
#[derive(Debug, thiserror::Error)]
pub enum TacticsError {
    /// The file.
    #[error("{0}")]
    Format(String),
    /// Agents, setups or rules.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A game could not be played.
    #[error(transparent)]
    Game(#[from] MachineFault),
    /// Somebody asked for it.
    #[error("interrupted")]
    Stopped,
}

/// What an agent made of a position.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Answer {
    /// Whether it found the point.
    pub found: bool,
    /// What its turn is worth; `None` if that cannot be proved within the limit.
    pub worth: Option<i32>,
    /// The turn it played.
    pub turn: Vec<String>,
    /// Seconds it thought about the whole turn.
    pub seconds: f64,
}

const SCHEMA: &str = "warroom-tactics-1";
/// Games played at once at most, before it is asked whether there are enough positions.
const BATCH: u64 = 32;
/// So many games without a new position end the matter.
const MOST_IN_VAIN: u64 = 1_600;
/// No theme may be more than this share of a set.
const THEME_SHARE: f64 = 0.5;

impl TacticsSpec {
    /// Reads a spec.
    pub fn parse(text: &str) -> Result<Self, TacticsError> {
        let spec: Self =
            toml::from_str(text).map_err(|error| TacticsError::Format(error.to_string()))?;
        let refuse = |reason: &str| Err(TacticsError::Format(reason.to_owned()));
        if spec.positions == 0 || spec.most_turns == 0 || spec.margin < 1 {
            return refuse("positions, most-turns and margin: expected at least 1");
        }
        if !(spec.share > 0.0 && spec.share < 1.0) {
            return refuse("share: expected a number between 0 and 1");
        }
        Ok(spec)
    }

    fn limits<'s>(&self, stop: &'s StopToken) -> ProofLimits<'s> {
        ProofLimits { most_turns: self.most_turns, margin: self.margin, stop }
    }

    /// What a proved position is about. In the middle of a turn material counts what the rest of the
    /// turn could gain, so there only the end of the turn can be a mistake.
    fn theme(&self, proof: &TurnProof, begins: bool) -> Option<String> {
        let changed = || proof.changes.iter().find_map(|part| self.themes.get(*part)).cloned();
        let gains = proof.best > proof.before;
        Some(match () {
            () if !begins => return proof.may_end_badly.then(|| "do not end the turn".into()),
            () if proof.wins => "win in this turn".into(),
            () if gains && let Some(theme) = changed() => theme,
            () if gains => "free kill".into(),
            () => "save the piece under attack".into(),
        })
    }
}

/// The agent that stands for an evaluation.
fn material(game: &dyn AnyGame, name: &str, load: Loader<'_>) -> Result<ResolvedAgent, SpecError> {
    game.resolve(&AgentSpec::parse(&format!("minimax:depth=1,eval={name}"), load)?, load)
}

/// Finds the positions of a set. The same for any number of threads.
pub fn find_tactics(
    spec: &TacticsSpec,
    game: &dyn AnyGame,
    load: Loader<'_>,
    threads: usize,
    stop: &StopToken,
    hear: &(dyn Fn(u64) + Sync),
) -> Result<Tactics, TacticsError> {
    let agent = game.resolve(&AgentSpec::parse(&spec.agent, load)?, load)?;
    let material = material(game, &spec.material, load)?;
    let most_of_theme = (spec.positions as f64 * THEME_SHARE).ceil() as usize;
    let mut themes: BTreeMap<String, usize> = BTreeMap::new();
    let mut list: Vec<Tactic> = Vec::new();
    let (mut first, mut last_found) = (0, 0);
    while list.len() < spec.positions {
        if first - last_found >= MOST_IN_VAIN {
            let (found, wanted) = (list.len(), spec.positions);
            return Err(TacticsError::Format(format!(
                "{found} of {wanted} positions in {first} games, and none in the last \
                 {MOST_IN_VAIN}: loosen share, margin or most-turns, or let games differ more \
                 (no theme may be more than half of a set)"
            )));
        }
        let batch = BATCH.min(spec.positions as u64);
        let numbers: Vec<u64> = (first..first + batch).collect();
        first += batch;
        let found = map_in_order(threads, &numbers, &|&number| {
            let drawn = DrawnGame {
                seed: spec.seed,
                pair: number,
                of_pair: 0,
                setups: &spec.setups,
                opening_plies: spec.opening_plies,
            };
            let record: GameRecord = drawn.play::<TacticsError>(game, [&agent, &agent], stop)?;
            if stop.is_stopped() {
                return Err(TacticsError::Stopped);
            }
            tactic_of(spec, game, &record, &material, stop)
        })?;
        for tactic in found.into_iter().flatten() {
            let count = themes.entry(tactic.theme.clone()).or_default();
            if *count < most_of_theme && list.len() < spec.positions {
                *count += 1;
                list.push(tactic);
                last_found = first;
            }
        }
        hear(list.len() as u64);
    }
    let head = TacticsHead {
        schema: SCHEMA.into(),
        about: spec.about.clone(),
        game: spec.game.clone(),
        rules: spec.rules.clone(),
        material: spec.material.clone(),
        most_turns: spec.most_turns,
        margin: spec.margin,
    };
    Ok(Tactics { head, list })
}

/// A position of a game that has a point, looked for in random order: beginnings and ends alike, and
/// one of a game, because neighbours are alike.
fn tactic_of(
    spec: &TacticsSpec,
    game: &dyn AnyGame,
    record: &GameRecord,
    material: &ResolvedAgent,
    stop: &StopToken,
) -> Result<Option<Tactic>, TacticsError> {
    let mut session = game.open(&record.start, record.seeds)?;
    let mut positions = Vec::new();
    let mut last = None;
    for action in &record.actions {
        let seat = session.to_act();
        // A game may open in the middle of a turn.
        positions.push((session.position(), last.is_some() && last != seat));
        // What is drawn belongs to no turn.
        last = seat.or(last);
        session.apply(action)?;
    }
    let mut rng = Rng::new(record.seeds.start);
    while !positions.is_empty() {
        let (position, begins) = positions.swap_remove(rng.below(positions.len() as u32) as usize);
        if stop.is_stopped() {
            return Err(TacticsError::Stopped);
        }
        if let Some(proof) = game.prove(&position, material, spec.limits(stop), spec.share)?
            && let Some(theme) = spec.theme(&proof, begins)
        {
            let TurnProof { before, best, turns, solving, line, .. } = proof;
            return Ok(Some(Tactic { theme, position, before, best, turns, solving, line }));
        }
    }
    if stop.is_stopped() { Err(TacticsError::Stopped) } else { Ok(None) }
}

impl Tactics {
    /// One JSON object a line, the head first.
    #[must_use]
    pub fn text(&self) -> String {
        let lines = self.list.iter().map(serde_json::to_string);
        let all = std::iter::once(serde_json::to_string(&self.head)).chain(lines);
        all.map(|line| line.expect("plain data") + "\n").collect()
    }

    /// Reads what [`Tactics::text`] writes.
    pub fn parse(text: &str) -> Result<Self, TacticsError> {
        let refuse = |line: usize, error: serde_json::Error| {
            TacticsError::Format(format!("line {}: not of a set of tactics: {error}", line + 1))
        };
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let (number, first) = lines.next().ok_or_else(|| {
            TacticsError::Format("empty: expected a set made by `warroom tactics find`".into())
        })?;
        let head: TacticsHead =
            serde_json::from_str(first).map_err(|error| refuse(number, error))?;
        if head.schema != SCHEMA {
            let reason = format!("schema '{}': expected '{SCHEMA}'", head.schema);
            return Err(TacticsError::Format(reason));
        }
        if head.most_turns == 0 || head.margin < 1 {
            let reason = "line 1: most_turns and margin: expected at least 1";
            return Err(TacticsError::Format(reason.into()));
        }
        let list = lines
            .map(|(number, line)| serde_json::from_str(line).map_err(|error| refuse(number, error)))
            .collect::<Result<_, _>>()?;
        Ok(Self { head, list })
    }

    /// Puts every position to an agent, which plays the whole turn.
    pub fn put_to(
        &self,
        game: &dyn AnyGame,
        agent: &ResolvedAgent,
        load: Loader<'_>,
        threads: usize,
        stop: &StopToken,
        hear: &(dyn Fn() + Sync),
    ) -> Result<Vec<Answer>, TacticsError> {
        let material = material(game, &self.head.material, load)?;
        let numbers: Vec<u64> = (0..self.list.len() as u64).collect();
        map_in_order(threads, &numbers, &|&number| {
            let answer = self.answer(number, game, agent, &material, stop)?;
            hear();
            Ok(answer)
        })
    }

    fn answer(
        &self,
        number: u64,
        game: &dyn AnyGame,
        agent: &ResolvedAgent,
        material: &ResolvedAgent,
        stop: &StopToken,
    ) -> Result<Answer, TacticsError> {
        let tactic = &self.list[number as usize];
        let TacticsHead { most_turns, margin, .. } = self.head;
        let of = |letter| seed(0, number, Purpose::Agent { game: 0, letter });
        let seeds = Seeds { start: 0, chance: 0, agents: [of('a'), of('b')] };
        let mut session = game.open(&tactic.position, seeds)?;
        let asked = session.add_agent(agent, of('a'));
        let clock = WallClock::new();
        let thinking = Thinking::new(&clock, stop);
        let seat = session.to_act();
        let mut turn = Vec::new();
        let mut thought = Duration::ZERO;
        while session.to_act() == seat && seat.is_some() {
            let began = clock.now();
            let action = session.think(asked, &thinking)?.explanation.choice.action;
            thought += clock.now() - began;
            if stop.is_stopped() {
                return Err(TacticsError::Stopped);
            }
            session.apply(&action)?;
            turn.push(action);
        }
        let limits = ProofLimits { most_turns, margin, stop };
        let worth = match seat {
            Some(seat) => game.turn_worth(&session.position(), seat, material, limits)?,
            None => None,
        };
        let found = worth.is_some_and(|worth| worth > tactic.best.saturating_sub(margin));
        Ok(Answer { found, worth, turn, seconds: thought.as_secs_f64() })
    }
}

/// How many of these answers found the point, with Wilson's interval of their share.
#[must_use]
pub fn found_of<'a>(answers: impl Iterator<Item = &'a Answer>) -> (u64, u64, [f64; 2]) {
    let (mut found, mut all) = (0, 0);
    for answer in answers {
        found += u64::from(answer.found);
        all += 1;
    }
    (found, all, wilson(found as f64, all))
}
