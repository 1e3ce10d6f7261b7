//! The files of `examples/cluster` say what users are to run: here it is run, as it stands there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Alive, Nats, free_port, program, wait_until};
use crate::common::{Scratch, fine};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/cluster");

fn example(name: &str) -> String {
    fs::read_to_string(format!("{FOLDER}/{name}")).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// What follows `key` in the lines where it comes first.
fn values<'a>(text: &'a str, key: &str) -> Vec<&'a str> {
    text.lines().filter_map(|line| line.trim().strip_prefix(key)).map(str::trim).collect()
}

/// The words of a list as JSON, Dockerfiles and one-line YAML write it.
fn list(text: &str) -> Vec<String> {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The server of the example with another port and folder, and its password.
fn server(scratch: &Scratch) -> Nats {
    let port = free_port();
    let folder = scratch.path("jetstream");
    let config = example("nats.conf")
        .replace("port: 4222", &format!("port: {port}"))
        .replace("/var/lib/nats", &folder);
    let config = scratch.write("nats.conf", &config);
    let compose = example("compose.yaml");
    let [words, _] = &values(&compose, "command: ")[..] else { panic!("two services: {compose}") };
    let words: Vec<String> = list(words)
        .into_iter()
        .map(|word| if word == "/etc/nats/nats.conf" { config.clone() } else { word })
        .collect();
    assert!(compose.contains("- ./nats.conf:/etc/nats/nats.conf:ro"));
    let mut server = Command::new(program());
    let server = server.args(words).env("WARROOM_PASSWORD", "opensesame");
    Nats::of(server, folder, port)
}

/// What the users of the example know.
fn known() -> Vec<(&'static str, String)> {
    vec![("NATS_USER", "warroom".to_owned()), ("NATS_PASSWORD", "opensesame".to_owned())]
}

/// A worker that is started so is seen, ends as its manager asks it to, and says so as its manager expects.
fn works(words: &[String], address: &str, signal: &str, status: i32) {
    let line = words.join(" ");
    let worker = Alive::start_in(&line, &known());
    let seen = || {
        let mut command = crate::common::warroom(&format!("workers {address} --json"));
        let said = command.envs(known()).output().expect("it starts").stdout;
        String::from_utf8_lossy(&said).contains(&format!("\"process\": {}", worker.id()))
    };
    wait_until("the worker is seen", seen);
    let kill =
        Command::new("kill").args([&format!("-{signal}"), &worker.id().to_string()]).status();
    assert!(kill.is_ok_and(|status| status.success()));
    assert_eq!(worker.ends(), status, "{line}");
}

#[cfg(target_os = "linux")]
#[test]
fn services_and_containers_start_and_end_workers_as_their_files_say() {
    let scratch = Scratch::new("cluster_examples");
    let nats = server(&scratch);
    let address = nats.address();
    let compose = example("compose.yaml");
    let of_worker = list(values(&compose, "command: ")[1]);
    let docker = example("Dockerfile");
    assert_eq!(list(values(&docker, "ENTRYPOINT ")[0]), ["warroom"]);
    let words: Vec<String> = of_worker
        .iter()
        .map(|word| word.replace("${SERVER:-nats://nats:4222}", &address))
        .collect();
    let signal = values(&compose, "stop_signal: ")[0];
    assert_eq!(values(&docker, "STOPSIGNAL "), [signal]);
    let user = format!("NATS_USER: {}", known()[0].1);
    assert!(compose.contains(&user) && compose.contains("NATS_PASSWORD: ${NATS_PASSWORD"));
    works(&words, &address, signal.strip_prefix("SIG").unwrap(), 130);

    let unit = example("warroom-worker.service");
    let [start] = values(&unit, "ExecStart=")[..] else { panic!("one command: {unit}") };
    let start = start.strip_prefix("/usr/local/bin/warroom ").expect("its program");
    let words = start.replace("${SERVER}", &address);
    let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
    let status = values(&unit, "SuccessExitStatus=")[0].parse().expect("a number");
    let signal = values(&unit, "KillSignal=SIG")[0];
    works(&words, &address, signal, status);
    // Of a wrong password it says what does not become right by trying again.
    let refused = crate::common::warroom(&words.join(" ")).env("NATS_USER", "x").output();
    let never = values(&unit, "RestartPreventExitStatus=")[0].parse().expect("a number");
    assert_eq!(refused.expect("it starts").status.code(), Some(never));
    let own = unit.replace("/usr/local/bin/warroom", env!("CARGO_BIN_EXE_warroom"));
    let own = scratch.write("warroom-worker.service", &own);
    // Where there is no systemd, nobody starts it.
    if let Ok(said) = Command::new("systemd-analyze").args(["verify", &own]).output() {
        let said = String::from_utf8_lossy(&said.stderr).into_owned();
        let ours: Vec<&str> = said.lines().filter(|line| line.contains(&own)).collect();
        assert_eq!(ours, Vec::<&str>::new());
    }
}

/// How the container is built, with what cargo knows; and the job of Kubernetes, one shard of it.
#[test]
fn the_container_and_the_job_ask_for_what_there_is() {
    let docker = example("Dockerfile");
    let build = values(&docker, "RUN cargo install ")[0];
    let words: Vec<&str> = build.split(' ').collect();
    let after = |flag: &str| words.iter().skip_while(|word| **word != flag).nth(1).copied();
    let root = Path::new(FOLDER).join("../..");
    let folder: PathBuf = root.join(after("--path").expect("what to build"));
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).expect("a crate");
    let feature = after("--features").expect("what it is to know");
    assert!(manifest.lines().any(|line| line.starts_with(&format!("{feature} = "))), "{feature}");
    assert!(words.contains(&"--locked") && root.join("Cargo.lock").is_file());
    let compiler = fs::read_to_string(root.join("rust-toolchain.toml")).expect("a toolchain");
    let image = values(&docker, "FROM rust:")[0].split('-').next().unwrap_or_default();
    assert!(compiler.contains(&format!("\"{image}")), "rust {image}: {compiler}");

    let scratch = Scratch::new("cluster_job");
    let runs = scratch.path("runs");
    fs::create_dir(&runs).expect("a folder");
    let text = "game = 'othello'\nkind = 'match'\nagents = ['greedy', 'random']\ngames = 64\n";
    fs::write(format!("{runs}/x.toml"), text).expect("a file");
    let job = example("job.yaml");
    assert!(job.contains("command: [\"sh\", \"-c\"]"));
    let lines = job.lines().map(str::trim).skip_while(|line| *line != "args:").skip(1);
    let script: Vec<&str> = lines.take_while(|line| !line.starts_with("volumeMounts")).collect();
    let script = script.join(" ").trim_start_matches("- ").replace("/runs/", &format!("{runs}/"));
    let script = script.replace("exec warroom", &format!("exec {}", env!("CARGO_BIN_EXE_warroom")));
    let shards: u64 = values(&job, "completions: ")[0].parse().expect("a number");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script]).env("JOB_COMPLETION_INDEX", (shards - 1).to_string());
    let said = shell.output().expect("a shell");
    assert!(said.status.success(), "{script}: {said:?}");
    let part = format!("{runs}/part-{}.sqlite", shards - 1);
    let listed = fine(&format!("runs --db {part}"));
    assert!(listed.contains(&(64 / shards).to_string()), "{listed}");
}
