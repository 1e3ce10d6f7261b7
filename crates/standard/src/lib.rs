//! The games that we ship, and toys: the one place that lists them. To add a game, add a line to
//! `listed`.

use registry::{Kit, Registry, SpecError};
use testkit::toys::{DiceRace, MiniPoker, StagedNim, TicTacToe};

pub use conquest_kit::{self, loadouts};
pub use lords_of_war_kit::{self, armies};
pub use othello_kit::{self, WthorGames};

/// Our games.
///
/// # Panics
/// Never: each of them is listed once, and none offers too many actions.
#[must_use]
pub fn registry() -> Registry {
    listed().expect("our games can be listed")
}

fn listed() -> Result<Registry, SpecError> {
    let nim = "toy: heaps, two decisions a turn, and turns that repeat";
    Registry::default()
        .with_entry(othello_kit::entry()?)?
        .with_entry(conquest_kit::entry()?)?
        .with_entry(lords_of_war_kit::entry()?)?
        .with(|| Kit::of(TicTacToe, "toy: three in a row", 1))?
        .with(move || Kit::of(StagedNim::default(), nim, 2))?
        .with(|| Kit::of(DiceRace, "toy: a race with loaded dice", 1))?
        .with(|| Kit::of(MiniPoker, "toy: one hidden card each", 0))
}
