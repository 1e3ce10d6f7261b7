//! Answers the requests on standard input, a line each, as the module for WebAssembly must answer them.

use std::io::{BufRead, Write};

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    let clock = arena::WallClock::new();
    for request in std::io::stdin().lock().lines() {
        writeln!(out, "{}", wasm::answer(&request?, &clock))?;
    }
    Ok(())
}
