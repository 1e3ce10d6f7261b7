//! What players of Lords of War did, counted.

use arena::Replay;
use lords_of_war::{Class, LordsOfWar, Rank, Stage};
use registry::{OwnCounts, named};
use serde_json::{Map, Value, json};

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
