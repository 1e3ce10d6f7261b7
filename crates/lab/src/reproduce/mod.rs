//! Experiments of published papers, done again.

pub mod conquest;
pub mod othello;

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
        title: "Bax (2025), Optimising setups and gameplay for Conquest",
        about: "what its reductions of the search space save, and which of its agents is stronger",
        times: "quick: 2 minutes, standard: half an hour",
    },
    Paper {
        name: "othello",
        title: "Hernandez, Daza and Florez (2020), The Study of the Impact of the Search Algorithms \
            in Board Games",
        about: "SCOUT against alpha-beta in Othello: nodes, time and playing strength",
        times: "quick: half a minute, standard: 10 minutes",
    },
];

/// The paper of this name.
fn paper(name: &str) -> &'static Paper {
    PAPERS.iter().find(|paper| paper.name == name).expect("every experiment has its paper")
}
