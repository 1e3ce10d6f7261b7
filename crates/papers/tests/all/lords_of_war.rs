//! The experiment of the Lords of War paper at its smallest scale: its form, and that it can be
//! stopped and taken up again.

use std::sync::atomic::{AtomicU64, Ordering};

use gamecore::StopToken;
use papers::lords_of_war::{LIMITS, figure_2};
use papers::{Bench, Order, Paper, Scale, Stage, Study, estimate};
use serde_json::Value;
use store::Store;

use crate::database;

const PARTS: [&str; 4] = ["single", "joined", "extrapolated", "armies"];

/// All games of the parts: eight cells of four, and three of eight.
const GAMES: u64 = 8 * 4 + 3 * 8;

fn paper() -> &'static Paper {
    Paper::of("lords-of-war").expect("a paper")
}

fn order() -> Order {
    Order { parts: PARTS.to_vec(), scale: Scale::Tiny, seed: 3, games: Vec::new() }
}

/// Plays, and stops after so many games.
fn play(store: &Store, threads: usize, games: u64) -> Option<Study> {
    let stop = StopToken::default();
    let told = AtomicU64::new(0);
    let progress = |stage: Stage| {
        if stage.done > 0 && told.fetch_add(1, Ordering::Relaxed) + 1 >= games {
            stop.stop();
        }
    };
    let bench = Bench {
        store,
        as_new: false,
        threads,
        stop: &stop,
        host: &crate::host(),
        progress: &progress,
    };
    paper().run(&bench, &order()).expect("an experiment")
}

fn whole(threads: usize) -> Study {
    play(&database().1, threads, u64::MAX).expect("nobody stopped it")
}

fn without_times(study: &Study) -> Value {
    let mut value = study.json.clone();
    value["timing"] = Value::Null;
    value
}

#[test]
fn a_run_taken_up_again_equals_an_undisturbed_one() {
    let (_folder, store) = database();
    let missing = || {
        let planned = paper().planned(&order()).expect("runs");
        let found =
            estimate(Some(&store), &crate::host(), &planned, 1, &StopToken::default(), &|_| {});
        let found = found.expect("an estimate");
        (found.runs, found.games, found.games_before, found.seconds > 0.0)
    };
    assert_eq!(missing(), (6, GAMES, 0, true));
    assert!(play(&store, 1, 18).is_none(), "stopped in its second run");
    assert_eq!(missing(), (6, GAMES - 18, 18, true), "what is there is not counted");
    let resumed = play(&store, 2, u64::MAX).expect("nobody stopped it");
    assert_eq!(resumed.json["timing"]["games_before"], 18, "finished games are not played again");
    assert_eq!(without_times(&resumed), without_times(&whole(1)));
    assert_eq!(missing(), (6, 0, GAMES, false));
}

#[test]
fn pages_show_every_table_and_claim() {
    let study = whole(2);
    let text = study.document.markdown();
    for words in ["Figure 2", "Figure 5", "Figures 6 and 7", "Every army", "orcs", "h4R"] {
        assert!(text.contains(words), "{words}");
    }
    assert!(study.verdicts.len() >= 5, "{:?}", study.verdicts);
    let runs: Vec<String> = list(&study.json["runs"]);
    assert!(!runs.is_empty() && runs.iter().all(|run| text.contains(run)), "{runs:?}");
    for verdict in &study.verdicts {
        assert!(text.contains(&verdict.claim) && verdict.measured.contains("n = "), "{verdict:?}");
    }
    let files = study.document.files();
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    let figures = ["index.html", "README.md", "figure-3.svg", "figure-3.csv"];
    assert_eq!(names[..4], figures);
    let csv = &study.data[0].content;
    let cells: Vec<Value> = list(&study.json["cells"]);
    assert_eq!(csv.lines().count(), 1 + cells.len());
    for cell in &cells {
        let count = |key: &str| cell[key].as_u64().expect("a count");
        assert_eq!(count("games"), count("a_wins") + count("draws") + count("b_wins"));
        assert_eq!(count("games"), list::<u64>(&cell["seats"]).iter().sum::<u64>());
        let mean = |key: &str| cell[key].as_f64().expect("a mean");
        assert!(mean("turns") > 10.0 && mean("deployments") > 10.0 && mean("branching") > 5.0);
    }
}

fn list<T: serde::de::DeserializeOwned>(value: &Value) -> Vec<T> {
    serde_json::from_value(value.clone()).expect("a list")
}

/// The table as the paper prints it: column maxima and where they are.
#[test]
fn the_published_table_has_its_maxima() {
    let maxima = [
        (86.8, 15),
        (0.8, 30),
        (58.6, 25),
        (90.0, 15),
        (83.6, 20),
        (39.6, 25),
        (41.0, 25),
        (42.0, 30),
        (40.4, 30),
        (50.0, 30),
        (41.6, 30),
    ];
    for (column, (value, limit)) in maxima.into_iter().enumerate() {
        let table = figure_2();
        let best = table.iter().map(|row| row[column]).fold(0.0, f64::max);
        let at = table.iter().position(|row| row[column] == best).expect("a row");
        assert_eq!((best, LIMITS[at]), (value, limit), "h{}", column + 1);
    }
}
