//! Conquest: troops with their health, commands with their costs, attacks weighed before they are
//! made.

use serde::Serialize;
use utoipa::ToSchema;

/// A troop as it is drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct TroopFace {
    /// `K`.
    pub letter: String,
    /// `Knight`.
    pub name: String,
    /// Health now.
    pub health: u16,
    /// Health at the start.
    pub full_health: u16,
    /// Extra health until its next turn.
    pub boost: u16,
    /// What a hit of it takes.
    pub damage: u16,
    /// Squares it can move.
    pub movement: u8,
    /// Squares it can strike across.
    pub range: u8,
    /// Points it costs, and gives to who kills it.
    pub cost: u16,
    /// It is selected now.
    pub selected: bool,
    /// Commands it carries.
    pub marks: Vec<String>,
}

/// A command as it is drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct CommandFace {
    /// Its name in actions: `BattleCry`.
    pub id: String,
    /// Its name for people: `Battle Cry`.
    pub name: String,
    /// What it does, one sentence.
    pub about: String,
    /// Command points it costs.
    pub cost: u16,
    /// Turns it cools down after use.
    pub cooldown: u8,
    /// Turns until it is ready again.
    pub cooling: u8,
    /// It can be used now.
    pub usable: bool,
    /// Why not, if not: `cools down for 2 turns`, `needs 25 more points`.
    pub reason: String,
}

/// What Conquest alone shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ConquestScene {
    /// Turns ended.
    pub turn: u32,
    /// `select`, `move`, `combat` or `rally`.
    pub phase: String,
    /// Command points, by seat.
    pub points: [u32; 2],
    /// Commands, by seat; those that these eyes may not know are left out.
    pub commands: [Vec<CommandFace>; 2],
    /// Letters of the troops each seat has lost.
    pub lost: [Vec<String>; 2],
    /// The square of the selected troop.
    pub selected: Option<u16>,
}
