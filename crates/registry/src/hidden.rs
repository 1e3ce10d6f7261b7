//! The agents for games with hidden information. They may play open games too.

use gamecore::{Game, Traits};
use search::params::{Param, ParamError, Values};
use search::{Ismcts, IsmctsConfig, Pimc, PimcConfig, Pruning};

use crate::agents::{AgentEntry, AgentKind, Parts, Ready};
use crate::presets::{ITERATIONS, settle_budget};

/// One tree over all worlds of a view.
struct InformationSets;

/// Many worlds of a view, each searched as if it were known.
struct Worlds;

/// Both as agents of a game.
pub(crate) fn hidden_information<G: Game>() -> [AgentEntry<G>; 2] {
    [
        AgentEntry::new(
            "ismcts",
            "information set tree search: one tree over all worlds that fit the view",
            InformationSets,
        ),
        AgentEntry::new(
            "pimc",
            "perfect information Monte Carlo: tree searches of sampled worlds, added up",
            Worlds,
        ),
    ]
}

impl<G: Game> AgentKind<G> for InformationSets {
    fn params(&self) -> Vec<Param> {
        IsmctsConfig::params()
    }

    fn heuristic(&self) -> Option<&'static str> {
        Some("")
    }

    fn settle(&self, values: &mut Values) {
        settle_budget(values, ITERATIONS);
    }

    fn prepare(&self, values: &Values, _traits: Traits) -> Result<Ready<G>, ParamError> {
        let config = IsmctsConfig::from_values(values)?;
        Ok(Ready::new(move |parts| {
            Ismcts::new(config.clone(), parts.evaluator, parts.action_score, parts.seed)
        }))
    }
}

impl<G: Game> AgentKind<G> for Worlds {
    fn params(&self) -> Vec<Param> {
        PimcConfig::params()
    }

    fn heuristic(&self) -> Option<&'static str> {
        Some("")
    }

    fn settle(&self, values: &mut Values) {
        settle_budget(values, ITERATIONS);
        Pruning::settle(values);
    }

    fn prepare(&self, values: &Values, _traits: Traits) -> Result<Ready<G>, ParamError> {
        let config = PimcConfig::from_values(values)?;
        Ok(Ready::new(move |Parts { evaluator, action_score, pruners, seed }| {
            Pimc::new(config.clone(), evaluator, action_score, seed).pruned_by(pruners)
        }))
    }
}
