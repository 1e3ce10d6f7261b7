//! The agents that search by whole turns.

use gamecore::{Agent, Game, Traits};
use search::params::{Param, ParamError, Values};
use search::{TurnBeam, TurnBeamConfig, Voting};

use crate::agents::{AgentEntry, AgentKind, Parts};
use crate::presets::NO_HEURISTIC;

/// Minimax over whole turns, each position looking at its best turns only.
#[derive(Clone, Copy, Debug)]
pub struct WholeTurns;

/// Them as agents of a game.
pub(crate) fn by_turns<G: Game>() -> [AgentEntry<G>; 1] {
    [AgentEntry::new(
        "turn-beam",
        "minimax over whole turns, the most promising of each position",
        WholeTurns,
    )]
}

impl<G: Game> AgentKind<G> for WholeTurns {
    fn params(&self) -> Vec<Param> {
        TurnBeamConfig::params()
    }

    fn heuristic(&self) -> Option<&'static str> {
        Some(NO_HEURISTIC)
    }

    fn check(&self, values: &Values, traits: Traits) -> Result<(), ParamError> {
        let refused = TurnBeamConfig::from_values(values)?.refuses::<G>(traits);
        refused.map_or(Ok(()), |why| Err(ParamError::Combination(why)))
    }

    fn is_repeatable(&self, values: &Values) -> bool {
        TurnBeamConfig::from_values(values).is_ok_and(|config| config.is_repeatable())
    }

    fn build(&self, values: &Values, parts: Parts<G>) -> Box<dyn Agent<G>> {
        let config = TurnBeamConfig::from_values(values).expect("the values were checked");
        let worlds = config.worlds;
        let search = TurnBeam::new(config, parts.evaluator, parts.action_score);
        Box::new(Voting::new(search, worlds, parts.seed))
    }
}
