//! The games that we ship, and toys: the one place that lists them. To add a game, add a line to
//! `GAMES`.

use std::sync::Arc;

use conquest::{Conquest, Units};
use gamecore::Game;
use lords_of_war::{Army, LordsOfWar};
use othello::Othello;
use protocol::scene::{PlainScene, SceneForms};
use registry::{AnyGame, Catalog, SpecError, did_you_mean, without_rule_options};
use testkit::toys::{DiceRace, MiniPoker, StagedNim, TicTacToe};

pub use conquest_kit::{loadouts, shop};
pub use lords_of_war_kit::armies;
pub use othello_kit::{
    OthelloText, WthorGames, othello_ggf, othello_transcript, read_othello_ggf,
    read_othello_transcript,
};

type Opener = fn(&str) -> Result<Arc<dyn AnyGame>, SpecError>;

/// Name and constructor of every game.
const GAMES: &[(&str, Opener)] = &[
    (Othello::NAME, othello_kit::open),
    (Conquest::NAME, conquest_kit::open),
    (LordsOfWar::NAME, lords_of_war_kit::open),
    (TicTacToe::NAME, |rules| {
        without_rule_options(rules, TicTacToe, Catalog::plain("toy: three in a row", 1))
    }),
    (StagedNim::NAME, |rules| {
        let about = "toy: heaps, two decisions a turn, and turns that repeat";
        without_rule_options(rules, StagedNim::default(), Catalog::plain(about, 2))
    }),
    (DiceRace::NAME, |rules| {
        without_rule_options(rules, DiceRace, Catalog::plain("toy: a race with loaded dice", 1))
    }),
    (MiniPoker::NAME, |rules| {
        without_rule_options(rules, MiniPoker, Catalog::plain("toy: one hidden card each", 0))
    }),
];

/// Rules with the tables of units of a file put in; only some games have such tables.
pub fn rules_with_units(name: &str, rules: &str, content: &str) -> Result<String, SpecError> {
    let (key, tables) = match name {
        Conquest::NAME => {
            let units = Units::from_toml(content).map(|units| units.text());
            ("units", units.map_err(|error| SpecError::plain(error.reason)))
        }
        LordsOfWar::NAME => {
            let armies = Army::read_file(content).map_err(SpecError::plain);
            ("armies", armies.map(|armies| lords_of_war::Options::armies_text(&armies)))
        }
        _ => {
            let reason = "has no tables of units; conquest and lords-of-war have";
            return Err(SpecError::new(name, reason));
        }
    };
    if rules.split(',').any(|part| part.split_once('=').is_some_and(|(known, _)| known == key)) {
        let reason = format!("names {key} already; give them there or in a file");
        return Err(SpecError::new(rules, reason));
    }
    let before = if rules.is_empty() { String::new() } else { format!("{rules},") };
    Ok(format!("{before}{key}={}", tables?))
}

/// What is unusual about rules that can be played nevertheless: armies that miss a quota.
#[must_use]
pub fn rule_warnings(name: &str, rules: &str) -> Vec<String> {
    if name != LordsOfWar::NAME {
        return Vec::new();
    }
    let options = lords_of_war::Options::parse(rules).unwrap_or_default();
    options.armies.iter().flat_map(Army::warnings).collect()
}

/// The names of all games.
#[must_use]
pub fn game_names() -> Vec<&'static str> {
    GAMES.iter().map(|(name, _)| *name).collect()
}

/// What the scenes of our games hold, for who describes them.
///
/// # Panics
/// Never: every game has rules by default.
#[must_use]
pub fn scene_forms() -> SceneForms {
    let games = GAMES.iter().map(|(_, open)| open("").expect("rules by default"));
    let forms =
        games.fold(SceneForms::default(), |all, game| all.and((game.presentation().forms)()));
    forms.detail::<PlainScene>("plain", "Any other game: a drawing in letters.")
}

/// The game of this name under these rules (a preset, `key=value,…`, or nothing for the default).
pub fn open_game(name: &str, rules: &str) -> Result<Arc<dyn AnyGame>, SpecError> {
    let Some((_, open)) = GAMES.iter().find(|(known, _)| *known == name) else {
        let names = game_names();
        let near = did_you_mean(name, &names);
        let reason = format!("no such game{near} (games: {})", names.join(", "));
        return Err(SpecError::new(name, reason));
    };
    open(rules)
}
