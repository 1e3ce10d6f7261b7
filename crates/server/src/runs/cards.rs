//! Runs as the page is told of them.

use lab::by_seat;
use lab::experiment::Spec;
use lab::report::{Table, findings};
use lab::run::{RunError, Summary, spec_of, state_of, summary_of};
use registry::{AnyGame, Registry};
use stats::wilson;
use store::{GameRow, Run, StoreError};

use super::Runs;
use crate::dto::{
    PairingCard, RunCard, RunDetail, RunFindings, RunGame, RunGames, RunGamesQuery, RunState,
    RunTable, Share, StandingCard,
};
use crate::error::Refusal;

/// Void games that are told one by one.
const MOST_VOID: usize = 20;
/// Games of one list.
const USUAL_LIST: u64 = 50;
const LONGEST_LIST: u64 = 500;

/// Why a run is not played, as a refusal.
pub(super) fn refused(error: RunError) -> Refusal {
    match error {
        RunError::Store(error) => error.into(),
        RunError::Spec(error) => error.into(),
        RunError::Changed { .. }
        | RunError::Differs { .. }
        | RunError::Untrue { .. }
        | RunError::Manifest { .. }
        | RunError::Unwilling(_) => Refusal::conflict(error.to_string()),
        RunError::Machine { .. }
        | RunError::LeftOut { .. }
        | RunError::Players(_)
        | RunError::Record { .. } => Refusal::storage(error.to_string()),
        RunError::Games(_)
        | RunError::DealtGames(_)
        | RunError::Shard(_)
        | RunError::NoHost { .. } => Refusal::bad(error.to_string()),
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::NoGame { .. } | StoreError::NoRun { .. } => {
                Self::new(axum::http::StatusCode::NOT_FOUND, error.to_string())
            }
            StoreError::Locked { .. } => Self::conflict(error.to_string()),
            _ => Self::storage(error.to_string()),
        }
    }
}

/// The kind of an experiment by its name in files.
pub(super) fn kind(spec: &Spec) -> String {
    let named = serde_json::to_value(spec.kind.name()).expect("a kind is plain data");
    named.as_str().unwrap_or_default().to_owned()
}

impl Runs {
    /// All runs, the last ones first.
    pub(super) fn cards(&self) -> Result<Vec<RunCard>, Refusal> {
        let runs = self.store.runs()?;
        runs.iter().rev().map(|run| self.card(run)).collect()
    }

    /// A run in a list.
    pub(super) fn card(&self, run: &Run) -> Result<RunCard, Refusal> {
        let played = self.store.count(run)?;
        let here = self.is_playing(&run.id);
        let state = match state_of(&self.store, run, played).map_err(refused)? {
            lab::run::RunState::Finished => RunState::Finished,
            // It takes its lock a moment after it was started.
            _ if here => RunState::Running,
            lab::run::RunState::Running => RunState::Running,
            lab::run::RunState::Copied => RunState::Copied,
            lab::run::RunState::Part | lab::run::RunState::Interrupted => RunState::Interrupted,
        };
        let waits = matches!(state, RunState::Interrupted | RunState::Copied);
        let why_not = waits.then(|| self.resumable(run).err()).flatten();
        let why_not = why_not.map_or_else(String::new, |refusal| refusal.reason);
        let spec = spec_of(run).ok();
        Ok(RunCard {
            id: run.id.clone(),
            name: run.manifest.name.clone(),
            about: spec.as_ref().map_or_else(String::new, |spec| spec.about.clone()),
            game: run.manifest.game.clone(),
            kind: spec.as_ref().map_or_else(String::new, kind),
            created: run.created.clone(),
            played,
            planned: run.manifest.games,
            state,
            here,
            resumable: waits && why_not.is_empty(),
            why_not,
            failed: self.failure(&run.id),
        })
    }

    /// Everything about a run.
    pub(super) fn detail(&self, id: &str) -> Result<RunDetail, Refusal> {
        let run = self.run(id)?;
        let spec = spec_of(&run).map_err(refused)?;
        // First how it stands, then its games: of a run that has ended none may be missing below.
        let card = self.card(&run)?;
        let summary = summary_of(&self.store, &run, &spec)?;
        let void = summary.void.iter().take(MOST_VOID);
        Ok(RunDetail {
            card,
            version: run.manifest.version.clone(),
            repeatable: run.manifest.repeatable,
            rules: run.manifest.rules.clone(),
            findings: found(&self.known, &spec, &summary),
            standings: standings(&spec, &summary),
            pairings: pairings(&summary),
            void: void
                .map(|game| format!("game {}: {}", game.number, game.reason.fault_words()))
                .collect(),
        })
    }

    /// A part of the games of a run.
    pub(super) fn games(&self, id: &str, asked: &RunGamesQuery) -> Result<RunGames, Refusal> {
        let run = self.run(id)?;
        let spec = spec_of(&run).map_err(refused)?;
        let rows = self.store.games(&run)?;
        let wanted = |row: &&GameRow| asked.cell.is_none_or(|cell| row.cell == u64::from(cell));
        let limit = asked.limit.unwrap_or(USUAL_LIST).min(LONGEST_LIST) as usize;
        let part = rows.iter().filter(wanted).skip(asked.offset as usize).take(limit);
        let rules = self.known.open(&spec.game, &spec.conditions[0].rules)?;
        Ok(RunGames {
            total: rows.iter().filter(wanted).count() as u64,
            games: part.map(|row| game(&spec, &*rules, row)).collect(),
        })
    }
}

/// What a run shows, as the page is told.
fn found(games: &Registry, spec: &Spec, summary: &Summary) -> RunFindings {
    let found = findings(games, spec, summary, None);
    let table = |Table { caption, head, rows }: Table| RunTable { caption, head, rows };
    let tables = found.tables().cloned().map(table).collect();
    RunFindings { sentences: found.lead, tables }
}

fn game(spec: &Spec, rules: &dyn AnyGame, row: &GameRow) -> RunGame {
    let players = by_seat(row.game, spec.names(row.cell as usize));
    RunGame {
        number: row.number,
        cell: row.cell as u32,
        players: players.map(str::to_owned),
        result: rules.ending_words((row.outcome, &row.reason), players),
        winner: row.outcome.winner().map(|seat| seat.index() as u8),
        actions: row.actions as u32,
    }
}

/// A share of points with its interval.
pub(super) fn share(points: f64, games: u64) -> Share {
    let [low, high] = wilson(points, games);
    Share { value: points / games.max(1) as f64, low, high }
}

/// Points over all pairings, with ratings where there are any, the best first.
fn standings(spec: &Spec, summary: &Summary) -> Vec<StandingCard> {
    let mut sums = vec![(0.0, 0); spec.players.len()];
    for (index, cell) in summary.cells.iter().enumerate() {
        let [a, b] = spec.cell(index).players();
        let games = cell.evidence.counted_games();
        let points = cell.evidence.score.unwrap_or(0.0) * games as f64;
        for (player, points) in [(a, points), (b, games as f64 - points)] {
            sums[player].0 += points;
            sums[player].1 += games;
        }
    }
    let rated = summary.analysis.as_ref();
    let elo = |player: usize| {
        let rating = &rated?.players.get(player)?.rating;
        Some(Share { value: rating.elo, low: rating.interval[0], high: rating.interval[1] })
    };
    let mut cards: Vec<StandingCard> = (sums.into_iter().enumerate())
        .filter(|(_, (_, games))| *games > 0)
        .map(|(player, (points, games))| StandingCard {
            name: spec.players[player].name.clone(),
            games,
            score: share(points, games),
            elo: elo(player),
        })
        .collect();
    let rank = |card: &StandingCard| card.elo.map_or(card.score.value, |elo| elo.value);
    cards.sort_by(|one, other| rank(other).total_cmp(&rank(one)));
    cards
}

/// The pairings in the order of the schedule.
pub(super) fn pairings(summary: &Summary) -> Vec<PairingCard> {
    let card = |(cell, pairing): (u32, &lab::run::CellSummary)| PairingCard {
        cell,
        a: pairing.a.clone(),
        b: pairing.b.clone(),
        condition: pairing.condition.clone(),
        games: pairing.evidence.games,
        won: pairing.evidence.a_wins,
        drawn: pairing.evidence.draws,
        lost: pairing.evidence.b_wins,
        score: pairing.evidence.score.map(|value| Share {
            value,
            low: pairing.evidence.wilson[0],
            high: pairing.evidence.wilson[1],
        }),
    };
    (0..).zip(&summary.cells).map(card).collect()
}
