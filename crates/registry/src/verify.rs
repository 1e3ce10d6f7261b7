//! Whether recorded games are what the rules say.

use std::fmt::Display;

use arena::{GameRecord, replay};
use gamecore::{Notation, Read};
use serde::Serialize;
use serde_json::Value;

use crate::SpecError;

/// The first thing in a file that is not so.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// The game's number in the file.
    pub game: u64,
    /// The step of the game; `None` for its beginning or end.
    pub step: Option<u64>,
    /// What differs.
    pub field: String,
    /// What the file says.
    pub expected: Value,
    /// What the rules say.
    pub found: Value,
}

/// What was checked.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct VerifyReport {
    /// Games looked at.
    pub games: u64,
    /// Steps replayed.
    pub steps: u64,
    /// Where the check stopped, if it found a difference.
    pub first_difference: Option<Difference>,
}

/// A recorded game of another program while it is replayed.
pub trait ReplayedTrace: Sized {
    /// The game under the rules of the file.
    type Rules;
    /// The field that says what a record is: `game`, `step` or `end`.
    const KIND: &'static str;

    /// Begins the game of a record that has this number unless it says another.
    fn begin(rules: &Self::Rules, record: &Value, number: u64) -> Read<Self>;
    /// The game's number in the file.
    fn number(&self) -> u64;
    /// What differs at the beginning.
    fn compare_start(&self, rules: &Self::Rules, record: &Value) -> Option<Finding>;
    /// Plays one step; the first thing that differs on the way.
    fn step(&mut self, rules: &Self::Rules, record: &Value) -> Option<Finding>;
    /// What differs at the end.
    fn end(&self, record: &Value) -> Option<Finding>;
}

/// Replays every game of a trace; stops at the first difference.
pub fn verify_trace<R: ReplayedTrace>(
    rules: &R::Rules,
    content: &str,
) -> Result<VerifyReport, SpecError> {
    let mut report = VerifyReport::default();
    let mut replayed: Option<R> = None;
    for (number, line) in (1..).zip(content.lines()) {
        if line.trim().is_empty() {
            continue;
        }
        let wrong = |reason: &dyn Display| SpecError::plain(format!("line {number}: {reason}"));
        let record: Value = serde_json::from_str(line).map_err(|error| wrong(&error))?;
        let (step, finding) = match record[R::KIND].as_str() {
            Some("game") => {
                let fresh = R::begin(rules, &record, report.games);
                let fresh = replayed.insert(fresh.map_err(|error| wrong(&error.reason))?);
                report.games += 1;
                (None, fresh.compare_start(rules, &record))
            }
            Some("step") => {
                let current = replayed.as_mut();
                let current = current.ok_or_else(|| wrong(&"a step before any game"))?;
                report.steps += 1;
                (record["step"].as_u64(), current.step(rules, &record))
            }
            Some("end") => {
                let current = replayed.as_ref();
                let current = current.ok_or_else(|| wrong(&"an end before any game"))?;
                (None, current.end(&record))
            }
            _ => {
                let kind = R::KIND;
                return Err(wrong(&format!("expected a record with {kind} = game, step or end")));
            }
        };
        if let Some((field, expected, found)) = finding {
            let game = replayed.as_ref().map_or(0, R::number);
            report.first_difference = Some(Difference { game, step, field, expected, found });
            return Ok(report);
        }
    }
    Ok(report)
}

/// Evaluations in traces agree to this much.
pub const TOLERANCE: f64 = 1e-9;

/// What differs: field, expected, found.
pub type Finding = (String, Value, Value);

/// The first field that is not as it should be.
pub fn differing<const N: usize>(record: &Value, fields: [(&str, Value); N]) -> Option<Finding> {
    fields.into_iter().find_map(|(name, found)| {
        (record[name] != found).then(|| (name.to_owned(), record[name].clone(), found))
    })
}

/// Whether this is the first line of a trace, as opposed to a game record.
pub(crate) fn is_trace(line: &str) -> bool {
    serde_json::from_str::<Value>(line)
        .is_ok_and(|value| value.get("rec").is_some() || value.get("type").is_some())
}

/// Replays game records, one a line or a single one over several lines.
pub(crate) fn verify_records<G: Notation>(
    game: &G,
    content: &str,
) -> Result<VerifyReport, SpecError> {
    let records = match GameRecord::from_json(content) {
        Ok(record) => vec![record],
        Err(_) => {
            let lines = (1..).zip(content.lines()).filter(|(_, line)| !line.trim().is_empty());
            let read = |(number, line): (u64, &str)| {
                GameRecord::from_json(line)
                    .map_err(|error| SpecError::plain(format!("line {number}: {error}")))
            };
            lines.map(read).collect::<Result<_, _>>()?
        }
    };
    if records.is_empty() {
        return Err(SpecError::plain("expected a game record or a trace, found nothing"));
    }
    let mut report = VerifyReport::default();
    for record in records {
        let number = report.games;
        report.games += 1;
        match replay(game, &record) {
            Ok(replayed) => report.steps += replayed.steps.len() as u64,
            Err(error) => {
                let found = Value::from(error.to_string());
                report.first_difference = Some(Difference {
                    game: number,
                    step: None,
                    field: "replay".into(),
                    expected: Value::Null,
                    found,
                });
                break;
            }
        }
    }
    Ok(report)
}
