//! Positions of toys that may be anything: no panic, one text for one position, and a position
//! that is accepted can be played on.

use gamecore::{Horizon, Notation, Rng, random_action};
use proptest::prelude::*;
use testkit::fuzz::{Edit, cases, damaged};
use testkit::toys::{DiceRace, MiniPoker, RandomTree, StagedNim, TicTacToe};

/// As many cases as were asked for; failures are found again by their input, not by a file.
fn config() -> ProptestConfig {
    ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() }
}

/// A few changes with letters that occur in such texts, and some that never do.
fn edits(letters: &'static str) -> impl Strategy<Value = Vec<Edit>> {
    let letters: Vec<char> = letters.chars().chain("\u{0}é💥 \n".chars()).collect();
    prop::collection::vec((any::<u16>(), any::<u8>(), prop::sample::select(letters)), 0..5)
}

fn check<G: Notation>(game: &G, text: &str) {
    let Ok(mut state) = game.parse_position(text) else { return };
    assert_eq!(game.position_text(&state), text, "one position, one text");
    game.playout(&mut state, &mut Rng::new(1), Horizon::actions(40));
}

fn check_all(text: &str) {
    check(&TicTacToe, text);
    check(&StagedNim::default(), text);
    check(&DiceRace, text);
    check(&MiniPoker, text);
    check(&RandomTree::new(1, 12), text);
    check(&RandomTree::with_chance(2, 100), text);
}

/// A position of a random game.
fn some_position<G: Notation>(game: &G, seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let mut state = game.start(&G::Setup::default(), &mut rng);
    for _ in 0..rng.below(12) {
        if let Some(action) = random_action(game, &state, &mut rng) {
            game.apply(&mut state, action);
        }
    }
    game.position_text(&state)
}

fn damage_and_check<G: Notation>(game: &G, seed: u64, edits: &[Edit]) {
    check(game, &damaged(&some_position(game, seed), edits));
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_text(text in any::<String>()) {
        check_all(&text);
    }

    #[test]
    fn damaged_positions(seed in 0u64..200, edits in edits("0123456789 xo./,s-open")) {
        damage_and_check(&TicTacToe, seed, &edits);
        damage_and_check(&StagedNim::default(), seed, &edits);
        damage_and_check(&DiceRace, seed, &edits);
        damage_and_check(&MiniPoker, seed, &edits);
        damage_and_check(&RandomTree::with_chance(2, 100), seed, &edits);
    }

    #[test]
    fn numbers_in_a_row(text in "[0-9]{1,3}([ ,/][0-9]{1,3}){0,7}") {
        check_all(&text);
    }

    #[test]
    fn nine_cells(text in "[xo.]{9}") {
        check(&TicTacToe, &text);
    }
}
