//! Two runs side by side.

use std::collections::{BTreeMap, BTreeSet};

use lab::experiment::Spec;
use lab::run::{CellSummary, Summary, spec_of, summary_of};
use serde_json::Value;
use stats::{PairCounts, difference, holm, is_shown};

use super::{Runs, cards};
use crate::dto::{ComparedPairing, PairingCard, RunComparison, Share};
use crate::error::Refusal;

/// Letters of a value that is told.
const LONGEST_VALUE: usize = 120;
/// Differences that are told one by one.
const MOST_DIFFERENCES: usize = 40;

impl Runs {
    /// What two runs have in common and what changed.
    pub(super) fn compare(&self, a: &str, b: &str) -> Result<RunComparison, Refusal> {
        let read = |id: &str| -> Result<_, Refusal> {
            let run = self.run(id)?;
            let spec = spec_of(&run).map_err(cards::refused)?;
            let summary = summary_of(&self.store, &run, &spec)?;
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

/// Pairings of the same players under the same condition, whoever is named first. The runs may have
/// had other starts, so their games are taken as independent.
fn matched(one: &Summary, other: &Summary) -> Vec<ComparedPairing> {
    let (cards_a, cards_b) = (cards::pairings(one), cards::pairings(other));
    let mut found: Vec<ComparedPairing> = Vec::new();
    for (cell, card) in one.cells.iter().zip(cards_a) {
        let twin = other.cells.iter().zip(&cards_b).find_map(|(twin, card)| {
            if twin.condition != cell.condition {
                return None;
            }
            let exchanged = (&twin.b, &twin.a) == (&cell.a, &cell.b);
            match (&twin.a, &twin.b) == (&cell.a, &cell.b) {
                true => Some((Points::of(twin), card.clone())),
                false => exchanged.then(|| (Points::of(twin).mirrored(), mirrored(card.clone()))),
            }
        });
        let Some((there, card_there)) = twin else { continue };
        let here = Points::of(cell);
        let change = difference((here.points, here.games), (there.points, there.games));
        // Who stops when something looks clear is wrong too often: nothing is claimed before the
        // end, nor of a series that ended because of its results.
        let may_claim = one.finished && other.finished && here.fixed && there.fixed;
        found.push(ComparedPairing {
            a: card,
            b: card_there,
            change: change.map(|(value, [low, high])| Share { value, low, high }),
            p: here.pairs.differs_from(&there.pairs).filter(|_| may_claim),
            // Known when all are.
            shown: false,
        });
    }
    let p_values: Vec<f64> = found.iter().filter_map(|pairing| pairing.p).collect();
    let tested = found.iter_mut().filter(|pairing| pairing.p.is_some());
    for (pairing, corrected) in tested.zip(holm(&p_values)) {
        (pairing.p, pairing.shown) = (Some(corrected), is_shown(corrected));
    }
    found
}

/// The points of player A in a pairing.
struct Points {
    points: f64,
    games: u64,
    pairs: PairCounts,
    /// Neither a sequential test nor a player against the like: p means something.
    fixed: bool,
}

impl Points {
    fn of(cell: &CellSummary) -> Self {
        Self {
            points: cell.evidence.score.unwrap_or(0.0) * cell.evidence.counted_games() as f64,
            games: cell.evidence.counted_games(),
            pairs: cell.evidence.pentanomial,
            fixed: cell.evidence.p_value.is_some(),
        }
    }

    /// Those of player B.
    fn mirrored(mut self) -> Self {
        self.pairs.0.reverse();
        Self { points: self.games as f64 - self.points, ..self }
    }
}

/// A pairing with its players exchanged.
fn mirrored(card: PairingCard) -> PairingCard {
    let score = card.score.map(|Share { value, low, high }| Share {
        value: 1.0 - value,
        low: 1.0 - high,
        high: 1.0 - low,
    });
    PairingCard { a: card.b, b: card.a, won: card.lost, lost: card.won, score, ..card }
}

/// What two experiments differ in, one line each.
fn differences(one: &Spec, other: &Spec) -> Vec<String> {
    let fields = |spec: &Spec| {
        let mut fields = serde_json::to_value(spec).expect("an experiment is plain data");
        // What follows from the rest is no difference of its own.
        if let Value::Object(fields) = &mut fields {
            fields.retain(|key, _| !matches!(key.as_str(), "schema" | "about" | "cells"));
        }
        fields
    };
    let mut found = Vec::new();
    collect_differences("", Some(&fields(one)), Some(&fields(other)), &mut found);
    if found.len() > MOST_DIFFERENCES {
        let more = found.len() - MOST_DIFFERENCES;
        found.truncate(MOST_DIFFERENCES);
        found.push(format!("and {more} more"));
    }
    found
}

/// Goes down to the values that differ: fields by their names, players and conditions by theirs.
fn collect_differences(
    path: &str,
    one: Option<&Value>,
    other: Option<&Value>,
    found: &mut Vec<String>,
) {
    if one == other {
        return;
    }
    let (Some(here), Some(there)) = (one.and_then(parts), other.and_then(parts)) else {
        found.push(format!("{path}: {} → {}", shown(one), shown(other)));
        return;
    };
    let names: BTreeSet<&str> = here.keys().chain(there.keys()).copied().collect();
    for name in names {
        // A single condition has no name.
        let below = match (path, name) {
            ("", _) => name.to_owned(),
            (_, "") => path.to_owned(),
            _ => format!("{path}.{name}"),
        };
        collect_differences(&below, here.get(name).copied(), there.get(name).copied(), found);
    }
}

/// The named parts of a value, if it has such.
fn parts(value: &Value) -> Option<BTreeMap<&str, &Value>> {
    match value {
        Value::Object(fields) => {
            Some(fields.iter().map(|(name, field)| (name.as_str(), field)).collect())
        }
        Value::Array(list) => {
            let named = list.iter().map(|part| Some((part["name"].as_str()?, part)));
            let named: BTreeMap<&str, &Value> = named.collect::<Option<_>>()?;
            (!list.is_empty() && named.len() == list.len()).then_some(named)
        }
        _ => None,
    }
}

fn shown(value: Option<&Value>) -> String {
    let text = match value {
        None | Some(Value::Null) => "none".to_owned(),
        Some(Value::String(text)) if text.is_empty() => "usual".to_owned(),
        Some(Value::String(text)) => text.clone(),
        // A player that one of them has only.
        Some(Value::Object(fields)) if fields.contains_key("agent") => shown(fields.get("agent")),
        Some(value) => value.to_string(),
    };
    if text.chars().count() <= LONGEST_VALUE {
        return text;
    }
    text.chars().take(LONGEST_VALUE).chain(['…']).collect()
}
