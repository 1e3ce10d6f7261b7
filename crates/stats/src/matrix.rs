//! Results of everybody against everybody, by seat: what ratings and cycles are computed from.

use serde::Serialize;

/// Two players, the points of the first and their games.
pub(crate) type Meeting = (usize, usize, f64, u64);

/// How one game ended for the player who moved first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum GameResult {
    /// The first player won.
    Win,
    /// Nobody won.
    Draw,
    /// The second player won.
    Loss,
}

/// Games of one player against another, seen from the first named.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Tally {
    /// All games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points: a draw is half a point.
    #[must_use]
    pub fn points(&self) -> f64 {
        self.wins as f64 + 0.5 * self.draws as f64
    }

    /// The same games, seen from the other player.
    #[must_use]
    pub fn reversed(&self) -> Self {
        Self { wins: self.losses, draws: self.draws, losses: self.wins }
    }

    /// Adds the games of another tally.
    pub fn add(&mut self, other: Self) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

/// Results of a field of players, by seat. Players are numbers; names are for reports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Matrix {
    names: Vec<String>,
    /// Row by row: the player who moved first, against the one who moved second.
    cells: Vec<Tally>,
}

impl Matrix {
    /// A field without games.
    #[must_use]
    pub fn new(names: Vec<String>) -> Self {
        let cells = vec![Tally::default(); names.len() * names.len()];
        Self { names, cells }
    }

    /// Counts a game.
    ///
    /// # Panics
    /// If there is no such player, or both are the same: a game against oneself says nothing.
    pub fn add(&mut self, first: usize, second: usize, result: GameResult) {
        let one = match result {
            GameResult::Win => Tally { wins: 1, ..Tally::default() },
            GameResult::Draw => Tally { draws: 1, ..Tally::default() },
            GameResult::Loss => Tally { losses: 1, ..Tally::default() },
        };
        self.add_tally(first, second, one);
    }

    /// Counts many games of one player against another, the first named moving first.
    ///
    /// # Panics
    /// As [`Matrix::add`].
    pub fn add_tally(&mut self, first: usize, second: usize, tally: Tally) {
        let n = self.players();
        assert!(first < n && second < n && first != second, "players {first} and {second} of {n}");
        self.cells[first * n + second].add(tally);
    }

    /// How many players.
    #[must_use]
    pub fn players(&self) -> usize {
        self.names.len()
    }

    /// Their names.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Games in which `first` moved first against `second`, seen from `first`.
    #[must_use]
    pub fn by_seat(&self, first: usize, second: usize) -> Tally {
        self.cells[first * self.players() + second]
    }

    /// All games of `one` against `other`, seen from `one`.
    #[must_use]
    pub fn both_seats(&self, one: usize, other: usize) -> Tally {
        let mut all = self.by_seat(one, other);
        all.add(self.by_seat(other, one).reversed());
        all
    }

    /// Pairs of players `(i, j)` with i < j, in order, that have met.
    pub fn played(&self) -> impl Iterator<Item = (usize, usize)> {
        let n = self.players();
        (0..n)
            .flat_map(move |i| (i + 1..n).map(move |j| (i, j)))
            .filter(|&(i, j)| self.both_seats(i, j).games() > 0)
    }

    /// All games of all players together; wins are those of the player who moved first.
    #[must_use]
    pub fn total(&self) -> Tally {
        let mut total = Tally::default();
        for cell in &self.cells {
            total.add(*cell);
        }
        total
    }
}
