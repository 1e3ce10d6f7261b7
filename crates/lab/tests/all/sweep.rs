//! Sweeps of rules, starts and setups: what is played under what, and what is wrong where.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

use arena::GameRecord;
use gamecore::StopToken;
use lab::Openings;
use lab::experiment::{Experiment, Spec};
use lab::report::findings;
use lab::run::{Ended, ExportRow, export_rows, open_run, play_run, rerun, summarise, verify_run};
use store::Store;

use crate::common::runs::{begun, database, experiment, read, threads};

const CONQUEST: &str = "game = \"conquest\"\nkind = \"sweep\"\nagents = [\"greedy\"]\n\
                        opponents = [\"random\"]\ngames = 4\n";

/// Plays all games, stopped after every `piece` of them.
fn played(store: &Store, experiment: &Experiment, count: usize, piece: u64) -> Vec<ExportRow> {
    let run = begun(store, experiment);
    loop {
        let stop = StopToken::default();
        let heard = AtomicU64::new(0);
        let ended = play_run(experiment, store, &run, &threads(count), &stop, &|_| {
            if heard.fetch_add(1, Ordering::Relaxed) + 1 == piece {
                stop.stop();
            }
        });
        if ended.expect("it is played") == Ended::Finished {
            break;
        }
    }
    export_rows(&standard::registry(), &experiment.spec, &store.games(&run).expect("rows"), false)
}

#[test]
fn games_are_played_under_the_rules_of_their_condition() {
    let text = format!(
        "{CONQUEST}rules = \"thesis\"\n[sweep]\nrules.counter = [\"in-range\", \"always\"]\n\
         rules.start-points = [0, 50]\n"
    );
    let sweep = experiment(&text);
    let names: Vec<&str> = sweep.spec.conditions.iter().map(|one| one.name.as_str()).collect();
    let wanted = [
        "counter=in-range,start-points=0",
        "counter=in-range,start-points=50",
        "counter=always,start-points=0",
        "counter=always,start-points=50",
    ];
    assert_eq!(names, wanted);
    assert_eq!(sweep.spec.cell_name(1), format!("{}: greedy v random", wanted[1]));
    let (_folder, store) = database();
    let rows = played(&store, &sweep, 2, u64::MAX);
    assert_eq!(rows.len(), 16);
    let run = store.run("latest").expect("the run");
    for row in &rows {
        let record = store.record(&run, row.number).expect("a record");
        let record = GameRecord::from_json(&record).expect("it is read");
        for part in row.condition.split(',').chain(["placement=back-first"]) {
            assert!(record.rules.contains(part), "{}: {}", row.condition, record.rules);
        }
    }
    // Threads and stops decide nothing.
    let (_folder, other) = database();
    assert_eq!(played(&other, &sweep, 1, 3), rows);
    let stop = StopToken::default();
    for audit in [
        verify_run(&sweep, &store, &run, &stop, &|| {}),
        rerun(&sweep, &store, &run, None, 2, &stop, &|| {}),
    ] {
        let audit = audit.expect("it can be checked");
        assert_eq!((audit.games, audit.first_difference), (16, None));
    }
    // What the manifest keeps is enough.
    let kept = Spec::from_json(run.manifest.spec.clone()).expect("it is read");
    assert_eq!(kept, sweep.spec);
    let summary = summarise(&kept, &store.games(&run).expect("rows"));
    assert_eq!(summary.conditions.len(), 4);
    assert!(summary.conditions.iter().all(|one| one.figures.first_seat.n == 4));
    let words = findings(&standard::registry(), &kept, &summary, Some(&run)).text();
    let table = words.split("under each condition").nth(1).expect("a table");
    assert!(wanted.iter().all(|name| table.contains(name)), "{words}");
    // Other rules under the same name are another experiment.
    let mut changed = run.manifest.clone();
    changed.rules = changed.rules.replacen("start-points=50", "start-points=51", 1);
    let message = open_run(&store, &changed, false).expect_err("refused").to_string();
    assert!(message.contains("the rules"), "{message}");
}

#[test]
fn starts_are_swept_and_shared() {
    let sweep = experiment(
        "game = \"othello\"\nkind = \"sweep\"\nagents = [\"uct:iterations=5\"]\ngames = 2\n\
         opponents = [\"random\", \"greedy\"]\n\
         [sweep]\nselect.c = [0.5, 1]\nopening-plies = [0, 4]\n",
    );
    assert_eq!((sweep.spec.cells.len(), sweep.spec.conditions.len()), (8, 2));
    assert_eq!(sweep.spec.conditions[1].openings, Openings::Random(Some(4)));
    assert_eq!(sweep.spec.cell_name(7), "opening-plies=4: select.c=1 v greedy");
    let discs = |cell: usize| {
        let start = sweep.pair(cell, 0).expect("a pair").starts[0].clone();
        start.split(' ').next().expect("a board").matches(['X', 'O']).count()
    };
    assert_eq!([discs(0), discs(4)], [4, 8]);
    assert_eq!(sweep.pair(4, 0), sweep.pair(7, 0));
    assert_eq!(sweep.pair(0, 0).expect("a pair").seeds, sweep.pair(7, 0).expect("a pair").seeds);
    let (_folder, store) = database();
    assert_eq!(played(&store, &sweep, 2, 5).len(), 16);
}

#[test]
fn setups_and_presets_are_swept() {
    let sweep = experiment(&format!(
        "{CONQUEST}[sweep]\nsetups = [\"Rush\", [\"Rush\", \"Default\"]]\n\
         rules = [\"intended\", \"thesis,winds=random\"]\n"
    ));
    let names: BTreeSet<&str> = sweep.spec.conditions.iter().map(|one| one.name.as_str()).collect();
    let wanted = [
        "rules=intended,setups=Rush",
        "rules=intended,setups=Rush v Default",
        "rules=thesis,winds=random,setups=Rush",
        "rules=thesis,winds=random,setups=Rush v Default",
    ];
    assert_eq!(names, BTreeSet::from(wanted));
    let [one, other] = [0, 1].map(|cell| sweep.setups(cell));
    assert_eq!(one[0], one[1]);
    assert_eq!(one[0], other[0]);
    assert_ne!(other[0], other[1]);
    // What they bring travels with the agents.
    let [first, second] = sweep.pair(1, 0).expect("a pair").starts;
    assert_ne!(first, second);
    let (_folder, store) = database();
    assert_eq!(played(&store, &sweep, 2, u64::MAX).len(), 16);
}

#[test]
fn what_is_wrong_with_a_sweep_is_said_with_its_line() {
    // The table begins in line 6.
    let cases: &[(&str, &[&str])] = &[
        ("rules.winds = [\"hashed\"]\nrules.coutner = [\"always\"]", &["line 8", "coutner"]),
        ("rules.winds = [\n\"hashed\",\n\"of\"]", &["line 9", "winds is hashed or random"]),
        ("rules.obstacles = [1]", &["line 7", "symmetric"]),
        ("rules.winds = \"hashed\"", &["line 7", "rules.winds", "a list of values"]),
        ("rules.winds = []", &["line 7", "at least one value"]),
        ("rules.turn-limit = [5, 5]", &["line 7", "twice"]),
        ("[sweep.rules]\nwinds = [\"x\"]", &["line 8", "winds"]),
        ("opening-plies = [0, -1]", &["line 7", "opening-plies = -1", "whole number"]),
        ("opening-plies = [\"many\"]", &["line 7", "whole number"]),
        ("setups = [\"Rush\", \"Rsh\"]", &["line 7", "Rsh"]),
        ("setups = [[\"Rush\"]]", &["line 7", "one for each"]),
        ("units = [\"none.toml\"]", &["line 7", "none.toml"]),
        ("units = [3]", &["line 7", "name of a file"]),
        ("reuse = [[1]]", &["line 7", "numbers, words"]),
        ("nonsense = [1]", &["line 7", "nonsense"]),
        ("", &["line 6", "KEY = [VALUE"]),
        ("rules.trim = [true]\nopening-plies = [0]", &[]),
    ];
    for (sweep, expected) in cases {
        let said = read(&format!("{CONQUEST}[sweep]\n{sweep}\n"));
        let error = said.map(|_| String::new()).unwrap_or_else(|error| error);
        assert_eq!(error.is_empty(), expected.is_empty(), "{sweep}: {error}");
        for word in *expected {
            assert!(error.contains(word), "{sweep}: expected '{word}' in {error}");
        }
    }
    // An agent that cannot play under all of the rules.
    let tree = CONQUEST.replace("greedy", "uct");
    let said = read(&format!("{tree}[sweep]\nrules.secret-commands = [true]\n"));
    let error = said.map(|_| String::new()).unwrap_or_else(|error| error);
    for word in ["line 3", "under secret-commands=yes", "ismcts"] {
        assert!(error.contains(word), "expected '{word}' in {error}");
    }
    for (field, sweep) in [
        ("opening-plies = 2", "opening-plies = [0]"),
        ("setups = [\"Rush\"]", "setups = [\"Rush\"]"),
        ("rules = \"thesis\"", "rules = [\"thesis\"]"),
    ] {
        let error = read(&format!("{CONQUEST}{field}\n[sweep]\n{sweep}\n")).err();
        let error = error.expect("said twice");
        assert!(error.contains("line 8") && error.contains("the file already sets"), "{error}");
    }
    // The key that is wrong, not the last one.
    let tree = "game = \"othello\"\nkind = \"sweep\"\nagents = [\"uct:iterations=5\"]\n\
                opponents = [\"random\"]\ngames = 2\n";
    for (sweep, line) in [
        ("nonsense = [1]\nreuse = [true]\nselect.c = [1]", "line 7"),
        ("reuse = [true]\nselect.c = [1,\n-1]\nthreads = [1]", "line 9"),
    ] {
        let error = read(&format!("{tree}[sweep]\n{sweep}\n")).err().expect("wrong");
        assert!(error.contains(line), "{sweep}: {error}");
    }
    let many: Vec<String> = (1..=50).map(|number| number.to_string()).collect();
    let many = many.join(", ");
    let error = read(&format!(
        "{CONQUEST}[sweep]\nrules.start-points = [{many}]\nrules.turn-limit = [{many}]\n"
    ));
    let error = error.err().expect("too many");
    assert!(error.contains("line 8") && error.contains("2000"), "{error}");
}
