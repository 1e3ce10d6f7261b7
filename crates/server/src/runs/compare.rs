//! Two runs side by side.

use lab::experiment::Spec;
use lab::run::{CellSummary, Summary, spec_of, summarise};
use serde_json::Value;
use stats::{difference, holm};

use super::{Runs, cards};
use crate::dto::{ComparedPairing, RunComparison, Share};
use crate::error::Refusal;

/// Letters of a value that is told.
const LONGEST_VALUE: usize = 120;

impl Runs {
    /// What two runs have in common and what changed.
    pub(super) fn compare(&self, a: &str, b: &str) -> Result<RunComparison, Refusal> {
        let read = |id: &str| -> Result<_, Refusal> {
            let run = self.run(id)?;
            let spec = spec_of(&run).map_err(cards::refused)?;
            let summary = summarise(&spec, &self.store.games(&run)?);
            Ok((run, spec, summary))
        };
        let ((run_a, spec_a, summary_a), (run_b, spec_b, summary_b)) = (read(a)?, read(b)?);
        if spec_a.game != spec_b.game {
            let (one, other) = (&spec_a.game, &spec_b.game);
            let reason = format!("'{a}' is of {one}, '{b}' of {other}: expected runs of one game");
            return Err(Refusal::bad(reason));
        }
        let pairings = matched(&summary_a, &summary_b);
        let cells = summary_a.cells.len() + summary_b.cells.len();
        let mut differences = differences(&spec_a, &spec_b);
        if run_a.manifest.version != run_b.manifest.version {
            let (one, other) = (&run_a.manifest.version, &run_b.manifest.version);
            differences.push(format!("warroom: {one} → {other}"));
        }
        Ok(RunComparison {
            a: self.card(&run_a)?,
            b: self.card(&run_b)?,
            differences,
            unmatched: (cells - 2 * pairings.len()) as u32,
            pairings,
        })
    }
}

/// Pairings of the same players under the same condition. The runs may have had other starts, so
/// their games are taken as independent.
fn matched(one: &Summary, other: &Summary) -> Vec<ComparedPairing> {
    let same =
        |x: &CellSummary, y: &CellSummary| (&x.a, &x.b, &x.condition) == (&y.a, &y.b, &y.condition);
    let (cards_a, cards_b) = (cards::pairings(one), cards::pairings(other));
    let mut found: Vec<ComparedPairing> = Vec::new();
    for (index, cell) in one.cells.iter().enumerate() {
        let Some(place) = other.cells.iter().position(|twin| same(cell, twin)) else { continue };
        let twin = &other.cells[place];
        let points =
            |cell: &CellSummary| (cell.a_wins as f64 + 0.5 * cell.draws as f64, cell.games);
        let change = difference(points(cell), points(twin));
        // Who stops when something looks clear is wrong too often: nothing is claimed before the end.
        let finished = one.finished && other.finished;
        let p = cell.pentanomial.differs_from(&twin.pentanomial).filter(|_| finished);
        found.push(ComparedPairing {
            a: cards_a[index].clone(),
            b: cards_b[place].clone(),
            change: change.map(|(value, [low, high])| Share { value, low, high }),
            p,
        });
    }
    let p_values: Vec<f64> = found.iter().filter_map(|pairing| pairing.p).collect();
    let tested = found.iter_mut().filter_map(|pairing| pairing.p.as_mut());
    for (p, corrected) in tested.zip(holm(&p_values)) {
        *p = corrected;
    }
    found
}

/// What two experiments differ in, one line each.
fn differences(one: &Spec, other: &Spec) -> Vec<String> {
    let fields = |spec: &Spec| match serde_json::to_value(spec) {
        Ok(Value::Object(fields)) => fields,
        _ => serde_json::Map::new(),
    };
    let (one, other) = (fields(one), fields(other));
    let keys: std::collections::BTreeSet<&String> = one.keys().chain(other.keys()).collect();
    // What follows from the rest is no difference of its own.
    let told = |key: &&&String| !matches!(key.as_str(), "schema" | "about" | "cells");
    let line = |key: &String| {
        let value = |fields: &serde_json::Map<String, Value>| shown(fields.get(key));
        (one.get(key) != other.get(key))
            .then(|| format!("{key}: {} → {}", value(&one), value(&other)))
    };
    keys.iter().filter(told).filter_map(|key| line(key)).collect()
}

fn shown(value: Option<&Value>) -> String {
    let text = match value {
        None | Some(Value::Null) => "none".to_owned(),
        Some(Value::String(text)) => text.clone(),
        // Players and conditions by their names.
        Some(Value::Array(parts)) if parts.iter().all(|part| part["name"].is_string()) => {
            let names = parts.iter().filter_map(|part| part["name"].as_str());
            names.collect::<Vec<_>>().join(", ")
        }
        Some(value) => value.to_string(),
    };
    if text.chars().count() <= LONGEST_VALUE {
        return text;
    }
    text.chars().take(LONGEST_VALUE).chain(['…']).collect()
}
