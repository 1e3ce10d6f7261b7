//! Experiments of published papers, done again.

pub mod conquest;
pub mod lords_of_war;
pub mod othello;
mod stored;
mod verdict;

use registry::{AgentSpec, AnyGame, ResolvedAgent, SpecError, no_files};

use lab::report::{Ruling, Verdict};
pub use stored::{Bench, Estimate, PaperError, Planned, StudyTiming, estimate};

/// A paper whose experiment can be repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paper {
    /// Its name in commands.
    pub name: &'static str,
    /// Authors, year and title.
    pub title: &'static str,
    /// What is repeated, one line.
    pub about: &'static str,
    /// How long each scale takes on two cores, about.
    pub times: &'static str,
}

/// All of them.
pub const PAPERS: &[Paper] = &[
    Paper {
        name: "conquest",
        title: "Pim J. Bax (2025), Optimising setups and gameplay for Conquest",
        about: "which agent is strongest, the tuning, the tournament of setups and its cycles, \
            and what reducing the search space saves",
        times: "quick: 5 minutes, standard: 15 minutes, paper: an hour",
    },
    Paper {
        name: "lords-of-war",
        title: "Sephton, Cowling, Powley and Slaven (2014), Heuristic Move Pruning in Monte Carlo Tree \
            Search for the Strategic Card Game Lords of War",
        about: "which heuristics prune well, alone, joined and with state extrapolation",
        times: "quick: 5 minutes, standard: an hour, paper: days",
    },
    Paper {
        name: "othello",
        title: "Hernandez, Daza and Florez (2020), The Study of the Impact of the Search Algorithms \
            in Board Games",
        about: "SCOUT against alpha-beta in Othello: nodes, time and playing strength",
        times: "quick: half a minute, standard: 10 minutes; no scale paper",
    },
];

/// The paper of this name.
fn paper(name: &str) -> &'static Paper {
    PAPERS.iter().find(|paper| paper.name == name).expect("every experiment has its paper")
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
