//! What the commands share: flags, reading specs, writing JSON, exit codes, interruption.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use gamecore::{MachineFault, StopToken};
use indicatif::{ProgressBar, ProgressStyle};
pub(crate) use lab::grouped;
use lab::run::RunError;
use papers::PaperError;
use registry::{AgentSpec, AnyGame, Registry, ResolvedAgent};
use serde_json::Value;
use store::StoreError;

/// Exit status of bad input.
pub(crate) const BAD_INPUT: u8 = 2;

/// Exit status when disk, memory, processes or network failed.
pub(crate) const MACHINE_FAILED: u8 = 4;

/// How a command ended when it ended without an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Done {
    Fine,
    /// The thing checked is not so.
    NotSo,
    Void,
    Interrupted,
}

impl Done {
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Fine => 0,
            Self::NotSo => 1,
            Self::Void => 3,
            Self::Interrupted => 130,
        }
    }
}

/// What a command prints.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct Output {
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
    /// Hide progress.
    #[arg(long)]
    quiet: bool,
}

impl Output {
    /// Whether progress may be shown.
    pub(crate) fn talks(self) -> bool {
        !self.quiet && !self.json
    }
}

/// Flags of every command that plays.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct PlayFlags {
    /// Rules: a preset or KEY=VALUE,…
    #[arg(long, default_value = "", hide_default_value = true)]
    pub(crate) rules: String,
    /// A .toml file of troops and commands (Conquest), or of your own armies (Lords of War).
    #[arg(long, value_name = "FILE")]
    pub(crate) units: Option<String>,
    /// Random seed.
    #[arg(long, default_value_t = 1, value_parser = crate::numbers::any::<u64>, allow_negative_numbers = true)]
    pub(crate) seed: u64,
    /// Threads to use [default: all cores for a match, one for a search].
    #[arg(long, value_parser = crate::numbers::threads, allow_negative_numbers = true)]
    pub(crate) threads: Option<u16>,
    #[command(flatten)]
    pub(crate) output: Output,
}

/// What the sides bring, for games where they bring something.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct SetupFlags {
    /// Setup of both sides (Conquest: a loadout by name, as 3C,2S+Charge, or FILE.toml#NAME).
    #[arg(long, value_name = "SETUP", conflicts_with_all = ["setup_a", "setup_b"])]
    setup: Option<String>,
    /// Lords of War: the armies of players 1 and 2 [default: orcs,dwarves].
    #[arg(long, value_name = "X,Y", conflicts_with_all = ["setup", "setup_a", "setup_b"])]
    armies: Option<String>,
    /// Setup of agent A, or of player 1.
    #[arg(long, value_name = "SETUP")]
    setup_a: Option<String>,
    /// Setup of agent B, or of player 2.
    #[arg(long, value_name = "SETUP")]
    setup_b: Option<String>,
}

impl SetupFlags {
    /// What A and B bring, checked.
    pub(crate) fn resolve(&self, game: &dyn AnyGame) -> Result<[String; 2]> {
        if let Some(armies) = &self.armies {
            ensure!(game.info().dealt, "--armies {armies}: {} has no armies", game.info().name);
            let both = armies.split_once(',');
            let both = both
                .filter(|(zero, one)| !zero.is_empty() && !one.is_empty() && !one.contains(','));
            let (zero, one) = both.with_context(|| {
                format!("--armies {armies}: expected two armies, such as orcs,dwarves")
            })?;
            return Ok([game.setup(zero, &load)?, game.setup(one, &load)?]);
        }
        let own = |mine: &Option<String>| -> Result<String> {
            match mine.as_ref().or(self.setup.as_ref()) {
                Some(text) => Ok(game.setup(text, &load)?),
                None => Ok(String::new()),
            }
        };
        Ok([own(&self.setup_a)?, own(&self.setup_b)?])
    }

    /// The first position of a game without random plies.
    pub(crate) fn start(&self, game: &dyn AnyGame, seed: u64) -> Result<String> {
        let setups = self.resolve(game)?;
        Ok(game.start(setups.each_ref().map(String::as_str), Some(0), seed, false)?)
    }
}

/// Opens a game by name and rules, and says what is unusual about them.
pub(crate) fn open_game(games: &Registry, name: &str, rules: &str) -> Result<Arc<dyn AnyGame>> {
    let game = games.open(name, rules)?;
    for warning in game.warnings() {
        eprintln!("warning: {warning}");
    }
    Ok(game)
}

impl PlayFlags {
    /// Opens the game that these flags describe.
    pub(crate) fn open_game(&self, games: &Registry, name: &str) -> Result<Arc<dyn AnyGame>> {
        let Some(path) = &self.units else { return open_game(games, name, &self.rules) };
        let content = load(path).map_err(|reason| anyhow::anyhow!("'{path}': {reason}"))?;
        let rules = games
            .rules_with_units(name, &self.rules, &content)
            .with_context(|| format!("'{path}'"))?;
        open_game(games, name, &rules)
    }
}

/// Reads a file that a spec or flag names.
pub(crate) fn load(path: &str) -> io::Result<String> {
    std::fs::read_to_string(path)
        .map_err(|error| io::Error::new(error.kind(), format!("cannot read the file: {error}")))
}

/// Reads a file that an argument names.
pub(crate) fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("cannot read '{}'", path.display()))
}

/// Reads an agent spec and checks it against a game. `threads` becomes the agent's own number of
/// threads if it can use several and does not say how many.
pub(crate) fn resolve(
    game: &dyn AnyGame,
    text: &str,
    threads: Option<u16>,
) -> Result<ResolvedAgent> {
    let mut spec = AgentSpec::parse(text, &load)?;
    if let Some(threads) = threads.filter(|&threads| threads > 1)
        && let Some(key) = registry::threads_key(game, &spec.name)
    {
        spec.set_default(&key, &threads.to_string());
    }
    let resolved = game.resolve(&spec, &load)?;
    crate::database::check_program(&spec)?;
    Ok(resolved)
}

/// The agent of those who name none: the first of the game's own that its rules allow.
pub(crate) fn own_agent(game: &dyn AnyGame, threads: Option<u16>) -> Result<ResolvedAgent> {
    let mut last = None;
    for spec in game.info().opponents {
        match resolve(game, spec, threads) {
            Ok(agent) => return Ok(agent),
            Err(error) => last = Some(error),
        }
    }
    Err(last.expect("the list of agents is not empty"))
}

/// Prints one JSON object.
pub(crate) fn print_json(value: &Value) -> Result<()> {
    print_text(&format!("{value:#}"))
}

/// Prints text and a line end. A reader that has gone away is no panic.
pub(crate) fn print_text(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")?;
    Ok(out.flush()?)
}

/// Prints a key with its value, what it may be, and what it does.
pub(crate) fn print_setting(
    key: &str,
    value: Option<&str>,
    range: &str,
    about: &str,
) -> Result<()> {
    let setting = format!("{key}={}", value.unwrap_or("-"));
    print_text(&format!("  {setting:<30} {range:<22} {about}"))
}

/// So many a second, in the unit that fits.
pub(crate) fn rate(amount: u64, seconds: f64) -> String {
    match amount as f64 / seconds.max(1e-9) {
        rate if rate >= 1e6 => format!("{:.1} M", rate / 1e6),
        rate if rate >= 1e4 => format!("{:.0} k", rate / 1e3),
        rate => format!("{rate:.0}"),
    }
}

/// Whether an error only says that nobody reads our output any more.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let is_pipe = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref().is_some_and(is_pipe))
}

/// The exit status of an error: whether the machine is to blame, or what was asked.
pub(crate) fn exit_status(error: &anyhow::Error) -> u8 {
    let is_fault = |cause: &(dyn std::error::Error + 'static)| {
        let of_run = |error: &RunError| error.is_machine_fault();
        let of_store = |error: &StoreError| error.is_machine_fault();
        cause.is::<MachineFault>()
            || cause.downcast_ref::<RunError>().is_some_and(of_run)
            || cause.downcast_ref::<StoreError>().is_some_and(of_store)
            || cause.downcast_ref().is_some_and(PaperError::is_machine_fault)
            || cause.downcast_ref().is_some_and(is_fault_of_the_system)
    };
    if error.chain().any(is_fault) { MACHINE_FAILED } else { BAD_INPUT }
}

fn is_fault_of_the_system(error: &io::Error) -> bool {
    use io::ErrorKind as Kind;
    /// Input and output, files open in the system, and in the process.
    const CODES: [i32; 3] = [5, 23, 24];
    matches!(error.kind(), Kind::StorageFull | Kind::QuotaExceeded | Kind::OutOfMemory)
        || cfg!(unix) && error.raw_os_error().is_some_and(|code| CODES.contains(&code))
}

/// Refuses a file that cannot be written later: one that exists, or in a folder that does not.
/// Asked before the work begins whose result the file is to hold.
pub(crate) fn check_new_file(path: Option<&Path>) -> Result<()> {
    let Some(path) = path else { return Ok(()) };
    let shown = path.display();
    if path.exists() && !is_device(path) {
        bail!("'{shown}' exists already; choose another name");
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        bail!("cannot write '{shown}': there is no folder '{}'", folder.display());
    }
    Ok(())
}

/// Something that is written to but holds nothing, such as `/dev/null` or a pipe.
fn is_device(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// Writes a file that must not exist yet; leaves nothing behind if that fails.
pub(crate) fn write_file(path: &Path, content: &str) -> Result<()> {
    write_new_file(path, &|out| Ok(out.write_all(content.as_bytes())?))
}

/// The same with a writer, for what need not fit into memory.
pub(crate) fn write_new_file(
    path: &Path,
    write: &dyn Fn(&mut (dyn Write + Send)) -> Result<()>,
) -> Result<()> {
    check_new_file(Some(path))?;
    let shown = path.display();
    let device = is_device(path);
    let file = if device { File::options().write(true).open(path) } else { File::create_new(path) };
    let mut out = io::BufWriter::new(file.with_context(|| format!("cannot write '{shown}'"))?);
    write(&mut out)
        .and_then(|()| Ok(out.flush()?))
        .inspect_err(|_| drop((!device).then(|| std::fs::remove_file(path))))
        .with_context(|| format!("cannot write '{shown}'"))
}

/// A token that Ctrl-C sets. A second Ctrl-C ends the program at once, and so does a SIGTERM, first or
/// second: nobody but a worker listens for it.
pub(crate) fn stop_on_interrupt() -> Result<StopToken> {
    let stop = StopToken::default();
    let token = stop.clone();
    ctrlc::set_handler(move || {
        if token.is_stopped() {
            std::process::exit(i32::from(Done::Interrupted.code()));
        }
        token.stop();
    })
    .context("cannot listen for interruption")?;
    Ok(stop)
}

/// A progress bar with an estimate of the time left; invisible where it would disturb.
pub(crate) fn progress_bar(length: u64, visible: bool) -> ProgressBar {
    if !visible {
        return ProgressBar::hidden();
    }
    let style =
        ProgressStyle::with_template("{elapsed_precise} {bar:30} {pos}/{len}  {eta} left  {msg}");
    ProgressBar::new(length).with_style(style.expect("the template is well formed"))
}

/// A sign of life for work whose end is not known.
pub(crate) fn spinner(visible: bool) -> ProgressBar {
    if !visible {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{elapsed_precise} {spinner} {msg}");
    let spinner = ProgressBar::no_length().with_style(style.expect("the template is well formed"));
    spinner.enable_steady_tick(std::time::Duration::from_millis(120));
    spinner
}

/// Seconds as people say them.
pub(crate) fn duration(seconds: f64) -> String {
    match seconds {
        _ if seconds < 90.0 => format!("{seconds:.0} s"),
        _ if seconds < 5400.0 => format!("{:.0} minutes", seconds / 60.0),
        _ if seconds < 172_800.0 => format!("{:.1} hours", seconds / 3600.0),
        _ => format!("{:.1} days", seconds / 86_400.0),
    }
}
