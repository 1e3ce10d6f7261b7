//! `warroom` with a game and an agent from elsewhere: `cargo run --release -- play connect-four`.

mod connect_four;
mod opportunist;

use std::process::ExitCode;

use connect_four::ConnectFour;
use opportunist::opportunist;
use warroom::registry::{Kit, Presentation, Registry, SpecError};
use warroom::standard::{self, othello_kit};

/// Our game, with our agent beside those of warroom.
fn connect_four() -> Kit<ConnectFour> {
    Kit::of(ConnectFour, "four discs in a row on a 7×6 board that discs fall down", 2)
        .with_agent(opportunist())
        .presented(Presentation {
            title: "Connect Four",
            toy: false,
            appearance: connect_four::appearance(),
            ..Presentation::plain()
        })
}

/// All games of warroom, Othello with our agent, and our game.
fn games() -> Result<Registry, SpecError> {
    let othello = || othello_kit::kit().with_agent(opportunist());
    standard::registry().replacing(othello)?.with(connect_four)
}

fn main() -> ExitCode {
    warroom::main(games())
}
