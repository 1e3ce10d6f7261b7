//! What players did in recorded games, counted by replaying them.

use arena::{GameRecord, Replay, Step, replay};
use conquest::{Behaviour, Conquest};
use gamecore::Notation;
use lords_of_war::{Class, LordsOfWar, Rank, Stage};
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
struct Spread {
    mean: f64,
    sd: f64,
    min: f64,
    max: f64,
}

impl Spread {
    fn of(values: &[f64]) -> Self {
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

/// The counts of the Conquest thesis, with names.
pub(crate) fn of_conquest() -> Box<dyn OwnCounts<Conquest>> {
    Box::<Behaviour>::default()
}

impl OwnCounts<Conquest> for Behaviour {
    fn add(&mut self, game: &Conquest, replay: &Replay<Conquest>) {
        for (states, step) in replay.states.windows(2).zip(&replay.steps) {
            self.observe(&states[0], step.action(), &states[1]);
        }
        self.end(game, replay.final_state());
    }

    fn value(&self) -> Value {
        let (troops, commands) = Self::names();
        let spread = |of: fn(&conquest::PointsLeft) -> u32| {
            Spread::of(&self.games.iter().map(|game| f64::from(of(game))).collect::<Vec<_>>())
        };
        json!({
            "selections": named(troops, &self.selections),
            "moves": named(troops, &self.moves),
            "charged_moves": named(troops, &self.charged_moves),
            "commands": named(commands, &self.commands.map(|row| named(troops, &row))),
            "winds_of_fate": self.winds_of_fate,
            "attacks": named(troops, &self.attacks.map(|row| named(troops, &row))),
            "deaths": named(troops, &self.deaths),
            "troop_points_left": [
                spread(|game| game.troop_points[0]),
                spread(|game| game.troop_points[1]),
            ],
            "command_points_left": [
                spread(|game| game.command_points[0]),
                spread(|game| game.command_points[1]),
            ],
        })
    }
}

/// The counts of Lords of War, with names.
pub(crate) fn of_lords_of_war() -> Box<dyn OwnCounts<LordsOfWar>> {
    Box::<LordsOfWarCounts>::default()
}

#[derive(Default)]
struct LordsOfWarCounts {
    games: u64,
    counted: lords_of_war::Behaviour,
}

impl OwnCounts<LordsOfWar> for LordsOfWarCounts {
    fn add(&mut self, game: &LordsOfWar, replay: &Replay<LordsOfWar>) {
        self.games += 1;
        for (states, step) in replay.states.windows(2).zip(&replay.steps) {
            self.counted.observe(game, &states[0], step.action(), &states[1]);
        }
        self.counted.end(replay.final_state());
    }

    fn value(&self) -> Value {
        let counted = &self.counted;
        let ranks = Rank::QUOTA.map(|(_, name, _)| name);
        let classes = Class::ALL.map(|(_, name)| name);
        let endings = counted.endings.iter().map(|(reason, games)| {
            (if reason.is_empty() { "unfinished" } else { reason }.to_owned(), (*games).into())
        });
        let stages: [&str; 4] = std::array::from_fn(|stage| Stage::ALL[stage].name());
        let mean = |total: u64, count: u64| total as f64 / count.max(1) as f64;
        let options: [f64; 4] =
            std::array::from_fn(|stage| mean(counted.options[stage], counted.decisions[stage]));
        json!({
            "mean_turns": mean(counted.turns, self.games),
            "decisions": named(stages, &counted.decisions),
            "mean_options": named(stages, &options),
            "deployments": {
                "ranks": named(ranks, &counted.deployed_ranks),
                "classes": named(classes, &counted.deployed_classes),
            },
            "kills": named(classes, &counted.kills),
            "losses_in_own_turn": named(classes, &counted.losses),
            "shots": { "fired": counted.shots, "held": counted.held },
            "retreats": counted.retreats,
            "draws": counted.draws,
            "endings": endings.collect::<Map<String, Value>>(),
        })
    }
}

fn named<const N: usize>(names: [&str; N], values: &[impl Serialize; N]) -> Value {
    let pairs = names.iter().zip(values).map(|(name, value)| ((*name).to_owned(), json!(value)));
    Value::Object(pairs.collect::<Map<_, _>>())
}
