//! Heuristics h1 to h11 of the 2014 Lords of War paper (section IV), and two of its future work.

mod availability;
mod factors;
mod heat;

use gamecore::{Evaluator, Score, Seat, Term};
use lords_of_war::{LordsOfWar, State, threatened_squares};

pub use availability::{Availability, RIM};
pub use factors::{LordsFactors, MATERIAL, OUTLOOK, OUTLOOK_2};
pub use heat::{HEAT_MAPS, HeatMap, HeatMapError};

/// Points of [`Score`] for a difference of one card or square.
const UNIT: f64 = 1_000.0;
/// Points for a mean defence of 1: two different means of a side never round to the same.
const MEAN_UNIT: f64 = 100_000.0;

/// One of the heuristics of the paper. The maps look at the own side alone, and so does h5.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Heuristic {
    /// h1: cards on the board less cards lost, against the opponent's.
    CardCount,
    /// h2: mean defence on the board, against the opponent's.
    MeanDefenceDifference,
    /// The opposite of h2, which the paper also tried.
    DefenceShortfall,
    /// h3: squares under own arrows, against the opponent's.
    ThreatenedArea,
    /// h4: as h1, a lost command card counting twice.
    CardsAndCommands,
    /// h5: own mean defence on the board.
    MeanDefence,
    /// h6 to h11, and maps of one's own: the sum of the map over the own cards.
    Heat(HeatMap),
}

impl Heuristic {
    /// h1 to h11 with names and meanings.
    #[must_use]
    pub fn all() -> Vec<(&'static str, &'static str, Self)> {
        let mut all = vec![
            ("h1", "cards on the board less cards lost, against the opponent's", Self::CardCount),
            ("h2", "mean defence against the opponent's", Self::MeanDefenceDifference),
            ("h3", "squares under own arrows against the opponent's", Self::ThreatenedArea),
            ("h4", "h1 with lost command cards counted twice", Self::CardsAndCommands),
            ("h5", "own mean defence", Self::MeanDefence),
        ];
        all.extend(HEAT_MAPS.map(|(name, about, map)| (name, about, Self::Heat(map))));
        all
    }

    /// The value for a seat, as published.
    #[must_use]
    pub fn value(&self, state: &State, seat: Seat) -> f64 {
        let other = seat.other();
        match self {
            Self::CardCount => balance(state, seat) - balance(state, other),
            Self::MeanDefenceDifference => mean_defence(state, seat) - mean_defence(state, other),
            Self::DefenceShortfall => mean_defence(state, other) - mean_defence(state, seat),
            Self::ThreatenedArea => threat(state, seat) - threat(state, other),
            Self::CardsAndCommands => {
                let value = |side| balance(state, side) - f64::from(state.lost_commands(side));
                value(seat) - value(other)
            }
            Self::MeanDefence => mean_defence(state, seat),
            Self::Heat(map) => f64::from(map.sum(state, seat)),
        }
    }

    /// Whether the opponent has no part in it.
    const fn is_one_sided(&self) -> bool {
        matches!(self, Self::MeanDefence | Self::Heat(_))
    }

    const fn unit(&self) -> f64 {
        match self {
            Self::MeanDefence | Self::MeanDefenceDifference | Self::DefenceShortfall => MEAN_UNIT,
            _ => UNIT,
        }
    }
}

/// f1 − f2.
fn balance(state: &State, seat: Seat) -> f64 {
    f64::from(state.held(seat).count_ones()) - f64::from(state.lost(seat))
}

/// f3 / f1; 0 for a side without cards.
fn mean_defence(state: &State, seat: Seat) -> f64 {
    let cards = state.held(seat).count_ones();
    if cards == 0 { 0.0 } else { f64::from(state.defence_on_board(seat)) / f64::from(cards) }
}

/// f4.
fn threat(state: &State, seat: Seat) -> f64 {
    f64::from(threatened_squares(state, seat).count_ones())
}

impl Evaluator<LordsOfWar> for Heuristic {
    fn evaluate(&self, _game: &LordsOfWar, state: &State, seat: Seat) -> Score {
        let mut value = self.value(state, seat);
        if self.is_one_sided() {
            value -= self.value(state, seat.other());
        }
        // Weights of one's own may be large, but nothing is worth a won game.
        let most = f64::from(Score::WIN.0 - 1);
        Score((value * self.unit()).round().clamp(-most, most) as i32)
    }

    fn one_sided(&self, _game: &LordsOfWar, state: &State, seat: Seat) -> Score {
        Score((self.value(state, seat) * self.unit()).round() as i32)
    }

    fn points_per_e(&self) -> f64 {
        3.0 * self.unit()
    }

    fn explain(&self, _game: &LordsOfWar, state: &State, seat: Seat) -> Vec<Term> {
        let unit = self.unit() as i32;
        let term = |name, value: f64, weight| Term { name, value: value.round() as i32, weight };
        let other = seat.other();
        match self {
            Self::CardCount | Self::CardsAndCommands => {
                let on_board = |seat| f64::from(state.held(seat).count_ones());
                let lost = |seat| f64::from(state.lost(seat));
                let mut terms = vec![
                    term("cards-on-board", on_board(seat) - on_board(other), unit),
                    term("cards-lost", lost(seat) - lost(other), -unit),
                ];
                if *self == Self::CardsAndCommands {
                    let commands = |seat| f64::from(state.lost_commands(seat));
                    terms.push(term("commands-lost", commands(seat) - commands(other), -unit));
                }
                terms
            }
            Self::ThreatenedArea => {
                vec![term("threatened-squares", threat(state, seat) - threat(state, other), unit)]
            }
            Self::Heat(map) => {
                let sum = f64::from(map.sum(state, seat) - map.sum(state, other));
                vec![term("heat", sum, unit)]
            }
            // Means are no sums.
            Self::MeanDefence | Self::MeanDefenceDifference | Self::DefenceShortfall => Vec::new(),
        }
    }
}
