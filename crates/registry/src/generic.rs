//! Agents that play any game.

use gamecore::{Game, Notation, RandomAgent, Traits};
use search::params::{Param, ParamError, Values};
use search::{Algorithm, Config, DepthFirst, Voting};

use crate::agents::{AgentEntry, AgentKind, ORDER, Ready, admitted};
use crate::hidden::hidden_information;
use crate::presets::tree_searches;
use crate::turns::by_turns;

/// The best action by the evaluation right after it: minimax of depth 1.
struct Greedy;

/// Every agent that plays any game, weakest idea first.
#[must_use]
pub fn generic_agents<G: Notation>() -> Vec<AgentEntry<G>> {
    let depth_first = [
        (Algorithm::Minimax, "minimax", "plain minimax, the reference"),
        (Algorithm::AlphaBeta, "alphabeta", "alpha-beta, fail-soft"),
        (Algorithm::Scout, "scout", "Pearl's SCOUT: EVAL and TEST"),
        (
            Algorithm::ScoutAsPrinted,
            "scout-as-printed",
            "the faulty pseudo-code of the 2020 Othello paper, a negative control",
        ),
        (Algorithm::Pvs, "pvs", "principal variation search (NegaScout)"),
        (Algorithm::Mtdf, "mtdf", "MTD(f): null windows closing in"),
    ];
    let mut agents = vec![
        AgentEntry::without_keys("random", "uniformly random legal actions", |seed| {
            Box::new(RandomAgent::new(seed))
        }),
        AgentEntry::new("greedy", "the action with the best evaluation right after it", Greedy),
    ];
    agents.extend(depth_first.map(|(kind, name, about)| AgentEntry::new(name, about, kind)));
    agents.extend(tree_searches());
    agents.extend(hidden_information());
    agents.extend(by_turns());
    #[cfg(feature = "exec")]
    agents.push(crate::exec::programs());
    agents
}

impl<G: Game> AgentKind<G> for Greedy {
    fn params(&self) -> Vec<Param> {
        Vec::new()
    }

    fn prepare(&self, _values: &Values, traits: Traits) -> Result<Ready<G>, ParamError> {
        let config = Config { all_roots: true, ..Config::plain(Algorithm::Minimax, 1) };
        depth_first(config, traits)
    }
}

impl<G: Game> AgentKind<G> for Algorithm {
    fn params(&self) -> Vec<Param> {
        Self::params(*self)
    }

    fn heuristic(&self) -> Option<&'static str> {
        (!matches!(self, Self::Minimax | Self::ScoutAsPrinted)).then_some(ORDER)
    }

    fn prepare(&self, values: &Values, traits: Traits) -> Result<Ready<G>, ParamError> {
        depth_first(Config::from_values(*self, values)?, traits)
    }
}

fn depth_first<G: Game>(config: Config, traits: Traits) -> Result<Ready<G>, ParamError> {
    admitted(config.refuses::<G>(traits))?;
    Ok(Ready::new(move |parts| {
        let search = DepthFirst::new(config.clone(), parts.evaluator, parts.action_score);
        Voting::new(search, config.worlds, parts.seed)
    }))
}
