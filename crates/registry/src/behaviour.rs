//! What players did in recorded games, counted by replaying them.

use arena::{GameRecord, Replay, Step, replay};
use gamecore::Notation;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::SpecError;

/// Counts what only one game has, from one replayed game after the other.
pub trait OwnCounts<G: Notation> {
    /// Adds a game.
    fn add(&mut self, game: &G, replay: &Replay<G>);
    /// The counts, with names.
    fn value(&self) -> Value;
}

/// Begins to count.
pub type CountBehaviour<G> = fn() -> Box<dyn OwnCounts<G>>;

/// Mean, spread and ends of a number measured once a game.
#[derive(Serialize)]
pub struct Spread {
    mean: f64,
    sd: f64,
    min: f64,
    max: f64,
}

impl Spread {
    /// Of these values; zeros of none.
    #[must_use]
    pub fn of(values: &[f64]) -> Self {
        let count = values.len().max(1) as f64;
        let mean = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        Self {
            mean,
            sd: (squares / (count - 1.0).max(1.0)).sqrt(),
            min: values.iter().copied().fold(f64::INFINITY, f64::min),
            max: values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        }
    }
}

/// How long games were, and what the game itself counts besides. A turn is a run of actions of one
/// seat.
pub(crate) fn count<G: Notation>(
    game: &G,
    records: &mut dyn Iterator<Item = GameRecord>,
    own: Option<CountBehaviour<G>>,
) -> Result<Value, SpecError> {
    let mut own = own.map(|begin| begin());
    let (mut turns, mut actions) = (Vec::new(), Vec::new());
    for record in records {
        let replay = replay(game, &record).map_err(SpecError::plain)?;
        let seats = replay.steps.iter().filter_map(|step| match step {
            Step::Player { seat, .. } => Some(*seat),
            Step::Chance { .. } => None,
        });
        let (mut last, mut runs, mut made) = (None, 0u32, 0u32);
        for seat in seats {
            runs += u32::from(last != Some(seat));
            last = Some(seat);
            made += 1;
        }
        turns.push(f64::from(runs));
        actions.push(f64::from(made));
        if let Some(own) = &mut own {
            own.add(game, &replay);
        }
    }
    let (all_turns, all_actions) = (turns.iter().sum::<f64>(), actions.iter().sum::<f64>());
    let mut value = json!({
        "schema": "warroom-behaviour-1",
        "game": G::NAME,
        "rules": game.rules_text(),
        "games": turns.len(),
        "turns": Spread::of(&turns),
        "actions": Spread::of(&actions),
        "actions_per_turn": all_actions / all_turns.max(1.0),
    });
    if let Some(own) = own {
        value[G::NAME] = own.value();
    }
    Ok(value)
}

/// Counts with their names.
pub fn named<const N: usize>(names: [&str; N], values: &[impl Serialize; N]) -> Value {
    let pairs = names.iter().zip(values).map(|(name, value)| ((*name).to_owned(), json!(value)));
    Value::Object(pairs.collect::<Map<_, _>>())
}
