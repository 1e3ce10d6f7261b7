//! An agent from outside that thinks nothing and takes its time: so many milliseconds a game, at its first
//! decision; then it plays the first legal action. With it a cluster of many players fits on one machine.
//!
//! `exec:sleeper 1000`

use std::io::{self, BufRead as _, Write as _};
use std::sync::mpsc;
use std::time::Duration;

fn main() -> io::Result<()> {
    let milliseconds = std::env::args().nth(1).and_then(|word| word.parse().ok());
    let Some(mut left) = milliseconds.map(Duration::from_millis) else {
        return Err(io::Error::other("expected the milliseconds of a game"));
    };
    let (_nobody, silent) = mpsc::channel::<()>();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let Some((_, legal)) = line.split_once("\"legal\":[\"") else { continue };
        let Some((first, _)) = legal.split_once('"') else { continue };
        // Nobody ever speaks: whoever waits sleeps.
        let _ = silent.recv_timeout(std::mem::take(&mut left));
        let mut out = io::stdout().lock();
        writeln!(out, "{{\"action\":\"{first}\"}}")?;
        out.flush()?;
    }
    Ok(())
}
