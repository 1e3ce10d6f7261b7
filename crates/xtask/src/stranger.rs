//! `examples/stranger` as whoever copies it would use it: outside of this repository, with its own game and agent
//! in every command, in an experiment and in the app.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use crate::process::{self, Workspace};

/// A folder that is gone afterwards.
struct Elsewhere(PathBuf);

impl Drop for Elsewhere {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

/// A server that ends with us.
struct Served(Child);

impl Drop for Served {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// What is asked of it, and what its answer holds.
const COMMANDS: [(&str, &str); 8] = [
    ("games", "four discs in a row"),
    ("agents opportunist --game connect-four", "opportunist"),
    ("perft connect-four 5", "16,807 leaves"),
    (
        "match connect-four --a opportunist --b random --games 40 --seed 3",
        "opportunist is stronger",
    ),
    ("match othello --a opportunist --b random --games 2 --seed 3", "2 of 2 games of othello"),
    ("search connect-four --agent pvs:depth=6", "nodes"),
    ("run four.toml --db four.sqlite", "4 of 4 games of connect-four, finished"),
    ("runs rerun latest --db four.sqlite", "4 games"),
];

const EXPERIMENT: &str = "game = \"connect-four\"\nkind = \"match\"\ngames = 4\nseed = 1\n\
    agents = [\"opportunist\", \"uct:iterations=20\"]\n";

/// How long the app may take to answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// Copies it, builds it, and plays.
pub(crate) fn check(workspace: &Workspace) -> Result<()> {
    let place = format!("warroom-stranger-{}", std::process::id());
    let elsewhere = Elsewhere(std::env::temp_dir().join(place));
    let (root, here) = (&elsewhere.0, workspace.root());
    fs::create_dir_all(root.join("src"))?;
    let from = here.join("examples/stranger");
    for entry in fs::read_dir(from.join("src"))? {
        let file = entry?.path();
        fs::copy(&file, root.join("src").join(file.file_name().context("a file")?))?;
    }
    let manifest = root.join("Cargo.toml");
    let text = fs::read_to_string(from.join("Cargo.toml"))?;
    let profile = profile(&fs::read_to_string(here.join("Cargo.toml"))?, here);
    fs::write(&manifest, outside(&text, here)? + &profile)?;
    fs::copy(here.join("Cargo.lock"), root.join("Cargo.lock"))?;
    let target = workspace.target()?;
    let cargo = |task: &str| {
        let mut command = workspace.cargo();
        // Built beside everything else: what others' crates it needs is there already.
        command.env("CARGO_TARGET_DIR", &target);
        process::run(command.args([task, "--manifest-path"]).arg(&manifest))
    };
    cargo("test")?;
    cargo("build")?;
    let program =
        target.join("debug").join("stranger").with_extension(std::env::consts::EXE_EXTENSION);
    fs::write(root.join("four.toml"), EXPERIMENT)?;
    for (words, expected) in COMMANDS {
        let mut command = Command::new(&program);
        let found = process::output(command.current_dir(root).args(words.split(' ')), None)?;
        ensure!(found.contains(expected), "{words}: expected '{expected}' in\n{found}");
    }
    app(&program, root)
}

/// The app shows its game, and the page that it brings.
fn app(program: &Path, root: &Path) -> Result<()> {
    fs::create_dir_all(root.join("page"))?;
    fs::write(root.join("page/index.html"), "<title>a page from elsewhere</title>")?;
    let mut command = Command::new(program);
    let words = ["serve", "--port", "0", "--page", "page", "--db", "app.sqlite"];
    let command = command.current_dir(root).args(words).stdout(Stdio::piped());
    let mut served = Served(command.spawn().context("the app of the stranger")?);
    let mut out = served.0.stdout.take().context("its output")?;
    let (mut said, mut byte) = (String::new(), [0]);
    while !said.ends_with('\n') && out.read(&mut byte)? == 1 {
        said.push(char::from(byte[0]));
    }
    let address = said.split("http://").nth(1).and_then(|rest| rest.split('/').next());
    let address = address.with_context(|| format!("no address in '{said}'"))?.to_owned();
    let new_game = "{\"game\":\"connect-four\",\"seats\":[{\"kind\":\"human\"},\
        {\"kind\":\"agent\",\"spec\":\"opportunist\"}]}";
    for (method, path, body, expected) in [
        ("GET", "/play", "", "a page from elsewhere"),
        ("GET", "/api/catalog", "", "Connect Four"),
        // A board that is drawn, not a drawing in letters.
        ("POST", "/api/games", new_game, "\"detail\":{\"game\":\"connect-four\"}"),
    ] {
        let found = answer(&address, method, path, body)?;
        ensure!(found.contains(expected), "{method} {path}: expected '{expected}' in\n{found}");
    }
    Ok(())
}

/// What a server answers.
fn answer(address: &str, method: &str, path: &str, body: &str) -> Result<String> {
    let began = Instant::now();
    let mut stream = loop {
        match TcpStream::connect(address) {
            Ok(stream) => break stream,
            Err(_) if began.elapsed() < PATIENCE => std::thread::sleep(Duration::from_millis(50)),
            Err(error) => bail!("{address}: {error}"),
        }
    };
    stream.set_read_timeout(Some(PATIENCE))?;
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )?;
    let mut found = Vec::new();
    stream.read_to_end(&mut found)?;
    Ok(String::from_utf8_lossy(&found).into_owned())
}

/// The manifest with the path of this repository written out.
fn outside(manifest: &str, here: &Path) -> Result<String> {
    let here = here.to_str().context("the path of the checkout is not text")?.replace('\\', "/");
    let found = manifest.matches("\"../../crates/").count();
    ensure!(found == 1 && !here.contains('"'), "examples/stranger/Cargo.toml is not as expected");
    Ok(manifest.replace("\"../../crates/", &format!("\"{here}/crates/")))
}

/// The profile by which others' crates were built. Ours are not optimised: that costs more than these few games.
fn profile(manifest: &str, here: &Path) -> String {
    let lines = manifest.lines().skip_while(|line| *line != "[profile.dev]");
    let of_dev = lines.take_while(|line| !line.starts_with("[profile.release"));
    let is_ours = |line: &&str| {
        let name = line.split_once('.').map(|(name, _)| name);
        name.is_some_and(|name| here.join("crates").join(name).is_dir())
    };
    of_dev.filter(|line| !is_ours(line)).map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_copy_is_built_as_others_crates_were() {
        let text = "[lints]\n[profile.dev]\nopt-level = 0\n[profile.dev.package]\n\
            xtask.opt-level = 3\ntoml.opt-level = 2\n[profile.release]\nlto = \"thin\"\n";
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
        let expected = "[profile.dev]\nopt-level = 0\n[profile.dev.package]\ntoml.opt-level = 2\n";
        assert_eq!(profile(text, root), expected);
        let moved = outside("a = { path = \"../../crates/a\" }", Path::new("/repo")).unwrap();
        assert_eq!(moved, "a = { path = \"/repo/crates/a\" }");
        assert!(outside("[package]", Path::new("/repo")).is_err());
    }
}
