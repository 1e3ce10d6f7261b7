//! Runs on many machines: a real NATS server, real processes, and what dies in the middle.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json as object};

use crate::common::{Ran, Scratch, fine, json, run, run_with};
use crate::serve::serve;

/// Long for what takes a second or two.
const PATIENCE: Duration = Duration::from_secs(120);

/// Signs of life as often as a test can wait for their absence.
const BEAT: &str = "--heartbeat 0.5";

/// A process that ends with the test.
struct Alive(Child);

impl Alive {
    fn start(line: &str) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_warroom"));
        command.args(line.split_whitespace().map(|word| word.replace('%', " ")));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        Self(command.spawn().expect("the binary starts"))
    }

    /// Like `kill -9`.
    fn kill(mut self) {
        self.0.kill().expect("it runs");
        self.0.wait().expect("it ends");
    }

    fn ends_well(mut self) {
        let status = self.0.wait().expect("it ends");
        assert!(status.success(), "{status}");
    }
}

impl Drop for Alive {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// The program of the server: named by $NATS_SERVER, where `cargo xtask test` puts it, or in the PATH.
fn program() -> PathBuf {
    if let Some(named) = std::env::var_os("NATS_SERVER") {
        return named.into();
    }
    let fetched = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../nats/bin/nats-server");
    if fetched.is_file() { fetched } else { "nats-server".into() }
}

/// A server with a folder and a port of its own.
struct Nats {
    folder: String,
    port: u16,
    options: Vec<&'static str>,
    process: Option<Alive>,
}

impl Nats {
    fn start(scratch: &Scratch, options: &[&'static str]) -> Self {
        let free = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let port = free.local_addr().expect("it has an address").port();
        drop(free);
        let mut nats = Self {
            folder: scratch.path("jetstream"),
            port,
            options: options.into(),
            process: None,
        };
        nats.start_again();
        nats
    }

    fn start_again(&mut self) {
        let mut command = Command::new(program());
        command.args(["--jetstream", "--addr", "127.0.0.1", "--store_dir", &self.folder]);
        command.args(["--port", &self.port.to_string()]).args(&self.options);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let child = command.spawn().unwrap_or_else(|error| {
            panic!("nats-server: {error}; `cargo xtask test tests` installs one")
        });
        self.process = Some(Alive(child));
        wait_until("the server listens", || TcpStream::connect(("127.0.0.1", self.port)).is_ok());
    }

    fn kill(&mut self) {
        self.process.take().expect("it runs").kill();
    }

    fn address(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    fn worker(&self, flags: &str) -> Alive {
        let threads = if flags.contains("--threads") { "" } else { "--threads 1" };
        Alive::start(&format!("worker {} {threads} {BEAT} {flags}", self.address()))
    }

    fn standing(&self) -> Value {
        json(&format!("workers {} --json", self.address()))
    }

    /// What it keeps on its disk besides the board and the files.
    fn queues(&self) -> Vec<String> {
        let streams = Path::new(&self.folder).join("jetstream/$G/streams");
        let there = fs::read_dir(streams).expect("the server has a folder");
        let names = there.map(|entry| entry.expect("an entry").file_name().into_string().unwrap());
        names.filter(|name| name.starts_with("warroom-")).collect()
    }
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < PATIENCE, "in vain: {what}");
        sleep(Duration::from_millis(20));
    }
}

fn played(db: &str) -> u64 {
    if !Path::new(db).exists() {
        return 0;
    }
    let Ran { out, .. } = run(&format!("runs --db {db} --json"));
    let listed: Value = serde_json::from_str(&out).unwrap_or_default();
    listed["runs"][0]["played"].as_u64().unwrap_or(0)
}

fn export(db: &str) -> String {
    fine(&format!("runs export latest --no-times --db {db}"))
}

/// A file of every kind of experiment, all of them short.
const KINDS: [(&str, &str); 5] = [
    ("match", "kind = 'match'\nagents = ['pvs:depth=2', 'random']\nsetups = []\ngames = 60\n"),
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
    let workers = [nats.worker(""), nats.worker("--threads 2")];
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
    let file = scratch.write(
        "x.toml",
        "game = 'othello'\nkind = 'round-robin'\n\
         agents = ['uct:iterations=150', 'greedy', 'pvs:depth=3']\ngames = 160\n",
    );
    let (here, there) = (scratch.path("here.sqlite"), scratch.path("there.sqlite"));
    fine(&format!("run {file} --db {here}"));
    let mut nats = Nats::start(&scratch, &[]);
    let [first, second, _third] = [nats.worker(""), nats.worker(""), nats.worker("")];
    let on = format!("run {file} --db {there} --quiet --on {} {BEAT}", nats.address());
    let coordinator = Alive::start(&on);
    wait_until("the first games", || played(&there) >= 20);
    first.kill();
    second.kill();
    let _fourth = nats.worker("");
    wait_until("games of whoever came", || played(&there) >= 60);
    nats.kill();
    sleep(Duration::from_millis(700));
    nats.start_again();
    let before = played(&there);
    wait_until("games after the server was away", || played(&there) >= before + 40);
    coordinator.kill();
    assert!(played(&there) < 480, "too quick to be killed");
    Alive::start(&on).ends_well();
    assert_eq!(export(&there), export(&here));
    assert!(
        fine(&format!("runs verify latest --db {there}")).contains("480 games replayed, no diff")
    );
    assert_eq!(nats.queues(), Vec::<String>::new());
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

/// What is wrong with a server, an address or a password is said at once.
#[test]
fn who_may_not_connect_is_told_at_once() {
    let scratch = Scratch::new("cluster_refused");
    let nats = Nats::start(&scratch, &["--user", "ann", "--pass", "right"]);
    let file = scratch.write(
        "x.toml",
        "game = 'othello'\nkind = 'match'\nagents = ['greedy', 'random']\ngames = 2\n",
    );
    let db = scratch.path("a.sqlite");
    let began = Instant::now();
    let refused = |line: &str, user: Option<&str>| {
        let mut command = crate::common::warroom(line);
        if let Some(password) = user {
            command.env("NATS_USER", "ann").env("NATS_PASSWORD", password);
        }
        let output = command.timeout(PATIENCE).output().expect("it starts and ends");
        let err = String::from_utf8(output.stderr).expect("output is UTF-8");
        assert!(!output.status.success() && !err.contains("wrong-word"), "{line}: {err}");
        err
    };
    let address = nats.address();
    for line in [
        format!("run {file} --db {db} --on {address}"),
        format!("worker {address}"),
        format!("workers {address}"),
    ] {
        for password in [None, Some("wrong-word")] {
            let err = refused(&line, password);
            assert!(err.contains(&address) && err.contains("refuses us"), "{line}: {err}");
        }
    }
    let err = refused("workers nats://127.0.0.1:1", None);
    assert!(err.contains("nats://127.0.0.1:1"), "{err}");
    let err = refused("workers http://somewhere", None);
    assert!(err.contains("http://somewhere") && err.contains("nats://"), "{err}");
    let err = refused("workers nats://ann:right@127.0.0.1", None);
    assert!(!err.contains("right") && err.contains("NATS_PASSWORD"), "{err}");
    assert!(began.elapsed() < PATIENCE / 2, "{:?}", began.elapsed());
    let allowed = crate::common::warroom(&format!("workers {address}"))
        .env("NATS_USER", "ann")
        .env("NATS_PASSWORD", "right")
        .output()
        .expect("it starts and ends");
    assert!(allowed.status.success());
}

/// Plays the first action there is; where the game began in one of some ways and a file lies there, it
/// ends whoever asked.
const KILLER: &str = r#"
import json, os, signal, sys
marker = sys.argv[1]
first = None
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "game":
        first = None
    if message["type"] != "decide":
        continue
    if first is None:
        first = sum(json.dumps(message["view"]).encode()) % 3
    if first == 0 and os.path.exists(marker):
        os.kill(os.getppid(), signal.SIGKILL)
    print(json.dumps({"action": message["legal"][0]}), flush=True)
"#;

/// A game that ends its player three times is named and left out, all others are played; programs run
/// only where the worker was told of them.
#[test]
fn a_game_that_ends_its_player_is_left_out_until_asked_for_again() {
    let scratch = Scratch::new("cluster_killer");
    let program = scratch.write("killer.py", KILLER);
    let marker = scratch.write("deadly", "");
    let file = scratch.write(
        "x.toml",
        &format!(
            "game = 'othello'\nkind = 'match'\nagents = ['exec:python3 {program} {marker}', 'random']\n\
             games = 16\n"
        ),
    );
    let nats = Nats::start(&scratch, &[]);
    let db = scratch.path("a.sqlite");
    let on = format!("run {file} --db {db} --on {} {BEAT}", nats.address());
    let wary = nats.worker("");
    let waiting = Alive::start(&on);
    wait_until("it is refused", || {
        fine(&format!("workers {}", nats.address())).contains("not told to allow")
    });
    waiting.kill();
    drop(wary);
    let _daring = nats.worker("--allow-program python3 --name daring");
    let stopped = run(&on);
    assert_eq!(stopped.code, 4, "{}", stopped.err);
    assert!(stopped.err.contains("it ended its player"), "{}", stopped.err);
    assert!(stopped.err.contains("left out"), "{}", stopped.err);
    let there = played(&db);
    assert!((1..16).contains(&there), "{there} games");
    fs::remove_file(&marker).expect("it is there");
    fine(&on);
    assert_eq!(played(&db), 16);
    // Who played what is known, and no part of what is compared.
    let rows = fine(&format!("runs export latest --db {db}"));
    assert!(rows.lines().all(|line| line.contains(",host") || line.contains(",daring")), "{rows}");
    assert!(!export(&db).contains("host") && !export(&db).contains("daring"));
}

/// A worker keeps to what it was started with, whatever it is asked.
#[test]
fn a_worker_refuses_what_its_machine_cannot_hold() {
    let scratch = Scratch::new("cluster_limits");
    let file = scratch.write(
        "x.toml",
        "game = 'othello'\nkind = 'match'\nagents = ['pvs:depth=2,table=deeper,table.mb=512', 'random']\n\
         games = 4\n",
    );
    let nats = Nats::start(&scratch, &[]);
    let _small = nats.worker("--memory 256");
    let db = scratch.path("a.sqlite");
    let on = format!("run {file} --db {db} --on {} {BEAT}", nats.address());
    let coordinator = Alive::start(&on);
    wait_until("the small one says why not", || {
        let said = fine(&format!("workers {}", nats.address()));
        said.contains("does not play run") && said.contains("MiB")
    });
    let _large = nats.worker("--memory 4096");
    coordinator.ends_well();
    assert_eq!(played(&db), 4);
    let wrong = run_with(&format!("worker {} --threads 0", nats.address()), "");
    assert!(wrong.code == 2 && wrong.err.contains('0'), "{}", wrong.err);
}

/// Equal times are unequal thought on unequal machines, and the run says who played what.
#[test]
fn time_budgets_on_several_machines_are_marked() {
    let scratch = Scratch::new("cluster_mixed");
    let file = scratch.write(
        "x.toml",
        "game = 'othello'\nkind = 'match'\nagents = ['uct:ms=1', 'random']\ngames = 60\n",
    );
    let nats = Nats::start(&scratch, &[]);
    let _two = [nats.worker("--name fast"), nats.worker("--name slow")];
    wait_until("both are there", || {
        nats.standing()["workers"].as_array().is_some_and(|all| all.len() == 2)
    });
    let db = scratch.path("a.sqlite");
    let said = fine(&format!("run {file} --db {db} --on {} {BEAT}", nats.address()));
    assert!(said.contains("Mixed machines: 2 of them") && said.contains("(fast, slow)"), "{said}");
    let rows = fine(&format!("runs export latest --db {db}"));
    assert!(rows.contains(",fast") && rows.contains(",slow"), "{rows}");
}

/// Two runs at once have their share of the workers each; the shorter does not wait for the longer.
#[test]
fn two_runs_share_the_workers() {
    let scratch = Scratch::new("cluster_two_runs");
    let nats = Nats::start(&scratch, &[]);
    let _workers = [nats.worker(""), nats.worker("")];
    let file = |name: &str, games: u32| {
        scratch.write(
            name,
            &format!(
                "game = 'othello'\nkind = 'match'\nagents = ['uct:iterations=200', 'random']\n\
                 games = {games}\n"
            ),
        )
    };
    let (long, short) = (file("long.toml", 4000), file("short.toml", 60));
    let (db, other) = (scratch.path("long.sqlite"), scratch.path("short.sqlite"));
    let on = |file: &str, db: &str| format!("run {file} --db {db} --on {} {BEAT}", nats.address());
    let first = Alive::start(&on(&long, &db));
    wait_until("the long one is played", || played(&db) > 0);
    let before = played(&db);
    fine(&on(&short, &other));
    let after = played(&db);
    assert!(played(&other) == 60 && after < 4000, "{after}");
    assert!(after > before, "the long one goes on meanwhile");
    drop(first);
}

/// The lab of the app lets workers play and shows them; a run that it stops is gone on with anywhere.
#[test]
fn the_app_lets_workers_play_its_runs() {
    let scratch = Scratch::new("cluster_app");
    let nats = Nats::start(&scratch, &[]);
    let (db, here) = (scratch.path("app.sqlite"), scratch.path("here.sqlite"));
    let words = ["--on", &nats.address(), "--heartbeat", "0.5"];
    let app = serve(Path::new(&db), &words);
    let text = "game = 'othello'\nkind = 'match'\nagents = ['uct:iterations=100', 'random']\n\
                games = 60\n";
    let request = object!({ "name": "x", "text": text });
    let workers = || app.json("GET", "/api/workers", &Value::Null);
    assert_eq!(workers()["server"], nats.address());
    let run_id = app.json("POST", "/api/runs", &request)["id"].as_str().unwrap().to_owned();
    wait_until("the run is announced", || workers()["status"]["runs"][0]["run"] == run_id[..]);
    let _worker = nats.worker("--name ann");
    wait_until("the worker is seen", || {
        workers()["status"]["workers"][0]["worker"]["host"] == "ann"
    });
    wait_until("it plays", || played(&db) > 0);
    app.json("POST", &format!("/api/runs/{run_id}/stop"), &Value::Null);
    assert_eq!(nats.queues(), Vec::<String>::new(), "nothing is left behind");
    app.json("POST", &format!("/api/runs/{run_id}/resume"), &Value::Null);
    wait_until("it is finished", || {
        app.json("GET", &format!("/api/runs/{run_id}"), &Value::Null)["card"]["state"] == "finished"
    });
    let file = scratch.write("x.toml", text);
    fine(&format!("run {file} --db {here}"));
    assert_eq!(export(&db), export(&here));
    let refused = run(&format!("serve --port 0 --db {here} --on nats://127.0.0.1:1"));
    assert!(refused.code == 4 && refused.err.contains("127.0.0.1:1"), "{}", refused.err);
}
