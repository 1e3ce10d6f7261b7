//! What can be played: games, rules, levels, agents.

use protocol::SetupCard;
use protocol::scene::Geometry;
use serde::Serialize;
use utoipa::ToSchema;

/// Everything that can be played; `GET /api/catalog`.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Catalog {
    /// The version of the program.
    pub version: String,
    /// How levels choose at the table, a sentence or two.
    pub levels_choose: String,
    /// The games, the most finished first.
    pub games: Vec<GameCard>,
}

/// A game that can be played.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct GameCard {
    /// Its name in requests: `lords-of-war`.
    pub name: String,
    /// Its name for people: `Lords of War`.
    pub title: String,
    /// One line about it.
    pub about: String,
    /// A toy for tests: offered last.
    pub toy: bool,
    /// Names of the two seats: `black`, `white`.
    pub seats: [String; 2],
    /// The board.
    pub geometry: Geometry,
    /// Named sets of rule options, the default first; empty if there are none.
    pub presets: Vec<RulePreset>,
    /// Rule options with their default values.
    pub rules: Vec<RuleCard>,
    /// What a seat may bring, if anything.
    pub setup: Option<SetupCard>,
    /// Levels of play, the weakest first.
    pub levels: Vec<LevelCard>,
    /// Every agent that can play it.
    pub agents: Vec<AgentCard>,
    /// The rules in words, as Markdown.
    pub rules_text: String,
}

/// A named set of rule options.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct RulePreset {
    /// Its name in requests.
    pub name: String,
    /// What it is.
    pub about: String,
}

/// One rule option.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct RuleCard {
    /// Its key.
    pub key: String,
    /// What it decides.
    pub about: String,
    /// Its values, where they can be listed; otherwise a number or text is written.
    pub values: Vec<String>,
    /// Its value unless another is given.
    pub default: String,
}

/// A level of play.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LevelCard {
    /// Its number, from 1.
    pub number: u32,
    /// `First game`, …, `Strongest here`.
    pub name: String,
    /// The agent behind it.
    pub spec: String,
    /// Its rating, the first level being 0.
    pub elo: i32,
    /// Half of the 95 % interval.
    pub elo_error: i32,
    /// The agent behind it where something is hidden, if it is another one.
    pub hidden_spec: Option<String>,
}

/// An agent.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct AgentCard {
    /// Its name in specs.
    pub name: String,
    /// One line about it.
    pub about: String,
    /// Why it cannot play under the default rules, if so.
    pub refused: Option<String>,
    /// Its tunables.
    pub params: Vec<ParamCard>,
}

/// A tunable of an agent.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ParamCard {
    /// Its key.
    pub key: String,
    /// What it does.
    pub about: String,
    /// Its value unless another is given; `None` if it is off.
    pub default: Option<String>,
    /// Its values, where they can be listed.
    pub values: Vec<String>,
    /// Smallest number, of numbers.
    pub min: Option<f64>,
    /// Greatest number, of numbers.
    pub max: Option<f64>,
    /// Numbers without fractions.
    pub whole: bool,
}

/// How the server does; `GET /api/health`.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Health {
    /// `ok`.
    pub status: String,
    /// The version of the program.
    pub version: String,
    /// Games in memory.
    pub live_games: u64,
    /// Decisions being thought about now.
    pub thinking: u64,
    /// Decisions that wait for a free worker.
    pub waiting: u64,
}
