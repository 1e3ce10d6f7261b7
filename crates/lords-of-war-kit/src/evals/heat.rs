//! Heat maps: what a card is worth by where it stands (figure 1 of the paper).

use gamecore::Seat;
use lords_of_war::{COLS, ROWS, Square, State, squares_in};
use serde::Deserialize;

/// Weights of squares for a player at the bottom; the first row is the far side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeatMap(pub [[i8; COLS]; ROWS]);

/// Weights are between this and its negative.
const HOTTEST: i8 = 99;

const FRONT: HeatMap = HeatMap([[3; 7], [2; 7], [2; 7], [1; 7], [1; 7], [0; 7]]);
const SIDES: HeatMap = HeatMap([[3, 2, 1, 0, 1, 2, 3]; 6]);
const CENTRE: HeatMap = HeatMap([
    [0, 0, 0, 0, 0, 0, 0],
    [0, 1, 2, 2, 2, 1, 0],
    [0, 1, 2, 3, 2, 1, 0],
    [0, 1, 2, 3, 2, 1, 0],
    [0, 1, 2, 2, 2, 1, 0],
    [0, 0, 0, 0, 0, 0, 0],
]);

/// The six maps of the paper under the names of their heuristics. The paper prints opposites in
/// pairs: both maps of a pair add up to 3 everywhere.
pub const HEAT_MAPS: [(&str, &str, HeatMap); 6] = [
    ("h6", "cards at the front", FRONT),
    ("h7", "cards at the back", FRONT.opposite()),
    ("h8", "cards at the sides", SIDES),
    ("h9", "cards in the middle columns", SIDES.opposite()),
    ("h10", "cards in the centre", CENTRE),
    ("h11", "cards at the rim", CENTRE.opposite()),
];

/// Why a text is no heat map.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("heat map: {0}")]
pub struct HeatMapError(String);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    heat: Vec<Vec<i64>>,
}

impl HeatMap {
    const fn opposite(self) -> Self {
        let mut map = self.0;
        let mut row = 0;
        while row < ROWS {
            let mut col = 0;
            while col < COLS {
                map[row][col] = 3 - map[row][col];
                col += 1;
            }
            row += 1;
        }
        Self(map)
    }

    /// What a square is worth to a seat, which sees the map from its own side.
    #[must_use]
    pub fn weight(&self, square: Square, seat: Seat) -> i32 {
        let (row, col) = match seat {
            Seat::Zero => (ROWS - 1 - square.row(), square.col()),
            Seat::One => (square.row(), COLS - 1 - square.col()),
        };
        i32::from(self.0[row][col])
    }

    /// The sum over the cards of a seat.
    #[must_use]
    pub fn sum(&self, state: &State, seat: Seat) -> i32 {
        squares_in(state.held(seat)).map(|square| self.weight(square, seat)).sum()
    }

    /// Reads a file `heat = [[…], …]`: six rows of seven whole numbers, the far side first.
    pub fn from_toml(content: &str) -> Result<Self, HeatMapError> {
        let file: File =
            toml::from_str(content).map_err(|error| HeatMapError(error.to_string()))?;
        Self::from_rows(&file.heat)
    }

    fn from_rows(rows: &[Vec<i64>]) -> Result<Self, HeatMapError> {
        if rows.len() != ROWS || rows.iter().any(|row| row.len() != COLS) {
            return Err(HeatMapError(format!("expected {ROWS} rows of {COLS} weights")));
        }
        let mut map = [[0; COLS]; ROWS];
        for (weight, &given) in map.iter_mut().flatten().zip(rows.iter().flatten()) {
            if given.abs() > HOTTEST.into() {
                return Err(HeatMapError(format!(
                    "{given}: weights are from -{HOTTEST} to {HOTTEST}"
                )));
            }
            *weight = given as i8;
        }
        Ok(Self(map))
    }

    /// The map as a value of a key: rows joined by `/`, weights by `:`.
    #[must_use]
    pub fn text(&self) -> String {
        let row = |row: &[i8; COLS]| row.map(|weight| weight.to_string()).join(":");
        self.0.each_ref().map(row).join("/")
    }

    /// Reads [`HeatMap::text`].
    pub fn parse(text: &str) -> Result<Self, HeatMapError> {
        let weight = |text: &str| {
            text.parse().map_err(|_| HeatMapError(format!("'{text}' is no whole number")))
        };
        let row = |text: &str| text.split(':').map(weight).collect::<Result<Vec<i64>, _>>();
        Self::from_rows(&text.split('/').map(row).collect::<Result<Vec<_>, _>>()?)
    }
}
