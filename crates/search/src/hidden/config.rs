//! The tunables of both agents: keys of Monte-Carlo tree search that mean the same here.

use crate::MctsConfig;
use crate::params::{Cost, Param, ParamError, Values};

/// What an information set tree has in common with the other trees. Selection has its own formula,
/// and proofs, merged nodes and reuse would need to know the state.
const ISMCTS_KEYS: [&str; 15] = [
    "iterations",
    "calls",
    "ms",
    "select.c",
    "tree.nodes",
    "rollout",
    "rollout.opponent",
    "rollout.temperature",
    "rollout.epsilon",
    "rollout.unit",
    "rollout.length",
    "rollout.end",
    "rewards",
    "normalise",
    "final",
];

/// What means nothing where a decision is many short searches whose root visits are added up: the
/// next decision has other worlds, and a world proven early would count for less than the others.
const NOT_IN_WORLDS: [&str; 6] =
    ["reuse", "threads", "solver", "turn.plan", "turn.bursts", "turn.reconsider"];

const WORLDS: &str = "worlds";

/// An information set search, ready to be built.
#[derive(Clone, Debug, PartialEq)]
pub struct IsmctsConfig {
    /// What it has in common with the other trees; the rest is not looked at.
    pub search: MctsConfig,
}

/// A search of sampled worlds, ready to be built.
#[derive(Clone, Debug, PartialEq)]
pub struct PimcConfig {
    /// How each world is searched; the budget is that of all worlds together.
    pub search: MctsConfig,
    /// How many worlds are searched.
    pub worlds: u64,
}

impl IsmctsConfig {
    /// Every tunable.
    #[must_use]
    pub fn params() -> Vec<Param> {
        MctsConfig::params().into_iter().filter(|param| is_for_ismcts(&param.key)).collect()
    }

    /// Reads resolved values and refuses combinations without meaning.
    pub fn from_values(values: &Values) -> Result<Self, ParamError> {
        let search = read(values, is_for_ismcts)?;
        if search.rollout.learns() {
            let reason = "information set trees keep no means of actions for rollouts: give another \
                          rollout than mast and mast-greedy, or take pimc, which has them";
            return Err(ParamError::Combination(reason.to_owned()));
        }
        Ok(Self { search })
    }
}

impl PimcConfig {
    /// Every tunable.
    #[must_use]
    pub fn params() -> Vec<Param> {
        let mut params = vec![
            Param::integer(WORLDS, 1, 100_000, 20, "worlds sampled").costs(Cost::Time(10_000)),
        ];
        let ours = MctsConfig::params().into_iter().filter(|param| is_for_worlds(&param.key));
        params.extend(ours);
        params
    }

    /// Reads resolved values and refuses combinations without meaning.
    pub fn from_values(values: &Values) -> Result<Self, ParamError> {
        let worlds = values.number(WORLDS).expect("has a default") as u64;
        let search = MctsConfig { reuse: false, ..read(values, is_for_worlds)? };
        Ok(Self { search, worlds })
    }
}

fn is_for_ismcts(key: &str) -> bool {
    ISMCTS_KEYS.contains(&key)
}

fn is_for_worlds(key: &str) -> bool {
    !NOT_IN_WORLDS.contains(&key)
}

/// The values of the keys that are ours, over the defaults of plain UCT for all others.
fn read(values: &Values, is_ours: fn(&str) -> bool) -> Result<MctsConfig, ParamError> {
    let params = MctsConfig::params();
    let known = |key: &str| is_ours(key) && params.iter().any(|param| param.key == key);
    let values = Values::resolve(&params, values.iter().filter(|(key, _)| known(key)))?;
    MctsConfig::from_values(&values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_named_here_is_one_of_tree_search() {
        let all = MctsConfig::params();
        for key in ISMCTS_KEYS.iter().chain(&NOT_IN_WORLDS) {
            assert!(all.iter().any(|param| param.key == *key), "{key}");
        }
        assert_eq!(IsmctsConfig::params().len(), ISMCTS_KEYS.len());
    }
}
