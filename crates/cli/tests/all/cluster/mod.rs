//! Runs on many machines: a real NATS server, real processes, and what dies in the middle.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU16, Ordering};
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

use serde_json::Value;
use store::Store;

mod doors;
mod examples;
mod losses;
mod runs;
mod trust;

use crate::common::{Scratch, fine, json};

/// Long for what takes a second or two.
pub(super) const PATIENCE: Duration = Duration::from_secs(120);

/// Signs of life as often as a test can wait for their absence.
pub(super) const BEAT: &str = "--heartbeat 0.5";

/// Keys and configurations of servers that ask for them.
pub(super) const CREDENTIALS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/nats");

/// A process that ends with the test.
pub(super) struct Alive(Child);

impl Alive {
    pub(super) fn start(line: &str) -> Self {
        Self::start_in(line, &[])
    }

    /// With variables of the environment.
    pub(super) fn start_in(line: &str, variables: &[(&str, String)]) -> Self {
        let mut command = Self::command(env!("CARGO_BIN_EXE_warroom"), line);
        command.envs(variables.iter().map(|(name, value)| (name, value)));
        Self(command.spawn().expect("the binary starts"))
    }

    /// By a copy of the program.
    pub(super) fn start_program(program: &str, line: &str) -> Self {
        Self(Self::command(program, line).spawn().expect("the copy starts"))
    }

    /// What it says to people goes into a file.
    pub(super) fn start_saying(line: &str, file: &str) -> Self {
        Self::start_program_saying(env!("CARGO_BIN_EXE_warroom"), line, file)
    }

    /// The same with one core, of which it takes what it plays itself.
    #[cfg(target_os = "linux")]
    pub(super) fn start_saying_on_one_core(line: &str, file: &str) -> Self {
        let status = fs::read_to_string("/proc/self/status").expect("Linux");
        let allowed = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
        let first = allowed.expect("a list").trim().split(['-', ',']).next().expect("a core");
        let line = format!("-c {first} {} {line}", env!("CARGO_BIN_EXE_warroom"));
        Self::start_program_saying("taskset", &line, file)
    }

    fn start_program_saying(program: &str, line: &str, file: &str) -> Self {
        let mut command = Self::command(program, line);
        command.stderr(fs::File::create(file).expect("a file"));
        Self(command.spawn().expect("the binary starts"))
    }

    fn command(program: &str, line: &str) -> Command {
        let mut command = Command::new(program);
        command.args(line.split_whitespace().map(|word| word.replace('%', " ")));
        // What it says is little, and read only if it ends badly.
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        command
    }

    /// The status with which it ends.
    pub(super) fn ends(mut self) -> i32 {
        self.0.wait().expect("it ends").code().expect("nobody killed it")
    }

    /// The number of its process.
    pub(super) fn id(&self) -> u32 {
        self.0.id()
    }

    /// Like `kill -9`.
    pub(super) fn kill(mut self) {
        self.0.kill().expect("it runs");
        self.0.wait().expect("it ends");
    }

    pub(super) fn ends_well(mut self) {
        let status = self.0.wait().expect("it ends");
        let mut said = String::new();
        let heard = self.0.stderr.take().map(|mut stderr| stderr.read_to_string(&mut said));
        assert!(status.success(), "{status}: {said} {heard:?}");
    }
}

impl Drop for Alive {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// The program of the server: named by $NATS_SERVER, where `cargo xtask test` puts it, or in the PATH.
pub(super) fn program() -> PathBuf {
    if let Some(named) = std::env::var_os("NATS_SERVER") {
        return named.into();
    }
    let fetched = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../nats/bin/nats-server");
    if fetched.is_file() { fetched } else { "nats-server".into() }
}

/// A port below those that the system gives to connections: one of these could be taken between being
/// found and being used, even by the connection that asks whether the server listens.
pub(super) fn free_port() -> u16 {
    static TRIED: AtomicU16 = AtomicU16::new(0);
    loop {
        let tried = u32::from(TRIED.fetch_add(1, Ordering::Relaxed));
        let port = 10_000 + (std::process::id() * 64 + tried) % 20_000;
        if TcpListener::bind(("127.0.0.1", port as u16)).is_ok() {
            return port as u16;
        }
    }
}

/// A server with a folder and a port of its own.
pub(super) struct Nats {
    folder: String,
    port: u16,
    options: Vec<&'static str>,
    process: Option<Alive>,
}

impl Nats {
    pub(super) fn start(scratch: &Scratch, options: &[&'static str]) -> Self {
        let port = free_port();
        let mut nats = Self {
            folder: scratch.path("jetstream"),
            port,
            options: options.into(),
            process: None,
        };
        nats.start_again();
        nats
    }

    pub(super) fn start_again(&mut self) {
        let mut command = Command::new(program());
        command.args(["--jetstream", "--addr", "127.0.0.1", "--store_dir", &self.folder]);
        command.args(["--port", &self.port.to_string()]).args(&self.options);
        // Where configurations find their certificates.
        command.current_dir(CREDENTIALS);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        self.begin(&mut command);
    }

    /// A server with this command, which makes it keep its things in this folder.
    pub(super) fn of(command: &mut Command, folder: String, port: u16) -> Self {
        let mut nats = Self { folder, port, options: Vec::new(), process: None };
        nats.begin(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()));
        nats
    }

    fn begin(&mut self, command: &mut Command) {
        let child = command.spawn().unwrap_or_else(|error| {
            panic!("nats-server: {error}; `cargo xtask test tests` installs one")
        });
        self.process = Some(Alive(child));
        wait_until("the server listens", || TcpStream::connect(("127.0.0.1", self.port)).is_ok());
    }

    /// Asks the server for something as any client does, and hears its answer.
    pub(super) fn ask(&self, subject: &str, what: &str) -> String {
        let mut wire = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        let length = what.len();
        let said = format!(
            "CONNECT {{\"verbose\":false}}\r\nSUB answer 1\r\nPUB {subject} answer {length}\r\n{what}\r\n"
        );
        wire.write_all(said.as_bytes()).expect("it hears");
        let mut lines = BufReader::new(wire).lines().map(|line| line.expect("it speaks"));
        lines.find(|line| line.starts_with("MSG answer")).expect("it answers");
        lines.next().expect("an answer has a text")
    }

    pub(super) fn kill(&mut self) {
        self.process.take().expect("it runs").kill();
    }

    pub(super) fn address(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    pub(super) fn worker(&self, flags: &str) -> Alive {
        let threads = if flags.contains("--threads") { "" } else { "--threads 1" };
        Alive::start(&format!("worker {} {threads} {BEAT} {flags}", self.address()))
    }

    pub(super) fn standing(&self) -> Value {
        json(&format!("workers {} --json", self.address()))
    }

    /// What it keeps on its disk besides the board and the files.
    pub(super) fn queues(&self) -> Vec<String> {
        let streams = Path::new(&self.folder).join("jetstream/$G/streams");
        let there = fs::read_dir(streams).expect("the server has a folder");
        let names = there.map(|entry| entry.expect("an entry").file_name().into_string().unwrap());
        names.filter(|name| name.starts_with("warroom-")).collect()
    }
}

/// A connection to a server that can be cut: nothing goes through, and nobody is told.
pub(super) struct Wire {
    address: String,
    is_cut: Arc<AtomicBool>,
}

impl Wire {
    pub(super) fn to(port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let address = format!("nats://{}", listener.local_addr().expect("it has an address"));
        let is_cut = Arc::new(AtomicBool::new(false));
        let cut = Arc::clone(&is_cut);
        // Both end with the test program.
        spawn(move || {
            for near in listener.incoming().flatten() {
                let Ok(far) = TcpStream::connect(("127.0.0.1", port)) else { continue };
                let ends = [(&near, &far), (&far, &near)].map(|(from, to)| {
                    [from, to].map(|end| end.try_clone().expect("one more handle"))
                });
                for [from, to] in ends {
                    let cut = Arc::clone(&cut);
                    spawn(move || carry(from, to, &cut));
                }
            }
        });
        Self { address, is_cut }
    }
}

pub(super) fn carry(mut from: TcpStream, mut to: TcpStream, cut: &AtomicBool) {
    let mut bytes = [0; 1 << 14];
    while let Ok(count @ 1..) = from.read(&mut bytes) {
        while cut.load(Ordering::SeqCst) {
            sleep(Duration::from_millis(20));
        }
        if to.write_all(&bytes[..count]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
}

/// Whether times are those of a real cluster: `cargo xtask soak`.
pub(super) fn is_soak() -> bool {
    std::env::var_os("WARROOM_SOAK_GAMES").is_some()
}

pub(super) fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < PATIENCE, "in vain: {what}");
        sleep(Duration::from_millis(60));
    }
}

/// Games that are there, asked for often: without a process.
pub(super) fn played(db: &str) -> u64 {
    let Ok(store) = Store::open_existing(Path::new(db)) else { return 0 };
    let runs = store.runs().unwrap_or_default();
    runs.first().and_then(|run| store.count(run).ok()).unwrap_or(0)
}

pub(super) fn export(db: &str) -> String {
    fine(&format!("runs export latest --no-times --db {db}"))
}
