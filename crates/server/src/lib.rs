//! The app's server: games over JSON and WebSocket, and the page that shows them.
//!
//! Every live game is a task of its own (`table`), which talks to sockets through bounded queues
//! (`outbox`), to agents through one pool of workers (`pool`), and to the database through one
//! writer (`keeper`). What explains agents (`insight`) works in the same pool; a run of the lab
//! (`runs`) has threads and a connection of its own.

mod app;
mod catalog;
mod door;
pub mod dto;
mod error;
mod games;
mod guests;
mod guide;
mod import;
mod input;
mod insight;
mod keeper;
mod limits;
mod loadouts;
mod lobby;
mod moment;
mod openapi;
mod outbox;
mod page;
mod pool;
mod runs;
mod security;
mod setups;
mod signals;
mod socket;
mod table;
mod tasks;
mod turns;

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use lab::run::Host;
use registry::Registry;
use store::{Store, StoreError};
use tokio::sync::{mpsc, oneshot};

use app::App;
use keeper::Keeper;
use lobby::Lobby;
use pool::Pool;
use runs::Runs;
use security::Guard;
use table::Services;

pub use limits::Limits;
pub use openapi::openapi;
pub use page::Page;
pub use runs::Cluster;

/// How long open sockets may take to hear the goodbye.
const FAREWELL: Duration = Duration::from_secs(2);

/// What a server is made of.
pub struct Settings {
    /// What can be played.
    pub games: Registry,
    /// What is shown in the browser.
    pub page: Page,
    /// Where games are kept.
    pub store: Store,
    /// How many agents may think at once.
    pub threads: usize,
    /// This program on this machine; runs tell it.
    pub host: Host,
    /// Machines elsewhere that play the runs of the lab, if not threads of this program.
    pub cluster: Option<Arc<dyn Cluster>>,
    /// The token that every request must bring, if any.
    pub token: Option<String>,
    /// Only requests to names of this machine are answered.
    pub loopback_only: bool,
    /// How much of the server anybody may have.
    pub limits: Limits,
}

/// A server that does not listen yet. It must be made inside of a tokio runtime.
pub struct Server {
    app: Arc<App>,
    /// Ends when the last socket is closed.
    sockets: mpsc::Receiver<Infallible>,
}

impl Server {
    /// Starts the workers.
    pub fn new(settings: Settings) -> Result<Self, StoreError> {
        let Settings { games, page, store, threads, host, cluster, token, loopback_only, limits } =
            settings;
        let runs = Runs::new(games.clone(), store.path(), threads, host, cluster)?;
        let services = Services::new(games, Pool::new(threads), Keeper::new(store));
        let guard = Guard { token, loopback_only };
        let (app, sockets) = App::new(Lobby::new(services), runs, page, guard, limits);
        Ok(Self { app: Arc::new(app), sockets })
    }

    /// All addresses.
    pub fn router(&self) -> Router {
        app::router(self.app.clone())
    }

    /// Serves until `stop` comes; then says goodbye to everybody, ends thinking, and writes what
    /// waits.
    pub async fn serve(
        mut self,
        listener: tokio::net::TcpListener,
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> io::Result<()> {
        let (stopping, stopped) = oneshot::channel::<Infallible>();
        let (closing, closed) = oneshot::channel::<Infallible>();
        let stop = async move {
            stop.await;
            drop(stopping);
        };
        let app = self.app.clone();
        let close = async move {
            drop(stopped.await);
            // Sockets end when their games do.
            let runs = app.runs.clone();
            let run_ended = tokio::task::spawn_blocking(move || runs.close());
            app.lobby.close().await;
            drop(run_ended.await);
            drop(closing);
        };
        let overdue = async {
            drop(closed.await);
            tokio::time::sleep(FAREWELL).await;
        };
        let serve = async {
            tokio::select! {
                () = door::serve(listener, self.router(), self.app.limits, stop) => {}
                // A client that keeps a request unfinished must not keep the server.
                () = overdue => {}
            }
        };
        tokio::join!(close, serve);
        self.app.close_sockets();
        // A client that does not hear the goodbye is not waited for.
        drop(tokio::time::timeout(FAREWELL, self.sockets.recv()).await);
        Ok(())
    }
}

/// Serves on a listener until the process is told to end, by Ctrl-C or a polite signal. Told a second
/// time, the process ends at once, with the exit status of an interrupted one.
pub fn run(listener: TcpListener, settings: Settings) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        listener.set_nonblocking(true)?;
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let stop = signals::told_to_end()?;
        let server = Server::new(settings).map_err(io::Error::other)?;
        server.serve(listener, stop).await
    })?;
    // A client that keeps its connection open must not keep the process.
    runtime.shutdown_background();
    Ok(())
}

/// A token that nobody guesses.
pub fn draw_token() -> io::Result<String> {
    let draw = || lobby::random_number().map_err(|refusal| io::Error::other(refusal.reason));
    Ok(format!("{:016x}{:016x}", draw()?, draw()?))
}
