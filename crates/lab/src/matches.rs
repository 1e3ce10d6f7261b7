//! A match: a run of one pairing, kept in memory.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use arena::{GameRecord, TimeControl};
use gamecore::{MachineFault, StopToken, Work};
use registry::{AnyGame, ResolvedAgent, SpecError};
use serde::Serialize;

use crate::evidence::{Evidence, Played};
use crate::experiment::{
    Cell, Condition, Experiment, Kind, Log, Player, SPEC_SCHEMA, Spec, Starts,
};
use crate::plan::Openings;
use crate::report::findings;
use crate::run::{Numbered, Players, RunError, Summary, Threads, Used, VoidGame, summarise};

/// Everything that decides how a match goes.
pub struct MatchSpec {
    /// The game.
    pub game: Arc<dyn AnyGame>,
    /// Agent A.
    pub a: ResolvedAgent,
    /// Agent B.
    pub b: ResolvedAgent,
    /// Games, a multiple of those that belong to one start: 2, or 4 for games that are dealt.
    pub games: u64,
    /// Seed of the whole match.
    pub seed: u64,
    /// Start positions.
    pub openings: Openings,
    /// What agents A and B (in games that are dealt, seats 0 and 1) bring, where starts are
    /// random; empty for the game's own.
    pub setups: [String; 2],
    /// Chess clock, if any.
    pub time: Option<TimeControl>,
}

impl MatchSpec {
    /// The experiment that it is.
    fn experiment(&self) -> Experiment {
        let info = self.game.info();
        let players = [(&self.a, &self.setups[0]), (&self.b, &self.setups[1])];
        let players = players.map(|(agent, setup)| {
            let agent = agent.spec.to_string();
            // Where starts are deals, what is brought belongs to the seats.
            let setup = (!info.dealt && !setup.is_empty()).then(|| setup.clone());
            Player { name: agent.clone(), agent, setup }
        });
        let condition = Condition {
            name: String::new(),
            rules: info.rules,
            openings: self.openings.clone(),
            setups: self.setups.clone(),
        };
        let spec = Spec {
            schema: SPEC_SCHEMA.to_owned(),
            name: "match".to_owned(),
            about: String::new(),
            kind: Kind::Match,
            game: info.name.to_owned(),
            conditions: vec![condition],
            players: players.to_vec(),
            cells: vec![Cell { a: 0, b: 1, under: 0 }],
            games: self.games,
            seed: self.seed,
            starts: Starts::Shared,
            clock: self.time.map(|control| control.to_string()),
            log: Log::Decisions,
        };
        let agents = vec![self.a.clone(), self.b.clone()];
        Experiment::of_one(spec, Arc::clone(&self.game), agents, self.time)
    }
}

/// The result so far, for progress displays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Games finished.
    pub games: u64,
    /// Won by A.
    pub a_wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Won by B.
    pub b_wins: u64,
}

/// The result of a match.
#[derive(Clone, Debug, Serialize)]
pub struct MatchReport {
    /// Name of this form.
    pub schema: &'static str,
    /// The game.
    pub game: &'static str,
    /// Its rules.
    pub rules: String,
    /// Agent A as specified.
    pub a: String,
    /// Agent B as specified.
    pub b: String,
    /// Seed of the match.
    pub seed: u64,
    /// The same command gives the same games.
    pub repeatable: bool,
    /// What they show.
    #[serde(flatten)]
    pub evidence: Evidence,
    /// Work done by the agents; under `timing` where it does not repeat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effort: Option<BothEfforts>,
    /// Games that do not count, each with what is needed to play it again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub void: Vec<VoidGame>,
    /// Games stopped or never begun because the match was interrupted.
    #[serde(skip_serializing_if = "is_zero")]
    pub unfinished: u64,
    /// Everything measured by a clock.
    pub timing: MatchTiming,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// Work done by both agents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct BothEfforts {
    /// By agent A.
    pub a: Work,
    /// By agent B.
    pub b: Work,
}

/// What a clock measured, or what depends on it.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct MatchTiming {
    /// Seconds that A thought.
    pub a_seconds: f64,
    /// Seconds that B thought.
    pub b_seconds: f64,
    /// Work done, where it does not repeat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effort: Option<BothEfforts>,
    /// Wall time of the match.
    pub seconds: f64,
    /// Games per second of wall time.
    pub games_per_second: f64,
}

/// A finished match: the report, the same in words, and all games in schedule order.
pub struct MatchResult {
    /// The verdict.
    pub report: MatchReport,
    /// What `run` says of the same games.
    pub words: String,
    /// Every game that ended; of a pair, the one with A at seat 0 first.
    pub records: Vec<GameRecord>,
}

/// Why a match cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// The number of games is not a positive even number.
    #[error("--games {0}: expected a positive even number, because every start is played twice")]
    Games(u64),
    /// The number of games of a dealt game is not a positive multiple of four.
    #[error(
        "--games {0}: expected a positive multiple of four, because every deal is played by both \
         agents at both seats, with either seat first"
    )]
    DealtGames(u64),
    /// Something in the spec.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A game could not be played here and now.
    #[error(transparent)]
    Machine(#[from] MachineFault),
    /// Something else that ends a run.
    #[error(transparent)]
    Run(RunError),
}

impl From<RunError> for MatchError {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Spec(error) => Self::Spec(error),
            RunError::Machine { fault, .. } => Self::Machine(fault),
            other => Self::Run(other),
        }
    }
}

/// Plays a match on `threads` threads. The result does not depend on their number; `progress`
/// hears of every finished game.
pub fn play_match(
    spec: &MatchSpec,
    threads: usize,
    stop: &StopToken,
    progress: &(dyn Fn(Standing) + Sync),
) -> Result<MatchResult, MatchError> {
    let info = spec.game.info();
    if spec.games == 0 || !spec.games.is_multiple_of(info.games_per_start()) {
        return Err(if info.dealt { MatchError::DealtGames } else { MatchError::Games }(
            spec.games,
        ));
    }
    let experiment = spec.experiment();
    let counts = [const { AtomicU64::new(0) }; 3];
    let began = Instant::now();
    let numbers: Vec<u64> = (0..spec.games).collect();
    let players = Threads { count: threads, program: String::new() };
    let heard = Mutex::new(Vec::new());
    players.play(&experiment, None, &numbers, stop, &|game| {
        progress(count(&counts, &game));
        heard.lock().unwrap_or_else(PoisonError::into_inner).push(game);
        Ok(())
    })?;
    let mut games: Vec<Numbered> = heard.into_inner().unwrap_or_else(PoisonError::into_inner);
    games.sort_by_key(|(row, _)| row.number);
    let (rows, records): (Vec<_>, Vec<_>) = games.into_iter().unzip();
    let summary = summarise(&experiment.spec, &rows);
    let words = findings(&experiment.spec, &summary, None).text();
    let report = report(spec, summary, began.elapsed().as_secs_f64());
    Ok(MatchResult { report, words, records })
}

fn count(counts: &[AtomicU64; 3], (row, _): &Numbered) -> Standing {
    if let Some(points) = Played::from(row).points_of_a() {
        counts[(points * 2.0) as usize].fetch_add(1, Ordering::Relaxed);
    }
    let [b_wins, draws, a_wins] = [0, 1, 2].map(|index| counts[index].load(Ordering::Relaxed));
    Standing { games: a_wins + draws + b_wins, a_wins, draws, b_wins }
}

fn report(spec: &MatchSpec, mut summary: Summary, seconds: f64) -> MatchReport {
    let info = spec.game.info();
    let repeatable = spec.a.repeatable && spec.b.repeatable && spec.time.is_none();
    let cell = summary.cells.remove(0);
    let Used { seconds: [a_seconds, b_seconds], work } = summary.used[0];
    let [a, b] = work.unwrap_or_default();
    let effort = BothEfforts { a, b };
    MatchReport {
        schema: "warroom-match-1",
        game: info.name,
        rules: info.rules,
        a: cell.a,
        b: cell.b,
        seed: spec.seed,
        repeatable,
        effort: repeatable.then_some(effort),
        unfinished: summary.planned - summary.played,
        timing: MatchTiming {
            a_seconds,
            b_seconds,
            effort: (!repeatable).then_some(effort),
            seconds,
            games_per_second: cell.evidence.games as f64 / seconds.max(1e-9),
        },
        evidence: cell.evidence,
        void: summary.void,
    }
}
