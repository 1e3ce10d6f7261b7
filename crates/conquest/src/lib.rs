//! Rules of Conquest, a war game on 20×20 squares (Bax 2025), with every ambiguity an option.

mod choices;
mod effects;
mod enumerate;
mod events;
mod game;
mod loadout;
mod notation;
mod obstacles;
mod options;
mod position;
mod reach;
mod rules;
mod state;
pub mod trace;
mod units;
mod view;

pub use effects::{BATTLE_CRY_DAMAGE, INCOME};
pub use enumerate::{Counts, LoadoutKind, count_loadouts};
pub use events::Event;
pub use loadout::{BUDGET, Loadout, LoadoutError, Setup, named_loadouts};
pub use options::Options;
pub use rules::Conquest;
pub use state::{
    Action, Deed, HOME_ROWS, MAX_COMMANDS, MAX_TROOPS, Pending, Phase, SIZE, Standing, State, bits,
};
pub use units::{COMMANDS, Command, CommandStats, TROOPS, Troop, TroopStats, Units, commands_in};
pub use view::View;
