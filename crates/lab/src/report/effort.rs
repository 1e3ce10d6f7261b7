//! What the players really used, whatever their budgets say: time and work per decision.

use std::collections::BTreeMap;
use std::sync::Arc;

use arena::GameRecord;
use gamecore::{Counters, Outcome};
use registry::{AgentSpec, AnyGame, Registry, no_files};
use store::{GameRow, Run, Store};

use super::{Block, Data};
use crate::experiment::{Player, Spec};
use crate::numbers::grouped;
use crate::plan::by_seat;
use crate::run::RunError;
use crate::run::work_of;
use crate::table::{Column, Table, short};

/// A budget of time that is passed by more than this is worth a sentence.
const TOLERANCE: f64 = 1.25;

/// What one player used in some games.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Used {
    games: u64,
    decisions: u64,
    seconds: f64,
    /// Decisions whose work was kept, and that work.
    logged: u64,
    work: Counters,
}

impl Used {
    fn ms(&self) -> f64 {
        1000.0 * self.seconds / self.decisions.max(1) as f64
    }
}

/// Adds up what every player used in some games of a run.
pub(super) fn of_games(
    known: &Registry,
    store: &Store,
    run: &Run,
    spec: &Spec,
    rows: &[GameRow],
) -> Result<Vec<Used>, RunError> {
    let mut used = vec![Used::default(); spec.players.len()];
    let mut games: BTreeMap<usize, Arc<dyn AnyGame>> = BTreeMap::new();
    // Who tunes changes from game to game.
    let pairings =
        rows.iter().filter(|row| row.outcome != Outcome::Void && row.number >= spec.tuning_games());
    for row in pairings {
        let cell = row.cell as usize;
        let (under, players) = (spec.cell(cell).under, spec.cell(cell).players());
        let (decisions, work) = match row.work {
            Some(work) => (work.map(|work| work.decisions), Some(work)),
            // Stored before rows kept it.
            None => {
                let game = match games.get(&under) {
                    Some(game) => game.clone(),
                    None => known.open(&spec.game, &spec.condition(cell).rules)?,
                };
                games.insert(under, game.clone());
                let record = store.record(run, row.number)?;
                let record = GameRecord::from_json(&record).map_err(|error| {
                    let (id, reason) = (run.id.clone(), error.to_string());
                    RunError::Record { id, number: row.number, reason }
                })?;
                let work = record.decisions.as_deref().map(work_of);
                (game.figures(&record)?.decisions_by_seat, work)
            }
        };
        for (seat, player) in by_seat(row.game, players).into_iter().enumerate() {
            let of_player = &mut used[player];
            of_player.games += 1;
            of_player.decisions += decisions[seat];
            of_player.seconds += row.seconds[seat];
            if let Some(work) = work {
                of_player.logged += work[seat].decisions;
                of_player.work += work[seat].counters;
            }
        }
    }
    Ok(used)
}

/// Players that used clearly more than the milliseconds of their budget.
pub(super) fn lead(spec: &Spec, used: &[Used]) -> Vec<String> {
    let budget = |text: &str| -> Option<f64> {
        let spec = AgentSpec::parse(text, &no_files).ok()?;
        spec.keys.iter().find(|(key, _)| key == "ms")?.1.parse().ok()
    };
    let over = spec.players.iter().zip(used).filter_map(|(player, used)| {
        let budget = budget(&player.agent)?;
        (used.decisions > 0 && used.ms() > TOLERANCE * budget).then(|| {
            format!(
                "**{}** used {} ms per decision on a budget of {budget} ms.",
                player.name,
                short(used.ms())
            )
        })
    });
    over.collect()
}

/// The table.
pub(super) fn section(spec: &Spec, used: &[Used], blocks: &mut Vec<Block>) {
    if used.iter().all(|used| used.decisions == 0) {
        return;
    }
    let logged = used.iter().any(|used| used.logged > 0);
    let a_game = |sum: f64, used: &Used| short(sum / used.games.max(1) as f64);
    let per = |count: u64, used: &Used| match (count, used.logged) {
        (0, _) | (_, 0) => String::new(),
        (count, logged) => short(count as f64 / logged as f64),
    };
    let columns: [Column<'_, (&Player, &Used)>; 8] = [
        ("player", &|(player, _)| player.name.clone()),
        ("games", &|(_, used)| grouped(used.games)),
        ("s per game", &|(_, used)| a_game(used.seconds, used)),
        ("decisions per game", &|(_, used)| a_game(used.decisions as f64, used)),
        ("ms per decision", &|(_, used)| short(used.ms())),
        ("nodes", &|(_, used)| per(used.work.nodes, used)),
        ("iterations", &|(_, used)| per(used.work.iterations, used)),
        ("calls", &|(_, used)| per(used.work.calls, used)),
    ];
    let columns = if logged { &columns[..] } else { &columns[..5] };
    let caption = "What the players used: wall time of thinking and, where it was kept, work per decision \
                   between several actions";
    let rows = spec.players.iter().zip(used).filter(|(_, used)| used.games > 0);
    let table = Table::of(caption, columns, rows);
    blocks.push(Block::Heading("Thinking time and work".into()));
    if !logged {
        blocks.push(Block::Words(
            "Nodes and iterations were not kept when these games were played.".into(),
        ));
    }
    blocks.push(Block::Table(Data::plain("effort", table)));
}
