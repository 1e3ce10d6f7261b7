//! The schedule: which game is played when, and from which seeds.

use gamecore::{Purpose, seed};
use registry::SpecError;

use super::{Experiment, Kind, Over, Starts};
use crate::plan::{Pair, SetupsOf, pair};

/// Where a game stands in an experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The pairing.
    pub cell: usize,
    /// The pair in it.
    pub pair: u64,
    /// The game in the pair: 0, or 1 with the agents exchanged.
    pub game: u8,
}

/// No pairing has this number.
const TUNING_CELL: u64 = u64::MAX - 1;

impl Experiment {
    /// Where game `number` stands. One start of every pairing, then the next of every pairing: so
    /// that a run that is not finished says something about all of them.
    #[must_use]
    pub fn place(&self, number: u64) -> Place {
        let first = self.spec.tuning_games();
        if number < first {
            let pair = number / 2;
            return Place {
                cell: self.spec.cells.len() + pair as usize,
                // A point that is tried twice must not play the same games twice; one evaluation has
                // one start, whoever the opponent is.
                pair: pair / self.spec.pairs_of_evaluation(),
                game: (number % 2) as u8,
            };
        }
        let number = number - first;
        let together = self.games_per_start();
        let (start, inside) = (number / together, number % together);
        let cells = self.spec.cells.len() as u64;
        Place {
            cell: (start % cells) as usize,
            pair: start / cells * (together / 2) + inside / 2,
            game: (inside % 2) as u8,
        }
    }

    /// What A and B, or the seats, bring to a cell.
    #[must_use]
    pub fn setups(&self, cell: usize) -> [&str; 2] {
        let players = self.spec.cell(cell).players();
        [0, 1].map(|side| {
            let own = self.spec.players[players[side]].setup.as_deref();
            own.unwrap_or(&self.spec.condition(cell).setups[side])
        })
    }

    /// Start and seeds of a pair.
    pub fn pair(&self, cell: usize, index: u64) -> Result<Pair, SpecError> {
        let own_seed = match self.spec.starts {
            // Games that confirm begin otherwise than those that tuned.
            _ if cell >= self.spec.cells.len() => seed(self.spec.seed, TUNING_CELL, Purpose::Cell),
            Starts::Shared => self.spec.seed,
            Starts::Own => seed(self.spec.seed, cell as u64, Purpose::Cell),
        };
        // Armies that are compared with each other exchange their seats like all players.
        let setups_of = match self.spec.kind {
            Kind::RoundRobin { over: Over::Setups } => SetupsOf::Players,
            _ => SetupsOf::usual(self.game(cell)),
        };
        let openings = &self.spec.condition(cell).openings;
        pair(self.game(cell), openings, self.setups(cell), setups_of, own_seed, index)
    }
}
