//! What is lost in the middle of runs whose games depend on each other, and who does not answer.

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use super::{Alive, BEAT, Nats, export, played, wait_until};
use crate::common::{Scratch, fine};

/// Games that were played before they were asked for are gone with their coordinator, although their
/// reports were heard. Messages of this server are so small that every report is cut.
#[test]
fn a_test_and_a_tuning_outlive_their_coordinator() {
    let scratch = Scratch::new("cluster_dependent");
    let mut nats = Nats::start(&scratch, &["-c", "small.conf"]);
    let _workers = [nats.worker(""), nats.worker("")];
    let sprt = "kind = 'sprt'\nagents = ['pvs:depth=3', 'pvs:depth=2']\ngames = 1200\n[sprt]\nelo0 = 0\n\
                elo1 = 10\nbatch = 20\n";
    let tune = "kind = 'tune'\nagents = ['alphabeta:depth=1']\nopponents = ['pvs:depth=2']\ngames = 40\n\
                [tune]\nevaluations = 40\nbatch = 6\n[tune.space]\ndepth = [1, 3]\n";
    for (kind, text) in [("sprt", sprt), ("tune", tune)] {
        let file = scratch.write(&format!("{kind}.toml"), &format!("game = 'othello'\n{text}"));
        let (here, there) = (scratch.path(&format!("{kind}-here")), scratch.path(kind));
        fine(&format!("run {file} --db {here}"));
        let all = played(&here);
        let on = format!("run {file} --db {there} --quiet --on {} {BEAT}", nats.address());
        let coordinator = Alive::start(&on);
        wait_until("some of it is played", || played(&there) >= 20);
        coordinator.kill();
        let before = played(&there);
        assert!(before < all, "{kind}: too quick to be killed, {before} of {all}");
        if kind == "tune" {
            // The server comes back with an empty disk.
            nats.kill();
            fs::remove_dir_all(scratch.path("jetstream")).expect("it is there");
            nats.start_again();
        }
        Alive::start(&on).ends_well();
        assert_eq!(export(&there), export(&here), "{kind}");
    }
}

/// A server that loses what it kept while a run is played gets it again, and so does whoever joins then.
#[test]
fn a_server_with_an_empty_disk_is_set_up_again() {
    let scratch = Scratch::new("cluster_empty");
    let file = scratch.write(
        "x.toml",
        "game = 'othello'\nkind = 'match'\nagents = ['uct:iterations=200', 'random']\ngames = 200\n",
    );
    let (here, there) = (scratch.path("here.sqlite"), scratch.path("there.sqlite"));
    fine(&format!("run {file} --db {here}"));
    let mut nats = Nats::start(&scratch, &[]);
    let worker = nats.worker("--name early");
    let said = scratch.path("said");
    let on = format!("run {file} --db {there} --on {} {BEAT}", nats.address());
    let coordinator = Alive::start_saying(&on, &said);
    wait_until("some of it is played", || played(&there) >= 10);
    nats.kill();
    assert!(played(&there) < 200, "too quick");
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
