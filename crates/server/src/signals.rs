//! Being told to end: the first time asks, the second time ends the process at once.

use std::convert::Infallible;
use std::future::Future;
use std::io;

use tokio::sync::oneshot;

/// The exit status of a process that was interrupted.
const INTERRUPTED: i32 = 130;

/// Comes when the process is told to end, by Ctrl-C or a polite signal. The second time the process
/// ends whatever it does: a thread of its own listens, which no busy worker can hold up. What was
/// played is in the database by then.
pub(crate) fn told_to_end() -> io::Result<impl Future<Output = ()> + Send + 'static> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut signals = {
        let _inside = runtime.enter();
        Signals::new()?
    };
    let (told, first) = oneshot::channel::<Infallible>();
    let listen = async move {
        signals.next().await;
        drop(told);
        signals.next().await;
        std::process::exit(INTERRUPTED);
    };
    let thread = std::thread::Builder::new().name("signals".to_owned());
    thread.spawn(move || runtime.block_on(listen))?;
    Ok(async { drop(first.await) })
}

#[cfg(unix)]
struct Signals {
    terminate: tokio::signal::unix::Signal,
    interrupt: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        let terminate = signal(SignalKind::terminate())?;
        Ok(Self { terminate, interrupt: signal(SignalKind::interrupt())? })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn new() -> io::Result<Self> {
        Ok(Self)
    }

    async fn next(&mut self) {
        // Without signals the process can only be killed, which loses nothing.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
