//! What the seats of a game bring.

use serde::Serialize;

/// What kind of thing a seat brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SetupKind {
    /// A loadout, which can be built.
    Loadout,
    /// An army, which is chosen.
    Army,
}

/// What a seat may bring.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SetupCard {
    /// Its kind.
    pub kind: SetupKind,
    /// Names to choose from, with a text about each.
    pub choices: Vec<LoadoutCard>,
    /// What each seat brings unless it says otherwise.
    pub default: [String; 2],
    /// For loadouts: troops that can be bought.
    pub troops: Vec<UnitCard>,
    /// For loadouts: commands that can be bought.
    pub commands: Vec<UnitCard>,
    /// For loadouts: points that may be spent.
    pub budget: u32,
    /// For loadouts: troops at most.
    pub max_troops: u32,
    /// For loadouts: commands at most.
    pub max_commands: u32,
    /// For loadouts: columns and rows where troops may stand, the front row first.
    pub columns: u8,
    /// Rows.
    pub rows: u8,
}

/// A troop or a command in the shop.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct UnitCard {
    /// Letter of a troop, name of a command.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// What it can do: `movement 4, range 1, health 300, damage 300`.
    pub about: String,
    /// Points.
    pub cost: u32,
}

/// A loadout or army, read and checked.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct LoadoutCard {
    /// Its name.
    pub name: String,
    /// Its compact text, to be sent with a new game.
    pub text: String,
    /// One line: `3 Champions, 2 Scouts; Charge`.
    pub about: String,
    /// Points spent; 0 for armies.
    pub points: u32,
    /// What is wrong with it; it can be played nevertheless where the game allows that.
    pub faults: Vec<String>,
    /// Troops and where they stand.
    pub slots: Vec<LoadoutSlot>,
    /// Commands.
    pub commands: Vec<String>,
}

/// A troop of a loadout.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct LoadoutSlot {
    /// Its letter.
    pub troop: String,
    /// Column, from the left of who reads the layout.
    pub column: u8,
    /// Row, 0 is the front.
    pub row: u8,
}
