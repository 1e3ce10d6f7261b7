//! What the seats of games bring, where people build it.

use std::sync::Arc;

use registry::{AnyGame, Registry};

use crate::dto::{LoadoutCard, LoadoutRequest, NewGame, SetupCard, SetupKind};
use crate::error::Refusal;

/// The names of what the seats of a game bring, where it begins with setups.
pub(crate) fn loadout_names(
    games: &Registry,
    asked: &NewGame,
    saved: &[(String, String)],
) -> [String; 2] {
    let built = |card: &SetupCard| card.kind == SetupKind::Loadout;
    let game = games.open(&asked.game, &asked.rules).ok();
    let begins = asked.record.is_none() && asked.position.is_none();
    match game.as_ref().and_then(|game| Some((game, game.setups().filter(built)?))) {
        Some((game, card)) if begins => {
            asked.setups.each_ref().map(|text| loadout_name(&**game, &card, text, saved))
        }
        _ => Default::default(),
    }
}

/// The name of what a seat brings: that of the one it chose by the same text, of its own first.
fn loadout_name(
    game: &dyn AnyGame,
    card: &SetupCard,
    text: &str,
    saved: &[(String, String)],
) -> String {
    if text.is_empty() {
        return card.default[0].clone();
    }
    let Ok(brought) = game.draft(text) else { return String::new() };
    let same = |known: &str| known == text || known == brought.text;
    let own = saved.iter().find(|(_, known)| same(known)).map(|(name, _)| name);
    let known = card.choices.iter().find(|known| same(&known.text) || known.name == text);
    own.or(known.map(|known| &known.name)).cloned().unwrap_or_default()
}

/// Reads a loadout of the first game that has some, and prices it.
pub(crate) fn read_loadout(
    games: &Registry,
    asked: &LoadoutRequest,
) -> Result<LoadoutCard, Refusal> {
    let built = |game: &&Arc<dyn AnyGame>| {
        game.setups().is_some_and(|card| card.kind == SetupKind::Loadout)
    };
    let all = games.all();
    let game = all.iter().find(built).ok_or_else(|| Refusal::bad("no game here has loadouts"))?;
    Ok(games.open(game.info().name, &asked.rules)?.draft(&asked.text)?)
}
