//! Specs, rules, positions and records of every game, given as anything: no panic, and what is
//! accepted comes back from its own text.

use std::sync::{Arc, LazyLock};

use arena::{GameRecord, Seeds, WallClock};
use gamecore::StopToken;
use proptest::prelude::*;
use registry::{AgentSpec, AnyGame, Job, no_files};
use standard::registry;
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

fn games() -> &'static [Arc<dyn AnyGame>] {
    static GAMES: LazyLock<Vec<Arc<dyn AnyGame>>> = LazyLock::new(|| {
        let open = |name| registry().open(name, "").unwrap_or_else(|error| panic!("{error}"));
        registry().names().into_iter().map(open).collect()
    });
    &GAMES
}

/// Resolves a spec for every game, with `content` for every file; builds what is accepted.
fn check_spec(spec: &AgentSpec, content: &str) {
    let load = |_: &str| Ok(content.to_owned());
    for game in games() {
        let Ok(resolved) = game.resolve(spec, &load) else { continue };
        assert_eq!(&resolved.spec, spec);
        let again =
            game.resolve(&AgentSpec::parse(&spec.to_string(), &load).expect("a line"), &load);
        assert_eq!(again.as_ref(), Ok(&resolved), "{spec}");
        let start = game.start([""; 2], Some(0), 1, false).expect("a start");
        game.open(&start, Seeds::default()).expect("a game").add_agent(&resolved, 1);
    }
}

fn check_line(text: &str) {
    let Ok(spec) = AgentSpec::parse(text, &no_files) else { return };
    assert_eq!(AgentSpec::parse(&spec.to_string(), &no_files).as_ref(), Ok(&spec), "{text:?}");
    check_spec(&spec, text);
}

fn check_file(content: &str) {
    let load = |_: &str| Ok(content.to_owned());
    let Ok(spec) = AgentSpec::parse("agent.toml", &load) else { return };
    assert_eq!(AgentSpec::parse(&spec.to_string(), &no_files).as_ref(), Ok(&spec), "{content:?}");
    check_spec(&spec, content);
}

fn check_position(text: &str) {
    for game in games() {
        let Ok(canonical) = game.position(text) else { continue };
        assert_eq!(game.position(&canonical).as_ref(), Ok(&canonical), "{text:?}");
        let session = game.open(&canonical, Seeds::default()).expect("an accepted position");
        assert_eq!(session.to_act().is_none(), session.legal().is_empty(), "{text:?}");
    }
}

const LINES: [&str; 9] = [
    "alphabeta:depth=4,nodes=1000,ms=10",
    "pvs:depth=6,order=good,table=exact,table.mb=16,threads=2,aspiration=50",
    "scout:deepening=on,quiescence=4,roots=all,eval=paper,eval.pieces=-3",
    "mtdf:nodes=100,table=deeper,eval=mine.toml",
    "minimax:depth=2,roots=best",
    "scout-as-printed:player=max,depth=8",
    "greedy:eval=discs",
    "random",
    "exec:'my program' --x=1,2 \"a\\\"b\" c:d,ms=500",
];

const FILES: [&str; 4] = [
    "agent = \"pvs\"\ndepth = 4\ndeepening = true\n[eval]\npieces = 3\nmobility = -2\n",
    "agent = \"scout\"\n\"table.mb\" = 4\neval = \"discs\"\n",
    "# a comment\nagent = 'minimax'\nnodes = 1_000\n",
    "agent = 'exec'\ncmd = 'python3 \"my agent.py\" --x=1,2'\nms = 500\n",
];

const WEIGHTS: &str = "game = \"othello\"\n[weights]\npieces = 3\nterminal = 100\n";

fn records() -> &'static [String] {
    static RECORDS: LazyLock<Vec<String>> = LazyLock::new(|| {
        let spec = AgentSpec::parse("random", &no_files).expect("a spec");
        let play = |game: &Arc<dyn AnyGame>| {
            let agent = game.resolve(&spec, &no_files).expect("random plays everything");
            let start = game.start([""; 2], None, 3, false).expect("a start");
            let job = Job {
                start: &start,
                agents: [&agent, &agent],
                seeds: Seeds { start: 3, chance: 4, agents: [5, 6] },
                time: None,
                clock: &WallClock::new(),
                stop: &StopToken::default(),
                log: false,
            };
            game.play(&job).0.to_json()
        };
        games().iter().map(play).collect()
    });
    &RECORDS
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_text(text in any::<String>()) {
        check_line(&text);
        check_file(&text);
        check_position(&text);
        for name in registry().names() {
            prop_assert!(registry().open(name, &text).is_err() || text.is_empty() || text == "standard");
        }
    }

    #[test]
    fn damaged_lines(line in 0usize..LINES.len(), edits in edits(":=,.0123456789-abdeglnoprst")) {
        check_line(&damaged(LINES[line], &edits));
    }

    #[test]
    fn damaged_files(file in 0usize..FILES.len(), edits in edits("=\"'[].#\n0123456789-_,:tpe")) {
        check_file(&damaged(FILES[file], &edits));
    }

    #[test]
    fn damaged_weights(edits in edits("=\"[].#0123456789-_pe")) {
        let spec = AgentSpec::parse("greedy:eval=mine.toml", &no_files);
        check_spec(&spec.expect("a spec"), &damaged(WEIGHTS, &edits));
    }

    #[test]
    fn any_keys_and_values(
        name in prop::sample::select(vec!["alphabeta", "pvs", "mtdf", "scout", "minimax", "greedy"]),
        keys in prop::collection::vec((
            prop::sample::select(vec![
                "depth", "nodes", "ms", "order", "table", "table.mb", "threads", "aspiration",
                "quiescence", "roots", "deepening", "eval", "eval.pieces", "eval.terminal", "player",
            ]),
            prop::sample::select(vec![
                "0", "1", "-1", "7", "120", "121", "1000", "1000000", "99999999999999999999", "on",
                "off", "good", "exact", "deeper", "all", "paper", "discs", "result", "1.5", "+3",
            ]),
        ), 0..5),
    ) {
        let keys: Vec<String> = keys.iter().map(|(key, value)| format!("{key}={value}")).collect();
        check_line(&if keys.is_empty() { name.into() } else { format!("{name}:{}", keys.join(",")) });
    }

    #[test]
    fn damaged_records(number in 0usize..8, edits in edits("\"{}[]:,0123456789abXO-")) {
        let text = damaged(&records()[number % records().len()], &edits);
        let Ok(record) = GameRecord::from_json(&text) else { return Ok(()) };
        for game in games() {
            let Ok(session) = game.open_record(&record) else { continue };
            // Spellings may have changed; from then on nothing does.
            let written = session.record(record.agents.clone());
            prop_assert_eq!(written.actions.len(), record.actions.len());
            prop_assert_eq!(Ok(written.start.clone()), game.position(&record.start));
            let again = game.open_record(&written).expect("just written");
            prop_assert_eq!(again.record(record.agents.clone()), written);
        }
    }
}

/// Whatever is read is told in one line later, so it must be possible to tell it in one line.
#[test]
fn files_that_no_line_can_tell_are_refused() {
    for content in [
        "agent = \"pvs\"\neval = \"a,b.toml\"",
        "agent = \"pvs\"\neval = \" discs\"",
        "agent = \"pvs\"\neval = \"\"",
        "agent = \"pvs:depth=3\"",
        "agent = \"\"",
        "agent = \"pvs.toml\"",
        "agent = \"pvs\"\n\"a=b\" = 3",
        "agent = \"pvs\"\n\"a,b\" = 3",
    ] {
        let load = |_: &str| Ok(content.to_owned());
        let error = AgentSpec::parse("mine.toml", &load).expect_err(content).to_string();
        assert!(error.contains("mine.toml") && error.contains("cannot be read"), "{error}");
    }
}
