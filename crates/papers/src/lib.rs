//! Experiments of published papers, done again. A paper is data (its file), the tests of its claims,
//! and what it measures beside games.

mod conquest;
pub mod lords_of_war;
pub mod othello;
mod sheet;
mod stored;
mod study;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use registry::{AgentSpec, AnyGame, Registry, ResolvedAgent, SpecError, no_files};
use standard::WthorGames;

pub use sheet::Sheet;
pub use stored::{Bench, Estimate, PaperError, Planned, Stored, StudyTiming, estimate};
pub use study::{Found, Study};

/// What is done, or nothing if it was interrupted.
pub type Finished<T> = Result<Option<T>, PaperError>;

/// A paper whose experiment can be repeated.
pub struct Paper {
    /// What it says, and how results are put into words.
    sheet: &'static LazyLock<Sheet>,
    /// The runs that its games are played in.
    planned: fn(&Order) -> Result<Vec<Planned>, PaperError>,
    /// Judges its claims by the runs, after measuring what is no game; `None` if interrupted.
    found: fn(&Bench<'_>, &Order, &[Stored]) -> Finished<Found>,
}

/// Papers are about games of ours.
static GAMES: LazyLock<Registry> = LazyLock::new(standard::registry);

/// All of them.
pub static PAPERS: &[Paper] = &[conquest::PAPER, lords_of_war::PAPER, othello::PAPER];

impl Paper {
    /// The paper of this name.
    #[must_use]
    pub fn of(name: &str) -> Option<&'static Self> {
        PAPERS.iter().find(|paper| paper.sheet.name == name)
    }

    /// The paper as data.
    #[must_use]
    pub fn sheet(&self) -> &'static Sheet {
        self.sheet
    }

    /// The runs that its games are played in.
    pub fn planned(&self, order: &Order) -> Result<Vec<Planned>, PaperError> {
        (self.planned)(order)
    }
}

/// What of an experiment is done again.
pub struct Order {
    /// Its parts, in the paper's order; none if it has none.
    pub parts: Vec<&'static str>,
    /// How much.
    pub scale: Scale,
    /// The seed of everything random.
    pub seed: u64,
    /// Files of tournament games to take positions from.
    pub games: Vec<WthorGames>,
}

impl Order {
    /// Whether a part is asked for.
    fn has(&self, part: &str) -> bool {
        self.parts.contains(&part)
    }
}

/// How much is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Seconds: shows the form and proves nothing.
    Tiny,
    /// Minutes.
    Quick,
    /// Ten minutes to an hour and a half.
    Standard,
    /// As much as the paper: an hour to days.
    Paper,
}

impl Scale {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Tiny => "tiny",
            Self::Quick => "quick",
            Self::Standard => "standard",
            Self::Paper => "paper",
        }
    }
}

/// Where an experiment is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// What is being done.
    pub what: &'static str,
    /// Parts done.
    pub done: u64,
    /// Parts in all.
    pub total: u64,
}

/// An agent of a text that names no file.
fn agent(game: &dyn AnyGame, text: &str) -> Result<ResolvedAgent, SpecError> {
    game.resolve(&AgentSpec::parse(text, &no_files)?, &no_files)
}
