//! The engine side for a host that runs WebAssembly: no threads, no programs from outside, no files, and
//! time as the host tells it. A request is a text, and so is its answer; everywhere the same request has
//! the same answer.

#[cfg(target_arch = "wasm32")]
pub mod door;

use std::collections::{BTreeMap, VecDeque};

use gamecore::{Clock, StopToken};
use live::{Effect, Input, KeptGame, Refusal, Thinker};
use protocol::{NewGame, Player};
use registry::{BenchEffort, SpecError};
use serde::Deserialize;
use serde_json::{Value, json};

/// Agents may be asked for that use so many; without threads, their trees are grown one after the other.
const THREADS: usize = 2;

/// What can be asked for.
#[derive(Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case", deny_unknown_fields)]
enum Question {
    /// The signatures of a game's benches, by name.
    Signatures {
        /// Its name.
        game: String,
    },
    /// The record of a game that two agents play.
    Game {
        /// Its name.
        game: String,
        /// Rules, as elsewhere.
        #[serde(default)]
        rules: String,
        /// The agents, by seat.
        agents: [String; 2],
        /// The seed of everything random.
        seed: u64,
    },
}

/// The answer to a request, both as JSON; what is wrong with one is told as `{"error": …}`.
#[must_use]
pub fn answer(request: &str, clock: &dyn Clock) -> String {
    let answered = match serde_json::from_str(request) {
        Ok(Question::Signatures { game }) => signatures(&game, clock),
        Ok(Question::Game { game, rules, agents, seed }) => {
            play(game, rules, agents, seed, clock).map_err(|refusal| refusal.reason)
        }
        Err(error) => Err(format!("'{request}': {error}")),
    };
    let value = answered.unwrap_or_else(|error| json!({ "error": error }));
    value.to_string()
}

fn signatures(game: &str, clock: &dyn Clock) -> Result<Value, String> {
    let told = |error: SpecError| error.to_string();
    let game = standard::registry().open(game, "").map_err(told)?;
    let benches = registry::bench(&*game, BenchEffort::Quick, clock, &mut |_| {}).map_err(told)?;
    let named = benches.into_iter().map(|bench| (bench.name, bench.signature));
    Ok(json!(named.collect::<BTreeMap<String, String>>()))
}

/// Lets two agents play a live game, as the app does while somebody watches.
fn play(
    game: String,
    rules: String,
    agents: [String; 2],
    seed: u64,
    clock: &dyn Clock,
) -> Result<Value, Refusal> {
    let asked = NewGame {
        game,
        rules,
        seats: agents.map(|spec| Player::Agent { spec }),
        setups: Default::default(),
        clock: None,
        position: None,
        record: None,
        seed: Some(seed),
        replaces: None,
    };
    let games = standard::registry();
    let nothing = Default::default();
    let kept = KeptGame::make(String::new(), String::new(), asked, seed, THREADS, nothing, &games)?;
    let mut live = kept.open(THREADS, &games)?;
    let mut now = clock.now();
    let mut thinkers = [None, None];
    let mut inputs = VecDeque::from([Input::Joined(1)]);
    while let Some(input) = inputs.pop_front() {
        for effect in live.hear(input, now) {
            let Effect::Think(number, task) = effect else { continue };
            let mut thinker = Thinker::at(&task, thinkers[task.seat.index()].take())?;
            let decided = thinker.decide(&task, clock, &StopToken::default(), &|_| {});
            thinkers[task.seat.index()] = Some(thinker);
            inputs.push_back(Input::Decided(number, decided.map(|told| task.explanation(told))));
        }
        // Nobody watches, so the pause between two actions is over at once.
        if let (true, Some(deadline)) = (inputs.is_empty(), live.deadline()) {
            now = deadline;
            inputs.push_back(Input::TimePassed);
        }
    }
    let record = live.record().to_json();
    serde_json::from_str(&record).map_err(|error| Refusal::from(SpecError::plain(error)))
}
