//! What an agent that searches by turns is made of.

use gamecore::{Budget, Game, Traits};

use crate::config::{WORLDS, refuse_worlds, worlds_param};
use crate::params::{Param, ParamError, Values};

/// More turns than this are never looked ahead.
pub(super) const MAX_TURNS: u32 = 40;

/// What a remembered position takes, and each of its turns, about.
const ENTRY_BYTES: usize = 128;
const TURN_BYTES: usize = 64;

/// An agent `turn-beam`, ready to be built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnBeamConfig {
    /// When to stop; its depth is never set.
    pub budget: Budget,
    /// Turns looked ahead.
    pub turns: Option<u32>,
    /// Turns searched at the root.
    pub width: usize,
    /// Turns searched at every other position.
    pub reply: usize,
    /// Beginnings of turns continued, at the root.
    pub spread: usize,
    /// The same at every other position.
    pub reply_spread: usize,
    /// Turns with strikes tried beyond the horizon.
    pub quiescence: u32,
    /// Memory for positions, in MiB.
    pub table_mb: usize,
    /// Worlds that vote where part of the state is hidden.
    pub worlds: Option<u64>,
}

impl TurnBeamConfig {
    /// The tunables.
    #[must_use]
    pub fn params() -> Vec<Param> {
        vec![
            Param::optional(
                "turns",
                1,
                i64::from(MAX_TURNS),
                "turns looked ahead, one's own included; 3 if no budget is given",
            ),
            Param::optional("calls", 1, 1 << 50, "maximum applications of an action"),
            Param::optional("nodes", 1, 1 << 50, "maximum positions between turns"),
            Param::optional("ms", 1, 86_400_000, "maximum milliseconds; not repeatable"),
            Param::integer("width", 1, 10_000, 24, "turns searched at the root"),
            Param::integer("reply", 1, 10_000, 8, "turns searched at every other position"),
            Param::integer(
                "spread",
                1,
                10_000,
                400,
                "beginnings of turns continued after every action, at the root",
            ),
            Param::integer("reply.spread", 1, 10_000, 24, "the same at every other position"),
            Param::integer("quiescence", 0, 16, 0, "turns with strikes tried beyond the horizon"),
            Param::integer("table.mb", 1, 16_384, 64, "memory for positions, in MiB"),
            worlds_param(),
        ]
    }

    /// Reads resolved values.
    pub fn from_values(values: &Values) -> Result<Self, ParamError> {
        let number = |key: &str| values.number(key).map(|number| number as u64);
        let size = |key: &str| number(key).unwrap_or(1) as usize;
        let budget = Budget {
            calls: number("calls"),
            nodes: number("nodes"),
            ms: number("ms"),
            ..Budget::default()
        };
        let turns = number("turns").map(|turns| turns as u32);
        Ok(Self {
            budget,
            turns: if budget == Budget::default() { turns.or(Some(3)) } else { turns },
            width: size("width"),
            reply: size("reply"),
            spread: size("spread"),
            reply_spread: size("reply.spread"),
            quiescence: number("quiescence").unwrap_or(0) as u32,
            table_mb: size("table.mb"),
            worlds: number(WORLDS),
        })
    }

    /// Why this agent cannot play a game with these traits, if so.
    #[must_use]
    pub fn refuses<G: Game>(&self, traits: Traits) -> Option<String> {
        refuse_worlds::<G>(self.worlds, traits)
    }

    /// Whether equal games give equal decisions and counters; what is remembered of a game's earlier
    /// positions has a part in them.
    #[must_use]
    pub fn is_repeatable(&self) -> bool {
        self.budget.ms.is_none()
    }

    /// Positions that may be remembered.
    pub(crate) const fn entries(&self) -> usize {
        self.table_mb * 1_048_576 / (ENTRY_BYTES + TURN_BYTES * self.reply)
    }
}
