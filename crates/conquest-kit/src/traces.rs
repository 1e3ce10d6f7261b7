//! Recorded games of the original Conquest program, replayed step by step.

use std::collections::BTreeMap;

use crate::evals::{AttackReach, FullTurnHeuristic, RolloutHeuristic, ThesisEvaluation};
use conquest::{Command, Conquest, Deed, Options, Standing, State, trace};
use gamecore::{ActionScore, Buf, Game, Notation, Read, Seat, Turn};
use serde_json::{Value, json};

use registry::traces::{Finding, ReplayedTrace, TOLERANCE, differing, verify_trace};
use registry::{SpecError, VerifyReport};

/// A game of a file while it is replayed.
struct Replayed {
    game: u64,
    /// Steps played.
    steps: u64,
    state: State,
    /// Distance gone this turn by the troops in the order of their numbers.
    moved: Vec<u8>,
}

/// Replays every game of a trace; stops at the first difference.
pub(crate) fn verify(content: &str) -> Result<VerifyReport, SpecError> {
    // The two draws are taken from the file, so they must be events.
    let rules =
        Conquest::new(Options { winds_hashed: false, freed_hashed: false, ..Options::ORIGINAL });
    verify_trace::<Replayed>(&rules, content)
}

impl ReplayedTrace for Replayed {
    type Rules = Conquest;
    const KIND: &'static str = "rec";

    fn begin(rules: &Conquest, record: &Value, number: u64) -> Read<Self> {
        let state = trace::opening(rules, &record["sides"], &record["state"])?;
        let moved = vec![0; trace::slots(&state).len()];
        Ok(Self { game: record["game"].as_u64().unwrap_or(number), steps: 0, state, moved })
    }

    fn number(&self) -> u64 {
        self.game
    }

    fn compare_start(&self, rules: &Conquest, record: &Value) -> Option<Finding> {
        self.compare(rules, &record["state"])
    }

    fn step(&mut self, rules: &Conquest, record: &Value) -> Option<Finding> {
        let before = self.state;
        let header = [
            ("step", Value::from(self.steps)),
            ("player", before.player().index().into()),
            ("phase", before.phase().name().into()),
        ];
        if let Some(finding) = differing(record, header) {
            return Some(finding);
        }
        if let Some(finding) = self.compare_actions(rules, record) {
            return Some(finding);
        }
        self.steps += 1;
        let chosen = record["chosen"].as_str().unwrap_or_default();
        let Ok(action) = rules.parse_action(&before, chosen) else {
            return Some(("chosen".into(), record["chosen"].clone(), record["legal"].clone()));
        };
        if let (Deed::Move { col, row }, Some(slot)) = (action.deed(), self.state.selected()) {
            let slot = usize::from(slot);
            let steps = rules.steps(&self.state, slot, (col, row)).unwrap_or(0);
            if let Some(id) = trace::slots(&self.state).iter().position(|&known| known == slot) {
                self.moved[id] += steps;
            }
        }
        rules.apply(&mut self.state, action);
        if rules.turn(&self.state) == Turn::Chance {
            let outcome = self.outcome(&record["random"]);
            let drawn = outcome.and_then(|text| rules.parse_action(&self.state, &text).ok());
            let Some(drawn) = drawn else {
                let found = "one of the outcomes of the draw that is due".into();
                return Some(("random".into(), record["random"].clone(), found));
            };
            rules.apply(&mut self.state, drawn);
        }
        let drawn = draw_between(&before, &self.state);
        if record["random"] != drawn {
            return Some(("random".into(), record["random"].clone(), drawn));
        }
        if self.state.turn() > before.turn() {
            // Distances are forgotten when the owner's turn begins.
            let owned = self.state.began(self.state.player());
            for (id, slot) in trace::slots(&self.state).into_iter().enumerate() {
                if owned >> slot & 1 != 0 {
                    self.moved[id] = 0;
                }
            }
        }
        self.compare(rules, &record["after"])
    }

    fn end(&self, record: &Value) -> Option<Finding> {
        let state = trace::state_object(&self.state, &self.moved);
        let over = self.state.standing() != Standing::Open;
        let fields = [
            ("game", Value::from(self.game)),
            ("steps", self.steps.into()),
            ("turns", self.state.turn().into()),
            ("winner", state["winner"].clone()),
            ("why", if over { "over" } else { "limit" }.into()),
        ];
        differing(record, fields)
    }
}

impl Replayed {
    /// The recorded outcome of a draw, as an action.
    fn outcome(&self, random: &Value) -> Option<String> {
        if let Some(command) = random["reset"].as_str() {
            return Some(format!("reset {command}"));
        }
        let id = random["freed"].as_u64()?;
        let (col, row) = self.state.square(*trace::slots(&self.state).get(id as usize)?);
        Some(format!("freed {col},{row}"))
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
            if record.get(name).is_none() {
                continue;
            }
            let expected = record[name].as_array().map_or(&[][..], Vec::as_slice);
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
}

/// What was drawn between two states, as the traces write it; null if nothing.
fn draw_between(before: &State, after: &State) -> Value {
    let seat = before.player();
    let used = |command| before.cooldown(seat, command) == 0 && after.cooldown(seat, command) > 0;
    if after.player() == seat && used(Command::WindsOfFate) {
        let reset = Command::ALL.into_iter().find(|&command| {
            before.cooldown(seat, command) > 0 && after.cooldown(seat, command) == 0
        });
        return reset.map_or(Value::Null, |command| json!({ "reset": command.name() }));
    }
    let waiting = before.living(seat.other());
    let chastised = before.marked(Command::Chastise);
    if after.player() != seat && waiting & !chastised == 0 {
        let freed = waiting & !after.marked(Command::Chastise);
        let slots = trace::slots(after);
        let id = slots.iter().position(|&slot| freed >> slot & 1 != 0);
        return id.map_or(Value::Null, |id| json!({ "freed": id }));
    }
    Value::Null
}

/// The marks of a troop are a set.
fn sort_status(troop: &mut Value) {
    if let Some(status) = troop.get_mut("status").and_then(Value::as_array_mut) {
        status.sort_by(|a, b| a.as_str().cmp(&b.as_str()));
    }
}
