//! What people at a table need of a game beyond its rules: how it looks, what can be chosen before
//! it begins, and levels of play.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use gamecore::{Notation, RuleSheet, Seat};
use protocol::scene::{Geometry, SceneForms};
use serde::{Deserialize, Serialize};

use crate::appearance::Appearance;
use crate::reports::SquareMap;

/// What people need to sit down to a game.
#[derive(Clone, Debug)]
pub struct PresentationInfo {
    /// The name for people.
    pub title: &'static str,
    /// A toy for tests.
    pub toy: bool,
    /// Names of the seats.
    pub seats: [String; 2],
    /// The board.
    pub geometry: Geometry,
    /// What its pieces and its detail hold.
    pub forms: fn() -> SceneForms,
    /// Presets and rule options, with their values under these rules.
    pub options: RuleSheet,
    /// The rules in words, Markdown.
    pub rules_text: &'static str,
    /// Levels of play, the weakest first.
    pub levels: Vec<Level>,
}

/// A level of play.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Level {
    /// For people.
    pub name: String,
    /// The agent.
    pub spec: String,
    /// The agent where something is hidden from a seat, if `spec` cannot play then.
    #[serde(default)]
    pub hidden_spec: Option<String>,
    /// Its rating; the first level has 0.
    pub elo: i32,
    /// Half of the 95 % interval of the rating.
    pub elo_error: i32,
}

/// How a game is put on the table.
pub struct Presentation<G: Notation> {
    /// The name for people.
    pub title: &'static str,
    /// A toy for tests.
    pub toy: bool,
    /// How positions look.
    pub appearance: Appearance<G>,
    /// The rules in words.
    pub rules_text: &'static str,
    /// What squares are worth to a seat by rules of thumb, to be laid over the board.
    pub maps: fn(&G, &G::State, Seat) -> Vec<SquareMap>,
    /// Levels of play, the weakest first.
    pub levels: Vec<Level>,
}

impl<G: Notation> Presentation<G> {
    /// A game that has nothing of its own: a toy, drawn in letters, with two levels, or those that
    /// `data/levels.toml` has for its name.
    #[must_use]
    pub fn plain() -> Self {
        Self {
            title: G::NAME,
            toy: true,
            appearance: Appearance::plain(),
            rules_text: "",
            maps: |_, _, _| Vec::new(),
            levels: levels_of(G::NAME).to_vec(),
        }
    }

    pub(crate) fn info(&self, game: &G) -> PresentationInfo {
        PresentationInfo {
            title: self.title,
            toy: self.toy,
            seats: Seat::BOTH.map(|seat| game.seat_name(seat)),
            geometry: (self.appearance.geometry)(game),
            forms: self.appearance.forms,
            options: game.rule_sheet(),
            rules_text: self.rules_text,
            levels: self.levels.clone(),
        }
    }
}

/// The levels of a game, measured by the round robins in `experiments/levels-*.toml`; games
/// without measured ones have two.
fn levels_of(game: &str) -> &'static [Level] {
    static LEVELS: OnceLock<BTreeMap<String, Vec<Level>>> = OnceLock::new();
    let all = LEVELS.get_or_init(|| {
        toml::from_str(include_str!("../../../data/levels.toml")).expect("data/levels.toml")
    });
    all.get(game).or_else(|| all.get("other")).map_or(&[], Vec::as_slice)
}
