//! A finished game as a row of the store.

use arena::{DecisionRecord, GameRecord};
use gamecore::{Outcome, Seat, Work};
use registry::GameFigures;
use store::GameRow;

use super::Numbered;
use crate::experiment::{Experiment, Log};

/// The row and the record to keep of a game; `None` if it was stopped.
pub(super) fn row(
    experiment: &Experiment,
    number: u64,
    mut record: GameRecord,
    figures: &GameFigures,
) -> Option<Numbered> {
    if record.outcome == Outcome::Unfinished {
        return None;
    }
    let place = experiment.place(number);
    let entropies = || record.decisions.iter().flatten().filter_map(|made| made.entropy);
    let seconds = |seat: usize| -> f64 {
        record.timing.as_ref().map_or(0.0, |timing| timing.seconds[seat].iter().sum())
    };
    let index = |seat: Option<Seat>| seat.map(|seat| seat.index() as u8);
    let row = GameRow {
        number,
        cell: place.cell as u64,
        pair: place.pair,
        game: place.game,
        outcome: record.outcome,
        reason: record.reason.clone(),
        first_seat: index(figures.first_seat),
        actions: record.actions.len() as u64,
        turns: figures.turns,
        decisions: figures.decisions,
        choices: figures.choices,
        entropy: entropies().sum(),
        entropy_decisions: entropies().count() as u64,
        half_leader: index(figures.half_leader),
        moves_hash: moves_hash(&record),
        seconds: [seconds(0), seconds(1)],
        work: record.decisions.as_deref().map(work_of),
        counts: figures.counts.iter().map(|&(name, count)| (name.to_owned(), count)).collect(),
        program: None,
        host: None,
    };
    if experiment.spec.log == Log::Actions {
        (record.decisions, record.timing) = (None, None);
    }
    Some((row, record))
}

/// What the agents of both seats did.
pub(crate) fn work_of(decisions: &[DecisionRecord]) -> [Work; 2] {
    let mut work = [Work::default(); 2];
    for decision in decisions.iter().filter(|decision| !decision.forced) {
        work[decision.seat] += Work { decisions: 1, counters: decision.counters };
    }
    work
}

/// Equal for games with equal starts, actions and chance.
pub(crate) fn moves_hash(record: &GameRecord) -> u64 {
    let moves = format!("{}\n{:?}\n{:?}", record.start, record.actions, record.chance);
    u64::from_str_radix(&gamecore::short_hash(&moves), 16).expect("sixteen digits")
}
