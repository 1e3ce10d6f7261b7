//! Runs: faults, stops, batches, and what may be taken up again.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use gamecore::StopToken;
use lab::experiment::Experiment;
use lab::report::findings;
use lab::run::{
    Ended, Exporter, export_rows, manifest, open_run, play_run, rerun, summarise, verify_run,
};
use registry::Job;
use store::{GameRow, Run, Store};

use crate::common::Faulty;
use crate::common::runs::{begun, database, experiment, host, threads};

const MATCH: &str = "game = \"othello\"\nkind = \"match\"\nagents = [\"random\", \"greedy\"]\n";

fn played(store: &Store, experiment: &Experiment, count: usize) -> (Run, Vec<GameRow>) {
    let run = begun(store, experiment);
    let ended = play_run(experiment, store, &run, &threads(count), &StopToken::default(), &|_| {});
    assert_eq!(ended.expect("it is played"), Ended::Finished);
    let rows = store.games(&run).expect("rows");
    (run, rows)
}

/// A fault spoils its own games; the others are those of a run without it, and what is void stays
/// so when the run is taken up.
#[test]
fn a_panic_voids_its_game_and_the_run_goes_on() {
    let sound = experiment(&format!("{MATCH}games = 24\n"));
    let (_healthy, store) = database();
    let healthy =
        export_rows(&standard::registry(), &sound.spec, &played(&store, &sound, 1).1, false);
    let fault = |job: &Job<'_>| job.seeds.agents[0].is_multiple_of(3);
    let mut faulty = experiment(&format!("{MATCH}games = 24\n"));
    let inner = Arc::clone(&faulty.opened[0].game);
    faulty.opened[0].game = Arc::new(Faulty { inner, fault, other: None });
    let (_folder, store) = database();
    let (run, rows) = played(&store, &faulty, 2);
    let summary = summarise(&faulty.spec, &rows);
    assert!(!summary.void.is_empty() && summary.finished);
    let cell = &summary.cells[0];
    assert_eq!(cell.evidence.games + summary.void.len() as u64, 24);
    for (found, healthy) in
        export_rows(&standard::registry(), &faulty.spec, &rows, false).iter().zip(&healthy)
    {
        if found.outcome == gamecore::Outcome::Void {
            assert!(found.reason.starts_with("panic: a fault"), "{}", found.reason);
            assert_eq!(found.points_of_a, None);
        } else {
            assert_eq!(found, healthy);
        }
    }
    let words = findings(&standard::registry(), &faulty.spec, &summary, Some(&run)).text();
    let void = format!("{} of 24 games are void", summary.void.len());
    assert!(words.lines().nth(2).is_some_and(|first| first.starts_with(&void)), "{words}");
    assert!(words.contains(&format!("warroom runs rerun {} --game", run.id)), "{words}");
    let stop = StopToken::default();
    let none = play_run(&faulty, &store, &run, &threads(2), &stop, &|row| {
        panic!("{row:?} is played again")
    });
    assert_eq!(none.expect("nothing is left to play"), Ended::Finished);
    let audit = verify_run(&faulty, &store, &run, &stop, &|| {}).expect("it can be checked");
    assert_eq!((audit.games, audit.first_difference), (24, None));
}

/// Stopped after every few games, whatever the threads: the same rows in the end.
#[test]
fn a_run_stopped_many_times_ends_like_any_other() {
    let spec = experiment(&format!("{MATCH}games = 40\n"));
    let (_one, whole) = database();
    let expected =
        export_rows(&standard::registry(), &spec.spec, &played(&whole, &spec, 1).1, false);
    let (_two, pieces) = database();
    let run = begun(&pieces, &spec);
    let mut stops = 0;
    loop {
        let stop = StopToken::default();
        let heard = AtomicU64::new(0);
        let ended = play_run(&spec, &pieces, &run, &threads(2), &stop, &|_| {
            if heard.fetch_add(1, Ordering::Relaxed) == 4 {
                stop.stop();
            }
        });
        match ended.expect("it is played") {
            Ended::Finished => break,
            Ended::Interrupted => stops += 1,
        }
    }
    assert!(stops >= 4, "{stops}");
    let rows = pieces.games(&run).expect("rows");
    assert_eq!(export_rows(&standard::registry(), &spec.spec, &rows, false), expected);
    let again = rerun(&spec, &pieces, &run, None, 2, &StopToken::default(), &|| {});
    let again = again.expect("it can be played again");
    assert_eq!((again.games, again.first_difference), (40, None));
}

/// One start of every pairing before the next of any.
#[test]
fn the_schedule_goes_round_over_all_pairings() {
    let text = "game = \"lords-of-war\"\nkind = \"round-robin\"\ngames = 8\n\
                agents = [\"random\", \"greedy\", \"uct:iterations=5\"]\n";
    let spec = experiment(text);
    let places: Vec<_> = (0..24).map(|number| spec.place(number)).collect();
    let cells: Vec<usize> = places.iter().map(|place| place.cell).collect();
    assert_eq!(cells[..12], [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]);
    assert_eq!(cells[..12], cells[12..]);
    let inside: Vec<(u64, u8)> = places[..4].iter().map(|place| (place.pair, place.game)).collect();
    assert_eq!(inside, [(0, 0), (0, 1), (1, 0), (1, 1)]);
    assert_eq!(places[12].pair, 2);
    // Own starts differ between pairings, shared ones do not.
    let starts =
        |spec: &Experiment| [0, 1].map(|cell| spec.pair(cell, 0).unwrap().starts[0].clone());
    let [one, other] = starts(&spec);
    assert_ne!(one, other);
    let [one, other] = starts(&experiment(&format!("{text}starts = \"shared\"\n")));
    assert_eq!(one, other);
}

/// Setups that are compared exchange their seats, dealt or not: otherwise a seat that is better
/// would pass for a better army.
#[test]
fn setups_that_are_compared_travel_with_their_players() {
    let armies = experiment(
        "game = \"lords-of-war\"\nkind = \"round-robin\"\nover = \"setups\"\ngames = 40\n\
         mirror = true\nagents = [\"greedy\"]\nsetups = [\"orcs\", \"elves\"]\n",
    );
    let players: Vec<[usize; 2]> = armies.spec.cells.iter().map(|cell| cell.players()).collect();
    assert_eq!(players, [[0, 0], [0, 1], [1, 1]]);
    let [first, second] = armies.pair(1, 0).unwrap().starts;
    assert_ne!(first, second);
    let (_folder, store) = database();
    let summary = summarise(&armies.spec, &played(&store, &armies, 2).1);
    // An army against itself plays the same game twice, so it is exactly even; without the exchange
    // this agent wins every fourth game at seat 0.
    for mirror in [0, 2] {
        assert_eq!(summary.cells[mirror].evidence.score, Some(0.5));
        assert_eq!(summary.cells[mirror].evidence.p_value, None, "nothing is tested there");
    }
    assert!(summary.cells[1].p_holm.is_some());
    // Agents that are compared leave the armies at their seats.
    let agents = experiment(
        "game = \"lords-of-war\"\nkind = \"match\"\ngames = 4\n\
         agents = [\"greedy\", \"random\"]\nsetups = [\"orcs\", \"elves\"]\n",
    );
    let [first, second] = agents.pair(0, 0).unwrap().starts;
    assert_eq!(first, second);
    let loadouts = experiment(
        "game = \"conquest\"\nkind = \"round-robin\"\nover = \"setups\"\ngames = 2\n\
         agents = [\"random\"]\nsetups = [\"Rush\", \"Default\"]\n",
    );
    let [first, second] = loadouts.pair(0, 0).unwrap().starts;
    assert_ne!(first, second);
}

/// The same pair of games again says nothing new.
#[test]
fn repeated_games_are_no_evidence() {
    let text = "game = \"conquest\"\nkind = \"KIND\"\ngames = 20\n\
                agents = [\"greedy\", \"random\"]\nsetups = [\"Default\"]\n";
    let varied = experiment(&text.replace("KIND", "match"));
    let (_folder, store) = database();
    let summary = summarise(&varied.spec, &played(&store, &varied, 2).1);
    assert_eq!(
        (summary.cells[0].evidence.games, summary.cells[0].evidence.repeated_pairs),
        (20, 0)
    );
    let same =
        text.replace("KIND", "match").replace("\"random\"", "{ name = \"b\", spec = \"greedy\" }");
    let same = experiment(&same.replace("[\"Default\"]", "[\"Default\", \"Rush\"]"));
    let (_folder, store) = database();
    let summary = summarise(&same.spec, &played(&store, &same, 2).1);
    let cell = &summary.cells[0];
    assert_eq!((cell.evidence.games, cell.evidence.pairs), (20, 10));
    assert_eq!((cell.evidence.counted_games(), cell.evidence.repeated_pairs), (2, 9));
    assert_eq!(cell.p_holm, None, "the same agent under another name is not tested");
    let sprt = same.spec.sprt().is_some();
    assert!(!sprt && summary.finished);
}

/// Nobody goes on with a run by other rules or other files.
#[test]
fn a_run_is_taken_up_only_unchanged() {
    let spec = experiment(&format!("{MATCH}games = 2\n"));
    let (_folder, store) = database();
    let mut first = manifest(&spec, &host());
    let run = open_run(&store, &first, false).unwrap();
    first.cpu = "another machine".into();
    assert_eq!(open_run(&store, &first, false).unwrap(), run, "the machine may change");
    let mut other = first.clone();
    other.version = "9.9.9+x".into();
    assert_eq!(open_run(&store, &other, false).unwrap(), run, "so may the program, if it proves");
    let mut other = first.clone();
    other.data.insert("starts.txt".into(), "1234".into());
    let message = open_run(&store, &other, false).unwrap_err().to_string();
    assert!(message.contains("starts.txt") && message.contains("1234"), "{message}");
    let fresh = open_run(&store, &other, true).unwrap();
    assert_ne!(fresh.id, run.id);
    assert_eq!(open_run(&store, &other, false).unwrap(), fresh);
    assert_eq!(open_run(&store, &first, false).unwrap(), run, "each with its own data");
    let comment = experiment(&format!("# a comment\nabout = \"words\"\n{MATCH}games   = 2\n"));
    assert_eq!(comment.hash(), spec.hash(), "words about it do not matter");
    assert_ne!(experiment(&format!("{MATCH}games = 4\n")).hash(), spec.hash());
    assert_ne!(experiment(&format!("{MATCH}games = 2\nseed = 2\n")).hash(), spec.hash());
}

/// A table without games still says what its columns are.
#[test]
fn columns_have_names_without_rows() {
    let spec = experiment(&format!("{MATCH}games = 2\n"));
    let (_folder, store) = database();
    let (run, rows) = played(&store, &spec, 1);
    let rows = export_rows(&standard::registry(), &spec.spec, &rows, true);
    let row = serde_json::to_value(&rows[0]).expect("plain data");
    let columns: Vec<&String> = row.as_object().expect("an object").keys().collect();
    let named = |times: bool| {
        let exporter = Exporter::of_run(&standard::registry(), &store, &run, &spec.spec, times)
            .expect("an exporter");
        exporter.columns()
    };
    assert!(named(true).iter().eq(columns));
    let without: Vec<String> = named(true)
        .into_iter()
        .filter(|name| !name.starts_with("seconds") && name != "host")
        .collect();
    assert_eq!(named(false), without);
    // What a game counts is no other column.
    for game in standard::registry().names() {
        let counts = standard::registry().open(game, "").expect("a game").info().counts;
        for (number, count) in counts.iter().enumerate() {
            assert!(!named(true).iter().any(|column| column == count.name), "{game}");
            assert!(counts[..number].iter().all(|other| other.name != count.name), "{game}");
        }
    }
}

/// Counted while it is played and by replaying the record alike; games that were stored before it was
/// counted are left out.
#[test]
fn what_a_game_counts_of_its_own_goes_to_the_summary() {
    let spec = experiment(
        "game = \"conquest\"\nkind = \"match\"\nagents = [\"greedy\", \"random\"]\ngames = 4\n\
         setups = [\"Default\"]\nrules = \"turn-limit=60\"\n",
    );
    let (_folder, store) = database();
    let (run, mut rows) = played(&store, &spec, 2);
    let sum = |name: &str| rows.iter().map(|row| row.counts[name]).sum::<u64>();
    let (attacks, commands) = (sum("attacks"), sum("commands"));
    assert!(attacks > 0 && commands > attacks, "{attacks} {commands}");
    let verified = verify_run(&spec, &store, &run, &StopToken::default(), &|| {});
    assert_eq!(verified.expect("it can be read").first_difference, None);
    let exported =
        serde_json::to_value(&export_rows(&standard::registry(), &spec.spec, &rows, false)[3])
            .expect("data");
    assert_eq!(exported["attacks"], rows[3].counts["attacks"]);
    let found = summarise(&spec.spec, &rows);
    let [first, second] = &found.figures.counts[..] else { panic!("two numbers") };
    assert_eq!((first.name.as_str(), first.n), ("attacks", 4));
    assert_eq!(first.spread.expect("games").mean, attacks as f64 / 4.0);
    assert_eq!(second.spread.expect("games").mean, commands as f64 / 4.0);
    assert!(
        findings(&standard::registry(), &spec.spec, &found, None)
            .text()
            .contains("attacks per game")
    );
    rows[0].counts.clear();
    // A later program counts more.
    rows[2].counts.insert("captures".into(), 1000);
    let found = summarise(&spec.spec, &rows).figures.counts;
    let seen: Vec<_> = found.iter().map(|count| (count.name.as_str(), count.n)).collect();
    assert_eq!(seen, [("attacks", 3), ("commands", 3), ("captures", 1)]);
    let rest: u64 = rows[1..].iter().map(|row| row.counts["commands"]).sum();
    assert_eq!(found[1].spread.expect("games").mean, rest as f64 / 3.0);
    assert_eq!(found[2].spread.expect("a game").mean, 1000.0);
}

/// Every combination of the values of a sweep against every opponent, from the same starts.
#[test]
fn a_sweep_has_every_combination() {
    let spec = experiment(
        "game = \"othello\"\nkind = \"sweep\"\nagents = [\"uct:iterations=5\"]\n\
         opponents = [\"random\", \"greedy\"]\ngames = 2\n\
         [sweep]\nselect.c = [0.5, 1]\nreuse = [true, false]\n",
    );
    assert_eq!(spec.spec.cells.len(), 8);
    let agents: Vec<&str> = spec.spec.players.iter().map(|player| player.agent.as_str()).collect();
    assert!(agents.contains(&"uct:iterations=5,reuse=on,select.c=0.5"), "{agents:?}");
    assert_eq!(spec.pair(0, 0), spec.pair(7, 0));
}
