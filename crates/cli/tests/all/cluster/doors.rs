//! Who may come in, what a worker accepts, and the app.

use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Alive, BEAT, CREDENTIALS, Nats, PATIENCE, export, played, wait_until};
use crate::common::{Scratch, fine, run, run_with};
use crate::serve::serve;

/// Users of NATS say who they are in several ways.
#[test]
fn every_way_to_say_who_one_is_opens_the_door() {
    let scratch = Scratch::new("cluster_credentials");
    let file = scratch.write(
        "x.toml",
        "game = 'othello'\nkind = 'match'\nagents = ['greedy', 'random']\ngames = 2\n",
    );
    let data = |name: &str| format!("{CREDENTIALS}/{name}");
    let tls = vec![
        ("NATS_CA", data("ca.pem")),
        ("NATS_CERT", data("client.pem")),
        ("NATS_KEY", data("client.key")),
    ];
    let ways = [
        (["--auth", "opensesame"], "nats", vec![("NATS_TOKEN", "opensesame".into())]),
        (["-c", "nkey.conf"], "nats", vec![("NATS_NKEY", data("user.nkey"))]),
        (["-c", "creds.conf"], "nats", vec![("NATS_CREDS", data("user.creds"))]),
        (["-c", "tls.conf"], "tls", tls),
    ];
    for (number, (options, scheme, variables)) in ways.into_iter().enumerate() {
        let nats = Nats::start(&Scratch::new(&format!("cluster_credentials_{number}")), &options);
        let address = nats.address().replace("nats://", &format!("{scheme}://"));
        let refused = run(&format!("workers {address}"));
        assert!(refused.code != 0 && refused.err.contains(&address), "{}", refused.err);
        let _worker = Alive::start_in(&format!("worker {address} --threads 1 {BEAT}"), &variables);
        let db = scratch.path(&format!("{number}.sqlite"));
        let on = format!("run {file} --db {db} --on {address} {BEAT}");
        Alive::start_in(&on, &variables).ends_well();
        let stored = fs::read(&db).expect("a database");
        assert!(!stored.windows(10).any(|bytes| bytes == b"opensesame"), "a secret is stored");
    }
    let missing = [("NATS_CREDS", data("none.creds"))];
    let mut command = crate::common::warroom("workers nats://127.0.0.1:1");
    let said = command.envs(missing).output().expect("it starts");
    let said = String::from_utf8(said.stderr).expect("text");
    assert!(said.contains("$NATS_CREDS: cannot read") && said.contains("none.creds"), "{said}");
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
    for secret in ["nats://ann:hush@127.0.0.1", "nats//ann:hush@127.0.0.1", "nats://ann:hush@h/x"] {
        for line in [
            format!("workers {secret}"),
            format!("worker {secret}"),
            format!("run {file} --db {db} --on {secret}"),
        ] {
            let err = refused(&line, None);
            assert!(!err.contains("hush") && err.contains("NATS_PASSWORD"), "{line}: {err}");
        }
    }
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
if any(name.startswith("NATS_") for name in os.environ):
    sys.exit("it could connect to the server")
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
    // An interpreter alone is not enough: it does whatever it is told.
    let bold = nats.worker("--allow-program python3 --name bold");
    let waiting = Alive::start(&on);
    wait_until("the interpreter alone is refused", || {
        fine(&format!("workers {}", nats.address())).contains("with the argument")
    });
    waiting.kill();
    drop(bold);
    let allowed = ["python3", &program, &marker].map(|file| format!("--allow-program {file}"));
    let daring =
        format!("worker {} --threads 1 {BEAT} {} --name daring", nats.address(), allowed.join(" "));
    // What opens the server is for the worker, not for what it plays.
    let _daring = Alive::start_in(&daring, &[("NATS_PASSWORD", "nobody asks for it".into())]);
    let stopped = run(&on);
    assert_eq!(stopped.code, 4, "{}", stopped.err);
    assert!(stopped.err.contains("it ended its player"), "{}", stopped.err);
    assert!(stopped.err.contains("left out"), "{}", stopped.err);
    let there = played(&db);
    assert!((1..16).contains(&there), "{there} games");
    assert_eq!(nats.queues(), Vec::<String>::new(), "nothing is left behind");
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

/// Where one run asks for two threads a game, the games of another still fill all threads in their turns.
#[cfg(target_os = "linux")]
#[test]
fn runs_of_one_thread_and_of_several_share_a_worker() {
    let scratch = Scratch::new("cluster_threads");
    let nats = Nats::start(&scratch, &[]);
    let start = |name: &str, agent: &str| {
        let text = format!(
            "game = 'othello'\nkind = 'match'\nagents = ['{agent}', 'random']\ngames = 4000\n"
        );
        let file = scratch.write(&format!("{name}.toml"), &text);
        let db = scratch.path(name);
        Alive::start(&format!(
            "run {file} --db {db} --quiet --on {} --heartbeat 0.2",
            nats.address()
        ))
    };
    let _runs =
        [start("wide", "uct:iterations=100,threads=2"), start("narrow", "uct:iterations=100")];
    let worker = nats.worker("--threads 2");
    let there = || ["wide", "narrow"].map(|name| played(&scratch.path(name)));
    wait_until("both are played", || there().iter().all(|&games| games > 10));
    let children = format!("/proc/{0}/task/{0}/children", worker.id());
    let players = || fs::read_to_string(&children).map_or(0, |list| list.split(' ').count() - 1);
    // By now nobody proves anything any more; one that ends is there for a moment beside the next.
    wait_until("two games are played at a time", || {
        (0..8).all(|_| {
            sleep(Duration::from_millis(15));
            players() >= 2
        })
    });
    let before = there();
    wait_until("neither waits for the other", || {
        there().iter().zip(&before).all(|(now, before)| now > before)
    });
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
    let request = json!({ "name": "x", "text": text });
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
