//! Recorded games of the original Conquest program, replayed step by step.

use std::collections::BTreeMap;

use conquest::{Conquest, Deed, Options, State, trace};
use evals::conquest::{AttackReach, FullTurnHeuristic, RolloutHeuristic, ThesisEvaluation};
use gamecore::{ActionScore, Buf, Game, Notation, Seat, Turn};
use serde_json::Value;

use crate::verify::{Difference, VerifyReport};

/// Evaluations agree to this much.
const TOLERANCE: f64 = 1e-9;

/// A game of a file while it is replayed.
struct Replayed {
    game: u64,
    state: State,
    /// Distance gone this turn by the troops in the order of their numbers.
    moved: Vec<u8>,
}

/// What differs: field, expected, found.
type Finding = (String, Value, Value);

/// Replays every game of a trace; stops at the first difference.
pub(crate) fn verify(content: &str) -> Result<VerifyReport, String> {
    // The two draws are taken from the file, so they must be events.
    let rules =
        Conquest::new(Options { winds_hashed: false, freed_hashed: false, ..Options::ORIGINAL });
    let mut report = VerifyReport::default();
    let mut replayed: Option<Replayed> = None;
    for (number, line) in (1..).zip(content.lines()) {
        let wrong = |reason: String| format!("line {number}: {reason}");
        let record: Value = serde_json::from_str(line).map_err(|error| wrong(error.to_string()))?;
        let (step, finding) = match record["rec"].as_str() {
            Some("game") => {
                let state = trace::opening(&rules, &record["sides"], &record["state"])
                    .map_err(|reason| wrong(reason.clone()))?;
                let moved = vec![0; trace::slots(&state).len()];
                let game = record["game"].as_u64().unwrap_or(report.games);
                let fresh = replayed.insert(Replayed { game, state, moved });
                report.games += 1;
                (None, fresh.compare(&rules, &record["state"]))
            }
            Some("step") => {
                let current = replayed.as_mut();
                let current = current.ok_or_else(|| wrong("a step before any game".into()))?;
                report.steps += 1;
                (record["step"].as_u64(), current.step(&rules, &record).map_err(wrong)?)
            }
            Some("end") => (None, replayed.as_ref().and_then(|current| current.end(&record))),
            _ => return Err(wrong("expected a record with rec = game, step or end".into())),
        };
        if let Some((field, expected, found)) = finding {
            let game = replayed.as_ref().map_or(0, |current| current.game);
            report.first_difference = Some(Difference { game, step, field, expected, found });
            return Ok(report);
        }
    }
    Ok(report)
}

impl Replayed {
    /// Plays one step; the first thing that differs on the way.
    fn step(&mut self, rules: &Conquest, record: &Value) -> Result<Option<Finding>, String> {
        let finding = self.compare_actions(rules, record);
        if finding.is_some() {
            return Ok(finding);
        }
        let chosen = record["chosen"].as_str().ok_or("'chosen' is no text")?;
        let action = rules.parse_action(&self.state, chosen).map_err(|error| error.to_string())?;
        if let (Deed::Move { col, row }, Some(slot)) = (action.deed(), self.state.selected()) {
            let slot = usize::from(slot);
            let steps = rules.steps(&self.state, slot, (col, row)).unwrap_or(0);
            if let Some(id) = trace::slots(&self.state).iter().position(|&known| known == slot) {
                self.moved[id] += steps;
            }
        }
        let turn = self.state.turn();
        rules.apply(&mut self.state, action);
        if rules.turn(&self.state) == Turn::Chance {
            let outcome = self.outcome(&record["random"])?;
            let drawn = rules.parse_action(&self.state, &outcome).map_err(|e| e.to_string())?;
            rules.apply(&mut self.state, drawn);
        }
        if self.state.turn() > turn {
            // Distances are forgotten when the owner's turn begins.
            let owned = self.state.began(self.state.player());
            for (id, slot) in trace::slots(&self.state).into_iter().enumerate() {
                if owned >> slot & 1 != 0 {
                    self.moved[id] = 0;
                }
            }
        }
        Ok(self.compare(rules, &record["after"]))
    }

    /// The recorded outcome of a draw, as an action.
    fn outcome(&self, random: &Value) -> Result<String, String> {
        if let Some(command) = random["reset"].as_str() {
            return Ok(format!("reset {command}"));
        }
        let slots = trace::slots(&self.state);
        let freed = random["freed"].as_u64().and_then(|id| slots.get(id as usize));
        let slot = *freed.ok_or("a draw is due, but 'random' holds none")?;
        let (col, row) = self.state.square(slot);
        Ok(format!("freed {col},{row}"))
    }

    /// Legal actions, and their heuristic values where the file has them.
    fn compare_actions(&self, rules: &Conquest, record: &Value) -> Option<Finding> {
        let mut actions = Buf::new();
        rules.actions(&self.state, &mut actions);
        let texts: Vec<String> =
            actions.iter().map(|&action| rules.action_text(&self.state, action)).collect();
        let mut legal = texts.clone();
        legal.sort_unstable();
        if record["legal"] != Value::from(legal.clone()) {
            return Some(("legal".into(), record["legal"].clone(), legal.into()));
        }
        let heuristics: [(&str, &dyn ActionScore<Conquest>); 2] = [
            ("ah_rs", &RolloutHeuristic(AttackReach::Strict)),
            ("ah_ft", &FullTurnHeuristic(AttackReach::Strict)),
        ];
        for (name, heuristic) in heuristics {
            let Some(expected) = record[name].as_array() else { continue };
            let mut scores = Buf::new();
            heuristic.score(rules, &self.state, &actions, 0, &mut scores);
            let by_text: BTreeMap<&String, i32> = texts.iter().zip(scores).collect();
            let found: Vec<f64> =
                by_text.values().map(|&score| f64::from(score) / 1000.0).collect();
            let agree = expected.len() == found.len()
                && expected.iter().zip(&found).all(|(expected, found)| {
                    expected.as_f64().is_some_and(|value| (value - found).abs() <= TOLERANCE)
                });
            if !agree {
                return Some((name.into(), record[name].clone(), found.into()));
            }
        }
        None
    }

    /// The state and both players' evaluation.
    fn compare(&self, rules: &Conquest, expected: &Value) -> Option<Finding> {
        for (field, found) in trace::state_object(&self.state, &self.moved) {
            let mut wanted = expected[&field].clone();
            if field == "troops" {
                wanted.as_array_mut().into_iter().flatten().for_each(sort_status);
            }
            if wanted != found {
                return Some((field, wanted, found));
            }
        }
        for seat in Seat::BOTH {
            let found = ThesisEvaluation::ORIGINAL.value(rules, &self.state, seat);
            let wanted = &expected["h"][seat.index()];
            if wanted.as_f64().is_none_or(|value| (value - found).abs() > TOLERANCE) {
                return Some((format!("h[{}]", seat.index()), wanted.clone(), found.into()));
            }
        }
        None
    }

    fn end(&self, record: &Value) -> Option<Finding> {
        let found = &trace::state_object(&self.state, &self.moved)["winner"];
        (record["winner"] != *found)
            .then(|| ("winner".into(), record["winner"].clone(), found.clone()))
    }
}

/// The marks of a troop are a set.
fn sort_status(troop: &mut Value) {
    if let Some(status) = troop.get_mut("status").and_then(Value::as_array_mut) {
        status.sort_by(|a, b| a.as_str().cmp(&b.as_str()));
    }
}
