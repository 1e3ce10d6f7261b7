//! What people at a table need of a game beyond its rules: how it looks, what can be chosen before
//! it begins, and levels of play.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use gamecore::{Notation, Seat};
use scene::{Geometry, Sighted};
use serde::{Deserialize, Serialize};

use crate::lenses::SquareMap;

/// What people need to sit down to a game.
#[derive(Clone, Debug)]
pub struct TableInfo {
    /// The name for people.
    pub title: &'static str,
    /// A toy for tests.
    pub toy: bool,
    /// Names of the seats.
    pub seats: [String; 2],
    /// The board.
    pub geometry: Geometry,
    /// Named sets of rule options with what they are, the default first.
    pub presets: &'static [(&'static str, &'static str)],
    /// Rule options with their values under these rules.
    pub rules: Vec<RuleInfo>,
    /// The rules in words, Markdown.
    pub rules_text: &'static str,
    /// Levels of play, the weakest first.
    pub levels: &'static [Level],
}

/// A rule option.
#[derive(Clone, Debug)]
pub struct RuleInfo {
    /// Its key.
    pub key: &'static str,
    /// What it decides.
    pub about: &'static str,
    /// Its values where they can be listed.
    pub values: &'static [&'static str],
    /// Its value now.
    pub value: String,
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

/// Words about a rule option: key, what it decides, values where they can be listed.
pub type RuleWords = (&'static str, &'static str, &'static [&'static str]);

/// How a game is put on the table.
pub struct Tabled<G: Notation> {
    /// The name for people.
    pub title: &'static str,
    /// A toy for tests.
    pub toy: bool,
    /// How positions look.
    pub sighted: Sighted<G>,
    /// Named sets of rule options, the default first.
    pub presets: &'static [(&'static str, &'static str)],
    /// Words about rule options; those that have none are not offered.
    pub rules: &'static [RuleWords],
    /// The rules in words.
    pub rules_text: &'static str,
    /// What squares are worth to a seat by rules of thumb, to be laid over the board.
    pub maps: fn(&G, &G::State, Seat) -> Vec<SquareMap>,
}

impl<G: Notation> Tabled<G> {
    /// A game that has nothing of its own.
    pub(crate) fn plain() -> Self {
        Self {
            title: G::NAME,
            toy: true,
            sighted: Sighted::plain(),
            presets: &[],
            rules: &[],
            rules_text: "",
            maps: |_, _, _| Vec::new(),
        }
    }

    pub(crate) fn info(&self, game: &G) -> TableInfo {
        let now: BTreeMap<&str, String> = game.rules().into_iter().collect();
        let rules = self
            .rules
            .iter()
            .map(|&(key, about, values)| {
                let value = now.get(key).cloned().unwrap_or_default();
                RuleInfo { key, about, values, value }
            })
            .collect();
        TableInfo {
            title: self.title,
            toy: self.toy,
            seats: Seat::BOTH.map(|seat| game.seat_name(seat)),
            geometry: (self.sighted.geometry)(game),
            presets: self.presets,
            rules,
            rules_text: self.rules_text,
            levels: levels_of(G::NAME),
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
