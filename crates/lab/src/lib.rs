//! Experiments: schedules that are pure functions of their spec, games on many threads, and the
//! statistics that say what they show.

mod drawn;
mod evidence;
pub mod experiment;
mod fit;
mod matches;
mod numbers;
mod plan;
pub mod report;
pub mod run;
mod table;
mod tactics;
pub mod tuning;
mod workers;

pub use evidence::{Evidence, points_of_a};
pub use fit::{FitError, FitSpec, Fitted, Positions, TestSpec, fit};
pub use matches::{MatchSpec, play_in_memory};
pub use numbers::{grouped, p_value, percent};
pub use plan::{Openings, Pair, SetupsOf, by_seat, pair};
pub use tactics::{
    Answer, Tactic, Tactics, TacticsError, TacticsHead, TacticsSpec, find_tactics, found_of,
};
pub use workers::map_in_order;
