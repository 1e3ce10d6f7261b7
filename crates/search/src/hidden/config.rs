//! The tunables of both agents: keys of Monte-Carlo tree search that mean the same here.

use crate::MctsConfig;
use crate::params::{Cost, Param, ParamError, Trees, Values};

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
        params_of(Trees::All)
    }

    /// Reads resolved values and refuses combinations without meaning.
    pub fn from_values(values: &Values) -> Result<Self, ParamError> {
        let search = read(values, &Self::params())?;
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
        params.extend(params_of(Trees::Known));
        params
    }

    /// Reads resolved values and refuses combinations without meaning.
    pub fn from_values(values: &Values) -> Result<Self, ParamError> {
        let worlds = values.number(WORLDS).expect("has a default") as u64;
        let search = MctsConfig { reuse: false, ..read(values, &params_of(Trees::Known))? };
        Ok(Self { search, worlds })
    }
}

/// The keys of tree search that mean something in these trees.
fn params_of(trees: Trees) -> Vec<Param> {
    MctsConfig::params().into_iter().filter(|param| param.trees >= trees).collect()
}

/// The values of the keys that are ours, over the defaults of plain UCT for all others.
fn read(values: &Values, ours: &[Param]) -> Result<MctsConfig, ParamError> {
    let is_ours = |key: &str| ours.iter().any(|param| param.key == key);
    let given = values.iter().filter(|(key, _)| is_ours(key));
    MctsConfig::from_values(&Values::resolve(&MctsConfig::params(), given)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_tree_has_its_keys() {
        let keys = |params: Vec<Param>| params.into_iter().map(|it| it.key).collect::<Vec<_>>();
        let all = "iterations calls ms select.c tree.nodes rollout rollout.opponent \
                   rollout.temperature rollout.epsilon rollout.unit rollout.length rollout.end \
                   rewards normalise final";
        assert_eq!(keys(IsmctsConfig::params()).join(" "), all);
        let mut lasting = keys(MctsConfig::params());
        lasting.retain(|key| !keys(PimcConfig::params()).contains(key));
        let expected = "reuse turn.plan turn.bursts turn.reconsider threads solver";
        assert_eq!(lasting.join(" "), expected);
    }
}
