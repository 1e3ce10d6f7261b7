//! What players of Conquest did, counted.

use arena::Replay;
use conquest::{Behaviour, Conquest};
use registry::{OwnCounts, Spread, named};
use serde_json::{Value, json};

/// The counts of the Conquest thesis, with names.
pub(crate) fn of_conquest() -> Box<dyn OwnCounts<Conquest>> {
    Box::<Counts>::default()
}

#[derive(Default)]
struct Counts(Behaviour);

impl OwnCounts<Conquest> for Counts {
    fn add(&mut self, game: &Conquest, replay: &Replay<Conquest>) {
        for (states, step) in replay.states.windows(2).zip(&replay.steps) {
            self.0.observe(&states[0], step.action(), &states[1]);
        }
        self.0.end(game, replay.final_state());
    }

    fn value(&self) -> Value {
        let (troops, commands) = Behaviour::names();
        let spread = |of: fn(&conquest::PointsLeft) -> u32| {
            Spread::of(&self.0.games.iter().map(|game| f64::from(of(game))).collect::<Vec<_>>())
        };
        json!({
            "selections": named(troops, &self.0.selections),
            "moves": named(troops, &self.0.moves),
            "charged_moves": named(troops, &self.0.charged_moves),
            "commands": named(commands, &self.0.commands.map(|row| named(troops, &row))),
            "winds_of_fate": self.0.winds_of_fate,
            "attacks": named(troops, &self.0.attacks.map(|row| named(troops, &row))),
            "deaths": named(troops, &self.0.deaths),
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
