//! What agents that search by turns are made of.

use std::sync::Arc;

use gamecore::{ActionScore, Agent, Budget, Evaluator, Game, Traits};

use super::{Oep, TurnBeam, TurnMcts};
use crate::Voting;
use crate::config::{WORLDS, refuse_worlds, worlds_param};
use crate::mcts::Widening;
use crate::params::{Cost, Param, Values};

/// More turns than this are never looked ahead.
pub(super) const MAX_TURNS: u32 = 40;

/// What a remembered position takes, and each of its turns, about.
pub(super) const ENTRY_BYTES: usize = 128;
pub(super) const TURN_BYTES: usize = 64;

/// An agent that searches by whole turns, ready to be built.
pub trait TurnSearch: Clone + Send + Sync + 'static {
    /// The tunables.
    fn params() -> Vec<Param>;

    /// Reads resolved values.
    fn from_values(values: &Values) -> Self;

    /// When to stop; depth is never set.
    fn budget(&self) -> &Budget;

    /// The agent.
    fn build<G: Game>(
        self,
        evaluator: Arc<dyn Evaluator<G>>,
        action_score: Option<Arc<dyn ActionScore<G>>>,
        seed: u64,
    ) -> Box<dyn Agent<G>>;

    /// Why such an agent cannot play a game with these traits, if so.
    #[must_use]
    fn refuses<G: Game>(&self, traits: Traits) -> Option<String> {
        traits.hidden.then(|| {
            format!(
                "this search needs to see the whole state, and {} hides part of it under these \
                 rules: turn-beam, depth-first agents, ismcts and pimc play such games",
                G::NAME
            )
        })
    }
}

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

/// An agent `oep`, ready to be built.
#[derive(Clone, Debug, PartialEq)]
pub struct OepConfig {
    /// When to stop; iterations are generations.
    pub budget: Budget,
    /// Turns in a generation.
    pub population: usize,
    /// How likely a gene is replaced by any action.
    pub mutation: f64,
    /// Turns looked ahead beyond one's own.
    pub horizon: u32,
    /// Beginnings continued when those are made.
    pub reply_spread: usize,
}

/// An agent `turn-mcts`, ready to be built.
#[derive(Clone, Debug, PartialEq)]
pub struct TurnMctsConfig {
    /// When to stop.
    pub budget: Budget,
    /// The exploration constant.
    pub c: f64,
    /// How many turns of a position take part.
    pub widening: Widening,
    /// Turns kept at the root.
    pub width: usize,
    /// Turns kept at every other position.
    pub reply: usize,
    /// Beginnings of turns continued, at the root.
    pub spread: usize,
    /// The same at every other position.
    pub reply_spread: usize,
    /// Memory for positions, in MiB.
    pub table_mb: usize,
}

fn number(values: &Values, key: &str) -> Option<u64> {
    values.number(key).map(|number| number as u64)
}

fn size(values: &Values, key: &str) -> usize {
    number(values, key).expect("has a default") as usize
}

fn decimal(values: &Values, key: &str) -> f64 {
    values.decimal(key).expect("has a default")
}

/// The budget; `default` rounds if none is given.
fn budget_in_rounds(values: &Values, default: u64) -> Budget {
    let given = values.budget();
    if given == Budget::default() { Budget { iterations: Some(default), ..given } } else { given }
}

fn calls() -> Param {
    Param::calls("maximum applications of an action")
}

/// Turns of one position that are kept at once.
fn kept(key: &str, most: u64, default: i64, about: &str) -> Param {
    Param::integer(key, 1, 10_000, default, about).costs(Cost::Memory(most))
}

fn spread(default: i64) -> Param {
    kept("spread", 2_000, default, "beginnings of turns continued after every action, at the root")
}

fn reply_spread(default: i64) -> Param {
    kept("reply.spread", 500, default, "the same at every other position")
}

/// Positions that so much memory holds, each with so many turns.
const fn entries(table_mb: usize, turns: usize) -> usize {
    table_mb * 1_048_576 / (ENTRY_BYTES + TURN_BYTES * turns)
}

fn table_mb() -> Param {
    Param::megabytes("table.mb", 64, "memory for positions, in MiB")
}

impl TurnSearch for TurnBeamConfig {
    fn params() -> Vec<Param> {
        vec![
            Param::optional(
                "turns",
                1,
                i64::from(MAX_TURNS),
                "turns looked ahead, one's own included; 3 if no budget is given",
            ),
            calls(),
            Param::nodes("maximum positions between turns"),
            Param::ms(),
            kept("width", 2_000, 24, "turns searched at the root"),
            kept("reply", 500, 8, "turns searched at every other position"),
            spread(400),
            reply_spread(24),
            Param::integer("quiescence", 0, 16, 0, "turns with strikes tried beyond the horizon"),
            table_mb(),
            worlds_param(),
        ]
    }

    fn from_values(values: &Values) -> Self {
        let budget = values.budget();
        let turns = number(values, "turns").map(|turns| turns as u32);
        Self {
            budget,
            turns: if budget == Budget::default() { turns.or(Some(3)) } else { turns },
            width: size(values, "width"),
            reply: size(values, "reply"),
            spread: size(values, "spread"),
            reply_spread: size(values, "reply.spread"),
            quiescence: size(values, "quiescence") as u32,
            table_mb: size(values, "table.mb"),
            worlds: number(values, WORLDS),
        }
    }

    fn refuses<G: Game>(&self, traits: Traits) -> Option<String> {
        refuse_worlds::<G>(self.worlds, traits)
    }

    fn budget(&self) -> &Budget {
        &self.budget
    }

    fn build<G: Game>(
        self,
        evaluator: Arc<dyn Evaluator<G>>,
        action_score: Option<Arc<dyn ActionScore<G>>>,
        seed: u64,
    ) -> Box<dyn Agent<G>> {
        let worlds = self.worlds;
        Box::new(Voting::new(TurnBeam::new(self, evaluator, action_score), worlds, seed))
    }
}

impl TurnSearch for OepConfig {
    fn params() -> Vec<Param> {
        vec![
            Param::iterations("generations after the first; 50 if no budget is given"),
            calls(),
            Param::ms(),
            Param::integer("population", 2, 10_000, 40, "turns in a generation")
                .costs(Cost::Memory(2_000)),
            Param::decimal(
                "mutation",
                (0.0, 1.0, 0.05),
                0.3,
                "probability that an action of a child is any action",
            ),
            Param::integer("horizon", 0, 16, 0, "turns answered greedily after one's own"),
            kept("reply.spread", 500, 4, "beginnings continued after every action of those turns"),
        ]
    }

    fn from_values(values: &Values) -> Self {
        Self {
            budget: budget_in_rounds(values, 50),
            population: size(values, "population"),
            mutation: decimal(values, "mutation"),
            horizon: size(values, "horizon") as u32,
            reply_spread: size(values, "reply.spread"),
        }
    }

    fn budget(&self) -> &Budget {
        &self.budget
    }

    fn build<G: Game>(
        self,
        evaluator: Arc<dyn Evaluator<G>>,
        action_score: Option<Arc<dyn ActionScore<G>>>,
        seed: u64,
    ) -> Box<dyn Agent<G>> {
        Box::new(Oep::new(self, evaluator, action_score, seed))
    }
}

impl TurnSearch for TurnMctsConfig {
    fn params() -> Vec<Param> {
        let rounds =
            "iterations: select a turn, make its answers, back up; 100 if no budget is given";
        vec![
            Param::iterations(rounds),
            calls(),
            Param::ms(),
            Param::decimal("select.c", (0.0, 100.0, 0.01), 0.03, "exploration constant"),
            Param::decimal(
                "widen.c",
                (0.1, 100.0, 0.5),
                2.0,
                "C of progressive widening: the best C·n^α turns take part",
            ),
            Param::decimal("widen.alpha", (0.0, 1.0, 0.05), 0.5, "its α"),
            kept("width", 2_000, 24, "turns kept at the root"),
            kept("reply", 500, 8, "turns kept at every other position"),
            spread(100),
            reply_spread(12),
            table_mb(),
        ]
    }

    fn from_values(values: &Values) -> Self {
        Self {
            budget: budget_in_rounds(values, 100),
            c: decimal(values, "select.c"),
            widening: Widening {
                c: decimal(values, "widen.c"),
                alpha: decimal(values, "widen.alpha"),
            },
            width: size(values, "width"),
            reply: size(values, "reply"),
            spread: size(values, "spread"),
            reply_spread: size(values, "reply.spread"),
            table_mb: size(values, "table.mb"),
        }
    }

    fn budget(&self) -> &Budget {
        &self.budget
    }

    fn build<G: Game>(
        self,
        evaluator: Arc<dyn Evaluator<G>>,
        action_score: Option<Arc<dyn ActionScore<G>>>,
        seed: u64,
    ) -> Box<dyn Agent<G>> {
        Box::new(TurnMcts::new(self, evaluator, action_score, seed))
    }
}

impl TurnMctsConfig {
    /// Positions that the tree may hold.
    pub(crate) const fn entries(&self) -> usize {
        entries(self.table_mb, self.reply)
    }
}
