//! Weight files that may hold anything: no panic, and what is accepted is in range.

use crate::common::{factor_names, parse};
use gamecore::{Evaluator, Score, Seat};
use othello::{Board, Othello};
use othello_kit::evals::{OthelloEvaluator, WEIGHTS};
use proptest::prelude::*;
use registry::factors::weight_range;
use testkit::fuzz::{Edit, cases, damaged};

/// As many cases as were asked for; failures are found again by their input, not by a file.
fn config() -> ProptestConfig {
    ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() }
}

/// A few changes with letters that occur in such texts, and some that never do.
fn edits(letters: &'static str) -> impl Strategy<Value = Vec<Edit>> {
    let letters: Vec<char> = letters.chars().chain("\u{0}é💥 \n".chars()).collect();
    prop::collection::vec((any::<u16>(), any::<u8>(), prop::sample::select(letters)), 0..5)
}

fn check(text: &str) {
    let Ok(weights) = parse(text) else { return };
    for name in factor_names() {
        let (min, max) = weight_range(name);
        assert!((min..=max).contains(&weights.get(name)), "{name} in {text:?}");
    }
    let value = OthelloEvaluator::new(&weights).evaluate(&Othello, &Board::START, Seat::Zero);
    assert!(value.0.abs() < Score::INFINITE.0);
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_text(text in any::<String>()) {
        check(&text);
    }

    #[test]
    fn damaged_files(file in 0usize..WEIGHTS.len(), edits in edits("0123456789-=\"[].#ewo_")) {
        check(&damaged(WEIGHTS[file].1, &edits));
    }

    #[test]
    fn any_weights(name in prop::sample::select(factor_names()), weight in any::<i64>(), small in any::<i16>()) {
        for weight in [weight, i64::from(small)] {
            check(&format!("game = \"othello\"\n[weights]\n{name} = {weight}\n"));
        }
    }
}
