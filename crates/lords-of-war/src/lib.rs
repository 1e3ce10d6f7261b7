//! Rules of Lords of War, a war game with cards on 7×6 squares, in its basic two-player form
//! (Sephton et al. 2014), with the intermediate class rules and every open reading an option.

mod action;
mod blocks;
mod board;
mod cards;
mod choices;
mod combat;
mod events;
mod game;
mod isa;
mod notation;
mod options;
mod playout;
mod position;
mod rules;
mod shooting;
mod state;
mod tables;
pub mod trace;
mod turn;
mod view;

pub use board::{COLS, ROWS, SQUARES, Square, squares_in};
pub use cards::{ARMY_SIZE, Army, Card, CardError, Class, Rank, core_armies};
pub use events::Event;
pub use options::Options;
pub use rules::{LordsOfWar, Setup};
pub use state::{Action, Deed, HAND_LIMIT, Reason, Stage, Standing, State, threatened_squares};
pub use view::View;
