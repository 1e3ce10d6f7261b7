//! The command line of `warroom`, for any list of games: whoever has a game or an agent of their own writes a
//! `main` of a few lines and has every command, the lab and the app.
#![allow(clippy::print_stdout, clippy::print_stderr)]

// Whatever a game or an agent from elsewhere is made of.
pub use ::search as algorithms;
pub use {gamecore, protocol, registry, standard};

mod agents;
mod bench;
mod cluster;
mod common;
mod database;
mod documents;
mod fit;
mod games;
mod loadouts;
mod matches;
mod numbers;
#[cfg(feature = "parquet")]
mod parquet_file;
mod perft;
mod pictures;
mod play;
mod report;
mod reproduce;
mod run;
mod runs;
mod search;
mod serve;
mod solve;
mod tactics;
mod verify;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use gamecore::MachineFault;
use registry::{Registry, SpecError};

use crate::common::Done;

/// Play turn-based strategy games, and compare agents, armies and rules.
#[derive(Parser)]
#[command(name = "warroom", version, arg_required_else_help = true, max_term_width = 100)]
#[command(
    after_help = "Exit status: 0 success, 1 a check failed, 2 bad input, 3 void games, 4 the \
                        machine failed, 130 interrupted."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// List the games.
    Games(games::Args),
    /// List the agents, or the keys of one.
    Agents(agents::Args),
    /// Play a game in the terminal.
    Play(play::Args),
    /// Play in the browser: serve the app on this machine.
    Serve(serve::Args),
    /// Let an agent choose an action in one position, and explain it.
    Search(search::Args),
    /// Count the leaves of the game tree.
    Perft(perft::Args),
    /// Solve positions exactly.
    Solve(solve::Args),
    /// Play two agents against each other and estimate who is stronger.
    Match(matches::Args),
    /// Run an experiment, or continue it.
    Run(run::Args),
    /// Play runs that coordinators on other machines want played.
    Worker(cluster::WorkerArgs),
    /// Show who plays which run on a NATS server, and what lies there.
    Workers(cluster::WorkersArgs),
    /// List, show, export, check, repeat or merge stored runs.
    Runs(runs::Args),
    /// Write a report on a stored run, with its figures as SVG, PNG and CSV.
    Report(report::Args),
    /// Repeat a paper's experiments and give a verdict on each claim.
    Reproduce(reproduce::Args),
    /// Fit the weights of an evaluation to games it plays.
    Fit(fit::Args),
    /// Find positions with few good turns, proved by trying all of them, and test agents there.
    Tactics(tactics::Args),
    /// Replay recorded games and check them against the rules.
    Verify(verify::Args),
    /// Count, list, check or generate Conquest loadouts; list or check armies of Lords of War.
    Loadouts(loadouts::Args),
    /// Measure speed.
    Bench(bench::Args),
    /// Write a completion script for a shell.
    Completions(documents::CompletionsArgs),
    /// Write the manual page.
    Man(documents::ManArgs),
    /// Print the licence notices of everything inside this program.
    Licences,
}

/// Carries out what the arguments of this process ask for, with these games.
pub fn main(games: Result<Registry, SpecError>) -> ExitCode {
    let command = Cli::parse().command;
    let done =
        catch_unwind(AssertUnwindSafe(|| carry_out(&games?, &command))).unwrap_or_else(|panic| {
            // Where nobody plays many games and could try again.
            let fault =
                panic.downcast::<MachineFault>().unwrap_or_else(|panic| resume_unwind(panic));
            Err((*fault).into())
        });
    match done {
        Ok(done) => ExitCode::from(done.code()),
        Err(error) if common::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(common::exit_status(&error))
        }
    }
}

fn carry_out(games: &Registry, command: &Command) -> anyhow::Result<Done> {
    match command {
        Command::Games(args) => games::run(games, args),
        Command::Agents(args) => agents::run(games, args),
        Command::Play(args) => play::run(games, args),
        Command::Serve(args) => serve::run(games, args),
        Command::Search(args) => search::run(games, args),
        Command::Perft(args) => perft::run(games, args),
        Command::Solve(args) => solve::run(games, args),
        Command::Match(args) => matches::run(games, args),
        Command::Run(args) => run::run(games, args),
        Command::Worker(args) => cluster::worker(games, args),
        Command::Workers(args) => cluster::workers(args),
        Command::Runs(args) => runs::run(games, args),
        Command::Report(args) => report::run(games, args),
        Command::Reproduce(args) => reproduce::run(args),
        Command::Loadouts(args) => loadouts::run(args),
        Command::Fit(args) => fit::run(games, args),
        Command::Tactics(args) => tactics::run(games, args),
        Command::Verify(args) => verify::run(games, args),
        Command::Bench(args) => bench::run(games, args),
        Command::Completions(args) => documents::completions(args),
        Command::Man(args) => documents::man(args),
        Command::Licences => documents::licences(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_may_begin_with_a_hyphen() {
        let position = "-".repeat(27) + "OX------XO" + &"-".repeat(27) + " X";
        for command in ["search othello", "play othello", "perft othello 3"] {
            let words = ["warroom"].into_iter().chain(command.split(' '));
            let words = words.chain(["--position", &position, "--json"]);
            assert!(Cli::try_parse_from(words).is_ok(), "{command}");
        }
    }
}
