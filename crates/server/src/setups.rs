//! What seats may bring: loadouts of Conquest, armies of Lords of War.

use standard::armies::{self, ArmyReport};
use standard::shop::{self, LoadoutDraft, ShopItem};

use crate::dto::{
    LoadoutCard, LoadoutRequest, LoadoutSlot, NewGame, SetupCard, SetupKind, UnitCard,
};
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

/// The names of what the seats of a game bring, where it begins with setups.
pub(crate) fn loadout_names(asked: &NewGame, saved: &[(String, String)]) -> [String; 2] {
    if asked.record.is_some() || asked.position.is_some() {
        return Default::default();
    }
    asked.setups.each_ref().map(|text| loadout_name(&asked.game, text, saved))
}

/// The name of what a seat brings: that of the one it chose by the same text, of its own first.
fn loadout_name(game: &str, text: &str, saved: &[(String, String)]) -> String {
    let Some(card) = setup_card(game).filter(|card| card.kind == SetupKind::Loadout) else {
        return String::new();
    };
    if text.is_empty() {
        return card.default[0].clone();
    }
    let Ok(brought) = shop::draft(text, "") else { return String::new() };
    let same = |known: &str| known == text || known == brought.report.text;
    let own = saved.iter().find(|(_, known)| same(known)).map(|(name, _)| name);
    let known = card.choices.iter().find(|known| same(&known.text) || known.name == text);
    own.or(known.map(|known| &known.name)).cloned().unwrap_or_default()
}

/// Reads a loadout and prices it.
pub(crate) fn read_loadout(asked: &LoadoutRequest) -> Result<LoadoutCard, Refusal> {
    Ok(loadout_card(shop::draft(&asked.text, &asked.rules)?))
}
