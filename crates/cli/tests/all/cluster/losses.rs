//! What is lost in the middle of runs whose games depend on each other, and who does not answer.

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use super::{Alive, BEAT, Nats, export, played, wait_until};
use crate::common::{Scratch, fine};

/// Runs whose games depend on each other, and one of many pairings, lose workers and coordinators. Games that were
/// played before they were asked for are gone with their coordinator, although their reports were heard. Messages
/// of this server are so small that every report is cut.
#[test]
fn sweeps_tests_and_tunings_outlive_workers_and_coordinators() {
    let scratch = Scratch::new("cluster_dependent");
    let mut nats = Nats::start(&scratch, &["-c", "small.conf"]);
    let sprt = "kind = 'sprt'\nagents = ['pvs:depth=3', 'pvs:depth=2']\ngames = 1200\n[sprt]\nelo0 = 0\n\
                elo1 = 10\nbatch = 20\n";
    let tune = "kind = 'tune'\nagents = ['alphabeta:depth=1']\nopponents = ['pvs:depth=2']\ngames = 40\n\
                [tune]\nevaluations = 40\nbatch = 6\n[tune.space]\ndepth = [1, 3]\n";
    let sweep = "kind = 'sweep'\nagents = ['uct']\nopponents = ['pvs:depth=2']\ngames = 40\n[sweep]\n\
                 iterations = [20, 60, 100]\nwiden = ['off', 'on']\n";
    let kinds = ["sprt", "tune", "sweep"];
    let here = |kind: &str| scratch.path(&format!("{kind}-here"));
    for (kind, text) in kinds.into_iter().zip([sprt, tune, sweep]) {
        let file = scratch.write(&format!("{kind}.toml"), &format!("game = 'othello'\n{text}"));
        fine(&format!("run {file} --db {}", here(kind)));
    }
    let address = nats.address();
    let start = |kind: &str| {
        let [file, db] = [format!("{kind}.toml"), kind.to_owned()].map(|name| scratch.path(&name));
        Alive::start(&format!("run {file} --db {db} --quiet --on {address} {BEAT}"))
    };
    let [dying, _worker] = [nats.worker(""), nats.worker("")];
    let [test, tuning, sweep] = kinds.map(start);
    let there = || kinds.map(|kind| played(&scratch.path(kind)));
    wait_until("some of each is played", || there().iter().all(|&games| games >= 10));
    dying.kill();
    let all = kinds.map(|kind| played(&here(kind)));
    let before = there();
    assert!((0..3).all(|kind| before[kind] < all[kind]), "too quick: {before:?} of {all:?}");
    let _another = nats.worker("");
    wait_until("more of the test and of the tuning is played", || {
        let now = there();
        (0..2).all(|kind| now[kind] > before[kind])
    });
    test.kill();
    tuning.kill();
    let left = there();
    assert!((0..2).all(|kind| left[kind] < all[kind]), "too quick: {left:?} of {all:?}");
    // The server comes back with an empty disk.
    nats.kill();
    fs::remove_dir_all(scratch.path("jetstream")).expect("it is there");
    nats.start_again();
    let [test, tuning] = ["sprt", "tune"].map(start);
    for coordinator in [test, tuning, sweep] {
        coordinator.ends_well();
    }
    for kind in kinds {
        assert_eq!(export(&scratch.path(kind)), export(&here(kind)), "{kind}");
    }
}

/// A server whose disk is full is told of and waited for. One that loses what it kept while a run is played gets it
/// again, and so does whoever joins then.
#[test]
fn a_server_with_a_full_disk_or_an_empty_one_costs_no_game() {
    let scratch = Scratch::new("cluster_empty");
    let file = scratch.write(
        "x.toml",
        "game = 'othello'\nkind = 'match'\nagents = ['uct:iterations=200', 'random']\ngames = 300\n",
    );
    let (here, there) = (scratch.path("here.sqlite"), scratch.path("there.sqlite"));
    fine(&format!("run {file} --db {here}"));
    let mut nats = Nats::start(&scratch, &["-c", "full.conf"]);
    let worker = nats.worker("--name early");
    let said = scratch.path("said");
    let on = format!("run {file} --db {there} --on {} {BEAT}", nats.address());
    let coordinator = Alive::start_saying(&on, &said);
    wait_until("some of it is played", || played(&there) >= 10);
    // Something else fills the disk.
    let filler = r#"{"name":"filler","subjects":["filler"],"retention":"limits","storage":"file","num_replicas":1}"#;
    nats.ask("$JS.API.STREAM.CREATE.filler", filler);
    let block = "x".repeat(900_000);
    while !nats.ask("filler", &block).contains("insufficient") {}
    let saying = |words: &str| fs::read_to_string(&said).is_ok_and(|said| said.contains(words));
    wait_until("whoever waits is told at once", || saying("does not keep what it is sent ("));
    let before = played(&there);
    nats.ask("$JS.API.STREAM.DELETE.filler", "");
    wait_until("it goes on", || played(&there) > before + 20);
    wait_until("that is told, too", || saying("the run goes on\n"));
    nats.kill();
    assert!(played(&there) < 300, "too quick");
    wait_until("whoever waits is told", || {
        fs::read_to_string(&said).is_ok_and(|said| said.contains("does not answer"))
    });
    fs::remove_dir_all(scratch.path("jetstream")).expect("it is there");
    worker.kill();
    nats.start_again();
    // Whoever connects makes what is missing: the coordinator must have done it before.
    wait_until("the board is there again", || {
        let said = fs::read_to_string(&said).unwrap_or_default();
        said.split("does not answer").last().is_some_and(|said| said.contains("no worker is there"))
    });
    let _late = nats.worker("--name late");
    coordinator.ends_well();
    assert_eq!(export(&there), export(&here));
    assert!(fine(&format!("runs export latest --db {there}")).contains(",late"));
}

/// A coordinator that neither answers nor is gone holds up nobody else's run.
#[cfg(unix)]
#[test]
fn a_run_that_does_not_answer_holds_up_no_other() {
    let scratch = Scratch::new("cluster_silent");
    let file = |name: &str| {
        let text =
            "game = 'othello'\nkind = 'match'\nagents = ['pvs:depth=1', 'random']\ngames = 40\n";
        scratch.write(name, text)
    };
    let nats = Nats::start(&scratch, &[]);
    let on = |name: &str| {
        let db = scratch.path(&format!("{name}.sqlite"));
        format!("run {} --db {db} --on {} {BEAT}", file(&format!("{name}.toml")), nats.address())
    };
    let silent = Alive::start(&on("silent"));
    wait_until("it is announced", || nats.standing()["runs"][0]["run"].is_string());
    let stopped = Command::new("kill").args(["-STOP", &silent.id().to_string()]).status();
    assert!(stopped.is_ok_and(|status| status.success()));
    let _worker = nats.worker("");
    let began = Instant::now();
    fine(&on("quick"));
    // A request that nobody answers takes ten.
    assert!(began.elapsed() < Duration::from_secs(8), "{:?}", began.elapsed());
}
