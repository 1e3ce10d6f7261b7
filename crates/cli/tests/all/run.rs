//! Experiments and their runs: repeated, resumed, killed, looked at.

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::common::{Scratch, fine, json, run};
use serde_json::Value;

const EXPERIMENT: &str = r#"
about = "three quick agents"
game = "othello"
kind = "round-robin"
agents = ["pvs:depth=2", { name = "tree", spec = "uct:iterations=30" }, "random"]
games = 20
"#;

fn export(database: &str, format: &str) -> String {
    fine(&format!("runs export latest --no-times --format {format} --db {database}"))
}

#[test]
fn a_run_is_played_once_and_shown() {
    let scratch = Scratch::new("run_shown");
    let (file, db) = (scratch.write("quick.toml", EXPERIMENT), scratch.path("a.sqlite"));
    let first = fine(&format!("run {file} --db {db}"));
    assert!(first.contains("60 of 60 games of othello, finished"), "{first}");
    assert!(first.contains("tree") && first.contains("Elo"), "{first}");
    assert_eq!(fine(&format!("run {file} --db {db}")), first, "nothing is played again");
    assert_eq!(fine(&format!("runs show latest --db {db}")), first);
    let listed = json(&format!("runs --db {db} --json"));
    let runs = listed["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 1);
    assert_eq!((&runs[0]["played"], &runs[0]["state"]), (&60.into(), &"finished".into()));
    let shown = json(&format!("runs show quick --db {db} --json"));
    let cells = shown["summary"]["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 3);
    assert!(cells.iter().all(|cell| cell["games"] == 20 && cell["pairs"] == 10), "{cells:?}");
    let strong = cells[1]["score"].as_f64().unwrap();
    assert!(strong > 0.7, "two plies against chance: {strong}");
    assert!(shown["manifest"]["cpu"].is_null(), "machines differ in nothing but times");
    let figures = &shown["summary"]["figures"];
    assert_eq!(figures["first_seat"]["n"], 60);
    assert!(figures["decision_entropy"].as_f64().unwrap() > 0.5, "{figures}");
    assert!(figures["comebacks"]["n"].as_u64().unwrap() > 30, "{figures}");
    assert_eq!(shown["summary"]["analysis"]["players"].as_array().unwrap().len(), 3);
    assert!(fine(&format!("runs verify latest --db {db}")).contains("60 games replayed, no diff"));
    let again = fine(&format!("runs rerun latest --db {db}"));
    assert!(again.contains("60 games played again, no difference"), "{again}");
    let replayed = fine(&format!("runs replay latest 3 --db {db}"));
    assert!(replayed.contains("black") && replayed.contains(" won "), "{replayed}");
    let record = fine(&format!("runs replay latest 3 --json --db {db}"));
    let game = scratch.write("game.json", &record);
    assert!(fine(&format!("verify othello {game}")).contains("no difference"));
}

#[test]
fn threads_and_scale_change_nothing_but_time_and_number() {
    let scratch = Scratch::new("run_threads");
    let file = scratch.write("quick.toml", EXPERIMENT);
    let exported = |name: &str, flags: &str| {
        let db = scratch.path(name);
        fine(&format!("run {file} --db {db} {flags}"));
        (export(&db, "csv"), export(&db, "jsonl"))
    };
    let one = exported("one.sqlite", "--threads 1");
    assert_eq!(one, exported("two.sqlite", "--threads 2"));
    assert_eq!(one.0.lines().count(), 61, "a head and a row a game");
    assert!(!one.0.contains("seconds"));
    // A tenth of the games is the beginning of the same schedule.
    let tenth = exported("tenth.sqlite", "--scale 0.1");
    assert_eq!(tenth.0.lines().count(), 7);
    assert!(one.0.starts_with(tenth.0.trim_end()), "{}", tenth.0);
    let dry = json(&format!("run {file} --dry-run --json"));
    assert_eq!((&dry["games"], &dry["cells"]), (&60.into(), &3.into()));
    let found = |what: &str| dry["detects"][what].as_f64();
    assert!(found("one_pairing") < found("any_pairing"), "{dry}");
    assert!(dry["timing"]["estimated_seconds"].as_f64() > Some(0.0));
}

/// More games of an experiment are those that there are and the new ones; fewer are the first.
#[test]
fn another_number_of_games_plays_only_the_new_ones() {
    let scratch = Scratch::new("run_longer");
    let whole = scratch.path("whole.sqlite");
    let db = scratch.path("grown.sqlite");
    let file = |games: u64| {
        scratch.write("x.toml", &EXPERIMENT.replace("games = 20", &format!("games = {games}")))
    };
    fine(&format!("run {} --db {db}", file(10)));
    let grown = run(&format!("run {} --db {db}", file(14)));
    assert!(grown.err.contains("30 games already played"), "{}", grown.err);
    fine(&format!("run {} --db {whole}", file(14)));
    assert_eq!(export(&db, "jsonl"), export(&whole, "jsonl"));
    assert!(fine(&format!("runs verify latest --db {db}")).contains("42 games"));
    let fewer = run(&format!("run {} --db {db}", file(4)));
    assert!(fewer.err.contains("12 games already played"), "{}", fewer.err);
    // A new run of the same length takes nothing over, also when it was stopped before its first game.
    fine(&format!("run {} --db {db} --as-new", file(4)));
    assert_eq!(json(&format!("runs --db {db} --json"))["runs"].as_array().unwrap().len(), 4);
    // Another seed is another experiment.
    let other = EXPERIMENT.replace("games = 20", "games = 4\nseed = 2");
    let other = run(&format!("run {} --db {db}", scratch.write("x.toml", &other)));
    assert!(other.code == 0 && !other.err.contains("already"), "{}", other.err);
}

/// What the format cannot say as a number it says in quotes; what a spreadsheet would take for a formula
/// it shows as text; a device takes what is written.
#[test]
fn large_seeds_strange_names_and_devices_are_taken() {
    let scratch = Scratch::new("run_strange");
    let file = scratch.write(
        "x.toml",
        "game = \"othello\"\nkind = \"match\"\ngames = 2\nseed = \"18446744073709551615\"\n\
         agents = [{ name = \"=1+2\", spec = \"random\" }, { name = \"-b\", spec = \"greedy\" }]\n",
    );
    let db = scratch.path("a.sqlite");
    fine(&format!("run {file} --db {db}"));
    assert_eq!(
        json(&format!("runs show latest --db {db} --json"))["manifest"]["spec"]["seed"],
        u64::MAX
    );
    let table = export(&db, "csv");
    assert!(table.contains(",'=1+2,'-b,"), "{table}");
    assert!(export(&db, "jsonl").contains("\"a\":\"=1+2\""));
    let out = if cfg!(unix) { "/dev/null".to_owned() } else { scratch.path("out.csv") };
    assert_eq!(fine(&format!("runs export latest --db {db} --out {out}")), "");
}

/// Kills a run at random moments, always in mid-game, and lets it go on.
#[test]
fn a_killed_run_ends_like_an_undisturbed_one() {
    let scratch = Scratch::new("run_killed");
    // Three kills in the checks; WARROOM_KILLS=10 by hand.
    let kills: u64 =
        std::env::var("WARROOM_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(3);
    // Long enough that every kill comes in time, also on a fast machine.
    let games = 20 * (kills + 1);
    let slow = EXPERIMENT
        .replace("iterations=30", "iterations=300")
        .replace("= 20", &format!("= {games}"));
    let file = scratch.write("slow.toml", &slow);
    let (whole, killed) = (scratch.path("whole.sqlite"), scratch.path("killed.sqlite"));
    fine(&format!("run {file} --db {whole}"));
    let mut seen: Vec<u64> = Vec::new();
    // On a busy machine some more kills, each later, until one comes in mid-run.
    for kill in 0..kills + 6 {
        if kill >= kills && seen.last() > Some(&0) {
            break;
        }
        let mut child = start(&file, &killed);
        // Moments without a pattern; the first may come before the database is there.
        let later = 200 * kill.saturating_sub(kills - 1);
        std::thread::sleep(Duration::from_millis(60 + kill * 7919 % 173 + later));
        child.kill().expect("it is still running");
        let status = child.wait().expect("it ends");
        assert!(!status.success(), "kill {kill} came too late: lengthen the experiment");
        let listed = run(&format!("runs --db {killed} --json"));
        let listed: Value = serde_json::from_str(&listed.out).unwrap_or_default();
        seen.push(listed["runs"][0]["played"].as_u64().unwrap_or(0));
        let state = &listed["runs"][0]["state"];
        assert!(state.is_null() || *state == "interrupted" || *state == "copied", "{state}");
    }
    assert!(seen.is_sorted(), "games were lost: {seen:?}");
    assert!(*seen.last().unwrap() > 0, "no kill came in mid-run: {seen:?}");
    let listed = json(&format!("runs --db {killed} --json"));
    assert_eq!(listed["runs"][0]["state"], "interrupted");
    fine(&format!("run {file} --db {killed}"));
    for format in ["csv", "jsonl"] {
        assert_eq!(export(&whole, format), export(&killed, format), "{format} after {seen:?}");
    }
    assert!(
        fine(&format!("runs verify latest --db {killed}"))
            .contains(&format!("{} games", 3 * games))
    );
}

/// A run that takes long enough to be met while it plays.
struct Playing {
    child: Child,
    file: String,
    db: String,
}

impl Playing {
    fn new(scratch: &Scratch) -> Self {
        let slow = EXPERIMENT.replace("iterations=30", "iterations=2000").replace("= 20", "= 400");
        let (file, db) = (scratch.write("slow.toml", &slow), scratch.path("slow.sqlite"));
        let child = start(&file, &db);
        let playing = Self { child, file, db };
        while playing.played() == 0 {
            std::thread::sleep(Duration::from_millis(20));
        }
        playing
    }

    fn played(&self) -> u64 {
        let listed = run(&format!("runs --db {} --json", self.db));
        let listed: Value = serde_json::from_str(&listed.out).unwrap_or_default();
        listed["runs"][0]["played"].as_u64().unwrap_or(0)
    }
}

fn start(file: &str, db: &str) -> Child {
    start_with(file, db, &[])
}

fn start_with(file: &str, db: &str, flags: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_warroom"))
        .args(["run", &file.replace('%', " "), "--db", &db.replace('%', " "), "--quiet"])
        .args(flags)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary starts")
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_stops_cleanly_and_says_so() {
    let scratch = Scratch::new("run_interrupted");
    let mut playing = Playing::new(&scratch);
    let process = playing.child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &process]).status().expect("kill is there");
    assert!(sent.success());
    assert_eq!(playing.child.wait().expect("it ends").code(), Some(130));
    let listed = json(&format!("runs --db {} --json", playing.db));
    assert_eq!(listed["runs"][0]["state"], "interrupted");
    let played = playing.played();
    assert!(0 < played && played < 1200, "{played}");
    assert!(!scratch.files().iter().any(|name| name.ends_with(".lock")), "a lock is left");
}

#[test]
fn a_second_writer_is_refused_and_readers_are_not() {
    let scratch = Scratch::new("run_two_writers");
    let mut playing = Playing::new(&scratch);
    let second = run(&format!("run {} --db {} --quiet", playing.file, playing.db));
    assert_eq!(second.code, 2, "{}", second.out);
    let process = playing.child.id().to_string();
    assert!(
        second.err.contains("only one program") && second.err.contains(&process),
        "{}",
        second.err
    );
    let shown = fine(&format!("runs show latest --db {}", playing.db));
    assert!(shown.contains("not finished"), "{shown}");
    let listed = json(&format!("runs --db {} --json", playing.db));
    assert_eq!(listed["runs"][0]["state"], "running");
    playing.child.kill().expect("it is still running");
    playing.child.wait().expect("it ends");
}

/// Two that begin anew at the same moment begin two runs.
#[test]
fn new_runs_at_the_same_moment_are_two() {
    let scratch = Scratch::new("run_two_new");
    let (file, db) = (scratch.write("quick.toml", EXPERIMENT), scratch.path("a.sqlite"));
    fine(&format!("run {file} --db {db} --scale 0.1"));
    let children = [0, 1].map(|_| start_with(&file, &db, &["--as-new", "--scale", "0.1"]));
    for mut child in children {
        assert!(child.wait().expect("it ends").success());
    }
    let listed = json(&format!("runs --db {db} --json"));
    let runs = listed["runs"].as_array().expect("a list");
    assert_eq!(runs.len(), 3, "{runs:?}");
    assert!(runs.iter().all(|run| run["played"] == 6), "{runs:?}");
}

#[test]
fn a_sequential_test_stops_and_marks_what_came_after() {
    let scratch = Scratch::new("run_sprt");
    let file = scratch.write(
        "test.toml",
        "game = \"othello\"\nkind = \"sprt\"\nagents = [\"pvs:depth=2\", \"random\"]\n\
         games = 400\n[sprt]\nelo0 = 0\nelo1 = 100\nbatch = 10\n",
    );
    let exported = |name: &str, threads: u32| {
        let db = scratch.path(name);
        let said = fine(&format!("run {file} --db {db} --threads {threads}"));
        assert!(said.contains("pvs:depth=2 is better than random"), "{said}");
        export(&db, "csv")
    };
    let one = exported("one.sqlite", 1);
    assert_eq!(one, exported("two.sqlite", 2));
    let rows = one.lines().count() - 1;
    assert!(rows < 400 && rows % 20 == 0, "whole batches only: {rows}");
    let after = one.lines().filter(|line| line.contains("after-stop")).count();
    let db = scratch.path("one.sqlite");
    let shown = json(&format!("runs show latest --db {db} --json"));
    let stopped = shown["summary"]["sprt"]["stopped_after"].as_u64().unwrap() as usize;
    assert_eq!(after, rows - 2 * stopped);
    assert_eq!(shown["summary"]["cells"][0]["games"], 2 * stopped, "later games do not count");
    assert_eq!(shown["summary"]["finished"], true);
}

/// A sweep of rules goes through every command like any other run.
#[test]
fn a_sweep_of_rules_is_shown_exported_checked_and_merged() {
    let scratch = Scratch::new("run_rules");
    let file = scratch.write(
        "rules.toml",
        "game = \"conquest\"\nkind = \"sweep\"\nagents = [\"greedy\"]\nopponents = [\"random\"]\n\
         games = 4\n[sweep.rules]\ncounter = [\"in-range\", \"always\"]\n",
    );
    let (one, two) = (scratch.path("one.sqlite"), scratch.path("two.sqlite"));
    let dry = fine(&format!("run {file} --dry-run"));
    assert!(dry.contains("  counter=always: greedy v random\n"), "{dry}");
    fine(&format!("run {file} --db {one}"));
    let shown = json(&format!("runs show latest --db {one} --json"));
    let conditions = shown["summary"]["conditions"].as_array().expect("a list");
    assert_eq!(conditions[1]["name"], "counter=always");
    assert!(conditions[1]["rules"].as_str().expect("a text").contains("counter=always"));
    assert_eq!(conditions[1]["figures"]["first_seat"]["n"], 4);
    assert_eq!(shown["summary"]["cells"][0]["condition"], "counter=in-range");
    let exported = export(&one, "csv");
    assert!(exported.starts_with("number,cell,condition,a,b,"), "{exported}");
    assert_eq!(exported.matches(",counter=always,greedy,random,").count(), 4, "{exported}");
    assert!(fine(&format!("runs verify latest --db {one}")).contains("8 games replayed, no diff"));
    assert!(fine(&format!("runs rerun latest --db {one}")).contains("8 games played again, no"));
    let record = json(&format!("runs replay latest 2 --json --db {one}"));
    assert!(record["rules"].as_str().expect("a text").contains("counter=always"), "{record}");
    assert!(fine(&format!("runs replay latest 2 --db {one}")).contains("Player "));
    fine(&format!("runs merge latest {one} --db {two}"));
    assert_eq!(export(&one, "jsonl"), export(&two, "jsonl"));
}

#[test]
fn a_run_is_not_continued_with_other_data() {
    let scratch = Scratch::new("run_changed");
    let opening = "-------------------XO----OXXO----O-OO----O--OX------------------ X\n";
    scratch.write("starts.txt", opening);
    let file = scratch.write(
        "mine.toml",
        "game = \"othello\"\nkind = \"match\"\nagents = [\"random\", \"greedy\"]\n\
         games = 4\nopenings = \"starts.txt\"\n",
    );
    let db = scratch.path("a.sqlite");
    fine(&format!("run {file} --db {db}"));
    scratch.write("starts.txt", &format!("# changed\n{opening}"));
    let refused = run(&format!("run {file} --db {db}"));
    assert_eq!(refused.code, 2);
    for word in ["starts.txt", "--as-new", "mine-"] {
        assert!(refused.err.contains(word), "{}", refused.err);
    }
    fine(&format!("run {file} --db {db} --as-new"));
    let ids = json(&format!("runs --db {db} --json"));
    assert_eq!(ids["runs"].as_array().unwrap().len(), 2);
    let [one, two] = [0, 1].map(|index| ids["runs"][index]["id"].clone());
    assert_ne!(one, two);
}

#[test]
fn databases_are_merged() {
    let scratch = Scratch::new("run_merged");
    let file = scratch.write("quick.toml", EXPERIMENT);
    let (one, two) = (scratch.path("one.sqlite"), scratch.path("two.sqlite"));
    fine(&format!("run {file} --db {one}"));
    let id = json(&format!("runs --db {one} --json"))["runs"][0]["id"].as_str().unwrap().to_owned();
    let said = fine(&format!("runs merge {id} {one} --db {two}"));
    assert!(said.contains("60 games added, 0 were"), "{said}");
    let said = fine(&format!("runs merge latest {one} --db {two}"));
    assert!(said.contains("0 games added, 60 were"), "{said}");
    assert_eq!(export(&one, "jsonl"), export(&two, "jsonl"));
    assert_eq!(run(&format!("runs merge latest {one} --db {one}")).code, 2);
}

/// Bad files: exit 2, the line, what was expected; nothing is made.
#[test]
fn what_is_wrong_with_an_experiment_is_said_with_the_line() {
    let scratch = Scratch::new("run_wrong");
    let base =
        "game = \"othello\"\nkind = \"match\"\nagents = [\"random\", \"greedy\"]\ngames = 4\n";
    let cases: &[(&str, &str, &[&str])] = &[
        ("games = 4", "gmaes = 4", &["line 4", "gmaes"]),
        ("games = 4", "games = 5", &["line 4", "even number"]),
        ("games = 4", "games = -4", &["line 4", "-4", "whole number, 0 or more"]),
        ("games = 4", "games = \"four\"", &["line 4", "four", "whole number"]),
        ("games = 4", "", &["wrong.toml': missing field 'games'"]),
        ("games = 4", "games = 4\nopening-plies = 500", &["line 5", "500"]),
        ("games = 4", "games = 4\nclock = 5", &["line 5", "a text"]),
        ("[\"random\", \"greedy\"]", "\"random\"", &["line 3", "a list"]),
        ("games = 4", "games = 4\nkind = \"match\"", &["line 5", "duplicate"]),
        ("\"match\"", "\"tournament\"", &["line 2", "round-robin"]),
        ("\"othello\"", "\"otello\"", &["line 1", "othello"]),
        ("\"greedy\"]", "\"gredy\"]", &["line 3", "greedy"]),
        ("\"greedy\"]", "\"pvs:dept=3\"]", &["line 3", "depth"]),
        ("\"greedy\"]", "\"random\"]", &["line 3", "twice"]),
        ("\"greedy\"]", "\"greedy\", \"minimax\"]", &["line 3", "two agents"]),
        ("games = 4", "games = 4\nopponents = [\"random\"]", &["line 5", "gauntlet"]),
        ("games = 4", "games = 4\n[sprt]\nelo0 = 0", &["line 5", "sprt"]),
        ("games = 4", "games = 4\nopenings = \"no.txt\"", &["line 5", "no.txt"]),
        ("games = 4", "games = 4\nclock = \"fast\"", &["line 5", "fast"]),
        ("games = 4", "games = 4\nmirror = true", &["line 5", "setups"]),
        ("games = 4", "games = 4\nrules = \"house\"", &["line 5", "house"]),
        ("games = 4", "games = 4\nsetups = [\"Rush\"]", &["line 5", "Rush"]),
        ("games = 4", "games = 4\nlog = \"all\"", &["line 5", "decisions"]),
        ("games = 4", "games = 4\nname = \"a b\"", &["line 5", "a b"]),
        ("games = 4", "games = 4\nseed = 18446744073709551615", &["line 5", "in quotes"]),
        ("games = 4", "games = 4\nseed = -1", &["line 5", "-1: expected a whole number from 0"]),
        (
            "games = 4",
            "games = 4\n[sweep]\nwiden = [\"on\"]\nwiden.alpha = [0.5]",
            &["line 7", "write a key with dots in quotes"],
        ),
        ("\"match\"", "\"sprt\"\nsprt = { elo0 = 4500, elo1 = 5000 }", &["line 3", "4000"]),
        ("\"match\"", "\"sprt\"\nsprt = { elo0 = 9, elo1 = 5 }", &["line 3", "elo0"]),
        ("\"match\"", "\"gauntlet\"", &["line 2", "opponents"]),
        ("\"match\"", "\"sweep\"", &["line 3", "one agent"]),
    ];
    for (from, to, expected) in cases {
        let file = scratch.write("wrong.toml", &base.replace(from, to));
        let db = scratch.path("none.sqlite");
        let refused = run(&format!("run {file} --db {db}"));
        assert_eq!(refused.code, 2, "{to}: {}", refused.out);
        for word in *expected {
            assert!(refused.err.contains(word), "{to}: expected '{word}' in {}", refused.err);
        }
    }
    assert_eq!(scratch.files(), ["wrong.toml"], "nothing was made");
    for line in ["run none.toml", "runs --db none.sqlite", "runs show x --db none.sqlite"] {
        assert_eq!(run(line).code, 2, "{line}");
    }
    let file = scratch.write("fine.toml", base);
    let notes = scratch.write("notes.sqlite", "notes of somebody, and no database of anything");
    for line in [format!("run {file} --db {notes}"), format!("runs --db {notes}")] {
        let refused = run(&line);
        assert_eq!(refused.code, 2, "{line}");
        assert!(refused.err.contains("not a warroom database"), "{}", refused.err);
    }
    assert!(scratch.read("notes.sqlite").starts_with("notes of"));
    let folder = scratch.path("");
    for line in [format!("run {file} --db {folder}"), format!("runs --db {folder}")] {
        let refused = run(&line);
        assert_eq!(refused.code, 2, "{line}");
        assert!(refused.err.contains("this is a folder"), "{}", refused.err);
    }
    let nowhere = scratch.path("nowhere/a.sqlite");
    assert_eq!(run(&format!("run {file} --db {nowhere}")).code, 2);
    for scale in ["0", "-1", "1.5", "NaN", "x"] {
        assert_eq!(run(&format!("run {file} --scale {scale}")).code, 2, "{scale}");
    }
}
