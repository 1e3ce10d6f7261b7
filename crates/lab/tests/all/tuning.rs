//! Tunings: the same games however they are played, values that are found, errors that say where.

use std::sync::atomic::{AtomicU64, Ordering};

use gamecore::StopToken;
use lab::experiment::Experiment;
use lab::report::findings;
use lab::run::{Ended, calibrate, export_rows, play_run, rerun, summarise, verify_run};
use store::{GameRow, Run, Store};

use crate::common::runs::{begun, database, experiment, read, threads};

const BASE: &str = "game = \"othello\"\nkind = \"tune\"\nagents = [\"alphabeta:depth=1\"]\n\
                    opponents = [\"alphabeta:depth=2\", \"greedy\"]\ngames = 8\n";
const GRID: &str = "[tune]\nevaluations = 40\nbatch = 4\n[tune.space]\ndepth = [1, 2, 4]\n\
                    order = \"all\"\n";

fn played(store: &Store, experiment: &Experiment, count: usize) -> (Run, Vec<GameRow>) {
    let run = begun(store, experiment);
    let ended = play_run(experiment, store, &run, &threads(count), &StopToken::default(), &|_| {});
    assert_eq!(ended.expect("it is played"), Ended::Finished);
    (run.clone(), store.games(&run).expect("rows"))
}

/// Threads and stops decide nothing: what is tried next depends on results in schedule order.
/// A number of evaluations that is no multiple of the batch is played as asked.
#[test]
fn all_evaluations_are_made() {
    let text = format!("{BASE}{GRID}").replace("evaluations = 40", "evaluations = 15");
    let evaluations = |share| {
        let scaled = experiment(&text).scaled(share);
        scaled.spec.tune().expect("a tuning").evaluations
    };
    assert_eq!(evaluations(1.0), 15);
    assert_eq!(evaluations(0.5), 4, "whole batches");
}

#[test]
fn a_tuning_repeats_whatever_the_threads_and_stops() {
    let experiment = experiment(&format!("{BASE}{GRID}"));
    let (_one, store) = database();
    let whole = export_rows(
        &standard::registry(),
        &experiment.spec,
        &played(&store, &experiment, 1).1,
        false,
    );
    assert_eq!(whole.len() as u64, 2 * 2 * 40 + 4 * 8);
    let (_two, store) = database();
    assert_eq!(
        export_rows(
            &standard::registry(),
            &experiment.spec,
            &played(&store, &experiment, 3).1,
            false
        ),
        whole
    );
    let (_three, store) = database();
    let run = begun(&store, &experiment);
    let mut visits = 0;
    loop {
        let stop = StopToken::default();
        let count = AtomicU64::new(0);
        let ended = play_run(&experiment, &store, &run, &threads(2), &stop, &|_| {
            if count.fetch_add(1, Ordering::Relaxed) == 6 {
                stop.stop();
            }
        });
        visits += 1;
        if ended.expect("it is played") == Ended::Finished {
            break;
        }
    }
    assert!(visits > 8, "it was stopped often: {visits}");
    let rows = store.games(&run).expect("rows");
    assert_eq!(export_rows(&standard::registry(), &experiment.spec, &rows, false), whole);
    let stop = StopToken::default();
    let audit = verify_run(&experiment, &store, &run, &stop, &|| {}).expect("it can be checked");
    assert_eq!((audit.games, audit.first_difference), (192, None));
    let audit = rerun(&experiment, &store, &run, None, 2, &stop, &|| {}).expect("it can be played");
    assert_eq!((audit.games, audit.first_difference), (192, None));
}

/// The budget is spent to the last evaluation, whatever it is: the schedule counts on it.
#[test]
fn odd_budgets_are_spent() {
    for (method, evaluations) in [("halving", 25), ("uniform", 7), ("ntbea", 13)] {
        let grid = GRID
            .replace("[tune]\n", &format!("[tune]\nmethod = \"{method}\"\n"))
            .replace("= 40", &format!("= {evaluations}"));
        let experiment = experiment(&format!("{BASE}{grid}"));
        let (_folder, store) = database();
        let (_, rows) = played(&store, &experiment, 2);
        assert!(summarise(&experiment.spec, &rows).finished, "{method}");
    }
}

/// Every point meets every opponent, and no evaluation repeats another's start.
#[test]
fn an_evaluation_meets_every_opponent() {
    let experiment = experiment(&format!("{BASE}{GRID}"));
    for evaluation in 0..40 {
        let opponents: Vec<&str> = (0..2)
            .map(|pair| experiment.spec.names(experiment.place(4 * evaluation + 2 * pair).cell)[1])
            .collect();
        assert_eq!(opponents, ["alphabeta:depth=2", "greedy"]);
        assert_eq!(experiment.place(4 * evaluation).pair, evaluation);
    }
}

/// Deeper search is better, and held-out games say how much.
#[test]
fn what_is_better_is_found_and_confirmed() {
    let experiment = experiment(&format!("{BASE}{GRID}").replace("games = 8", "games = 20"));
    let (_folder, store) = database();
    let (run, rows) = played(&store, &experiment, 2);
    let summary = summarise(&experiment.spec, &rows);
    let tuning = summary.tuning.as_ref().expect("a tuning");
    assert_eq!(tuning.evaluations, [40, 40]);
    let found = tuning.recommendation.as_ref().expect("something is found");
    assert!(found.contains(&("depth".into(), "4".into())), "{found:?}");
    let depth = tuning.dimensions.iter().find(|it| it.name == "depth").expect("a dimension");
    assert_eq!(depth.values.iter().map(|value| value.n).sum::<u64>(), 40);
    assert!(depth.values[2].mean > depth.values[0].mean, "{depth:?}");
    let scores: Vec<_> =
        summary.cells.iter().map(|cell| (cell.a.as_str(), cell.evidence.score)).collect();
    assert_eq!(scores.len(), 4);
    assert!(scores[0].1 > scores[2].1, "tuned and untuned against the same: {scores:?}");
    // Games that tuned are not among those that confirm.
    assert_eq!(summary.cells.iter().map(|cell| cell.evidence.games).sum::<u64>(), 80);
    let starts = |confirming: bool| {
        let first = experiment.spec.tuning_games();
        let numbers =
            rows.iter().map(|row| row.number).filter(move |it| (*it >= first) == confirming);
        numbers
            .map(|number| {
                let place = experiment.place(number);
                experiment.pair(place.cell, place.pair).expect("a pair").seeds[0].start
            })
            .collect::<std::collections::BTreeSet<u64>>()
    };
    assert!(starts(true).is_disjoint(&starts(false)));
    let words = findings(&standard::registry(), &experiment.spec, &summary, Some(&run)).text();
    for expected in
        ["Found: ", "depth=4", "Held-out games: tuned scores", "percentage points more", "chosen"]
    {
        assert!(words.contains(expected), "{expected}: {words}");
    }
    let exported = export_rows(&standard::registry(), &experiment.spec, &rows, false);
    assert!(exported[0].a.starts_with("depth="), "{}", exported[0].a);
    let guess = calibrate(&experiment, 2, None, std::time::Duration::ZERO, &StopToken::default());
    assert!(guess.expect("it can be tried").estimated_seconds > 0.0);
}

#[test]
fn numbers_without_a_grid_are_moved() {
    let text = "game = \"tic-tac-toe\"\nkind = \"tune\"\nagents = [\"mcts:iterations=30\"]\n\
                opponents = [\"random\"]\ngames = 4\n[tune]\nmethod = \"spsa\"\nevaluations = 40\n\
                batch = 2\n[[tune.parameters]]\nkey = \"select.c\"\nmax = 2\nstep = 0.2\n\
                [[tune.parameters]]\nkey = \"iterations\"\nmax = 60\nstep = 5\nstart = 20\n";
    let experiment = experiment(text);
    let (_folder, store) = database();
    let (run, rows) = played(&store, &experiment, 2);
    let summary = summarise(&experiment.spec, &rows);
    let tuning = summary.tuning.as_ref().expect("a tuning");
    assert_eq!(tuning.path.len(), 20);
    let found = tuning.recommendation.as_ref().expect("something is found");
    let number = |place: usize| found[place].1.parse::<f64>().expect("a number");
    assert!((0.0..=2.0).contains(&number(0)) && (1.0..=60.0).contains(&number(1)), "{found:?}");
    assert_eq!(number(1).fract(), 0.0, "whole numbers stay whole");
    let exported = export_rows(&standard::registry(), &experiment.spec, &rows, false);
    assert!(exported[0].a.starts_with("select.c=") && exported[0].b.starts_with("select.c="));
    assert_ne!(exported[0].a, exported[0].b);
    let audit = verify_run(&experiment, &store, &run, &StopToken::default(), &|| {});
    assert_eq!(audit.expect("it can be checked").first_difference, None);
}

#[test]
fn every_method_on_a_grid_can_be_played() {
    for method in ["halving", "uniform", "ntbea"] {
        let grid = GRID.replace("[tune]\n", &format!("[tune]\nmethod = \"{method}\"\n"));
        let experiment = experiment(&format!("{BASE}{grid}")).scaled(0.3);
        let (_folder, store) = database();
        let (_, rows) = played(&store, &experiment, 2);
        let summary = summarise(&experiment.spec, &rows);
        assert!(summary.finished, "{method}");
        assert_eq!(summary.tuning.expect("a tuning").evaluations, [12, 12], "{method}");
    }
}

#[test]
fn errors_say_where_and_what() {
    let cases = [
        (BASE.to_owned(), "line 2", "expected a table [tune]"),
        (format!("{BASE}{GRID}").replace("depth = [", "deep = ["), "line 10", "deep"),
        (format!("{BASE}{GRID}").replace("4]", "\"x\"]"), "line 10", "depth"),
        (format!("{BASE}{GRID}").replace("[1, 2, 4]", "\"all\""), "line 10", "too many values"),
        (format!("{BASE}{GRID}").replace("[1, 2, 4]", "3"), "line 10", "\"all\""),
        (format!("{BASE}{GRID}").replace("batch = 4", "batch = 0"), "line 6", "batch"),
        (format!("{BASE}{GRID}").replace("batch = 4", "alpha = 1"), "line 6", "method spsa"),
        (
            format!("{BASE}{GRID}").replace("kind = \"tune\"", "kind = \"gauntlet\""),
            "line 6",
            "[tune]",
        ),
        (
            format!("{BASE}{GRID}").replace(
                "opponents = [\"alphabeta:depth=2\", \"greedy\"]
",
                "",
            ),
            "line 2",
            "opponents",
        ),
        (format!("{BASE}[tune]\nevaluations = 8\n"), "line 6", "tune.space"),
        (format!("{BASE}{GRID}").replace("batch = 4", "batch = 400"), "line 6", "at most"),
        (
            format!("{BASE}{GRID}").replace("ons = 40", "ons = 9000000000000000000"),
            "line 6",
            "at most",
        ),
    ];
    for (text, line, words) in cases {
        let error = read(&text).err().unwrap_or_else(|| panic!("this is read:\n{text}"));
        assert!(error.contains(line) && error.contains(words), "{line}, {words}: {error}");
    }
}
