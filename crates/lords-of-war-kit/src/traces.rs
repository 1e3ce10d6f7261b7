//! Recorded games of an independent model of Lords of War, replayed step by step.

use crate::evals::Heuristic;
use gamecore::{Buf, Game, Notation, Read, Seat, Turn};
use lords_of_war::{LordsOfWar, State, trace};
use serde_json::{Value, json};

use registry::traces::{Finding, ReplayedTrace, TOLERANCE, differing, verify_trace};
use registry::{SpecError, VerifyReport};

/// A game of a file while it is replayed.
struct Replayed {
    game: u64,
    /// Steps played.
    steps: u64,
    state: State,
}

/// Replays every game of a trace; stops at the first difference.
pub(crate) fn verify(content: &str) -> Result<VerifyReport, SpecError> {
    verify_trace::<Replayed>(&LordsOfWar::default(), content)
}

impl ReplayedTrace for Replayed {
    type Rules = LordsOfWar;
    const KIND: &'static str = "type";

    fn begin(rules: &LordsOfWar, record: &Value, number: u64) -> Read<Self> {
        let state = trace::opening(rules, record)?;
        Ok(Self { game: record["game"].as_u64().unwrap_or(number), steps: 0, state })
    }

    fn number(&self) -> u64 {
        self.game
    }

    fn compare_start(&self, _rules: &LordsOfWar, record: &Value) -> Option<Finding> {
        let hands = Value::from(Seat::BOTH.map(|seat| json!(self.state.hand(seat))).to_vec());
        differing(record, [("hands", hands)]).or_else(|| compare(&self.state, &record["state"]))
    }

    fn step(&mut self, rules: &LordsOfWar, record: &Value) -> Option<Finding> {
        self.steps += 1;
        let mut actions = Buf::new();
        if rules.turn(&self.state) != Turn::Over {
            rules.actions(&self.state, &mut actions);
        }
        let legal: Vec<String> =
            actions.iter().map(|&action| rules.action_text(&self.state, action)).collect();
        let header = [
            ("game", Value::from(self.game)),
            ("step", self.steps.into()),
            ("seat", self.state.mover().index().into()),
            ("stage", self.state.stage().name().into()),
            ("legal", legal.clone().into()),
        ];
        if let Some(finding) = differing(record, header) {
            return Some(finding);
        }
        let chosen = legal.iter().position(|text| record["action"] == text.as_str());
        let Some(chosen) = chosen else {
            return Some(("action".into(), record["action"].clone(), legal.into()));
        };
        rules.apply(&mut self.state, actions[chosen]);
        compare(&self.state, &record["state"])
    }

    fn end(&self, record: &Value) -> Option<Finding> {
        let state = trace::state_object(&self.state);
        let fields = [
            ("game", Value::from(self.game)),
            ("steps", self.steps.into()),
            ("turns", self.state.turn().into()),
            ("result", state["result"].clone()),
            ("reason", state["reason"].clone()),
        ];
        differing(record, fields)
    }
}

/// The state and h1 to h11 of both seats.
fn compare(state: &State, expected: &Value) -> Option<Finding> {
    let object = trace::state_object(state);
    for (field, wanted) in expected.as_object().into_iter().flatten() {
        if field != "h" && !object.contains_key(field) {
            return Some((field.clone(), wanted.clone(), Value::Null));
        }
    }
    for (field, found) in object {
        if expected[&field] != found {
            return Some((field.clone(), expected[&field].clone(), found));
        }
    }
    for seat in Seat::BOTH {
        for (index, (name, _, heuristic)) in Heuristic::all().into_iter().enumerate() {
            let found = heuristic.value(state, seat);
            let wanted = &expected["h"][seat.index()][index];
            if wanted.as_f64().is_none_or(|value| (value - found).abs() > TOLERANCE) {
                return Some((format!("{name}[{}]", seat.index()), wanted.clone(), found.into()));
            }
        }
    }
    None
}
