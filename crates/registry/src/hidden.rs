//! The agents for games with hidden information. They may play open games too.

use gamecore::{Agent, Game, Traits};
use search::params::{Param, ParamError, Values};
use search::{Ismcts, IsmctsConfig, Pimc, PimcConfig, Pruning};

use crate::agents::{AgentEntry, AgentKind, Parts};
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

    fn check(&self, values: &Values, _traits: Traits) -> Result<(), ParamError> {
        IsmctsConfig::from_values(values).map(|_| ())
    }

    fn is_repeatable(&self, values: &Values) -> bool {
        IsmctsConfig::from_values(values).is_ok_and(|config| config.search.is_repeatable())
    }

    fn build(&self, values: &Values, parts: Parts<G>) -> Box<dyn Agent<G>> {
        let config = IsmctsConfig::from_values(values).expect("the values were checked");
        Box::new(Ismcts::new(config, parts.evaluator, parts.action_score, parts.seed))
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

    fn check(&self, values: &Values, _traits: Traits) -> Result<(), ParamError> {
        PimcConfig::from_values(values).map(|_| ())
    }

    fn is_repeatable(&self, values: &Values) -> bool {
        PimcConfig::from_values(values).is_ok_and(|config| config.search.is_repeatable())
    }

    fn build(&self, values: &Values, parts: Parts<G>) -> Box<dyn Agent<G>> {
        let config = PimcConfig::from_values(values).expect("the values were checked");
        let agent = Pimc::new(config, parts.evaluator, parts.action_score, parts.seed);
        Box::new(agent.pruned_by(parts.pruners))
    }
}
