//! What is said between server and page. The page's own types are generated from these.

mod catalog;
mod games;
mod messages;

pub use catalog::{
    AgentCard, Catalog, GameCard, Health, LevelCard, LoadoutCard, LoadoutSlot, ParamCard, RuleCard,
    RulePreset, SetupCard, SetupKind, UnitCard,
};
pub use games::{
    Clock, ClockState, Ending, GameList, GameState, GameSummary, ImportAnswer, ImportRequest,
    LoadoutRequest, NewGame, Player, Ply, Problem, SavedLoadout, SavedLoadouts, SeatState,
};
pub use messages::{Answer, Hint, Request, Thought};
