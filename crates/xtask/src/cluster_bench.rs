//! What a cluster costs beside its games, and how far it grows: measured on this machine, printed as tables.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, ensure};

use crate::cluster::Cluster;
use crate::process::{self, Workspace};

/// Games of about 50 ms on a machine of today. Workers prove themselves by some, and one in a hundred is played again.
const USUAL: &str =
    "kind = 'match'\nagents = ['uct:iterations=2400', 'uct:iterations=2401']\ngames = 1200\n";

/// As many games a second as a program of ours can play.
const QUICKEST: &str = "kind = 'match'\nagents = [{ name = 'a', spec = 'random' }, \
                        { name = 'b', spec = 'random' }]\ngames = 40000\n";

/// Numbers of worker processes, and games of each.
const CROWDS: [usize; 4] = [1, 4, 16, 64];
const GAMES_OF_EACH: usize = 40;

/// Milliseconds that a game of the sleeping agent takes.
const NAP: u32 = 1000;

/// Processor seconds of a run by who used them.
#[derive(Clone, Copy, Debug, Default)]
struct Used {
    coordinator: f64,
    server: f64,
    workers: f64,
    players: f64,
    seconds: f64,
}

/// Prints what was measured.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let release = ["build", "--release", "--locked"];
    let warroom = ["--package", "cli", "--features", "nats", "--bin", "warroom"];
    process::run(workspace.cargo().args(release).args(warroom))?;
    let sleeper = ["--package", "testkit", "--example", "sleeper"];
    process::run(workspace.cargo().args(release).args(sleeper))?;
    let built = workspace.target()?.join("release");
    let bench = Bench { workspace, folder: workspace.target()?.join("cluster-bench"), built };
    println!(
        "processor seconds   games  players  workers  nats-server  coordinator  beside the players"
    );
    for (name, text, workers) in [("usual games", USUAL, 2), ("quickest games", QUICKEST, 2)] {
        let (games, used) = bench.measure(name, text, workers, &[])?;
        let beside = used.coordinator + used.server + used.workers;
        println!(
            "{name:<18} {games:>6} {:>8.2} {:>8.2} {:>12.2} {:>12.2}  {:.1} %",
            used.players,
            used.workers,
            used.server,
            used.coordinator,
            100.0 * beside / used.players,
        );
        if text == QUICKEST {
            let limit = games as f64 / used.coordinator;
            println!("a coordinator that has a core stores {limit:.0} games a second at most");
        }
    }
    println!("\nworkers  games  seconds  games/s  of linear    (games that sleep for {NAP} ms)");
    let program = bench.built.join("examples/sleeper");
    let program = program.to_str().context("the path of the sleeper is text")?;
    for workers in CROWDS {
        let text = format!(
            "kind = 'match'\nagents = ['exec:{program} {NAP}', 'random']\ngames = {}\n",
            workers * GAMES_OF_EACH
        );
        let command = format!("{program} {NAP}");
        let allow = ["--allow-program", &command];
        let (games, used) =
            bench.measure(&format!("{workers}-sleepers"), &text, workers, &allow)?;
        let rate = games as f64 / used.seconds;
        let linear = workers as f64 * 1000.0 / f64::from(NAP);
        let share = 100.0 * rate / linear;
        println!("{workers:>7} {games:>6} {:>8.1} {rate:>8.2}  {share:.1} %", used.seconds);
    }
    Ok(())
}

struct Bench<'a> {
    workspace: &'a Workspace,
    folder: PathBuf,
    built: PathBuf,
}

impl Bench<'_> {
    /// Lets so many workers play an experiment: games, and what they took.
    fn measure(
        &self,
        name: &str,
        text: &str,
        workers: usize,
        flags: &[&str],
    ) -> Result<(usize, Used)> {
        let folder = self.folder.join(name.replace(' ', "-"));
        if folder.exists() {
            std::fs::remove_dir_all(&folder)?;
        }
        std::fs::create_dir_all(&folder)?;
        let file = folder.join("x.toml");
        std::fs::write(&file, format!("game = 'othello'\n{text}"))?;
        let warroom = self.built.join("warroom").with_extension(std::env::consts::EXE_EXTENSION);
        let cluster = Cluster::start(self.workspace, &warroom, &folder, workers, flags)?;
        cluster.wait_for_workers(&warroom)?;
        let before = self.used(&cluster)?;
        let own = process::children_cpu().context("this system does not tell processor times")?;
        let began = Instant::now();
        let mut run = Command::new(&warroom);
        run.arg("run").arg(&file).args(["--quiet", "--on", &cluster.address, "--db"]);
        run.arg(folder.join("runs.sqlite")).stdin(Stdio::null()).stdout(Stdio::null());
        ensure!(run.status()?.success(), "{name}: the run failed");
        let seconds = began.elapsed().as_secs_f64();
        let coordinator = process::children_cpu().unwrap_or(own) - own;
        // Players end when their run does.
        std::thread::sleep(std::time::Duration::from_secs(2));
        let after = self.used(&cluster)?;
        let games = text.rsplit_once("games = ").and_then(|(_, games)| games.trim().parse().ok());
        let used = Used {
            coordinator,
            server: after.server - before.server,
            workers: after.workers - before.workers,
            players: after.players - before.players,
            seconds,
        };
        Ok((games.context("the games of an experiment")?, used))
    }

    /// What the processes of a cluster have used so far.
    fn used(&self, cluster: &Cluster) -> Result<Used> {
        let mut used = Used::default();
        let (server, workers) = cluster.processes();
        used.server = processor_time(server)?.0;
        for worker in workers {
            let (own, ended) = processor_time(worker)?;
            used.workers += own;
            used.players += ended;
        }
        Ok(used)
    }
}

/// Processor seconds of a process, and those of its children that have ended.
fn processor_time(process: u32) -> Result<(f64, f64)> {
    let path = format!("/proc/{process}/stat");
    let text = std::fs::read_to_string(Path::new(&path)).with_context(|| path.clone())?;
    times_of(&text).with_context(|| path)
}

/// User and system time, in hundredths of a second, of what /proc tells of a process.
fn times_of(stat: &str) -> Option<(f64, f64)> {
    let (_, fields) = stat.rsplit_once(") ")?;
    let times: Vec<f64> =
        fields.split(' ').skip(11).take(4).map(str::parse).collect::<Result<_, _>>().ok()?;
    let [user, system, children_user, children_system] = times[..] else { return None };
    Some(((user + system) / 100.0, (children_user + children_system) / 100.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_whatever_a_program_is_called() {
        let stat = "12 (a) b) S 1 2 3 4 5 6 7 8 9 10 150 50 30 20 16 17";
        assert_eq!(times_of(stat), Some((2.0, 0.5)));
        assert_eq!(times_of("12 (a) S 1"), None);
    }
}
