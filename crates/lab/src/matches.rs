//! A match: two agents, pairs of games, one verdict with its interval.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use arena::{GameRecord, TimeControl, WallClock};
use gamecore::{Ending, MachineFault, Outcome, Seat, StopToken, Work};
use registry::{AnyGame, Job, ResolvedAgent, SpecError};
use serde::Serialize;
use stats::Side;

use crate::evidence::{Evidence, Played};
use crate::plan::{Openings, Pair, SetupsOf, by_seat, pair};
use crate::run::{moves_hash, play_guarded, work_of};
use crate::workers::map_in_order;

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
    /// Different games among them.
    pub distinct_games: u64,
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

impl MatchReport {
    /// Who is shown to be stronger.
    #[must_use]
    pub fn stronger(&self) -> Option<Side> {
        self.evidence.stronger(self.evidence.p_value)
    }
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// A game that does not count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct VoidGame {
    /// Its pair.
    pub pair: u64,
    /// Which game of the pair.
    pub game: u8,
    /// What went wrong.
    pub reason: Ending,
    /// Its number in the schedule of a run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<u64>,
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

/// A finished match: the report and all games in schedule order.
pub struct MatchResult {
    /// The verdict.
    pub report: MatchReport,
    /// Every game, two per pair, A first at seat 0 and then at seat 1.
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
    let pairs = (0..spec.games / 2)
        .map(|index| {
            let setups = spec.setups.each_ref().map(String::as_str);
            let setups_of = SetupsOf::usual(&*spec.game);
            pair(&*spec.game, &spec.openings, setups, setups_of, spec.seed, index)
        })
        .collect::<Result<Vec<Pair>, SpecError>>()?;
    let counts = [const { AtomicU64::new(0) }; 3];
    let began = Instant::now();
    let games: Vec<(&Pair, u8)> = pairs.iter().flat_map(|pair| [(pair, 0), (pair, 1)]).collect();
    let records = map_in_order(threads, &games, &|&(pair, number)| {
        let record = play_one(spec, pair, number, stop)?;
        progress(count(&counts, &record, number));
        Ok::<_, MatchError>(record)
    })?;
    let report = report(spec, &records, began.elapsed().as_secs_f64());
    Ok(MatchResult { report, records })
}

fn play_one(
    spec: &MatchSpec,
    pair: &Pair,
    number: u8,
    stop: &StopToken,
) -> Result<GameRecord, MachineFault> {
    let clock = WallClock::new();
    let job = Job {
        start: &pair.starts[usize::from(number)],
        agents: by_seat(number, [&spec.a, &spec.b]),
        seeds: pair.seeds[usize::from(number)],
        time: spec.time,
        clock: &clock,
        stop,
        log: true,
    };
    play_guarded(&*spec.game, &job)
}

fn count(counts: &[AtomicU64; 3], record: &GameRecord, number: u8) -> Standing {
    if let Some(points) = played(record, 0, number).points_of_a() {
        counts[(points * 2.0) as usize].fetch_add(1, Ordering::Relaxed);
    }
    let [b_wins, draws, a_wins] = [0, 1, 2].map(|index| counts[index].load(Ordering::Relaxed));
    Standing { games: a_wins + draws + b_wins, a_wins, draws, b_wins }
}

/// What of a game decides what a match shows.
fn played(record: &GameRecord, pair: u64, game: u8) -> Played {
    let result = record.outcome.points(Seat::Zero).map(|points| (2.0 * points) as u8);
    Played { pair, game, result, moves_hash: moves_hash(record), ..Played::default() }
}

fn report(spec: &MatchSpec, records: &[GameRecord], seconds: f64) -> MatchReport {
    let numbered =
        || (0u64..).zip(records).map(|(number, record)| (number / 2, number % 2, record));
    let rows: Vec<Played> =
        numbered().map(|(pair, game, record)| played(record, pair, game as u8)).collect();
    let mut evidence = Evidence::of(&rows.iter().collect::<Vec<_>>(), &BTreeSet::new());
    let distinct: BTreeSet<u64> =
        rows.iter().filter(|row| row.result.is_some()).map(|row| row.moves_hash).collect();
    let [a, b] = [&spec.a, &spec.b].map(|agent| agent.spec.to_string());
    // Where starts are deals, what is brought belongs to the seats.
    let like = a == b && (spec.game.info().dealt || spec.setups[0] == spec.setups[1]);
    evidence.p_value = evidence.p_value.filter(|_| !like);
    let void = numbered().filter(|(.., record)| record.outcome == Outcome::Void);
    let void: Vec<VoidGame> = void
        .map(|(pair, game, record)| VoidGame {
            pair,
            game: game as u8,
            reason: record.reason.clone(),
            number: None,
        })
        .collect();
    let info = spec.game.info();
    let repeatable = spec.a.repeatable && spec.b.repeatable && spec.time.is_none();
    let (effort, [a_seconds, b_seconds]) = efforts(records);
    MatchReport {
        schema: "warroom-match-1",
        game: info.name,
        rules: info.rules,
        a,
        b,
        seed: spec.seed,
        repeatable,
        effort: repeatable.then_some(effort),
        distinct_games: distinct.len() as u64,
        unfinished: records.len() as u64 - evidence.games - void.len() as u64,
        timing: MatchTiming {
            a_seconds,
            b_seconds,
            effort: (!repeatable).then_some(effort),
            seconds,
            games_per_second: evidence.games as f64 / seconds.max(1e-9),
        },
        evidence,
        void,
    }
}

/// What both agents did in all games, and how long they thought.
fn efforts(records: &[GameRecord]) -> (BothEfforts, [f64; 2]) {
    let mut efforts = [Work::default(); 2];
    let mut seconds = [0.0; 2];
    for (number, record) in records.iter().enumerate() {
        let agent_of = |seat: usize| (seat + number) % 2;
        for (seat, work) in record.decisions.iter().flat_map(|made| work_of(made)).enumerate() {
            efforts[agent_of(seat)] += work;
        }
        for (seat, times) in record.timing.iter().flat_map(|timing| &timing.seconds).enumerate() {
            seconds[agent_of(seat)] += times.iter().sum::<f64>();
        }
    }
    (BothEfforts { a: efforts[0], b: efforts[1] }, seconds)
}
