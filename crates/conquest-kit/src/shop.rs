//! What a loadout of Conquest can be made of, and one while it is being made.

use conquest::{
    BUDGET, Command, HOME_ROWS, Loadout, MAX_COMMANDS, MAX_TROOPS, Options, SIZE, Troop,
    commands_in,
};

use crate::loadouts::LoadoutReport;
use registry::SpecError;

/// Something that can be bought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShopItem {
    /// Letter of a troop, name of a command.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// What it can do.
    pub about: String,
    /// Points.
    pub cost: u32,
}

/// Everything that can be bought under some rules, and the limits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shop {
    /// Troops.
    pub troops: Vec<ShopItem>,
    /// Commands.
    pub commands: Vec<ShopItem>,
    /// Points that may be spent.
    pub budget: u32,
    /// Troops at most.
    pub max_troops: usize,
    /// Commands at most.
    pub max_commands: u32,
    /// Columns where troops may stand.
    pub columns: usize,
    /// Rows where troops may stand.
    pub rows: usize,
}

/// A loadout, legal or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadoutDraft {
    /// What it is, costs and lacks.
    pub report: LoadoutReport,
    /// Troops by letter, with column and row; row 0 is the front.
    pub placed: Vec<(char, usize, usize)>,
    /// Names of commands.
    pub commands: Vec<&'static str>,
}

/// What can be bought under these rules.
pub fn shop(rules: &str) -> Result<Shop, SpecError> {
    let units = Options::parse(rules).map_err(SpecError::plain)?.units;
    let troop = |troop: Troop| {
        let stats = units.troop(troop);
        ShopItem {
            id: troop.letter().to_string(),
            name: troop.name().to_owned(),
            about: format!(
                "movement {}, range {}, health {}, damage {}",
                stats.movement, stats.range, stats.health, stats.damage
            ),
            cost: stats.cost.into(),
        }
    };
    let command = |command: Command| {
        let stats = units.command(command);
        ShopItem {
            id: command.name().to_owned(),
            name: crate::scene::command_name(command),
            about: format!(
                "{} Cools down for {} turns.",
                crate::scene::command_about(command),
                stats.cooldown
            ),
            cost: stats.cost.into(),
        }
    };
    Ok(Shop {
        troops: Troop::ALL.into_iter().map(troop).collect(),
        commands: Command::ALL.into_iter().map(command).collect(),
        budget: BUDGET,
        max_troops: MAX_TROOPS,
        max_commands: MAX_COMMANDS,
        columns: SIZE,
        rows: HOME_ROWS,
    })
}

/// Reads a loadout in any of its forms and prices it under these rules.
pub fn draft(text: &str, rules: &str) -> Result<LoadoutDraft, SpecError> {
    let units = Options::parse(rules).map_err(SpecError::plain)?.units;
    let loadout = Loadout::read(text).map_err(SpecError::plain)?;
    Ok(LoadoutDraft {
        report: LoadoutReport::of(&loadout, &units),
        placed: loadout
            .placed()
            .map(|(troop, column, row)| (troop.letter(), column, row))
            .collect(),
        commands: commands_in(loadout.commands).map(Command::name).collect(),
    })
}

/// The loadouts that have names.
#[must_use]
pub fn named_drafts() -> Vec<LoadoutDraft> {
    let named = conquest::named_loadouts().iter();
    named.filter_map(|loadout| draft(&loadout.name, "").ok()).collect()
}
