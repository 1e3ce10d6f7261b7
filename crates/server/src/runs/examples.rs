//! The experiments that come with the program.

use registry::Registry;
use rust_embed::RustEmbed;

use super::{cards, read};
use crate::dto::{ExperimentCard, ExperimentRequest};

/// The files of the repository's folder.
#[derive(RustEmbed)]
#[folder = "$CARGO_MANIFEST_DIR/../../experiments"]
struct Files;

/// All that can be started here; those that need programs or files are for the command.
pub(super) fn experiments(games: &Registry) -> Vec<ExperimentCard> {
    let card = |file: std::borrow::Cow<'static, str>| {
        let name = file.strip_suffix(".toml")?.to_owned();
        let text = String::from_utf8(Files::get(&file)?.data.into_owned()).ok()?;
        let asked = ExperimentRequest { name, text, scale: None, as_new: false };
        let experiment = read(games, &asked).ok()?;
        let spec = &experiment.spec;
        Some(ExperimentCard {
            about: spec.about.clone(),
            game: spec.game.clone(),
            kind: cards::kind(spec),
            games: spec.total_games(),
            name: asked.name,
            text: asked.text,
        })
    };
    let mut cards: Vec<ExperimentCard> = Files::iter().filter_map(card).collect();
    cards.sort_by(|one, other| one.name.cmp(&other.name));
    cards
}
