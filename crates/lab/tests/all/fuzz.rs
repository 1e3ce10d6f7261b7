//! Sets of tactics and specs that may hold anything: no panic, and what is accepted is written back as
//! it was read.

use lab::{FitSpec, Tactics, TacticsSpec};
use proptest::prelude::*;
use testkit::fuzz::{Edit, cases, damaged};

const SET: &str = include_str!("../../../../data/conquest/tactics.jsonl");
const SPECS: [&str; 4] = [
    include_str!("../../../../data/conquest/tactics.toml"),
    include_str!("../../../../data/lords-of-war/tactics.toml"),
    include_str!("../../../../data/conquest/outlook-fit.toml"),
    include_str!("../../../../data/lords-of-war/outlook-2-fit.toml"),
];

/// As many cases as were asked for; failures are found again by their input, not by a file.
fn config() -> ProptestConfig {
    ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() }
}

/// A few changes with letters that occur in such texts, and some that never do.
fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let letters: Vec<char> = "0123456789-=\"[]{}:,.#e\u{0}é💥 \n".chars().collect();
    prop::collection::vec((any::<u16>(), any::<u8>(), prop::sample::select(letters)), 0..5)
}

fn check(text: &str) {
    // Whether they are accepted is for other tests to say.
    let _ = (TacticsSpec::parse(text), FitSpec::parse(text));
    if let Ok(set) = Tactics::parse(text) {
        assert!(set.head.most_turns > 0 && set.head.margin > 0, "{text:?}");
        assert_eq!(Tactics::parse(&set.text()).expect("what it wrote itself"), set);
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_text(text in any::<String>()) {
        check(&text);
    }

    #[test]
    fn damaged_specs(file in 0usize..SPECS.len(), edits in edits()) {
        check(&damaged(SPECS[file], &edits));
    }

    #[test]
    fn damaged_sets(from in 0usize..40, edits in edits()) {
        let lines: Vec<&str> = SET.lines().take(1).chain(SET.lines().skip(1 + from).take(2)).collect();
        check(&damaged(&lines.join("\n"), &edits));
    }
}
