//! The agents that search by whole turns.

use std::marker::PhantomData;

use gamecore::{Game, Traits};
use search::params::{Param, ParamError, Values};
use search::{OepConfig, TurnBeamConfig, TurnMctsConfig, TurnSearch};

use crate::agents::{AgentEntry, AgentKind, Parts, Ready, admitted};
use crate::presets::NO_HEURISTIC;

/// A search by whole turns that is made of a `C`.
#[derive(Clone, Copy, Debug)]
pub struct ByTurns<C>(PhantomData<fn() -> C>);

/// Minimax over whole turns, each position looking at its best turns only.
pub const WHOLE_TURNS: ByTurns<TurnBeamConfig> = ByTurns(PhantomData);

/// Them as agents of a game.
pub(crate) fn by_turns<G: Game>() -> [AgentEntry<G>; 3] {
    [
        AgentEntry::new(
            "turn-beam",
            "minimax over whole turns, the most promising of each position",
            WHOLE_TURNS,
        ),
        AgentEntry::new(
            "oep",
            "online evolution: turns as genomes, judged by the evaluation after them",
            ByTurns::<OepConfig>(PhantomData),
        ),
        AgentEntry::new(
            "turn-mcts",
            "Monte-Carlo tree search over whole turns, valued by the evaluation",
            ByTurns::<TurnMctsConfig>(PhantomData),
        ),
    ]
}

impl<G: Game, C: TurnSearch> AgentKind<G> for ByTurns<C> {
    fn params(&self) -> Vec<Param> {
        C::params()
    }

    fn heuristic(&self) -> Option<&'static str> {
        Some(NO_HEURISTIC)
    }

    fn prepare(&self, values: &Values, traits: Traits) -> Result<Ready<G>, ParamError> {
        let config = C::from_values(values);
        admitted(config.refuses::<G>(traits))?;
        let make = move |parts: Parts<G>| {
            config.clone().build(parts.evaluator, parts.action_score, parts.seed)
        };
        Ok(Ready { make: Box::new(make) })
    }
}
