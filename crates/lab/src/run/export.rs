//! A run as a table, one row a game in schedule order.

use std::collections::BTreeMap;

use gamecore::Outcome;
use registry::Registry;
use serde::Serialize;
use serde_json::Value;
use store::{GameRow, Run, Store, StoreError};

use super::Sequential;
use crate::evidence::{Played, points_of_a};
use crate::experiment::Spec;
use crate::table::plain_cell;
use crate::tuning::{Tuning, in_a_line};

/// One game, for other programs.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ExportRow {
    /// Its number in the schedule.
    pub number: u64,
    /// The pairing.
    pub cell: u64,
    /// Under what it is played; empty where there is no choice.
    pub condition: String,
    /// Player A.
    pub a: String,
    /// Player B.
    pub b: String,
    /// The pair in the pairing.
    pub pair: u64,
    /// The game in the pair.
    pub game: u8,
    /// The seat of A.
    pub seat_of_a: u8,
    /// The seat that acted first.
    pub first_seat: Option<u8>,
    /// How it ended.
    pub outcome: Outcome,
    /// Why.
    pub reason: String,
    /// Points of A; nothing if the game does not count.
    pub points_of_a: Option<f64>,
    /// `after-stop` for games after the decision of a sequential test.
    pub mark: &'static str,
    /// Actions of players.
    pub actions: u64,
    /// Runs of actions of one seat.
    pub turns: u64,
    /// Decisions between several actions.
    pub decisions: u64,
    /// Legal actions at these decisions together.
    pub choices: u64,
    /// Mean bits of undecidedness, where agents tell it.
    pub entropy: Option<f64>,
    /// The seat ahead at half-time.
    pub half_leader: Option<u8>,
    /// Equal for equal games.
    pub moves: String,
    /// Seconds of thought of seat 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds_0: Option<f64>,
    /// Seconds of thought of seat 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds_1: Option<f64>,
    /// The machine that played it; empty if it is the one that stored it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// What the game counts of its own; the last columns, so that older tables begin as newer ones.
    #[serde(flatten)]
    pub counts: BTreeMap<String, Option<u64>>,
}

impl ExportRow {
    /// With texts that no spreadsheet takes for formulas.
    #[must_use]
    pub fn for_spreadsheets(mut self) -> Self {
        let Self { condition, a, b, reason, host, .. } = &mut self;
        for text in [condition, a, b, reason].into_iter().chain(host) {
            *text = plain_cell(text).into_owned();
        }
        self
    }

    /// Its fields as a table holds them, in the order of the columns.
    #[must_use]
    pub fn fields(&self) -> Vec<String> {
        let row = serde_json::to_value(self).expect("a row is plain data");
        let field = |value: &Value| match value {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        row.as_object().into_iter().flatten().map(|(_, value)| field(value)).collect()
    }
}

/// Makes rows of games. Without times and machines, two runs of a repeatable experiment export the same bytes.
pub struct Exporter<'a> {
    spec: &'a Spec,
    times: bool,
    /// Pairs after which a sequential test was decided.
    stopped: Option<u64>,
    tuning: Option<Tuning>,
    /// Names of what the game counts of its own.
    counts: Vec<&'static str>,
}

impl<'a> Exporter<'a> {
    /// For a stored run.
    pub fn of_run(
        games: &Registry,
        store: &Store,
        run: &Run,
        spec: &'a Spec,
        times: bool,
    ) -> Result<Self, StoreError> {
        // Only where games depend on others must all of them be read first.
        let adaptive = spec.sprt().is_some() || spec.tune().is_some();
        let rows = if adaptive { store.games(run)? } else { Vec::new() };
        Ok(Self::new(games, spec, &rows, times))
    }

    fn new(games: &Registry, spec: &'a Spec, rows: &[GameRow], times: bool) -> Self {
        let played: Vec<Played> = rows.iter().map(Played::from).collect();
        let stopped = Sequential::of(spec, &played).and_then(|test| test.stopped_after);
        // A game that this program does not know has no such columns.
        let game = games.open(&spec.game, &spec.conditions[0].rules);
        let counts = game.map_or_else(|_| Vec::new(), |game| game.info().counts);
        let counts = counts.into_iter().map(|count| count.name).collect();
        Self { spec, times, stopped, tuning: spec.tuning(rows), counts }
    }

    /// The names of the columns, also where there are no rows.
    #[must_use]
    pub fn columns(&self) -> Vec<String> {
        let (seconds, host) = (self.times.then_some(0.0), self.times.then(String::new));
        let counts = self.counts.iter().map(|&name| (name.to_owned(), None)).collect();
        let row = ExportRow {
            counts,
            seconds_0: seconds,
            seconds_1: seconds,
            host,
            ..ExportRow::default()
        };
        let row = serde_json::to_value(row).expect("a row is plain data");
        row.as_object().into_iter().flat_map(|fields| fields.keys().cloned()).collect()
    }

    /// A game as a row.
    #[must_use]
    pub fn row(&self, row: &GameRow) -> ExportRow {
        let Self { spec, times, stopped, tuning, counts } = self;
        let [mut a, mut b] = spec.names(row.cell as usize).map(str::to_owned);
        let pair = (row.cell as usize).checked_sub(spec.cells.len());
        let trial = tuning.as_ref().zip(pair);
        if let Some(trial) = trial.and_then(|(tuning, pair)| tuning.trial_of_pair(pair as u64)) {
            a = in_a_line(&trial.a);
            b = trial.b.as_ref().map_or(b, in_a_line);
        }
        ExportRow {
            number: row.number,
            cell: row.cell,
            condition: spec.condition(row.cell as usize).name.clone(),
            a,
            b,
            pair: row.pair,
            game: row.game,
            seat_of_a: row.game,
            first_seat: row.first_seat,
            outcome: row.outcome,
            reason: row.reason.to_string(),
            points_of_a: points_of_a(row),
            mark: if stopped.is_some_and(|pairs| row.pair >= pairs) { "after-stop" } else { "" },
            actions: row.actions,
            turns: row.turns,
            decisions: row.decisions,
            choices: row.choices,
            entropy: (row.entropy_decisions > 0)
                .then(|| row.entropy / row.entropy_decisions as f64),
            half_leader: row.half_leader,
            moves: format!("{:016x}", row.moves_hash),
            counts: counts
                .iter()
                .map(|&name| (name.to_owned(), row.counts.get(name).copied()))
                .collect(),
            seconds_0: times.then_some(row.seconds[0]),
            seconds_1: times.then_some(row.seconds[1]),
            host: times.then(|| row.host.clone().unwrap_or_default()),
        }
    }
}

/// The rows of a run.
#[must_use]
pub fn export_rows(games: &Registry, spec: &Spec, rows: &[GameRow], times: bool) -> Vec<ExportRow> {
    let exporter = Exporter::new(games, spec, rows, times);
    rows.iter().map(|row| exporter.row(row)).collect()
}

/// A row with the record of its game, as one line of JSON.
pub fn json_line(row: &ExportRow, record: &str, times: bool) -> Result<String, serde_json::Error> {
    let mut line = serde_json::to_value(row).expect("a row is plain data");
    let mut record: Value = serde_json::from_str(record)?;
    if let Some(fields) = record.as_object_mut().filter(|_| !times) {
        fields.shift_remove("timing");
    }
    line["record"] = record;
    Ok(line.to_string())
}
