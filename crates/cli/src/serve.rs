//! `warroom serve`: the app in the browser.

use std::collections::BTreeMap;
use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, ensure};
use registry::Registry;
use server::{Limits, Page, Settings};

use crate::cluster::OnFlags;
use crate::common::{Done, print_text};
use crate::database::{DatabaseFlag, host};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The address to listen on; one that other machines can reach needs a token.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    host: IpAddr,
    /// The port; 0 for any free one [default: 7878 or the next free one].
    #[arg(long, value_name = "N", value_parser = crate::numbers::any::<u16>, allow_negative_numbers = true)]
    port: Option<u16>,
    /// Show the page in this folder, as `npm run build` makes it in web/dist, not the one inside the program.
    #[arg(long, value_name = "DIR")]
    page: Option<PathBuf>,
    #[command(flatten)]
    elsewhere: OnFlags,
    #[command(flatten)]
    database: DatabaseFlag,
    /// The access token that every client must send [default: none on this machine, a random one
    /// elsewhere]. Other users of this machine can read it in the process list; --token-file and
    /// the environment variable WARROOM_TOKEN, which is used if neither flag is given, are safer.
    #[arg(long, value_name = "TOKEN", value_parser = token, conflicts_with = "token_file")]
    token: Option<String>,
    /// A file that holds the access token.
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
}

/// Where the token is looked for if no argument tells it.
const TOKEN_VARIABLE: &str = "WARROOM_TOKEN";

/// What is locked in the database while the app is served.
const APP: &str = "app";

/// The first port that is tried where none is asked for, and how many after it.
const USUAL_PORT: u16 = 7878;
const PORTS_TRIED: u16 = 50;

/// A token stands in addresses and cookies, so it has no signs that mean something there.
fn token(text: &str) -> Result<String> {
    let plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
    let fits = plain && (8..=200).contains(&text.len());
    ensure!(fits, "expected 8 to 200 letters, digits or any of - _ .");
    Ok(text.to_owned())
}

/// The token that was chosen for the server, if any: by an argument, in a file or in the environment.
fn given_token(args: &Args) -> Result<Option<String>> {
    if let Some(token) = &args.token {
        return Ok(Some(token.clone()));
    }
    if let Some(path) = &args.token_file {
        let shown = path.display();
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read the token in '{shown}'"))?;
        // Most editors end the last line, too.
        let text = text.trim_end_matches(['\r', '\n']);
        ensure!(!text.is_empty(), "'{shown}' is empty; expected an access token");
        return token(text).map(Some).map_err(|reason| anyhow!("the token in '{shown}': {reason}"));
    }
    match std::env::var_os(TOKEN_VARIABLE) {
        None => Ok(None),
        // What it holds is not repeated: messages end up in logs.
        Some(text) => token(&text.to_string_lossy())
            .map(Some)
            .map_err(|reason| anyhow!("the environment variable {TOKEN_VARIABLE}: {reason}")),
    }
}

pub(crate) fn run(games: &Registry, args: &Args) -> Result<Done> {
    let given = given_token(args)?;
    let page = args.page.as_deref().map_or(Ok(Page::Inside), read_page)?;
    let host = host()?;
    let cluster = args.elsewhere.cluster(games, &host)?;
    let store = args.database.open()?;
    // Two servers would each write the games they hold, and one would lose what the other wrote.
    let _only = store.lock(APP).context("another `warroom serve` uses this database")?;
    let listener = listen(args)?;
    let address = listener.local_addr()?;
    let loopback = address.ip().is_loopback();
    let drawn = given.is_none() && !loopback;
    let token = match (given, loopback) {
        (Some(token), _) => Some(token),
        (None, true) => None,
        (None, false) => Some(server::draw_token()?),
    };
    if !loopback {
        eprintln!(
            "warning: {address} can be reached from other machines over unencrypted connections; \
             only clients with the token can play"
        );
    }
    // A token that was kept out of sight is not printed either: output ends up in logs.
    let printed = token.as_ref().filter(|_| drawn || args.token.is_some());
    let query = printed.map_or_else(String::new, |token| format!("?token={token}"));
    print_text(&format!("warroom is running at http://{}/{query}", shown(address)))?;
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let settings = Settings {
        games: games.clone(),
        page,
        store,
        threads,
        host,
        cluster,
        token,
        loopback_only: loopback,
        limits: Limits::default(),
    };
    server::run(listener, settings).context("the server stopped")?;
    Ok(Done::Fine)
}

/// The files of a page, read once.
fn read_page(folder: &Path) -> Result<Page> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inner) = folders.pop() {
        let wrong = || format!("--page: cannot read the folder '{}'", inner.display());
        for entry in std::fs::read_dir(&inner).with_context(wrong)? {
            let path = entry.with_context(wrong)?.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let content = std::fs::read(&path)
                .with_context(|| format!("--page: cannot read '{}'", path.display()))?;
            let name = path.strip_prefix(folder).unwrap_or(&path);
            files.insert(name.to_string_lossy().replace('\\', "/"), content.into());
        }
    }
    let shown = folder.display();
    ensure!(
        files.contains_key("index.html"),
        "--page '{shown}': no index.html in it; `npm run build` in web makes a page in web/dist"
    );
    Ok(Page::Files(files))
}

/// An address that can be opened in a browser: `0.0.0.0` means all of this machine's.
fn shown(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::from([127, 0, 0, 1]),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::from([0, 0, 0, 0, 0, 0, 0, 1]),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

fn listen(args: &Args) -> Result<TcpListener> {
    let ports = match args.port {
        Some(port) => port..=port,
        None => USUAL_PORT..=USUAL_PORT + PORTS_TRIED,
    };
    let mut last = None;
    for port in ports {
        match TcpListener::bind((args.host, port)) {
            Ok(listener) => return Ok(listener),
            Err(error) => {
                let taken = error.kind() == io::ErrorKind::AddrInUse;
                last = Some((port, error));
                if !taken {
                    break;
                }
            }
        }
    }
    let (port, error) = last.expect("at least one port was tried");
    Err(error).with_context(|| format!("cannot listen on {}, port {port}", args.host))
}
