//! Workers that play otherwise, or not at all, and what becomes of the run.

use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;

use super::runs::unchecked;
use super::{Alive, BEAT, Nats, export, played, wait_until};
use crate::common::{Scratch, fine, run};

/// A worker whose program file is gone: it plays on, but starts its players from whatever lies where the
/// system thinks that the file was.
struct Hollow {
    worker: Alive,
    file: String,
}

impl Hollow {
    fn start(scratch: &Scratch, nats: &Nats, name: &str) -> Self {
        let file = scratch.path(&format!("{name}-program"));
        if fs::hard_link(env!("CARGO_BIN_EXE_warroom"), &file).is_err() {
            fs::copy(env!("CARGO_BIN_EXE_warroom"), &file).expect("a copy");
        }
        let line = format!("worker {} --threads 1 {BEAT} --name {name}", nats.address());
        let worker = Alive::start_program(&file, &line);
        wait_until("it is there", || nats.standing().to_string().contains(&format!("\"{name}\"")));
        fs::remove_file(&file).expect("it is there");
        Self { worker, file }
    }

    /// Players from now on are this script.
    #[cfg(unix)]
    fn play_by(&self, script: &str) {
        use std::os::unix::fs::PermissionsExt as _;
        // So the system calls the file of a program that was removed.
        let file = format!("{} (deleted)", self.file);
        fs::write(&file, script).expect("a script");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("it is ours");
    }
}

/// Does as it should; while a file lies there, it lies about something that it was to do.
fn liar(marker: &str, about: &str, lie: &str) -> String {
    let program = env!("CARGO_BIN_EXE_warroom");
    format!(
        r#"#!/usr/bin/env python3
import json, os, subprocess, sys
player = subprocess.Popen([{program:?}] + sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
for line in sys.stdin:
    player.stdin.write(line)
    player.stdin.flush()
    said = player.stdout.readline()
    if not said:
        break
    said = json.loads(said)
    if said["did"] == {about:?} and os.path.exists({marker:?}):
        said{lie}
    print(json.dumps(said), flush=True)
"#
    )
}

/// A worker that plays otherwise from some moment on is found out and plays no more, whoever coordinates; the
/// run is not gone on with, since games are never taken out of it.
#[cfg(target_os = "linux")]
#[test]
fn a_worker_that_is_proved_to_be_wrong_is_out_and_the_run_says_so() {
    let scratch = Scratch::new("cluster_liar");
    let file = scratch.write(
        "x.toml",
        "game = 'othello'\nkind = 'match'\nagents = ['uct:iterations=60', 'random']\ngames = 6000\n",
    );
    let nats = Nats::start(&scratch, &[]);
    let db = scratch.path("a.sqlite");
    let marker = scratch.path("lies");
    let on = format!("run {file} --db {db} --on {} {BEAT}", nats.address());
    let hollow = Hollow::start(&scratch, &nats, "attic");
    hollow.play_by(&liar(&marker, "played", r#"["game"][0]["turns"] += 1"#));
    let coordinator = Alive::start(&on);
    // The first three are the coordinator's.
    wait_until("it has proved itself and plays", || played(&db) > 10);
    // As if its memory had begun to fail. Its first game is checked, and one in a hundred later.
    fs::write(&marker, "").expect("a file");
    let code = coordinator.ends();
    assert_eq!(code, 4, "the run stops");
    let stored = played(&db);
    let again = run(&on);
    assert_eq!(again.code, 2, "{}", again.err);
    let named = ["the machine 'attic'", "comes out otherwise here", "runs rerun", "--as-new"];
    assert!(named.iter().all(|words| again.err.contains(words)), "{}", again.err);
    assert_eq!(played(&db), stored, "nothing is added");
    let here = run(&format!("run {file} --db {db}"));
    assert!(here.code == 2 && here.err.contains("attic"), "{}", here.err);
    let wrong = run(&format!("runs rerun latest --db {db}"));
    assert!(wrong.code != 0 && wrong.out.contains("the figures of the game"), "{}", wrong.out);
    assert!(wrong.out.contains("games are wrong: "), "all are named: {}", wrong.out);
    assert_eq!(nats.queues(), Vec::<String>::new(), "nobody can go on with it");
    drop(hollow.worker);
}

/// What a coordinator that dies could not check, the next one does; and where that is more than it has cores for, it
/// lets other workers do it than those that played.
#[cfg(target_os = "linux")]
#[test]
fn what_was_to_be_checked_is_by_the_next_coordinator_and_other_workers() {
    let scratch = Scratch::new("cluster_owed");
    let file = scratch.write(
        "x.toml",
        "game = 'othello'\nkind = 'match'\nagents = ['uct:iterations=60', 'random']\ngames = 1200\n",
    );
    let nats = Nats::start(&scratch, &[]);
    let attic = nats.worker("--name attic");
    let db = scratch.path("a.sqlite");
    // It notes what it has checked after six heartbeats.
    let on = |beat: f64| format!("run {file} --db {db} --heartbeat {beat} --on {}", nats.address());
    let first = Alive::start(&on(1.5));
    wait_until("many are played", || played(&db) >= 800);
    first.kill();
    drop(attic);
    assert!(played(&db) < 1200, "too quick");
    let _others = [nats.worker("--name bell"), nats.worker("--name cellar")];
    let said = scratch.path("said");
    Alive::start_saying_on_one_core(&on(0.5), &said).ends_well();
    let said = fs::read_to_string(&said).expect("what it said");
    assert!(said.contains(" of them by other workers") && !said.contains("could not be"), "{said}");
    assert_eq!(unchecked(&db), Vec::<u64>::new());
}

/// Who is refused stays out under the next coordinator, too, and plays what others want.
#[cfg(target_os = "linux")]
#[test]
fn a_worker_that_cannot_prove_itself_is_out_for_good_and_others_play() {
    let scratch = Scratch::new("cluster_unproved");
    let file = scratch.write(
        "x.toml",
        "game = 'othello'\nkind = 'match'\nagents = ['pvs:depth=2', 'random']\ngames = 60\n",
    );
    let nats = Nats::start(&scratch, &[]);
    let (here, there) = (scratch.path("here.sqlite"), scratch.path("there.sqlite"));
    fine(&format!("run {file} --db {here}"));
    let marker = scratch.write("lies", "");
    let hollow = Hollow::start(&scratch, &nats, "attic");
    hollow.play_by(&liar(&marker, "played", r#"["game"][0]["turns"] += 1"#));
    let strange = Hollow::start(&scratch, &nats, "bell");
    strange.play_by(&liar(&marker, "conducts", r#"["conducts"][0]["rules"] = "0""#));
    let on = format!("run {file} --db {there} --on {} {BEAT}", nats.address());
    let refused = |standing: &Value| {
        standing["runs"][0]["refused"].to_string().contains("comes out otherwise there")
    };
    let first = Alive::start(&on);
    wait_until("both are refused", || {
        let standing = nats.standing();
        let words = "its rules of the game are others than the coordinator's";
        refused(&standing) && standing["workers"][1].to_string().contains(words)
    });
    first.kill();
    let second = Alive::start(&on);
    let _honest = nats.worker("--name cellar");
    wait_until("it is still refused, or all is over", || {
        let standing = nats.standing();
        standing["runs"].as_array().is_none_or(Vec::is_empty) || refused(&standing)
    });
    second.ends_well();
    assert_eq!(export(&there), export(&here));
    let rows = fine(&format!("runs export latest --db {there}"));
    assert!(!rows.contains(",attic") && !rows.contains(",bell"), "nothing of theirs counts");
    drop([hollow.worker, strange.worker]);
}

/// Where games do not repeat, whoever has other data is refused before it plays, and a game that nobody asked for
/// is not taken.
#[cfg(target_os = "linux")]
#[test]
fn a_worker_with_other_data_or_other_games_is_out() {
    let scratch = Scratch::new("cluster_strange");
    let file = scratch.write(
        "x.toml",
        "game = 'othello'\nkind = 'match'\nagents = ['uct:ms=1', 'random']\ngames = 16\n",
    );
    let nats = Nats::start(&scratch, &[]);
    let marker = scratch.write("lies", "");
    let hollow = Hollow::start(&scratch, &nats, "attic");
    hollow.play_by(&liar(&marker, "played", r#"["game"][0]["cell"] = 10**6"#));
    let strange = Hollow::start(&scratch, &nats, "bell");
    strange.play_by(&liar(&marker, "conducts", r#"["conducts"][0]["evaluations"] = "0""#));
    let db = scratch.path("a.sqlite");
    let coordinator = Alive::start(&format!("run {file} --db {db} --on {} {BEAT}", nats.address()));
    wait_until("both are refused", || {
        let standing = nats.standing();
        let words = "its evaluations or action heuristics of the game are others";
        standing["runs"][0]["refused"].to_string().contains("that nobody asked for")
            && standing["workers"][1].to_string().contains(words)
    });
    let _honest = nats.worker("--name cellar");
    coordinator.ends_well();
    let rows = fine(&format!("runs export latest --db {db}"));
    assert!(played(&db) == 16 && !rows.contains(",attic") && !rows.contains(",bell"), "{rows}");
    drop([hollow.worker, strange.worker]);
    // Whoever is accused of games that do not repeat is cleared by the rules, which look at all of them.
    let store = store::Store::open(Path::new(&db)).expect("a database");
    let stored = store.runs().expect("runs").remove(0);
    lab::run::note_untrue(&store, &stored, "cellar", "game 3: otherwise").expect("it is noted");
    let accused = lab::run::check_true(&store, &stored).expect_err("accused").to_string();
    assert!(accused.contains("warroom runs verify "), "{accused}");
    let without = |host: &str| format!("run {file} --db {db} --quiet --without-host {host}");
    let unknown = run(&without("garden"));
    assert!(unknown.code == 2 && unknown.err.contains("garden"), "{}", unknown.err);
    fine(&without("cellar"));
    assert!(!fine(&format!("runs export latest --db {db}")).contains(",cellar"));
    fine(&format!("runs verify {} --db {db}", stored.id));
    lab::run::check_true(&store, &stored).expect("cleared");
}

/// A player that can be started once, and hears two lines: enough to join, not to play.
const ONCE: &str = r#"#!/bin/sh
chmod 0 "$0"
for line in 1 2; do read -r said; printf '%s\n' "$said"; [ $line = 1 ] || sleep 1; done | "PROGRAM" "$@"
"#;

/// A worker that cannot start a player gives back what it took; no game is blamed for it. One whose program was
/// replaced plays on as what it was.
#[cfg(target_os = "linux")]
#[test]
fn a_worker_that_cannot_start_players_costs_no_game() {
    let scratch = Scratch::new("cluster_hollow");
    // Games that do not repeat: nobody has to prove anything by them.
    let file = scratch.write(
        "x.toml",
        "game = 'othello'\nkind = 'match'\nagents = ['uct:ms=1', 'random']\ngames = 16\n",
    );
    let nats = Nats::start(&scratch, &[]);
    let hollow = Hollow::start(&scratch, &nats, "hollow");
    hollow.play_by(&ONCE.replace("PROGRAM", env!("CARGO_BIN_EXE_warroom")));
    let db = scratch.path("a.sqlite");
    let said = scratch.path("said");
    let on = format!("run {file} --db {db} --on {} {BEAT}", nats.address());
    let coordinator = Alive::start_saying(&on, &said);
    wait_until("it says why not", || {
        fine(&format!("workers {}", nats.address())).contains("cannot start a player")
    });
    wait_until("whoever waits is told", || {
        fs::read_to_string(&said).is_ok_and(|said| said.contains("none of the 1 workers plays"))
    });
    // Long enough to fail with every game three times.
    sleep(Duration::from_secs(3));
    assert_eq!(played(&db), 0);
    fs::remove_file(format!("{} (deleted)", hollow.file)).expect("it is there");
    assert!(!Path::new(&hollow.file).exists());
    coordinator.ends_well();
    let rows = fine(&format!("runs export latest --db {db}"));
    assert!(rows.lines().skip(1).all(|line| line.contains(",hollow")), "{rows}");
    assert_eq!(played(&db), 16);
    drop(hollow.worker);
}
