//! Programs from outside: honest ones play every game; whatever a bad one does voids its own games,
//! and nothing else.

use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::{Ran, Scratch, fine, json, run};
use serde_json::Value;

/// Writes its process number into a file, then does what its second argument says: from the third
/// question on, so that there is a game to spoil.
const PROGRAM: &str = r#"
import json, os, subprocess, sys, time

log, how = sys.argv[1:3]
with open(log, "a") as file:
    file.write(f"{os.getpid()}\n")

def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()

if how == "crash-at-start":
    sys.exit("no licence")
if how == "deaf":
    time.sleep(3600)
asked = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "game":
        assert message["schema"] == "warroom-exec-1" and message["seat"] in (0, 1)
        assert isinstance(message["seed"], int) and message["game"] and message["rules"]
        if how == "early":
            say('{"action": "z9"}')
    if message["type"] == "end" and how == "told":
        with open(log, "a") as file:
            file.write("end\n")
    if message["type"] != "decide":
        continue
    asked += 1
    legal = message["legal"]
    assert len(legal) > 1 and message["ms"] > 0 and message["view"]["seat"] in (0, 1)
    good = json.dumps({"action": legal[asked * 7 % len(legal)], "value": 0.5, "info": {"a": [1]}})
    if how == "views":
        with open(log + ".views", "a") as file:
            file.write(json.dumps(message["view"]) + "\n")
    if how == "chatter":
        sys.stderr.write("x" * 300_000 + "\n")
    if asked < 3 or how in ("honest", "views", "chatter", "lingers", "told"):
        say(good)
    elif how == "crash":
        raise ValueError("lost my way")
    elif how == "hang":
        subprocess.Popen(["sleep", "3600"])
        time.sleep(3600)
    elif how == "closes":
        os.close(1)
        time.sleep(3600)
    elif how == "garbage":
        say("I think \x1b[31ma1")
    elif how == "no-action":
        say('{"move": "a1"}')
    elif how == "lie":
        say('{"action": "z9"}')
    elif how == "bytes":
        sys.stdout.buffer.write(b"\xff\xfe\n")
        sys.stdout.flush()
    elif how == "endless":
        while True:
            sys.stdout.write("x" * 65536)
    elif how == "twice":
        say(good + "\n" + good)
if how == "lingers":
    time.sleep(3600)
"#;

/// A program in a folder of its own.
struct Bad {
    scratch: Scratch,
    program: String,
}

impl Bad {
    fn new(test: &str) -> Self {
        let scratch = Scratch::new(test);
        let program = scratch.write("program.py", PROGRAM);
        Self { scratch, program }
    }

    /// The spec of an agent that behaves like this, as a word of a command line. Without `site`
    /// Python starts in half the time.
    fn spec(&self, how: &str) -> String {
        format!("exec:python3%-S%'{}'%'{}'%{how},ms=60000", self.program, self.scratch.path("log"))
    }

    /// What the program was told to write down, if it was started at all.
    fn log(&self) -> String {
        if self.scratch.files().contains(&"log".to_owned()) {
            self.scratch.read("log")
        } else {
            String::new()
        }
    }

    /// Every program that was started is gone.
    fn assert_nobody_left(&self) {
        let log = self.log();
        let numbers: Vec<&str> = log.lines().filter(|line| *line != "end").collect();
        assert!(!numbers.is_empty(), "no program was started");
        for number in numbers {
            assert!(!is_running(number), "process {number} was left");
        }
    }
}

fn is_running(process: &str) -> bool {
    let asked = Command::new("kill").args(["-0", process]).stderr(Stdio::null()).status();
    asked.expect("there is a program kill").success()
}

fn parsed(ran: &Ran) -> Value {
    serde_json::from_str(&ran.out)
        .unwrap_or_else(|error| panic!("{error}: {} {}", ran.out, ran.err))
}

#[test]
fn programs_play_whole_games_of_every_kind() {
    let bad = Bad::new("exec_honest");
    let cases = [
        ("othello", 2, ""),
        ("conquest", 2, "--rules turn-limit=6"),
        ("conquest", 2, "--rules turn-limit=6,secret-commands=yes"),
        ("lords-of-war", 4, "--rules turn-limit=12"),
        ("lords-of-war", 4, "--rules turn-limit=12,hidden=yes"),
        ("mini-poker", 4, ""),
        ("dice-race", 4, ""),
    ];
    for (index, (game, games, flags)) in cases.into_iter().enumerate() {
        let records = bad.scratch.path(&format!("{index}.jsonl"));
        let line = format!(
            "match {game} --a {} --b random --games {games} {flags} --records {records} --json",
            bad.spec("honest")
        );
        let report = json(&line);
        assert_eq!(report["games"], games, "{line}: {report}");
        assert_eq!(report["repeatable"], false);
        let rules = flags.replace("--rules ", "");
        let rules = if rules.is_empty() { rules } else { format!("--rules {rules}") };
        let said = fine(&format!("verify {game} {records} {rules}"));
        assert!(said.contains("no difference"), "{game}: {said}");
        let first: Value = serde_json::from_str(
            bad.scratch.read(&format!("{index}.jsonl")).lines().next().unwrap(),
        )
        .unwrap();
        assert!(first["agents"].to_string().contains("exec:python3 "), "{first}");
    }
    bad.assert_nobody_left();
}

/// Where cards are hidden, a program is told of its own hand and of what may be elsewhere.
#[test]
fn a_program_sees_no_more_than_its_seat_may_know() {
    let bad = Bad::new("exec_views");
    let spec = bad.spec("views");
    let views = || -> Vec<Value> {
        let text = bad.scratch.read("log.views");
        std::fs::remove_file(bad.scratch.path("log.views").replace('%', " ")).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let play = |game: &str, flags: &str| {
        fine(&format!("match {game} --a {spec} --b random --games 4 --quiet {flags}"));
    };
    play("lords-of-war", "--rules hidden=yes,turn-limit=8");
    for view in views() {
        assert!(view.get("position").is_none(), "{view}");
        let known = view["known"].as_str().expect("a text");
        let words: Vec<&str> = known.split(' ').collect();
        let seat = view["seat"].as_u64().unwrap() as usize;
        let hands: Vec<&str> = words[4].split(':').collect();
        assert!(!hands[seat].contains('?') && hands[1 - seat].contains('?'), "{known}");
        assert!(words[5].chars().all(|letter| "?:-".contains(letter)), "decks: {known}");
        assert!(words.last().unwrap().starts_with("unseen="), "{known}");
    }
    play("mini-poker", "");
    for view in views() {
        let known = view["known"].as_str().expect("a text").to_owned();
        let hands: Vec<&str> = known.split(' ').collect();
        let seat = view["seat"].as_u64().unwrap() as usize;
        assert!(!hands[seat].contains('?') && hands[1 - seat].contains('?'), "{known}");
    }
    play("lords-of-war", "--rules turn-limit=8");
    assert!(views().iter().all(|view| !view["position"].as_str().unwrap().contains('?')));
}

#[test]
fn whatever_a_program_does_wrong_voids_its_games_and_says_why() {
    let bad = Bad::new("exec_bad");
    let cases: &[(&str, &[&str])] = &[
        ("crash-at-start", &["ended in mid-game", "no licence"]),
        ("crash", &["ended in mid-game", "exit status: 1", "ValueError: lost my way"]),
        ("closes", &["closed its output"]),
        ("garbage", &["I think \\\\u{1b}[31ma1", "not an answer"]),
        ("no-action", &["missing field `action`"]),
        ("lie", &["chose 'z9'", "legal actions"]),
        ("early", &["z9"]),
        ("bytes", &["not UTF-8"]),
        ("endless", &["more than 1048576 bytes"]),
        ("twice", &["more than one line"]),
    ];
    for (how, expected) in cases {
        let line = format!("match othello --a {} --b random --games 2 --json", bad.spec(how));
        let ran = run(&line);
        assert_eq!(ran.code, 3, "{how}: {}{}", ran.out, ran.err);
        let report = parsed(&ran);
        let void = report["void"].as_array().expect("a list");
        assert_eq!(void.len(), 2, "{how}: {report}");
        for game in void {
            let told = game.to_string();
            let named = ["program.py", *how, "agent failed (seat "];
            for word in named.iter().chain(*expected) {
                assert!(told.contains(word), "{how}: expected '{word}' in {told}");
            }
        }
    }
    bad.assert_nobody_left();
}

#[test]
fn a_program_that_says_nothing_costs_its_limit_and_no_more() {
    let bad = Bad::new("exec_hang");
    for how in ["hang", "deaf"] {
        let spec = bad.spec(how).replace("ms=60000", "ms=2000");
        let began = Instant::now();
        let ran = run(&format!("match othello --a {spec} --b random --games 2"));
        assert!(began.elapsed() < Duration::from_secs(60), "{:?}", began.elapsed());
        assert_eq!(ran.code, 3, "{}", ran.out);
        assert!(ran.out.contains("answered nothing within 2000 ms"), "{}", ran.out);
        bad.assert_nobody_left();
    }
    // By the chess clock such a game is lost, as any other.
    let spec = bad.spec("deaf");
    let lost = json(&format!("match othello --a {spec} --b random --games 2 --clock 1+0 --json"));
    assert_eq!((&lost["games"], &lost["b_wins"]), (&2.into(), &2.into()), "{lost}");
    bad.assert_nobody_left();
}

#[test]
fn talk_on_the_standard_error_and_a_slow_farewell_do_no_harm() {
    let bad = Bad::new("exec_talk");
    for how in ["chatter", "lingers", "told"] {
        let spec = bad.spec(how);
        fine(&format!("match tic-tac-toe --a {spec} --b random --games 2 --quiet"));
        bad.assert_nobody_left();
    }
    assert_eq!(bad.log().lines().filter(|line| *line == "end").count(), 2, "{}", bad.log());
}

#[test]
fn a_run_with_void_games_is_finished_and_says_so() {
    let bad = Bad::new("exec_run");
    let spec = bad.spec("lie").replace('%', " ");
    let file = bad.scratch.write(
        "mixed.toml",
        &format!(
            "game = \"othello\"\nkind = \"round-robin\"\ngames = 4\n\
             agents = [{{ name = \"liar\", spec = \"{spec}\" }}, \"random\", \"greedy\"]\n"
        ),
    );
    let db = bad.scratch.path("a.sqlite");
    let first = run(&format!("run {file} --db {db} --quiet"));
    assert_eq!(first.code, 3, "{}{}", first.out, first.err);
    assert!(first.out.contains("\n8 of 12 games are void"), "{}", first.out);
    assert_eq!(first.out.matches("chose 'z9'").count(), 8, "{}", first.out);
    assert!(first.out.contains("12 of 12 games of othello, finished"), "{}", first.out);
    let started = bad.log();
    assert_eq!(started.lines().count(), 8);
    bad.assert_nobody_left();
    let shown = run(&format!("runs show latest --db {db} --json"));
    assert_eq!(shown.code, 3, "{}", shown.err);
    let shown = parsed(&shown);
    let games: Vec<u64> = shown["summary"]["cells"]
        .as_array()
        .unwrap()
        .iter()
        .map(|cell| cell["games"].as_u64().unwrap())
        .collect();
    assert_eq!(games, [0, 0, 4], "the others were played");
    let again = run(&format!("run {file} --db {db} --quiet"));
    assert_eq!((again.code, again.out), (3, first.out), "nothing is played again");
    assert_eq!(bad.log(), started);
    assert!(fine(&format!("runs verify latest --db {db}")).contains("no diff"));
    let replayed = fine(&format!("runs replay latest 0 --db {db}"));
    assert!(replayed.contains("z9"), "{replayed}");
    // Another program of the same name is another player.
    bad.scratch.write("program.py", &format!("# better\n{PROGRAM}"));
    let changed = run(&format!("run {file} --db {db} --quiet"));
    assert_eq!(changed.code, 2, "{}", changed.out);
    assert!(
        changed.err.contains("program.py") && changed.err.contains("--as-new"),
        "{}",
        changed.err
    );
}

#[test]
fn play_and_search_end_with_what_happened() {
    let bad = Bad::new("exec_play");
    let spec = bad.spec("honest");
    let found = json(&format!("search othello --agent {spec} --json"));
    assert_eq!((&found["value"], &found["repeatable"]), (&0.5.into(), &false.into()), "{found}");
    let over = fine(&format!("play tic-tac-toe --seat0 {spec} --seat1 {spec} --quiet"));
    assert!(over.contains("Game over"), "{over}");
    for line in ["search othello --agent", "play othello --seat1 random --seat0"] {
        let ran = run(&format!("{line} {}", bad.spec("crash-at-start")));
        assert_eq!(ran.code, 2, "{line}: {}", ran.out);
        for word in ["program.py", "ended in mid-game", "no licence"] {
            assert!(ran.err.contains(word), "{line}: {}", ran.err);
        }
    }
    bad.assert_nobody_left();
}

#[test]
fn commands_that_are_none_are_refused_at_once() {
    let cases = [
        ("exec", "say which program"),
        ("exec:", "expected a command"),
        ("exec:,ms=5", "expected a command"),
        ("exec:''", "names no program"),
        ("exec:'a", "is not closed"),
        ("exec:a,ms=0", "1 to 86400000"),
        ("exec:a,ms=soon", "1 to 86400000"),
    ];
    for (spec, expected) in cases {
        let ran = run(&format!("match othello --a {spec} --b random --games 2"));
        assert_eq!(ran.code, 2, "{spec}: {}", ran.out);
        assert!(ran.err.contains(expected), "{spec}: {}", ran.err);
    }
    let about = fine("agents exec");
    assert!(about.contains("cmd=(needed)") && about.contains("ms=10000"), "{about}");
    assert!(fine("agents exec:python3%my.py").contains("cmd=python3 my.py"));
    let bad = Bad::new("exec_file");
    let command = bad.spec("honest").replace('%', " ");
    let command = command.strip_prefix("exec:").unwrap().strip_suffix(",ms=60000").unwrap();
    let content = format!("agent = \"exec\"\ncmd = \"{command}\"\nms = 60000\n");
    let file = bad.scratch.write("mine.toml", &content);
    fine(&format!("match tic-tac-toe --a {file} --b random --games 2 --quiet"));
    bad.assert_nobody_left();
}

/// Ctrl-C while a program thinks for an hour.
#[cfg(unix)]
#[test]
fn an_interruption_ends_the_wait_and_the_program() {
    let bad = Bad::new("exec_interrupted");
    let spec = bad.spec("deaf").replace("ms=60000", "ms=3600000").replace('%', " ");
    let mut child = Command::new(env!("CARGO_BIN_EXE_warroom"))
        .args(["match", "othello", "--a", &spec, "--b", "random", "--games", "2", "--quiet"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary starts");
    let began = Instant::now();
    while bad.log().is_empty() {
        assert!(began.elapsed() < Duration::from_secs(60), "the program was never started");
        sleep(Duration::from_millis(20));
    }
    let number = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &number]).status().unwrap().success());
    let began = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("it can be asked") {
            break status;
        }
        if began.elapsed() > Duration::from_secs(30) {
            child.kill().expect("it is ours");
            panic!("it did not end");
        }
        sleep(Duration::from_millis(20));
    };
    assert_eq!(status.code(), Some(130));
    bad.assert_nobody_left();
}
