//! The schedule of a match: a pure function of its spec. Which thread plays a game, and when, has
//! no influence on it.

use arena::Seeds;
use gamecore::{Purpose, seed};
use registry::{AnyGame, SpecError};
use serde::{Deserialize, Serialize};

/// How the start positions of pairs are found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Openings {
    /// Uniformly random actions from the start; `None` for the game's own number of them.
    Random(Option<u32>),
    /// These positions in turn.
    Positions(Vec<String>),
}

/// Two games of one start, the agents exchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Its number in the match, from 0.
    pub index: u64,
    /// The start position of each game: the same, unless the agents bring different setups, which
    /// travel with them (those of seats, such as armies, do not).
    pub starts: [String; 2],
    /// The seeds of both games; agents by letter, `a` first.
    pub seeds: [Seeds; 2],
}

/// Whose the setups of a pair are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetupsOf {
    /// They travel with A and B when these exchange seats.
    Players,
    /// They stay at seats 0 and 1.
    Seats,
}

impl SetupsOf {
    /// What a game does by itself: dealt armies lie at their seats.
    #[must_use]
    pub fn usual(game: &dyn AnyGame) -> Self {
        if game.info().dealt { Self::Seats } else { Self::Players }
    }
}

/// Pair number `index` of a match with this seed.
pub fn pair(
    game: &dyn AnyGame,
    openings: &Openings,
    setups: [&str; 2],
    setups_of: SetupsOf,
    run_seed: u64,
    index: u64,
) -> Result<Pair, SpecError> {
    // Where starts are deals, two pairs share one: the same shuffles, the other seat to begin.
    let exchanged = game.info().dealt && index % 2 == 1;
    let start_seed = seed(run_seed, index - u64::from(exchanged), Purpose::Start);
    let start = |number| match openings {
        Openings::Random(plies) => {
            let setups = match setups_of {
                SetupsOf::Players => by_seat(number, setups),
                SetupsOf::Seats => setups,
            };
            game.start(setups, *plies, start_seed, exchanged)
        }
        Openings::Positions(positions) => Ok(positions[index as usize % positions.len()].clone()),
    };
    let starts = [start(0)?, start(1)?];
    let seeds = [0, 1].map(|number| {
        let agent = |letter| seed(run_seed, index, Purpose::Agent { game: number, letter });
        Seeds {
            start: start_seed,
            chance: seed(run_seed, index, Purpose::Chance),
            agents: by_seat(number, [agent('a'), agent('b')]),
        }
    });
    Ok(Pair { index, starts, seeds })
}

/// Agent A has seat 0 in the first game of a pair and seat 1 in the second.
pub fn by_seat<T>(game: u8, [a, b]: [T; 2]) -> [T; 2] {
    if game == 0 { [a, b] } else { [b, a] }
}
