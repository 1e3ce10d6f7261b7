//! What seats may bring: loadouts of Conquest, armies of Lords of War.

use standard::armies::{self, ArmyReport};
use standard::shop::{self, LoadoutDraft, ShopItem};

use crate::dto::{LoadoutCard, LoadoutRequest, LoadoutSlot, SetupCard, SetupKind, UnitCard};
use crate::error::Refusal;

/// What a seat may bring to this game, if anything.
pub(crate) fn setup_card(game: &str) -> Option<SetupCard> {
    match game {
        "conquest" => loadouts(),
        "lords-of-war" => Some(armies_card()),
        _ => None,
    }
}

fn loadouts() -> Option<SetupCard> {
    let shop = shop::shop("").ok()?;
    Some(SetupCard {
        kind: SetupKind::Loadout,
        choices: shop::named_drafts().into_iter().map(loadout_card).collect(),
        default: ["Default".to_owned(), "Default".to_owned()],
        troops: shop.troops.into_iter().map(unit_card).collect(),
        commands: shop.commands.into_iter().map(unit_card).collect(),
        budget: shop.budget,
        max_troops: shop.max_troops as u32,
        max_commands: shop.max_commands,
        columns: shop.columns as u8,
        rows: shop.rows as u8,
    })
}

fn unit_card(item: ShopItem) -> UnitCard {
    UnitCard { id: item.id, name: item.name, about: item.about, cost: item.cost }
}

fn loadout_card(draft: LoadoutDraft) -> LoadoutCard {
    let slot = |&(letter, column, row): &(char, usize, usize)| LoadoutSlot {
        troop: letter.to_string(),
        column: column as u8,
        row: row as u8,
    };
    LoadoutCard {
        slots: draft.placed.iter().map(slot).collect(),
        name: draft.report.name,
        text: draft.report.text,
        about: draft.report.summary,
        points: draft.report.points,
        faults: draft.report.faults,
        commands: draft.commands.into_iter().map(str::to_owned).collect(),
    }
}

fn armies_card() -> SetupCard {
    SetupCard {
        kind: SetupKind::Army,
        choices: armies::core().iter().map(army_card).collect(),
        default: ["orcs".to_owned(), "dwarves".to_owned()],
        troops: Vec::new(),
        commands: Vec::new(),
        budget: 0,
        max_troops: 0,
        max_commands: 0,
        columns: 0,
        rows: 0,
    }
}

fn army_card(army: &ArmyReport) -> LoadoutCard {
    LoadoutCard {
        name: army.name.clone(),
        text: army.id.clone(),
        about: format!("{} cards, {} different", army.cards, army.different),
        points: 0,
        faults: army.warnings.clone(),
        slots: Vec::new(),
        commands: Vec::new(),
    }
}

/// Reads a loadout and prices it.
pub(crate) fn read_loadout(asked: &LoadoutRequest) -> Result<LoadoutCard, Refusal> {
    Ok(loadout_card(shop::draft(&asked.text, &asked.rules)?))
}
