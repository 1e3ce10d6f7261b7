//! Which database a command means, and experiments out of it.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use gamecore::short_hash;
use lab::experiment::Experiment;
use lab::run::{Host, spec_of};
use registry::{AgentSpec, Registry, program_words};
use store::{Run, Store};

/// The database of runs.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct DatabaseFlag {
    /// The database [default: $WARROOM_DB, else ./warroom.sqlite].
    #[arg(long, value_name = "PATH", global = true)]
    db: Option<PathBuf>,
}

impl DatabaseFlag {
    fn path(&self) -> PathBuf {
        let named = std::env::var_os("WARROOM_DB").filter(|name| !name.is_empty());
        self.db
            .clone()
            .or_else(|| named.map(PathBuf::from))
            .unwrap_or_else(|| PathBuf::from("warroom.sqlite"))
    }

    /// Opens it to write; makes it if there is none.
    pub(crate) fn open(&self) -> Result<Store> {
        Ok(Store::open(&self.path())?)
    }

    /// Opens it to read, if there is one.
    pub(crate) fn open_if_there(&self) -> Result<Option<Store>> {
        if self.path().exists() { self.open_existing().map(Some) } else { Ok(None) }
    }

    /// Opens it to read; there must be one.
    pub(crate) fn open_existing(&self) -> Result<Store> {
        Ok(Store::open_existing(&self.path())?)
    }

    /// A run of it, by its name, a prefix of it, or `latest`.
    pub(crate) fn run(&self, name: &str) -> Result<(Store, Run)> {
        let store = self.open_existing()?;
        let run = store.run(name)?;
        Ok((store, run))
    }
}

/// Reads files that are named as seen from a folder.
pub(crate) fn load_from(folder: &Path) -> impl Fn(&str) -> io::Result<String> {
    let folder = folder.to_owned();
    move |path| {
        let path = folder.join(path);
        std::fs::read_to_string(&path).map_err(|error| {
            let reason = format!("cannot read the file '{}': {error}", path.display());
            io::Error::new(error.kind(), reason)
        })
    }
}

/// The file that is started for a program's name: as it is if it names a folder, else the first on
/// the path.
fn program_place(program: &str) -> Option<PathBuf> {
    let searched = !program.contains(std::path::MAIN_SEPARATOR);
    let folders = std::env::var_os("PATH").filter(|_| searched).unwrap_or_default();
    let mut places = std::env::split_paths(&folders).map(|folder| folder.join(program));
    places.find(|place| place.is_file())
}

/// Refuses an agent whose program is not there.
pub(crate) fn check_program(spec: &AgentSpec) -> Result<()> {
    let words = program_words(spec);
    let Some(program) = words.first() else { return Ok(()) };
    // Where endings are left out, only starting it tells.
    let there = cfg!(windows) || program_place(program).is_some();
    ensure!(there, "'{program}': no such program; expected one on the path, or its file");
    Ok(())
}

/// The files behind a program from outside with the hashes of their content, for whoever changed a
/// program may not go on with its run: the program, and the first argument that is no flag, which is
/// the script of an interpreter. Later ones may be files that the program writes.
pub(crate) fn program_files(spec: &AgentSpec) -> Vec<(String, String)> {
    let words = program_words(spec);
    let Some((program, arguments)) = words.split_first() else { return Vec::new() };
    let place = program_place(program).unwrap_or_else(|| PathBuf::from(program));
    let script = arguments.iter().find(|word| !word.starts_with('-'));
    let files = [(program, place)].into_iter().chain(script.map(|word| (word, word.into())));
    let hashed = |(word, place): (&String, PathBuf)| {
        // A letter a byte, as runs of before have hashed it.
        let letters: String = std::fs::read(place).ok()?.into_iter().map(char::from).collect();
        Some((word.clone(), short_hash(letters)))
    };
    files.filter_map(hashed).collect()
}

/// The experiment of a stored run, to be played. Files that its agents name are seen from the
/// present folder.
pub(crate) fn experiment_of(games: &Registry, run: &Run) -> Result<Experiment> {
    Ok(Experiment::open(games, spec_of(run)?, &load_from(Path::new("")))?)
}

/// This program on this machine.
pub(crate) fn host() -> Result<Host> {
    let file = std::env::current_exe().context("cannot find the file of this program")?;
    let content =
        std::fs::read(&file).with_context(|| format!("cannot read '{}'", file.display()))?;
    let hash = &short_hash(&content)[..8];
    Ok(Host { program: format!("{}+{hash}", env!("CARGO_PKG_VERSION")), cpu: machine() })
}

/// What the machine calls its processor.
fn machine() -> String {
    let described = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model =
        described.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    model.map_or_else(|| std::env::consts::ARCH.to_owned(), |(_, name)| name.to_owned())
}
