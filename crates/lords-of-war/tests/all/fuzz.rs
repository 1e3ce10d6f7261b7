//! Readers of outside input: no panic, what is accepted comes back from its own text, and the rules
//! can continue from it.

use gamecore::{Buf, Game, Horizon, Notation, Rng, Turn};
use lords_of_war::{Army, LordsOfWar, Options, trace};
use proptest::prelude::*;
use testkit::fuzz::{Edit, cases, damaged};

const CARDS: &str = include_str!("../../../../data/lords-of-war/cards.toml");
const RULES: [&str; 3] = ["", "table,engaged=adjacent,hold=no", "intermediate,opening-draw=no"];

/// As many cases as were asked for; failures are found again by their input, not by a file.
fn config() -> ProptestConfig {
    ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() }
}

/// Letters of positions first: they damage more than others do.
fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let letters = "0123456789abcklz+-/:,>= ".chars().collect::<Vec<_>>();
    let letter = prop_oneof![8 => prop::sample::select(letters), 1 => any::<char>()];
    prop::collection::vec((any::<u16>(), any::<u8>(), letter), 0..4)
}

/// A position some random actions into a game.
fn position(game: &LordsOfWar, seed: u64, plies: u32) -> lords_of_war::State {
    let mut rng = Rng::new(seed);
    let armies = ["orcs", "dwarves", "elves", "lizardmen", "templars", "undead"];
    let mut army = || armies[rng.below(6) as usize];
    let setup = game.parse_setup([army(), army()]).expect("known armies");
    let mut state = game.start(&setup, &mut rng);
    game.playout(&mut state, &mut rng, Horizon::actions(plies));
    state
}

/// Whatever was accepted must survive its text and can be played to the end.
fn continues(game: &LordsOfWar, text: &str) {
    let Ok(state) = game.parse_position(text) else { return };
    let written = game.position_text(&state);
    assert_eq!(game.parse_position(&written), Ok(state), "{text}\n{written}");
    let mut actions = Buf::new();
    if game.turn(&state) != Turn::Over {
        game.actions(&state, &mut actions);
        assert!(actions.len() > 1, "{text}: not a choice");
    }
    assert!(!game.picture(&state).is_empty());
    let mut last = state;
    game.playout(&mut last, &mut Rng::new(1), Horizon::GAME);
    assert_eq!(game.turn(&last), Turn::Over, "{text}");
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn positions(seed: u64, plies in 0u32..140, rules in 0usize..3, edits in edits()) {
        let game = LordsOfWar::new(Options::parse(RULES[rules]).expect("rules of a test"));
        let text = game.position_text(&position(&game, seed, plies));
        continues(&game, &damaged(&text, &edits));
    }

    #[test]
    fn states_of_traces(seed: u64, plies in 0u32..140, rules in 0usize..3, edits in edits()) {
        let game = LordsOfWar::new(Options::parse(RULES[rules]).expect("rules of a test"));
        let state = position(&game, seed, plies);
        let text = serde_json::Value::from(trace::state_object(&state)).to_string();
        continues(&game, &damaged(&text, &edits));
    }

    #[test]
    fn rules(edits in edits(), own in 0usize..6) {
        let army = lords_of_war::core_armies()[own].text();
        let text = format!("table,cavalry=escapes,turn-limit=90,armies={army}");
        if let Ok(options) = Options::parse(&damaged(&text, &edits)) {
            let game = LordsOfWar::new(options.clone());
            prop_assert_eq!(Options::parse(&game.rules_text()), Ok(options));
            let start = game.start(&Default::default(), &mut Rng::new(1));
            continues(&game, &game.position_text(&start));
        }
    }

    #[test]
    fn card_files(edits in edits(), own in 1usize..7) {
        let army = CARDS.split("[[army]]").nth(own).expect("six armies");
        if let Ok(armies) = Army::read_file(&damaged(&format!("[[army]]{army}"), &edits)) {
            let options = Options { armies, ..Options::default() };
            let text = LordsOfWar::new(options).rules_text();
            prop_assert!(Options::parse(&text).is_ok(), "{}", text);
        }
    }
}

/// Found by the test above: no letter stands for such a card.
#[test]
fn a_card_that_no_army_has_is_no_panic() {
    let game = LordsOfWar::default();
    let start = game.start(&Default::default(), &mut Rng::new(1));
    let mut object = trace::state_object(&start);
    object["board"] = serde_json::json!({ "0,0": [0, 99] });
    let error = game.parse_position(&serde_json::Value::from(object).to_string()).unwrap_err();
    assert!(error.to_string().contains("orcs has no card 99"), "{error}");
}
