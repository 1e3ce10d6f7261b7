//! What a loadout of Conquest can be made of, and one while it is being made.

use conquest::{
    BUDGET, Command, Conquest, HOME_ROWS, Loadout, MAX_COMMANDS, MAX_TROOPS, SIZE, Troop,
    commands_in,
};
use protocol::{LoadoutCard, LoadoutSlot, SetupCard, SetupKind, UnitCard};
use registry::{Setups, SpecError};

use crate::loadouts::LoadoutReport;

/// Loadouts, which people build.
pub(crate) const LOADOUTS: Setups<Conquest> = Setups { card, draft };

/// Everything that can be bought under these rules, and the limits.
fn card(game: &Conquest) -> SetupCard {
    let units = &game.options().units;
    let troop = |troop: Troop| {
        let stats = units.troop(troop);
        UnitCard {
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
        UnitCard {
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
    SetupCard {
        kind: SetupKind::Loadout,
        choices: conquest::named_loadouts().iter().map(|named| loadout(game, named)).collect(),
        default: ["Default".to_owned(), "Default".to_owned()],
        troops: Troop::ALL.into_iter().map(troop).collect(),
        commands: Command::ALL.into_iter().map(command).collect(),
        budget: BUDGET,
        max_troops: MAX_TROOPS as u32,
        max_commands: MAX_COMMANDS,
        columns: SIZE as u8,
        rows: HOME_ROWS as u8,
    }
}

/// Reads a loadout in any of its forms and prices it under the rules.
fn draft(game: &Conquest, text: &str) -> Result<LoadoutCard, SpecError> {
    Ok(loadout(game, &Loadout::read(text).map_err(SpecError::plain)?))
}

fn loadout(game: &Conquest, loadout: &Loadout) -> LoadoutCard {
    let LoadoutReport { name, text, summary, points, faults, .. } =
        LoadoutReport::of(loadout, &game.options().units);
    let slot = |(troop, column, row): (Troop, usize, usize)| LoadoutSlot {
        troop: troop.letter().to_string(),
        column: column as u8,
        row: row as u8,
    };
    LoadoutCard {
        name,
        text,
        about: summary,
        points,
        faults,
        slots: loadout.placed().map(slot).collect(),
        commands: commands_in(loadout.commands).map(|command| command.name().to_owned()).collect(),
    }
}
