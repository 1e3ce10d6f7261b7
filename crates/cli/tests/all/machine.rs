//! Faults of the machine: nothing of them is stored, and the command says so with its own status.

use std::fs;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::{Scratch, fine, json, run};

/// Runs `warroom` under a limit of the shell.
fn limited(limit: &str, line: &str) -> (Option<i32>, String) {
    let script = format!("ulimit {limit}; exec \"$0\" {line}");
    let Output { status, stdout, stderr } = Command::new("sh")
        .args(["-c", &script, env!("CARGO_BIN_EXE_warroom")])
        .output()
        .expect("a shell");
    let said = [stdout, stderr].map(|bytes| String::from_utf8(bytes).expect("text")).concat();
    (status.code(), said)
}

/// A table is refused in one run and granted in the next: the run ends like one that nothing
/// happened to.
#[test]
fn memory_that_is_refused_is_no_result() {
    let scratch = Scratch::new("machine_memory");
    let file = scratch.write(
        "x.toml",
        "game = 'tic-tac-toe'\nkind = 'match'\ngames = 6\n\
         agents = ['random', 'alphabeta:depth=2,table.mb=16384']\n",
    );
    let (whole, broken) = (scratch.path("whole.sqlite"), scratch.path("broken.sqlite"));
    fine(&format!("run {file} --db {whole}"));
    let (status, said) = limited("-v 4000000", &format!("run {file} --db {broken}"));
    assert_eq!(status, Some(4), "{said}");
    assert!(said.contains("a table of 16384 MB was refused; it is not stored"), "{said}");
    assert_eq!(json(&format!("runs --db {broken} --json"))["runs"][0]["played"], 0);
    fine(&format!("run {file} --db {broken}"));
    let export = |db: &str| fine(&format!("runs export latest --no-times --db {db}"));
    assert_eq!(export(&whole), export(&broken));
    let (status, said) =
        limited("-v 4000000", "search tic-tac-toe --agent alphabeta:depth=2,table.mb=16384");
    assert_eq!(status, Some(4), "{said}");
}

/// Trees whose threads are refused are grown one after the other, to the same decision.
#[test]
fn threads_that_are_refused_change_no_decision() {
    let line = "search othello --agent uct:iterations=25600,threads=256 --json";
    let untimed = |said: &str| -> String {
        said.lines().filter(|line| !line.contains("\"seconds\"")).collect()
    };
    // Stacks so large that all but one or two are refused, and the trees have room all the same.
    let (status, said) = limited("-v 300000; export RUST_MIN_STACK=100000000", line);
    assert_eq!(status, Some(0), "{said}");
    assert_eq!(untimed(&said), untimed(&fine(line)));
}

/// A program that is not there is a mistake; one that cannot be started now is a fault of the machine.
#[test]
fn a_program_that_cannot_be_started_voids_nothing() {
    let line = "match othello --a exec:there-is-no-such-program --b random --games 2";
    let missing = run(line);
    assert_eq!(missing.code, 2, "{}", missing.out);
    assert!(missing.err.contains("'there-is-no-such-program': no such program"), "{}", missing.err);
    // Room for the standard streams and what the program itself opens, not for six pipes.
    let line = "match othello --a 'exec:sh -c true' --b random --games 2 --threads 1";
    let (status, said) = limited("-n 6", line);
    assert_eq!(status, Some(4), "{said}");
    assert!(said.contains("cannot be started: Too many open files"), "{said}");
}

/// What is written into a file that nobody finds any more is lost; a run that says "finished" of it
/// would lie.
#[test]
fn a_database_that_goes_in_mid_run_is_an_error() {
    let scratch = Scratch::new("machine_gone");
    let text = "game = 'othello'\nkind = 'match'\nagents = ['uct:iterations=300', 'random']\n";
    let file = scratch.write("x.toml", &format!("{text}games = 400\n"));
    for replaced in [false, true] {
        let db = scratch.path(if replaced { "replaced.sqlite" } else { "deleted.sqlite" });
        let child = Command::new(env!("CARGO_BIN_EXE_warroom"))
            .args(["run", &file, "--db", &db, "--quiet"])
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let begun = Instant::now();
        let played = || run(&format!("runs --db {db} --json")).out.contains("\"running\"");
        while !played() {
            assert!(begun.elapsed() < Duration::from_secs(60), "it never began");
            sleep(Duration::from_millis(20));
        }
        fs::remove_file(&db).expect("it can be removed");
        if replaced {
            fs::write(&db, "").expect("it can be written");
        }
        let Output { status, stderr, .. } = child.wait_with_output().expect("it ends");
        let said = String::from_utf8(stderr).expect("text");
        assert_eq!(status.code(), Some(4), "{said}");
        assert!(said.contains("was deleted or replaced while it was in use"), "{said}");
    }
}
