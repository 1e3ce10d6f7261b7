//! Records and time controls that may hold anything: no panic, and what is accepted comes back
//! from its own text.

use std::sync::LazyLock;
use std::time::Duration;

use arena::{GameOptions, GameRecord, Seeds, TimeControl, play_game, replay};
use gamecore::{Notation, RandomAgent, Rng};
use proptest::prelude::*;
use testkit::CountingClock;
use testkit::fuzz::{Edit, cases, damaged};
use testkit::toys::{DiceRace, MiniPoker, StagedNim, TicTacToe};

/// As many cases as were asked for; failures are found again by their input, not by a file.
fn config() -> ProptestConfig {
    ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() }
}

/// A few changes with letters that occur in such texts, and some that never do.
fn edits(letters: &'static str) -> impl Strategy<Value = Vec<Edit>> {
    let letters: Vec<char> = letters.chars().chain("\u{0}é💥 \n".chars()).collect();
    prop::collection::vec((any::<u16>(), any::<u8>(), prop::sample::select(letters)), 0..5)
}

/// The record of a random game, with everything that a record can hold.
fn played<G: Notation>(game: &G, seed: u64) -> String {
    let clock = CountingClock::new(Duration::from_millis(7));
    let options = GameOptions {
        seeds: Seeds { start: seed, chance: !seed, agents: [seed; 2] },
        log_decisions: true,
        log_timing: true,
        time: "10+0.5".parse().ok(),
        ..GameOptions::new(&clock)
    };
    let start = game.start(&G::Setup::default(), &mut Rng::new(seed));
    let (mut zero, mut one) = (RandomAgent::new(seed), RandomAgent::new(seed + 1));
    play_game(game, start, [&mut zero, &mut one], &options, &mut |_| {}).to_json()
}

static RECORDS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let games = (0..4).flat_map(|seed| {
        [
            played(&DiceRace, seed),
            played(&MiniPoker, seed),
            played(&StagedNim::new(&[1, 2, 2]), seed),
            played(&TicTacToe, seed),
        ]
    });
    games.collect()
});

fn check_record(text: &str) {
    let Ok(record) = GameRecord::from_json(text) else { return };
    assert_eq!(GameRecord::from_json(&record.to_json()).ok().as_ref(), Some(&record), "{text}");
    check_replay(&DiceRace, &record);
    check_replay(&MiniPoker, &record);
    check_replay(&StagedNim::new(&[1, 2, 2]), &record);
    check_replay(&TicTacToe, &record);
}

fn check_replay<G: Notation>(game: &G, record: &GameRecord) {
    if let Ok(played) = replay(game, record) {
        assert_eq!(played.states.len(), played.steps.len() + 1);
        assert_eq!(played.steps.len(), record.actions.len() + record.chance.len());
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_text(text in any::<String>()) {
        check_record(&text);
        if let Ok(control) = text.parse::<TimeControl>() {
            prop_assert_eq!(control.to_string().parse(), Ok(control));
        }
    }

    #[test]
    fn damaged_records(number in 0usize..16, edits in edits("\"{}[]:,0123456789ab.-e")) {
        check_record(&damaged(&RECORDS[number % RECORDS.len()], &edits));
    }

    #[test]
    fn undamaged_records_replay(number in 0usize..16) {
        prop_assert!(GameRecord::from_json(&RECORDS[number % RECORDS.len()]).is_ok());
    }

    #[test]
    fn texts_like_clocks(text in "[0-9]{0,12}(\\.[0-9]{0,12})?\\+?[0-9]{0,10}(\\.[0-9]{0,4})?") {
        if let Ok(control) = text.parse::<TimeControl>() {
            prop_assert_eq!(control.to_string().parse(), Ok(control));
            prop_assert!(!control.total.is_zero());
        }
    }
}
