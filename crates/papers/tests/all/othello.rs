//! The experiment of the 2020 paper on a tiny plan.

use std::sync::Arc;

use gamecore::StopToken;
use lab::report::{Ruling, Verdict};
use lab::run::Host;
use papers::othello::{Plan, Results};
use papers::{Bench, Order, Paper, Scale, Study};
use registry::AnyGame;
use serde_json::Value;
use standard::{WthorGames, registry};
use store::Store;

use crate::database;

fn game() -> Arc<dyn AnyGame> {
    registry().open("othello", "").unwrap()
}

/// Two positions, depth 2.
fn tiny() -> Plan {
    let mut plan = Plan::new(&*game(), Scale::Tiny, 1, &[]).unwrap();
    plan.positions.truncate(2);
    plan
}

fn bench<'a>(store: &'a Store, threads: usize, stop: &'a StopToken, host: &'a Host) -> Bench<'a> {
    Bench { store, as_new: false, threads, stop, host, progress: &|_| {} }
}

/// Plays into a database; `None` if it was stopped.
fn played(store: &Store, plan: Plan, threads: usize, stop: &StopToken) -> Option<Results> {
    let host = crate::host();
    let bench = bench(store, threads, stop, &host);
    let runs = bench.play_all(&plan.matches).unwrap()?;
    Results::of(&bench, plan, &runs).unwrap()
}

fn study(plan: Plan, threads: usize) -> Results {
    played(&database().1, plan, threads, &StopToken::default()).unwrap()
}

fn verdicts(study: &Results) -> Vec<Verdict> {
    let found = study.found(1);
    found.verdicts.into_iter().chain(found.timed).collect()
}

/// Files for programs: every search, every mean.
fn csv(study: &Results) -> [String; 2] {
    [0, 1].map(|file| study.found(1).data[file].file().content)
}

/// The experiment of the smallest scale, as people ask for it.
fn whole(store: &Store) -> Study {
    let (stop, host) = (StopToken::default(), crate::host());
    let order = Order { parts: Vec::new(), scale: Scale::Tiny, seed: 1, games: Vec::new() };
    let paper = Paper::of("othello").unwrap();
    paper.run(&bench(store, 1, &stop, &host), &order).unwrap().unwrap()
}

/// The result without what a clock measured.
fn repeatable(mut study: Results) -> String {
    for row in &mut study.rows {
        row.timing.seconds_total = 0.0;
        row.timing.ms_mean = 0.0;
        row.timing.to_base = None;
    }
    for search in &mut study.searches {
        search.seconds = 0.0;
    }
    let matches: Vec<_> =
        study.matches.iter().map(|played| (&played.run, &played.result)).collect();
    format!("{:?}{:?}{:?}{matches:?}", study.agreement, study.minimal, csv(&study))
        + &format!("{:?}", study.found(1).verdicts)
}

#[test]
fn the_experiment_repeats_and_the_algorithms_agree() {
    let one = study(tiny(), 1);
    assert_eq!((one.agreement.wrong_values, one.agreement.wrong_actions), (0, 0));
    assert_eq!(one.agreement.questions, 4);
    let equal = &one.matches[0].result;
    assert_eq!(equal.evidence.a_wins, equal.evidence.b_wins);
    assert_eq!(repeatable(one), repeatable(study(tiny(), 2)));
}

/// At the depth of the paper: its node counts are too few for a search, and ordinary for EVAL alone.
#[test]
fn published_node_counts_are_those_of_eval_alone() {
    let plan = Plan { start_depth: 8, minimal_steps: vec![1], ..tiny() };
    let study = study(plan, 2);
    let counts = study.both_counts;
    assert!(study.any_evaluation.unwrap() > 1041 && counts.nodes[0] > 1041, "{counts:?}");
    assert!(counts.eval_nodes[0] < 1041 && counts.eval_nodes[1] > 76, "{counts:?}");
    let ruling = |words: &str| {
        let mut verdicts = verdicts(&study).into_iter();
        verdicts.find(|verdict| verdict.claim.contains(words)).expect("a verdict").ruling
    };
    assert_eq!(ruling("76 to 1,041 nodes"), Ruling::HoldsInPart);
    assert_eq!(ruling("out of memory"), Ruling::DoesNotHold);
}

#[test]
fn alpha_beta_is_as_good_as_itself_and_every_row_is_there() {
    let study = study(tiny(), 1);
    for row in study.rows.iter().filter(|row| row.algorithm == "alphabeta") {
        let ratios = row.to_base.unwrap();
        assert_eq!((ratios.mean, ratios.interval), (1.0, [1.0; 2]), "{row:?}");
    }
    // Minimax, the printed pseudo-code, and four algorithms in five settings; two depths.
    let columns = 2 + 4 * 5;
    let [searches, summary] = csv(&study);
    assert_eq!(summary.lines().count(), 1 + columns * 2);
    assert_eq!(searches.lines().count(), 1 + columns * 2 * 2);
    let cells = |line: &str| line.split('"').step_by(2).map(|s| s.matches(',').count()).sum();
    let counts: Vec<usize> = summary.lines().map(cells).collect();
    assert!(counts.iter().all(|count| *count == counts[0]), "{counts:?}");
}

#[test]
fn every_claim_is_on_every_page() {
    let (_folder, store) = database();
    let study = whole(&store);
    let document = &study.document;
    let (html, words) = (document.html(), document.markdown());
    assert!(study.verdicts.len() >= 9);
    assert!(html.contains("Hernandez") && words.contains("Hernandez"), "the paper is named");
    for verdict in &study.verdicts {
        assert!(html.contains(&verdict.claim), "{}", verdict.claim);
        assert!(words.contains(&verdict.claim));
        assert!(verdict.measured.contains("n = "), "{}", verdict.measured);
    }
    for (name, svg) in document.drawings() {
        assert!(words.contains(&format!("{name}.svg")));
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{name}");
    }
    assert_eq!(document.drawings().count(), 5);
    assert!(!html.contains("http://") || html.matches("http://").count() == 5, "only name spaces");
}

#[test]
fn the_smallest_tree_is_smallest_on_random_positions() {
    let mut plan = Plan::new(&*game(), Scale::Quick, 7, &[]).unwrap();
    plan.positions.drain(..16);
    plan.positions.truncate(24);
    plan.columns.retain(|column| column.setting == "fixed");
    for column in &mut plan.columns {
        column.steps = vec![1; 3];
    }
    (plan.minimal_steps, plan.start_depth) = (vec![1; 3], 3);
    for planned in &mut plan.matches {
        let few =
            planned.text.replace("games = 40", "games = 2").replace("games = 20", "games = 2");
        assert_ne!(few, planned.text);
        planned.text = few;
    }
    let study = study(plan, 1);
    assert_eq!(study.agreement.wrong_values, 0);
    for row in study.rows.iter().filter(|row| row.algorithm != "scout-as-printed") {
        let above = row.to_minimal.unwrap();
        assert!(above.interval[0] >= 1.0 && above.quartiles[0] >= 1.0, "{row:?}");
    }
    let nodes = |algorithm: &str| {
        let mut found: Vec<_> = study
            .searches
            .iter()
            .filter(|search| study.plan.columns[search.column].algorithm == algorithm)
            .map(|search| (search.position, search.depth, search.nodes))
            .collect();
        found.sort_unstable();
        found
    };
    let (minimax, alphabeta) = (nodes("minimax"), nodes("alphabeta"));
    assert_eq!(minimax.len(), alphabeta.len());
    assert!(minimax.iter().zip(&alphabeta).all(|(all, some)| some.2 <= all.2));
}

#[test]
fn a_stopped_experiment_has_no_result() {
    let stop = StopToken::default();
    stop.stop();
    let (_folder, store) = database();
    assert!(played(&store, tiny(), 1, &stop).is_none());
    assert!(store.runs().unwrap().is_empty(), "nothing was begun");
}

/// Even the match at equal time is not played twice.
#[test]
fn matches_are_stored_runs() {
    let (_folder, store) = database();
    let first = whole(&store).json;
    let timed = |study: &Value| study["timing"]["matches"].as_array().unwrap().clone();
    assert_eq!((first["matches"].as_array().unwrap().len(), timed(&first).len()), (2, 1));
    let runs = store.runs().unwrap();
    let repeatable: Vec<_> =
        runs.iter().map(|run| (run.manifest.name.as_str(), run.manifest.repeatable)).collect();
    let expected =
        [("othello-equal-depth", true), ("othello-equal-time", false), ("othello-printed", true)];
    assert_eq!(repeatable, expected);
    let again = whole(&store).json;
    let before = |study: &Value| study["timing"]["games_before"].as_u64();
    assert_eq!((before(&first), before(&again)), (Some(0), Some(6)));
    assert_eq!(timed(&first), timed(&again));
}

#[test]
fn positions_come_from_tournament_games_too() {
    // One game: f5 d6 c3 d3 c4 f4, in the bytes of a .wtb file.
    let mut bytes = vec![0; 16 + 68];
    bytes[4] = 1;
    for (place, square) in bytes[24..].iter_mut().zip([56, 64, 33, 34, 43, 46]) {
        *place = square;
    }
    let games = WthorGames::read(&bytes).unwrap();
    assert_eq!((games.count(), games.position(0, 7), games.position(1, 0)), (1, None, None));
    let plain = Plan::new(&*game(), Scale::Tiny, 1, &[]).unwrap();
    let plan = Plan::new(&*game(), Scale::Tiny, 1, &[games]).unwrap();
    let [.., last] = &plan.positions[..] else { panic!("no positions") };
    assert_eq!(plan.positions.len(), plain.positions.len() + 1);
    assert_eq!(last.text, game().position("f5d6c3d3").unwrap());
    assert!(WthorGames::read(&bytes[..40]).is_err());
}
