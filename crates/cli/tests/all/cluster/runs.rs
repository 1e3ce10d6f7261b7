//! Whatever happens to a run, it is the one that is played here.

use std::path::Path;
use std::process::Command;
use std::sync::atomic::Ordering;
use std::thread::sleep;
use std::time::Duration;

use lab::run::Draw;
use serde_json::Value;

use super::{Alive, BEAT, Nats, Wire, export, is_soak, played, wait_until};
use crate::common::{Scratch, fine, json, run};

/// A file of every kind of experiment, all of them short.
const KINDS: [(&str, &str); 6] = [
    ("match", "kind = 'match'\nagents = ['pvs:depth=2', 'random']\nsetups = []\ngames = 60\n"),
    // A file beside the experiment, which only the coordinator has.
    ("shipped", "kind = 'match'\nagents = ['greedy:eval=weights.toml', 'random']\ngames = 12\n"),
    (
        "round-robin",
        "kind = 'round-robin'\nagents = ['greedy', 'random', 'pvs:depth=1']\ngames = 20\n",
    ),
    (
        "sweep",
        "kind = 'sweep'\nagents = ['uct']\nopponents = ['random']\ngames = 12\n[sweep]\n\
         iterations = [5, 20]\n",
    ),
    (
        "sprt",
        "kind = 'sprt'\nagents = ['pvs:depth=1', 'random']\ngames = 400\n[sprt]\nelo0 = 0\n\
         elo1 = 60\nbatch = 10\n",
    ),
    (
        "tune",
        "kind = 'tune'\nagents = ['alphabeta:depth=1']\nopponents = ['greedy']\ngames = 6\n[tune]\n\
         evaluations = 10\nbatch = 4\n[tune.space]\ndepth = [1, 2]\norder = ['good', 'fixed']\n",
    ),
];

#[test]
fn every_kind_of_run_is_the_one_played_here() {
    let scratch = Scratch::new("cluster_kinds");
    let nats = Nats::start(&scratch, &[]);
    scratch.write(
        "weights.toml",
        "game = \"othello\"
[weights]
mobility = 5
stability = 9
",
    );
    let tried = "game = 'othello'\nkind = 'match'\nagents = ['greedy', 'random']\ngames = 6\n";
    let tried = scratch.write("tried.toml", tried);
    let dry = format!("run {tried} --dry-run --on {}", nats.address());
    assert!(run(&dry).err.contains("no worker is there"), "nobody knows how long it takes");
    let workers = [nats.worker(""), nats.worker("--threads 2")];
    wait_until("both are there", || {
        nats.standing()["workers"].as_array().is_some_and(|all| all.len() == 2)
    });
    let planned = json(&format!("{dry} --json --db {}", scratch.path("tried.sqlite")));
    assert!(planned["games"] == 6 && planned["timing"]["estimated_seconds"].as_f64() > Some(0.0));
    let is_there = Path::new(&scratch.path("tried.sqlite")).exists();
    assert!(!is_there && nats.queues().is_empty(), "nothing is played");
    for (kind, text) in KINDS {
        let file = scratch.write(&format!("{kind}.toml"), &format!("game = 'othello'\n{text}"));
        let (here, there) = (scratch.path(&format!("{kind}-here")), scratch.path(kind));
        fine(&format!("run {file} --db {here}"));
        fine(&format!("run {file} --db {there} --on {} {BEAT}", nats.address()));
        assert_eq!(export(&there), export(&here), "{kind}");
    }
    let standing = nats.standing();
    assert_eq!(standing["runs"], Value::Array(Vec::new()), "what ended is taken away");
    assert_eq!(standing["workers"].as_array().map(Vec::len), Some(2), "{standing}");
    let done = standing["workers"][0]["worker"]["runs"].as_object().unwrap();
    assert!(done.len() >= 4 && done.values().all(|work| work["games"].is_u64()), "{standing}");
    assert_eq!(nats.queues(), Vec::<String>::new());
    drop(workers);
}

/// Whatever dies, and in whatever order, nothing is lost and nothing is there twice.
#[test]
fn whatever_dies_the_run_is_the_one_played_here() {
    let scratch = Scratch::new("cluster_deaths");
    // A few seconds of one core, or ten minutes.
    let (iterations, games) = if is_soak() { (1500, 3600) } else { (300, 420) };
    let file = scratch.write(
        "x.toml",
        &format!(
            "game = 'othello'\nkind = 'round-robin'\n\
             agents = ['uct:iterations={iterations}', 'greedy', 'pvs:depth=3']\ngames = {}\n",
            games / 3
        ),
    );
    let (here, there) = (scratch.path("here.sqlite"), scratch.path("there.sqlite"));
    fine(&format!("run {file} --db {here}"));
    let mut nats = Nats::start(&scratch, &[]);
    let wire = Wire::to(nats.port);
    // Six of them are shorter than the cut below.
    let (beat, cut) = if is_soak() { ("", 70.0) } else { ("--heartbeat 0.2", 1.5) };
    let worker = |address: &str| Alive::start(&format!("worker {address} --threads 1 {beat}"));
    let [first, second] = [worker(&nats.address()), worker(&nats.address())];
    let _third = worker(&wire.address);
    let on = format!("run {file} --db {there} --quiet --on {} {beat}", nats.address());
    let coordinator = Alive::start(&on);
    wait_until("the first games", || played(&there) >= 20);
    first.kill();
    second.kill();
    let _fourth = worker(&nats.address());
    // So long out of reach that somebody else gets what it plays; then it comes back with it.
    wire.is_cut.store(true, Ordering::SeqCst);
    sleep(Duration::from_secs_f64(cut));
    wait_until("games of whoever came", || played(&there) >= 60);
    wire.is_cut.store(false, Ordering::SeqCst);
    nats.kill();
    sleep(Duration::from_millis(700));
    nats.start_again();
    let before = played(&there);
    wait_until("games after the server was away", || played(&there) >= games.min(before + 40));
    coordinator.kill();
    assert!(played(&there) < games, "too quick to be killed");
    Alive::start(&on).ends_well();
    assert_eq!(export(&there), export(&here));
    assert!(fine(&format!("runs verify latest --db {there}")).contains("games replayed, no diff"));
    assert_eq!(unchecked(&there), Vec::<u64>::new(), "whoever coordinated, one in a hundred was");
    assert_eq!(nats.queues(), Vec::<String>::new());
}

/// The games of a run that were to be played again, and that nobody says were.
pub(super) fn unchecked(db: &str) -> Vec<u64> {
    let shown = json(&format!("runs show latest --json --db {db}"));
    let draw = Draw::of(shown["run"].as_str().expect("its name"));
    let visits = shown["timing"]["visits"].as_array().expect("a list");
    let told = visits.iter().filter(|visit| visit["what"] == "checked");
    let told: Vec<&str> = told.flat_map(|visit| words_of(&visit["detail"])).collect();
    let drawn = (0..played(db)).filter(|&number| draw.holds(number));
    drawn.filter(|number| !told.contains(&&*number.to_string())).collect()
}

fn words_of(text: &Value) -> impl Iterator<Item = &str> {
    text.as_str().unwrap_or_default().split(' ')
}

/// One coordinator at a time; what one that died left behind is shown, taken up or thrown away.
#[test]
fn a_run_has_one_coordinator_and_leaves_nothing_behind() {
    let scratch = Scratch::new("cluster_coordinators");
    let file = scratch.write(
        "x.toml",
        "game = 'othello'\nkind = 'match'\nagents = ['greedy', 'random']\ngames = 10\n",
    );
    let nats = Nats::start(&scratch, &[]);
    let [one, other] = [scratch.path("one.sqlite"), scratch.path("other.sqlite")];
    let on = |db: &str| format!("run {file} --db {db} --on {} {BEAT}", nats.address());
    // No worker is there: it waits.
    let waiting = Alive::start(&on(&one));
    wait_until("the run is announced", || nats.standing()["runs"][0]["run"].is_string());
    let refused = run(&on(&other));
    assert_eq!(refused.code, 2, "{}", refused.err);
    assert!(refused.err.contains("is coordinated by process"), "{}", refused.err);
    // Nor is it thrown away while somebody coordinates it.
    let live = nats.standing()["runs"][0]["run"].as_str().unwrap().to_owned();
    let refused = run(&format!("workers {} --forget {live}", nats.address()));
    assert_eq!((refused.code, nats.queues().len()), (2, 2), "{}", refused.err);
    assert!(
        refused.err.contains(&live) && refused.err.contains("end that process"),
        "{}",
        refused.err
    );
    waiting.kill();
    assert_eq!(nats.queues().len(), 2);
    wait_until("its silence is noticed", || {
        fine(&format!("workers {}", nats.address())).contains("--forget")
    });
    let run_id = nats.standing()["runs"][0]["run"].as_str().unwrap().to_owned();
    let forgotten = fine(&format!("workers {} --forget {run_id}", nats.address()));
    assert!(forgotten.contains("no run wants workers"), "{forgotten}");
    assert_eq!(nats.queues(), Vec::<String>::new());
    let again = run(&format!("workers {} --forget {run_id}", nats.address()));
    assert!(again.code == 2 && again.err.contains(&run_id), "{} {}", again.code, again.err);
    // Somebody who died is followed by whoever asks next.
    let dying = Alive::start(&on(&one));
    wait_until("it is announced again", || nats.standing()["runs"][0]["run"].is_string());
    dying.kill();
    let _worker = nats.worker("");
    fine(&on(&one));
    assert_eq!(played(&one), 10);
}

/// Whatever the disk could not take is played again.
#[test]
fn a_full_disk_at_the_coordinator_loses_nothing() {
    let scratch = Scratch::new("cluster_disk");
    let file = scratch.write(
        "x.toml",
        "game = 'othello'\nkind = 'match'\nagents = ['pvs:depth=1', 'random']\ngames = 400\n",
    );
    let (here, there) = (scratch.path("here.sqlite"), scratch.path("there.sqlite"));
    fine(&format!("run {file} --db {here}"));
    let nats = Nats::start(&scratch, &[]);
    let _worker = nats.worker("");
    let on = format!("run {file} --db {there} --quiet --on {} {BEAT}", nats.address());
    // A file may not grow beyond this, and whoever tries is told so, not killed.
    let script = format!("trap '' XFSZ; ulimit -f 300; exec \"$0\" {on}");
    let mut full = Command::new("sh");
    let full = full.args(["-c", &script, env!("CARGO_BIN_EXE_warroom")]).output().expect("a shell");
    let said = String::from_utf8(full.stderr).expect("text");
    assert_eq!(full.status.code(), Some(4), "{said}");
    assert!(said.contains("there.sqlite"), "{said}");
    assert!(played(&there) < 400);
    fine(&on);
    assert_eq!(export(&there), export(&here));
}

/// Two runs at once have their share of the workers each; the shorter does not wait for the longer. One that is
/// stopped by Ctrl-C leaves nothing behind, and so does a worker that is terminated.
#[cfg(unix)]
#[test]
fn two_runs_share_the_workers() {
    let scratch = Scratch::new("cluster_two_runs");
    let nats = Nats::start(&scratch, &[]);
    let beat = "--heartbeat 0.2";
    let worker = || Alive::start(&format!("worker {} --threads 1 {beat}", nats.address()));
    let [one, _other] = [worker(), worker()];
    let file = |name: &str, games: u32| {
        scratch.write(
            name,
            &format!(
                "game = 'othello'\nkind = 'match'\nagents = ['uct:iterations=200', 'random']\n\
                 games = {games}\n"
            ),
        )
    };
    let (long, short) = (file("long.toml", 4000), file("short.toml", 300));
    let (db, other) = (scratch.path("long.sqlite"), scratch.path("short.sqlite"));
    // Chunks are as long as a heartbeat.
    let on = |file: &str, db: &str| format!("run {file} --db {db} --on {} {beat}", nats.address());
    let first = Alive::start(&on(&long, &db));
    wait_until("the long one is played", || played(&db) > 0);
    let second = Alive::start(&on(&short, &other));
    wait_until("both are under way", || played(&other) >= 20);
    let before = [played(&db), played(&other)];
    wait_until("the short one is nearly done", || played(&other) >= 220);
    let [long, short] = [played(&db) - before[0], played(&other) - before[1]];
    // Chunks are whole, so that a share is not exact.
    let share = long as f64 / (long + short) as f64;
    assert!((0.2..0.8).contains(&share), "{long} games of the long one, {short} of the short one");
    second.ends_well();
    assert!(played(&other) == 300 && played(&db) < 4000);
    for (process, signal) in [(first, "-INT"), (one, "-TERM")] {
        let kill = Command::new("kill").args([signal, &process.id().to_string()]).status();
        assert!(kill.is_ok_and(|status| status.success()));
        assert_eq!(process.ends(), 130, "it says that it was interrupted");
    }
    let standing = nats.standing();
    assert_eq!(standing["runs"], Value::Array(Vec::new()));
    assert_eq!(standing["workers"].as_array().map(Vec::len), Some(1), "{standing}");
    assert_eq!(nats.queues(), Vec::<String>::new());
}
