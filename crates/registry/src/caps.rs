//! What an agent may use where others pay for it: an app that is asked over a network.

use search::params::Cost;

use crate::SpecError;
use crate::erased::{AnyGame, ResolvedAgent};

/// Refuses programs from outside, and agents that may use too much.
pub fn within_caps(agent: &ResolvedAgent, threads: usize) -> Result<(), SpecError> {
    let text = agent.spec.to_string();
    if agent.spec.name == crate::spec::EXEC {
        let reason = "the app starts no programs; choose another agent than exec";
        return Err(SpecError::new(&text, reason));
    }
    for (key, value, cost) in agent.values.costs() {
        let most = cost.most(threads);
        if value.unsigned_abs() > most {
            let reason = format!("{key}={value} is too much here; at most {most}");
            return Err(SpecError::new(&text, reason));
        }
    }
    Ok(())
}

/// What an agent asks of a machine, as far as its keys say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// Threads.
    pub threads: u64,
    /// Memory in MiB.
    pub mebibytes: u64,
}

/// The threads and memory that an agent asks for.
#[must_use]
pub fn needs_of(agent: &ResolvedAgent) -> Needs {
    let mut needs = Needs { threads: 1, mebibytes: 0 };
    for (_, value, cost) in agent.values.costs() {
        match cost {
            Cost::Threads { .. } => needs.threads = needs.threads.max(value.unsigned_abs()),
            Cost::Megabytes(_) => needs.mebibytes += value.unsigned_abs(),
            _ => {}
        }
    }
    needs
}

/// The key that says how many threads an agent of this name uses, if it can use several.
pub fn threads_key(game: &dyn AnyGame, agent: &str) -> Option<String> {
    let agent = game.agents().into_iter().find(|known| known.name == agent)?;
    let mut params = agent.params.into_iter();
    let found = params.find(|param| matches!(param.cost, Some(Cost::Threads { .. })));
    found.map(|param| param.key)
}
