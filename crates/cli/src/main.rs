//! `warroom` with the games that come with it.

use std::process::ExitCode;

fn main() -> ExitCode {
    warroom::main(Ok(standard::registry()))
}
